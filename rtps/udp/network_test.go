package udp

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

var (
	theLo   = link{"lo", 1, true, false, []netip.Addr{localhost}}
	theEth  = link{"eth0", 2, false, true, []netip.Addr{netip.MustParseAddr("10.0.0.5"), netip.MustParseAddr("10.0.1.5")}}
	theTun  = link{"tun0", 7, false, false, []netip.Addr{netip.MustParseAddr("10.8.0.2")}}
	theHost = []link{theLo, theEth, theTun}
)

func TestWhatIsUsedOfAHost(t *testing.T) {
	for _, c := range []struct {
		name       string
		config     Config
		host       []link
		announced  string
		via, joins []int
	}{
		{"everything", Config{}, theHost, "10.0.0.5 10.0.1.5 10.8.0.2", []int{2}, []int{2, 1}},
		{"localhost", Config{Localhost: true}, theHost, "127.0.0.1", []int{1}, []int{1}},
		{"by name", Config{Interfaces: []string{"tun0"}}, theHost, "10.8.0.2", nil, []int{1}},
		{"loopback by name", Config{Interfaces: []string{"lo"}}, theHost, "127.0.0.1", []int{1}, []int{1}},
		{"nothing but loopback", Config{}, []link{theLo}, "127.0.0.1", []int{1}, []int{1}},
		{"without multicast", Config{NoMulticast: true}, theHost, "10.0.0.5 10.0.1.5 10.8.0.2", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := choose(c.config, c.host)
			if err != nil {
				t.Fatal(err)
			}
			var announced []string
			for _, a := range n.addresses() {
				announced = append(announced, a.String())
			}
			if got := strings.Join(announced, " "); got != c.announced {
				t.Errorf("announces %s, want %s", got, c.announced)
			}
			if !slices.Equal(n.via, c.via) || !slices.Equal(n.joins, c.joins) {
				t.Errorf("multicast through %v and joined on %v, want %v and %v", n.via, n.joins, c.via, c.joins)
			}
		})
	}
}

func TestWhomAParticipantAnnouncesItselfTo(t *testing.T) {
	n, err := choose(Config{Localhost: true}, theHost)
	if err != nil {
		t.Fatal(err)
	}
	to := n.announce(Config{Domain: 0, Localhost: true}, 2)
	// The group, and indices 0 to 31 of this host but for its own.
	if len(to) != 1+31 || to[0] != netip.MustParseAddrPort("239.255.0.1:7400") {
		t.Fatalf("%d addresses, the first %v; want 32 and the group", len(to), to[0])
	}
	if to[1] != netip.MustParseAddrPort("127.0.0.1:7410") || to[31] != netip.MustParseAddrPort("127.0.0.1:7472") {
		t.Errorf("from %v to %v, want ports 7410 to 7472", to[1], to[31])
	}
	if slices.Contains(to, netip.MustParseAddrPort("127.0.0.1:7414")) {
		t.Error("it announces itself to itself")
	}
	peer := netip.MustParseAddr("10.0.0.9")
	to = n.announce(Config{Peers: []netip.Addr{peer}}, 0)
	if !slices.Contains(to, netip.AddrPortFrom(peer, 7410)) || !slices.Contains(to, netip.AddrPortFrom(peer, 7472)) {
		t.Errorf("announces to %v, not to indices 0 to 31 of its peer", to)
	}
}

func TestWhatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Domain: 233}, "take 0 to 232"},
		{Config{Domain: -1}, "take 0 to 232"},
		{Config{Domain: 0, MaxIndex: 30000}, "take 0 to 29062"}, // 7411 + 2 x 29062 is 65535
		{Config{Domain: 232, MaxIndex: 63}, "take 0 to 62"},     // 7411 + 250 x 232 + 2 x 62 is 65535
		{Config{Localhost: true, Interfaces: []string{"eth0"}}, "exclude each other"},
		{Config{Localhost: true, Peers: []netip.Addr{netip.MustParseAddr("10.0.0.9")}}, "exclude each other"},
		{Config{Peers: []netip.Addr{netip.MustParseAddr("::1")}}, "IPv4 address"},
		{Config{Interfaces: []string{"no such interface"}}, "there are"},
	} {
		if _, err := Join(c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
	}
	if _, err := choose(Config{}, nil); err == nil || !strings.Contains(err.Error(), "ip link set lo up") {
		t.Errorf("a host without interfaces: %v", err)
	}
}

func TestPorts(t *testing.T) {
	// The table of DDSI-RTPS 2.3, 9.6.1.1, worked out.
	for _, c := range []struct{ domain, index, multicast, meta, user int }{
		{0, 0, 7400, 7410, 7411},
		{0, 31, 7400, 7472, 7473},
		{1, 2, 7650, 7664, 7665},
		{232, 62, 65400, 65534, 65535},
	} {
		if m, a, b := multicastPort(c.domain), metatrafficPort(c.domain, c.index), userPort(c.domain, c.index); int(m) != c.multicast || int(a) != c.meta || int(b) != c.user {
			t.Errorf("domain %d, index %d: ports %d, %d and %d, want %d, %d and %d", c.domain, c.index, m, a, b, c.multicast, c.meta, c.user)
		}
	}
}
