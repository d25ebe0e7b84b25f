package udp

import (
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/takt-rt/takt/qos"
)

// wide is local without the restriction to this host.
func wide() Config {
	c := local()
	c.Localhost = false
	return c
}

// sizes are from less than a packet of Ethernet to many fragments.
var sizes = []struct{ length, count int }{{12 + 4, 20}, {1024, 20}, {64 << 10, 10}, {1 << 20, 3}, {4 << 20, 2}}

// exchangeSizes exchanges reliable samples of all sizes both ways.
func exchangeSizes(t *testing.T, a, b *Participant) {
	t.Helper()
	for _, s := range sizes {
		exchange(t, a, b, reliable(qos.KeepAll()), s.length, s.count)
		exchange(t, b, a, reliable(qos.KeepAll()), s.length, s.count)
	}
}

func TestTwoHostsFindEachOtherByMulticast(t *testing.T) {
	x, y := wired(t)
	a, b := x.join(t, wide()), y.join(t, wide())
	exchangeSizes(t, a, b)
	for _, p := range []*Participant{a, b} {
		if got := p.Traffic(); got.Kept+got.Dropped+got.Unsent != 0 {
			t.Errorf("%d kept, %d dropped, %d unsent (%v); want none", got.Kept, got.Dropped, got.Unsent, got.SendErr)
		}
	}
}

func TestTwoHostsFindEachOtherAsStaticPeers(t *testing.T) {
	x, y := wired(t)
	seen := x.capture(t)
	c := wide()
	c.NoMulticast = true
	b := y.join(t, c)
	c.Peers = []netip.Addr{netip.MustParseAddr("10.47.0.2")} // one side suffices
	a := x.join(t, c)
	exchange(t, a, b, reliable(qos.KeepAll()), 12+4, 20)
	for _, f := range seen.frames(t) {
		if f.to.IsValid() && f.to.Addr().IsMulticast() {
			t.Fatalf("multicast, though it is forbidden: %v", f)
		}
	}
	exchangeSizes(t, a, b)
}

// A host in two networks is reached by each of its neighbours in theirs, though
// it announces the addresses of both.
func TestAHostInTwoNetworksMeetsBoth(t *testing.T) {
	middle, left := wired(t)
	right := isolated(t)
	middle.wire(t, "eth1", right, "eth0")
	middle.ip(t, "addr", "add", "10.48.0.1/24", "dev", "eth1")
	right.ip(t, "addr", "add", "10.48.0.2/24", "dev", "eth0")
	// Whatever is sent to a network that is not its own is gone.
	for _, n := range []*namespace{left, right} {
		n.ip(t, "route", "add", "blackhole", "default")
	}
	m, l, r := middle.join(t, wide()), left.join(t, wide()), right.join(t, wide())
	exchange(t, m, l, reliable(qos.KeepAll()), 100_000, 3)
	exchange(t, m, r, reliable(qos.KeepAll()), 100_000, 3)
	exchange(t, r, m, reliable(qos.KeepAll()), 100_000, 3)
	if l.knowsOf(2) || r.knowsOf(2) {
		t.Error("left and right know each other, though nothing joins their networks")
	}
}

// Two cables between the same hosts carry every sample once.
func TestTwoCablesCarryEverythingOnce(t *testing.T) {
	x, y := wired(t)
	x.wire(t, "eth1", y, "eth1")
	x.ip(t, "addr", "add", "10.48.0.1/24", "dev", "eth1")
	y.ip(t, "addr", "add", "10.48.0.2/24", "dev", "eth1")
	exchangeSizes(t, x.join(t, wide()), y.join(t, wide()))
}

// Of two interfaces only the one named is used.
func TestOnlyTheInterfaceNamedIsUsed(t *testing.T) {
	x, y := wired(t)
	x.wire(t, "eth1", y, "eth1")
	x.ip(t, "addr", "add", "10.48.0.1/24", "dev", "eth1")
	y.ip(t, "addr", "add", "10.48.0.2/24", "dev", "eth1")
	seen, other := x.capture(t), x.index(t, "eth1")
	c := wide()
	c.Interfaces = []string{"eth0"}
	exchange(t, x.join(t, c), y.join(t, c), reliable(qos.KeepAll()), 1000, 20)
	for _, f := range seen.frames(t) {
		if f.index == other {
			t.Errorf("seen on eth1: %v", f)
		}
	}
}

// impatient is wide with short leases, so that what is gone is soon noticed.
func impatient() Config {
	c := wide()
	c.Lease, c.Interval = time.Second, 100*time.Millisecond
	return c
}

// While an interface is down what is sent through it is lost and counted; the
// two find each other again when it is up.
func TestAnInterfaceGoesDownAndComesBack(t *testing.T) {
	x, y := wired(t)
	a, b := x.join(t, impatient()), y.join(t, impatient())
	exchange(t, a, b, reliable(qos.KeepAll()), 1000, 10)
	x.ip(t, "link", "set", "eth0", "down")
	eventually(t, "both leases run out", func() bool { return a.knowsOf(0) && b.knowsOf(0) })
	if n := a.Traffic(); n.Unsent == 0 || n.SendErr == nil {
		t.Errorf("%d unsent (%v) through an interface that is down", n.Unsent, n.SendErr)
	}
	x.ip(t, "link", "set", "eth0", "up")
	exchange(t, a, b, reliable(qos.KeepAll()), 1000, 10)
	exchange(t, b, a, reliable(qos.KeepAll()), 100_000, 3)
}

// Interfaces without an IPv4 address are not used: no packet is seen there.
func TestInterfacesWithoutAnIPv4AddressAreIgnored(t *testing.T) {
	x, y := wired(t)
	x.wire(t, "bare", y, "bare")
	x.wire(t, "six", y, "six")
	x.do(func() { _ = os.WriteFile("/proc/sys/net/ipv6/conf/six/disable_ipv6", []byte("0"), 0) })
	x.ip(t, "addr", "add", "fd47::1/64", "dev", "six", "nodad")
	for _, name := range []string{"bare", "six"} {
		c := wide()
		c.Interfaces = []string{name}
		if _, err := x.tryJoin(c); err == nil || !strings.Contains(err.Error(), `"`+name+`"`) || !strings.Contains(err.Error(), `["lo" "eth0"]`) {
			t.Errorf("%s by name: %v; want that it has no IPv4 address, and what there is", name, err)
		}
	}
	seen := x.capture(t)
	exchange(t, x.join(t, wide()), y.join(t, wide()), reliable(qos.KeepAll()), 1000, 20)
	for _, f := range seen.frames(t) {
		if f.kind == unix.ETH_P_IP && f.index != x.index(t, "lo") && f.index != x.index(t, "eth0") {
			t.Errorf("seen where there is no address: %v", f)
		}
	}
}

func TestAnInterfaceThatIsDownIsNotUsedByName(t *testing.T) {
	x, _ := wired(t)
	x.ip(t, "link", "set", "eth0", "down")
	c := wide()
	for _, name := range []string{"eth0", "eth7"} {
		c.Interfaces = []string{name}
		want := `interface "` + name + `": none of that name is up and has an IPv4 address; there are ["lo"]`
		if _, err := x.tryJoin(c); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// What is used of a host is settled by Join: an interface that gets its address
// later is not used until the participant joins again.
func TestAnAddressThatComesLater(t *testing.T) {
	x, y := wired(t)
	x.ip(t, "addr", "flush", "dev", "eth0")
	a, b := x.join(t, impatient()), y.join(t, impatient())
	x.ip(t, "addr", "add", "10.47.0.1/24", "dev", "eth0")
	again := y.join(t, impatient())
	eventually(t, "two of a host find each other", func() bool { return b.knows(again) && again.knows(b) })
	if b.knows(a) || a.knows(b) {
		t.Error("found though it joined before there was an address")
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	exchange(t, x.join(t, impatient()), b, reliable(qos.KeepAll()), 1000, 10)
}

// knows reports whether a participant has found another.
func (p *Participant) knows(other *Participant) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.machine.Directory().Participant(other.prefix) != nil
}

// knowsOf reports whether a participant has found so many others.
func (p *Participant) knowsOf(n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.machine.Directory().Participants()) == n
}
