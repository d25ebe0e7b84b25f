package udp

import (
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/rtps"
)

// The gate is the one way out. Nothing is sent in this test.
func TestTheGate(t *testing.T) {
	g := netip.AddrPortFrom(group, multicastPort(testDomain))
	lo, wide, quiet := &network{via: []int{1}}, &network{via: []int{2, 3}}, &network{}
	for _, c := range []struct {
		name      string
		localhost bool
		network   *network
		to        string
		want      []int // interfaces; 0 is by the routes; none: refused
	}{
		{"this host", true, lo, "127.0.0.1:7410", []int{0}},
		{"the group, on loopback", true, lo, g.String(), []int{1}},
		{"a host of the internet", true, lo, "8.8.8.8:7410", nil},
		{"a host of the network", true, lo, "192.168.1.2:7410", nil},
		{"another address of loopback", true, lo, "127.0.0.2:7410", nil},
		{"nowhere", true, lo, "0.0.0.0:7410", nil},
		{"everybody", true, lo, "255.255.255.255:7410", nil},
		{"the group at another port", true, lo, "239.255.0.1:9999", nil},
		{"another group", true, lo, "239.255.0.2:7400", nil},
		{"IPv6", true, lo, "[::1]:7410", nil},
		{"IPv4 in IPv6", true, lo, "[::ffff:127.0.0.1]:7410", nil},
		{"the group, without multicast", true, quiet, g.String(), nil},

		{"a host of the network", false, wide, "192.168.1.2:7410", []int{0}},
		{"the group, through each interface", false, wide, g.String(), []int{2, 3}},
		{"another group", false, wide, "239.255.0.2:7400", nil},
		{"the group, without multicast", false, quiet, g.String(), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			gate := newGate(Config{Domain: testDomain, Localhost: c.localhost}, c.network)
			to := netip.MustParseAddrPort(c.to)
			out := gate.admit(nil, []rtps.Packet{{To: to, Payload: []byte("x")}})
			var via []int
			for _, m := range out {
				via = append(via, m.Interface)
				if m.To != to {
					t.Errorf("goes to %v", m.To)
				}
			}
			if len(via) != len(c.want) || len(via) > 0 && via[0] != c.want[0] || len(via) > 1 && via[1] != c.want[1] {
				t.Errorf("leaves through %v, want %v", via, c.want)
			}
			if refused := gate.refused == 1; refused != (len(c.want) == 0) {
				t.Errorf("%d refused", gate.refused)
			}
		})
	}
}

// A peer can say that it is reached anywhere; what is for it stays here.
func TestAPacketForAnotherHostIsKept(t *testing.T) {
	p := join(t, local())
	before := p.Traffic()
	p.mu.Lock()
	p.out = p.gate.admit(p.out[:0], []rtps.Packet{{To: netip.MustParseAddrPort("8.8.8.8:7410"), Payload: []byte("x")}})
	left := len(p.out)
	p.mu.Unlock()
	if after := p.Traffic(); left != 0 || after.Kept != before.Kept+1 {
		t.Errorf("%d packets to be sent, %d kept; want 0 and 1", left, after.Kept-before.Kept)
	}
}

func TestLocalhostBindsToNothingElse(t *testing.T) {
	p := join(t, local())
	for _, u := range p.sockets.all() {
		if a := u.LocalAddr().Addr(); a != localhost && a != group {
			t.Errorf("bound to %v", u.LocalAddr())
		}
	}
	if p.sockets.multicast == nil {
		t.Fatal("does not listen to the group")
	}
	for _, index := range p.gate.via {
		wantLoopback(t, index)
	}
	checkKernelAgrees(t, p.sockets.unicast[0])
}

func wantLoopback(t *testing.T, index int) {
	t.Helper()
	all, err := links()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if l.index == index && l.loopback {
			return
		}
	}
	t.Errorf("multicast leaves through interface %d, which is not loopback", index)
}

// checkKernelAgrees looks a port up in the kernel's own table of UDP sockets.
func checkKernelAgrees(t *testing.T, u *kernel.UDP) {
	t.Helper()
	table, err := os.ReadFile("/proc/net/udp")
	if err != nil {
		t.Skipf("no table of sockets here: %v", err)
	}
	// 7400 + 250 x 43 + 10 = 18160 = 0x46F0, at index 0.
	if u.LocalAddr().Port() != 18160 {
		t.Skip("index 0 is taken by another")
	}
	for line := range strings.Lines(string(table)) {
		if address := strings.Fields(line)[1]; strings.HasSuffix(address, ":46F0") && address != "0100007F:46F0" {
			t.Errorf("the port is bound at %s, not at 127.0.0.1", address)
		}
	}
}
