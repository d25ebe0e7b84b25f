package ros

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/takt-rt/takt/rtps/udp"
)

// resolving is how long the names of all peers may take to be looked up.
const resolving = 5 * time.Second

// network returns what the environment means for sockets, as the ROS layers of
// Fast DDS and Cyclone DDS take it: SUBNET and SYSTEM_DEFAULT use all interfaces
// and multicast; LOCALHOST stays on this host and does not multicast beyond it,
// except that it speaks to the static peers.
func (c *Config) network() (udp.Config, error) {
	e := c.Environment
	u := udp.Config{Domain: e.Domain, Interfaces: c.Interfaces, Gather: c.Gather, Name: "takt", UserData: ParticipantUserData("/")}
	if e.Range == Off {
		return u, &EnvError{rangeVar, Off.String(), "nodes then speak to nobody, and takt would neither",
			"set it to LOCALHOST or SUBNET, as for the nodes that are to be seen"}
	}
	var err error
	if u.Peers, err = resolve(e.Peers); err != nil {
		return u, err
	}
	if e.Range == Localhost {
		u.Localhost = len(u.Peers) == 0
		u.NoMulticast = !u.Localhost
	}
	if u.Localhost && len(c.Interfaces) > 0 {
		return u, &EnvError{rangeVar, Localhost.String(), fmt.Sprintf("it restricts takt to this host; the interfaces %q are not used then", c.Interfaces),
			"name none, or set it to SUBNET"}
	}
	return u, nil
}

// resolve looks up the IPv4 addresses of peers, each once. Those of this host's
// loopback are left out: takt announces itself there in any case.
func resolve(peers []string) (all []netip.Addr, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), resolving)
	defer cancel()
	for _, peer := range peers {
		found, err := net.DefaultResolver.LookupNetIP(ctx, "ip4", peer)
		if err != nil {
			return nil, &EnvError{peersVar, peer, fmt.Sprintf("no IPv4 address is known for it (%v)", err),
				"write its address, or leave it out"}
		}
		for _, a := range found {
			if a = a.Unmap(); !a.IsLoopback() && !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all, nil
}
