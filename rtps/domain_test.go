package rtps

import (
	"math"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A domainTest is participants wired to each other in virtual time. A datagram
// takes flight; one for the group reaches everybody.
type domainTest struct {
	testing.TB
	now    clock.Mono
	nodes  []*nodeTest
	flying []flightTest
	drop   func(to *nodeTest, payload []byte) bool // nil: nothing is lost
	sent   int                                     // datagrams
}

type nodeTest struct {
	*Participant
	domain *domainTest
	meta   netip.AddrPort
	user   netip.AddrPort
	silent bool // a dead process: it neither sends nor hears
	got    []string
	seen   []Event
}

type flightTest struct {
	at clock.Mono
	to *nodeTest
	d  Datagram
}

const flight = 100 * time.Microsecond

var groupTest = netip.MustParseAddrPort("239.255.0.1:7400")

func loopbackTest(port int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
}

func newDomainTest(t testing.TB, nodes int) *domainTest {
	d := &domainTest{TB: t}
	for range nodes {
		d.join(func(*ParticipantConfig) {})
	}
	return d
}

func (t *domainTest) join(change func(*ParticipantConfig)) *nodeTest {
	i := len(t.nodes)
	n := &nodeTest{domain: t, meta: loopbackTest(7410 + 2*i), user: loopbackTest(7411 + 2*i)}
	c := ParticipantConfig{
		Prefix:      wire.GUIDPrefix{1, 0x63, byte(i >> 8), byte(i + 1)},
		Metatraffic: []netip.AddrPort{n.meta}, UserTraffic: []netip.AddrPort{n.user},
		Announce: []netip.AddrPort{groupTest}, UserData: []byte("enclave=/;"),
	}
	change(&c)
	n.Participant = NewParticipant(t.now, c)
	t.nodes = append(t.nodes, n)
	return n
}

// run lets the time pass.
func (t *domainTest) run(d time.Duration) {
	end := t.now.Add(d)
	for t.step(end) {
		continue
	}
	t.now = end
}

// step does what is next until end and reports whether there was anything.
func (t *domainTest) step(end clock.Mono) bool {
	next := clock.Mono(math.MaxInt64)
	if len(t.flying) > 0 {
		next = t.flying[0].at
	}
	var tick *nodeTest
	for _, n := range t.nodes {
		if due := n.Next(); !n.silent && due < next {
			next, tick = due, n
		}
	}
	if next > end {
		return false
	}
	t.now = max(t.now, next)
	if tick != nil {
		tick.Tick(t.now)
		tick.collect()
		return true
	}
	f := t.flying[0]
	t.flying = t.flying[1:]
	if !f.to.silent {
		f.to.Receive(t.now, f.d)
		f.to.collect()
	}
	return true
}

// collect takes what a call brought about.
func (n *nodeTest) collect() {
	for _, k := range n.Packets() {
		n.domain.fly(n, k)
	}
	for _, d := range n.Deliveries() {
		n.got = append(n.got, string(d.Data.Payload))
	}
	n.seen = append(n.seen, n.Events()...)
}

func (t *domainTest) fly(from *nodeTest, k Packet) {
	payload := slices.Clone(k.Payload)
	for _, n := range t.nodes {
		if k.To != groupTest && k.To != n.meta && k.To != n.user || n.Participant == nil || n.left {
			continue
		}
		t.sent++
		if t.drop == nil || !t.drop(n, payload) {
			at := t.now.Add(flight)
			t.flying = append(t.flying, flightTest{at, n, Datagram{Payload: payload, Arrival: at, From: from.meta}})
		}
	}
}

func (n *nodeTest) writer(c EndpointConfig) wire.EntityID {
	n.domain.Helper()
	id, err := n.AddWriter(n.domain.now, c)
	if err != nil {
		n.domain.Fatal(err)
	}
	n.collect()
	return id
}

func (n *nodeTest) reader(c EndpointConfig) wire.EntityID {
	n.domain.Helper()
	id, err := n.AddReader(n.domain.now, c)
	if err != nil {
		n.domain.Fatal(err)
	}
	n.collect()
	return id
}

func (n *nodeTest) write(id wire.EntityID, text string) {
	n.domain.Helper()
	if err := n.Write(n.domain.now, wire.Timestamp{Seconds: 1}, id, []byte(text)); err != nil {
		n.domain.Fatal(err)
	}
	n.collect()
}

func (n *nodeTest) wantGot(want ...string) {
	n.domain.Helper()
	if !slices.Equal(n.got, want) {
		n.domain.Errorf("got %.200q\nwant %.200q", n.got, want)
	}
	n.got = nil
}

// count returns how many events of a kind there were about a node, or about
// any if it is nil.
func (n *nodeTest) count(kind EventKind, about *nodeTest) (c int) {
	for _, e := range n.seen {
		if e.Kind == kind && (about == nil || e.Remote.Prefix == about.c.Prefix) {
			c++
		}
	}
	return c
}

func (n *nodeTest) wantCount(kind EventKind, about *nodeTest, want int) {
	n.domain.Helper()
	if got := n.count(kind, about); got != want {
		n.domain.Errorf("%d times %v, want %d", got, kind, want)
	}
}

// at returns the instant of the only event of a kind.
func (n *nodeTest) at(kind EventKind) clock.Mono {
	n.domain.Helper()
	n.wantCount(kind, nil, 1)
	i := slices.IndexFunc(n.seen, func(e Event) bool { return e.Kind == kind })
	return n.seen[max(i, 0)].At
}

func topicTest(q qos.Policies) EndpointConfig {
	return EndpointConfig{Topic: "rt/chatter", Type: "std_msgs::msg::dds_::String_", QoS: q, UserData: []byte("foo=bar;")}
}

var (
	reliableTest   = qos.Policies{Reliability: qos.Reliable, History: qos.KeepAll()}
	bestEffortTest = qos.Policies{History: qos.KeepLast(10)}
	lateTest       = qos.Policies{Reliability: qos.Reliable, Durability: qos.TransientLocal, History: qos.KeepLast(3)}
)
