package udp

import (
	"net/netip"
	"testing"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// tempted returns a namespace in which everything that is not for this host
// would leave by eth0, to a neighbour who need not answer.
func tempted(t *testing.T) *namespace {
	t.Helper()
	n, _ := wired(t)
	n.ip(t, "route", "add", "default", "via", "10.47.0.2")
	// Without asking who has the address, so that packets leave at once.
	n.ip(t, "neigh", "add", "10.47.0.2", "lladdr", "02:00:00:00:00:02", "dev", "eth0")
	return n
}

// converse lets two participants of a namespace find each other, exchange
// samples of both kinds, small ones and some in fragments, be lied to, and leave.
func converse(t *testing.T, n *namespace, c Config) {
	t.Helper()
	a, b := n.join(t, c), n.join(t, c)
	exchange(t, a, b, reliable(qos.KeepAll()), 1000, 100)
	exchange(t, a, b, qos.Policies{History: qos.KeepLast(10)}, 1000, 1)
	exchange(t, a, b, reliable(qos.KeepAll()), 100_000, 3)
	for _, p := range []*Participant{a, b} {
		p.mu.Lock()
		elsewhere := rtps.Packet{To: netip.MustParseAddrPort("203.0.113.7:7410"), Payload: []byte("x")}
		p.out = p.gate.admit(p.out[:0], []rtps.Packet{elsewhere})
		_, err := p.sockets.unicast[1].Send(p.out)
		p.mu.Unlock()
		if err != nil {
			t.Error(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Not one packet of a participant restricted to its host is seen on another
// interface, IGMP included, and those on loopback go nowhere but to 127.0.0.1
// and the group of discovery.
func TestNothingLeavesLocalhost(t *testing.T) {
	n := tempted(t)
	seen := n.capture(t)
	lo := n.index(t, "lo")
	converse(t, n, local())
	wanted := map[netip.Addr]int{localhost: 0, group: 0}
	for _, f := range seen.frames(t) {
		if f.index != lo {
			t.Errorf("left loopback: %v", f)
		}
		if _, known := wanted[f.to.Addr()]; f.to.IsValid() && !known {
			t.Errorf("goes elsewhere: %v", f)
		}
		wanted[f.to.Addr()]++
	}
	for to, count := range wanted {
		if count == 0 {
			t.Errorf("no packet to %v was seen, so the test sees nothing", to)
		}
	}
}

// The test above can fail: without the restriction the same conversation is
// seen leaving, multicast and what is for a host of the internet alike.
func TestWithoutLocalhostPacketsAreSeenLeaving(t *testing.T) {
	n := tempted(t)
	seen := n.capture(t)
	eth := n.index(t, "eth0")
	c := local()
	c.Localhost = false
	converse(t, n, c)
	left := map[netip.Addr]int{}
	for _, f := range seen.frames(t) {
		if f.index == eth {
			left[f.to.Addr()]++
		}
	}
	for _, to := range []netip.Addr{group, netip.MustParseAddr("203.0.113.7")} {
		if left[to] == 0 {
			t.Errorf("no packet to %v was seen leaving, only %v", to, left)
		}
	}
}

// Peers say where they are reached. One that says it is elsewhere makes a
// participant restricted to its host send nothing there; what got as far as the
// gate is counted.
func TestALiarDirectsNothingElsewhere(t *testing.T) {
	n := tempted(t)
	seen := n.capture(t)
	honest := n.join(t, local())
	lies := []string{"203.0.113.7", "10.47.0.1", "10.47.0.2", "127.0.0.2", "239.9.9.9", "255.255.255.255"}
	for i, address := range lies {
		n.announce(t, honest, byte(i), netip.MustParseAddr(address))
	}
	eventually(t, "all are known", func() bool { return honest.knowsOf(len(lies)) })
	// It answers a newcomer at once, so whatever it would send is sent.
	for _, f := range seen.frames(t) {
		if f.to.IsValid() && f.to.Addr() != localhost && f.to.Addr() != group {
			t.Errorf("sent: %v", f)
		}
	}
	if honest.Traffic().Kept == 0 {
		t.Error("nothing counts as kept, though 127.0.0.2 is a loopback address and not 127.0.0.1")
	}
}

// announce tells a participant of one that says it is reached at an address.
func (n *namespace) announce(t *testing.T, to *Participant, number byte, address netip.Addr) {
	t.Helper()
	where := []netip.AddrPort{netip.AddrPortFrom(address, 7410)}
	liar := rtps.NewParticipant(kernel.Now(), rtps.ParticipantConfig{
		Prefix: wire.GUIDPrefix{9, number}, Domain: testDomain,
		Metatraffic: where, UserTraffic: where,
		Announce: []netip.AddrPort{to.sockets.unicast[0].LocalAddr()},
	})
	liar.Tick(kernel.Now())
	var u *kernel.UDP
	var err error
	n.do(func() { u, err = kernel.ListenUDP(kernel.UDPConfig{Bind: netip.AddrPortFrom(localhost, 0)}) })
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	for _, p := range liar.Packets() {
		if _, err := u.Send([]kernel.Message{{To: p.To, Payload: p.Payload}}); err != nil {
			t.Fatal(err)
		}
	}
}

// Nor does a participant restricted to its host hear others: what one beside it
// in the same host hears from the network, it does not.
func TestLocalhostHearsNobodyElse(t *testing.T) {
	x, y := wired(t)
	shut, open, far := x.join(t, local()), x.join(t, wide()), y.join(t, wide())
	eventually(t, "the unrestricted two meet", func() bool { return open.knows(far) && far.knows(open) })
	exchange(t, open, far, reliable(qos.KeepAll()), 1000, 10)
	if shut.knows(far) || far.knows(shut) {
		t.Error("a participant restricted to its host and one elsewhere know each other")
	}
}
