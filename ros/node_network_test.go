package ros

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// What ROS makes of its variables for sockets, and takt with it.
func TestNetworkOfEnvironment(t *testing.T) {
	far := netip.MustParseAddr("192.0.2.7") // of documentation: nothing is sent there
	for _, c := range []struct {
		env        map[string]string
		interfaces []string

		localhost, noMulticast bool
		peers                  []netip.Addr
		err                    string
	}{
		{},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET", "ROS_STATIC_PEERS": "192.0.2.7"}, peers: []netip.Addr{far}},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}, interfaces: []string{"eth0"}},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT", "ROS_STATIC_PEERS": "192.0.2.7"}},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}, localhost: true},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "nonsense"}, localhost: true},
		{env: map[string]string{"ROS_LOCALHOST_ONLY": "1", "ROS_STATIC_PEERS": "192.0.2.7"}, localhost: true},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_STATIC_PEERS": "127.0.0.1"}, localhost: true},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_STATIC_PEERS": "127.0.0.1;192.0.2.7;192.0.2.7"},
			noMulticast: true, peers: []netip.Addr{far}},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}, interfaces: []string{"eth0"},
			err: `the interfaces ["eth0"] are not used`},
		{env: map[string]string{"ROS_STATIC_PEERS": "2001:db8::7"}, err: `ROS_STATIC_PEERS="2001:db8::7": no IPv4 address is known for it`},
		{env: map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "OFF"}, err: "set it to LOCALHOST or SUBNET"},
	} {
		t.Run(fmt.Sprint(c.env, c.interfaces), func(t *testing.T) {
			env, err := ReadEnvironment(func(name string) string { return c.env[name] })
			if err != nil {
				t.Fatal(err)
			}
			n := Config{Environment: env, Interfaces: c.interfaces}
			got, err := n.network()
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q in it", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.Localhost != c.localhost || got.NoMulticast != c.noMulticast || !slices.Equal(got.Peers, c.peers) {
				t.Errorf("localhost %v, no multicast %v, peers %v; want %v, %v, %v", got.Localhost, got.NoMulticast, got.Peers, c.localhost, c.noMulticast, c.peers)
			}
		})
	}
}
