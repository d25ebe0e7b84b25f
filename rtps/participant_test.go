package rtps

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

func TestTwoParticipantsExchangeSamplesBothWays(t *testing.T) {
	for _, q := range []qos.Policies{reliableTest, bestEffortTest} {
		d := newDomainTest(t, 2)
		a, b := d.nodes[0], d.nodes[1]
		w, r := a.writer(topicTest(q)), a.reader(topicTest(q))
		w2, r2 := b.writer(topicTest(q)), b.reader(topicTest(q))
		d.run(time.Second)
		for i := range 3 {
			a.write(w, fmt.Sprint("a", i, "..")) // a multiple of 4: no padding comes with it
			b.write(w2, fmt.Sprint("b", i, ".."))
			d.run(time.Millisecond)
		}
		d.run(time.Second)
		a.wantGot("b0..", "b1..", "b2..")
		b.wantGot("a0..", "a1..", "a2..")
		for _, n := range d.nodes {
			n.wantCount(ParticipantFound, nil, 1)
			n.wantCount(WriterFound, nil, 1)
			n.wantCount(ReaderFound, nil, 1)
			n.wantCount(Matched, nil, 2)
			n.wantCount(Incompatible, nil, 0)
		}
		if !a.Acked(w) || !b.Acked(w2) {
			t.Error("not everything is acknowledged")
		}
		c, ok := a.Counts(r, wire.GUID{Prefix: b.c.Prefix, Entity: w2})
		if !ok || c.Delivered != 3 {
			t.Errorf("counts %+v, %v", c, ok)
		}
		if _, ok := b.Counts(r2, wire.GUID{Prefix: b.c.Prefix, Entity: w2}); ok {
			t.Error("a reader here matched a writer of its own participant")
		}
	}
}

func TestDiscoveryIsFast(t *testing.T) {
	d := newDomainTest(t, 2)
	d.nodes[0].writer(topicTest(reliableTest))
	d.nodes[1].reader(topicTest(reliableTest))
	d.run(200 * time.Millisecond)
	// Cyclone DDS pairs take 2 ms, mixed pairs 10 ms; ours has answers that wait up to 5 ms twice.
	for _, n := range d.nodes {
		if at := n.at(Matched); at > clock.Mono(20*time.Millisecond) {
			t.Errorf("matched after %v", at)
		}
	}
}

func TestReliableSamplesArriveInSpiteOfLosses(t *testing.T) {
	d := newDomainTest(t, 2)
	random := rand.New(rand.NewPCG(1, 2))
	d.drop = func(*nodeTest, []byte) bool { return random.IntN(10) < 3 }
	w := d.nodes[0].writer(topicTest(reliableTest))
	d.nodes[1].reader(topicTest(reliableTest))
	d.run(5 * time.Second)
	var want []string
	for i := range 200 {
		s := fmt.Sprintf("%04d", i)
		d.nodes[0].write(w, s)
		want = append(want, s)
		d.run(time.Millisecond)
	}
	d.run(10 * time.Second)
	d.nodes[1].wantGot(want...)
}

func TestLateReaderGetsWhatIsKept(t *testing.T) {
	d := newDomainTest(t, 1)
	w := d.nodes[0].writer(topicTest(lateTest))
	for i := range 5 {
		d.nodes[0].write(w, fmt.Sprintf("%04d", i))
	}
	d.run(time.Second)
	late := d.join(func(*ParticipantConfig) {})
	late.reader(topicTest(lateTest))
	d.run(time.Second)
	late.wantGot("0002", "0003", "0004")
}

func TestTenParticipantsMeet(t *testing.T) {
	d := newDomainTest(t, 10)
	var writers []wire.EntityID
	for _, n := range d.nodes {
		writers = append(writers, n.writer(topicTest(reliableTest)))
		n.reader(topicTest(reliableTest))
	}
	d.run(2 * time.Second)
	for i, n := range d.nodes {
		n.wantCount(ParticipantFound, nil, 9)
		n.wantCount(Matched, nil, 18)
		n.write(writers[i], fmt.Sprintf("from%04d", i))
	}
	d.run(2 * time.Second)
	for i, n := range d.nodes {
		var want []string
		for j := range d.nodes {
			if j != i {
				want = append(want, fmt.Sprintf("from%04d", j))
			}
		}
		slices.Sort(n.got)
		n.wantGot(want...)
	}
}

func TestASilentParticipantIsLostWhenItsOwnLeaseEnds(t *testing.T) {
	for _, lease := range []time.Duration{20 * time.Second, 7 * time.Second} {
		d := newDomainTest(t, 1)
		a, b := d.nodes[0], d.join(func(c *ParticipantConfig) { c.Lease = lease })
		a.reader(topicTest(reliableTest))
		b.writer(topicTest(reliableTest))
		d.run(time.Second)
		a.wantCount(Matched, b, 1)
		// b speaks its last word at 6.5 s: announcements are at 0.5 s and every 3 s after.
		d.run(5600 * time.Millisecond)
		last := a.directory.Participant(b.c.Prefix).Heard
		b.silent = true
		d.run(40 * time.Second)
		if got, want := a.at(ParticipantLost), last.Add(lease); got != want {
			t.Errorf("lost at %v, last heard at %v, lease %v", got, last, lease)
		}
		a.wantCount(WriterGone, b, 1)
		a.wantCount(Unmatched, b, 1)
		a.wantCount(ParticipantLeft, b, 0)
		if len(a.peers) != 0 || len(a.routes) != 0 || len(a.sources) != 0 {
			t.Error("something of it is left")
		}
	}
}

// Any message renews the lease (Fast DDS; Cyclone DDS nearly so).
func TestSamplesRenewALease(t *testing.T) {
	d := newDomainTest(t, 1)
	a := d.nodes[0]
	b := d.join(func(c *ParticipantConfig) { c.Lease, c.Interval = 2*time.Second, time.Hour })
	a.reader(topicTest(bestEffortTest))
	w := b.writer(topicTest(bestEffortTest))
	for range 10 {
		d.run(time.Second)
		b.write(w, "tick")
	}
	a.wantCount(ParticipantLost, b, 0)
	last := d.now.Add(flight)
	d.run(10 * time.Second)
	if got := a.at(ParticipantLost); got != last.Add(2*time.Second) {
		t.Errorf("lost at %v, last heard at %v", got, last)
	}
}

func TestLeavingIsHeardAtOnce(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	a.reader(topicTest(reliableTest))
	b.writer(topicTest(reliableTest))
	d.run(time.Second)
	b.Leave(d.now)
	b.collect()
	left := d.now.Add(flight)
	d.run(time.Second)
	if got := a.at(ParticipantLeft); got != left {
		t.Errorf("left at %v, not %v", got, left)
	}
	a.wantCount(WriterGone, b, 1)
	a.wantCount(Unmatched, b, 1)
	if b.Next() != clock.Mono(math.MaxInt64) {
		t.Error("it has something to do after it left")
	}
}

func TestARestartedParticipantIsFoundAtTheSamePlace(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	w := a.writer(topicTest(reliableTest))
	b.reader(topicTest(reliableTest))
	d.run(time.Second)
	b.silent = true
	d.nodes[1] = &nodeTest{domain: d, meta: b.meta, user: b.user}
	c := b.c
	c.Prefix[11]++
	d.nodes[1].Participant = NewParticipant(d.now, c)
	again := d.nodes[1]
	again.reader(topicTest(reliableTest))
	d.run(time.Second)
	a.write(w, "once")
	d.run(time.Second)
	again.wantGot("once")
}

func TestRemovedEndpointsAreGone(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	w := a.writer(topicTest(reliableTest))
	r := b.reader(topicTest(reliableTest))
	d.run(time.Second)
	a.Remove(d.now, w)
	a.collect()
	d.run(time.Second)
	b.wantCount(WriterGone, a, 1)
	b.wantCount(Unmatched, a, 1)
	b.Remove(d.now, r)
	b.collect()
	d.run(time.Second)
	a.wantCount(ReaderGone, b, 1)
	late := d.join(func(*ParticipantConfig) {})
	d.run(time.Second)
	late.wantCount(WriterFound, nil, 0)
	late.wantCount(ReaderFound, nil, 0)
}

func TestIncompatiblePoliciesAreNamedOnBothSides(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	offered := qos.Policies{Deadline: qos.Within(time.Second)}
	wanted := qos.Policies{Reliability: qos.Reliable, Durability: qos.TransientLocal, Deadline: qos.Within(100 * time.Millisecond)}
	a.writer(topicTest(offered))
	b.reader(topicTest(wanted))
	d.run(time.Second)
	// Policy ids of DDS 1.4: durability 2, deadline 4, reliability 11.
	want := []qos.Policy{2, 4, 11}
	for _, n := range d.nodes {
		n.at(Incompatible)
		n.wantCount(Matched, nil, 0)
		for _, e := range n.seen {
			var got []qos.Policy
			for _, m := range e.Mismatches {
				got = append(got, m.Policy)
			}
			if e.Kind == Incompatible && !slices.Equal(got, want) {
				t.Errorf("policies %v", got)
			}
		}
	}
}

func TestStrangersDoNotMatch(t *testing.T) {
	for name, change := range map[string]func(*EndpointConfig){
		"another topic": func(c *EndpointConfig) { c.Topic += "2" },
		"another type":  func(c *EndpointConfig) { c.Type += "2" },
		"a key":         func(c *EndpointConfig) { c.Keyed = true },
		"a partition":   func(c *EndpointConfig) { c.QoS.Partition = []string{"x"} },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDomainTest(t, 2)
			other := topicTest(reliableTest)
			change(&other)
			d.nodes[0].writer(topicTest(reliableTest))
			d.nodes[1].reader(other)
			d.run(time.Second)
			for _, n := range d.nodes {
				n.wantCount(Matched, nil, 0)
				n.wantCount(Incompatible, nil, 0)
			}
			d.nodes[1].wantCount(WriterFound, nil, 1)
		})
	}
}

func TestKeyedWritersAreHeard(t *testing.T) {
	d := newDomainTest(t, 2)
	keyed := topicTest(reliableTest)
	keyed.Keyed = true
	w := d.nodes[0].writer(keyed)
	d.nodes[1].reader(keyed)
	d.run(time.Second)
	d.nodes[0].write(w, "keys")
	d.run(time.Second)
	d.nodes[1].wantGot("keys")
}

func TestOtherDomainsAreStrangers(t *testing.T) {
	d := newDomainTest(t, 1)
	other := d.join(func(c *ParticipantConfig) { c.Domain = 1 })
	d.run(10 * time.Second)
	for _, n := range []*nodeTest{d.nodes[0], other} {
		n.wantCount(ParticipantFound, nil, 0)
	}
}

func TestEndpointsThatCannotBeAreRefused(t *testing.T) {
	p := newDomainTest(t, 1).nodes[0]
	for name, c := range map[string]EndpointConfig{
		"no topic":           {Type: "T"},
		"no type":            {Topic: "t"},
		"negative deadline":  {Topic: "t", Type: "T", QoS: qos.Policies{Deadline: qos.Within(-1)}},
		"persistent":         {Topic: "t", Type: "T", QoS: qos.Policies{Durability: qos.Persistent}},
		"manual liveliness":  {Topic: "t", Type: "T", QoS: qos.Policies{Liveliness: qos.ManualByTopic}},
		"too much user data": {Topic: "t", Type: "T", UserData: make([]byte, 60000)},
	} {
		if _, err := p.AddWriter(0, c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := p.Write(0, wire.Timestamp{}, wire.EntityID{1}, nil); err == nil {
		t.Error("a sample of a writer that is not there: accepted")
	}
	p.Leave(0)
	if _, err := p.AddReader(0, topicTest(reliableTest)); err == nil {
		t.Error("a reader after the participant left: accepted")
	}
}

func TestLivelinessIsAssertedWithinTheLease(t *testing.T) {
	d := newDomainTest(t, 2)
	q := reliableTest
	q.Lease = qos.Within(300 * time.Millisecond)
	d.nodes[0].writer(topicTest(q))
	d.run(2 * time.Second)
	var at []clock.Mono
	d.drop = func(to *nodeTest, payload []byte) bool {
		if to == d.nodes[1] && hasDataOf(payload, wire.ParticipantMessageWriter) {
			at = append(at, d.now)
		}
		return false
	}
	d.run(3 * time.Second)
	// A third of the lease is 100 ms.
	if len(at) != 30 {
		t.Fatalf("asserted %d times in 3 s", len(at))
	}
	for i := range at[1:] {
		if got := at[i+1].Sub(at[i]); got != 100*time.Millisecond {
			t.Errorf("asserted again after %v", got)
		}
	}
}

func hasDataOf(payload []byte, writer wire.EntityID) bool {
	m, _ := wire.ParseMessage(payload)
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if d, err := wire.ParseData(s); s.ID == wire.IDData && err == nil && d.Writer == writer {
			return true
		}
	}
	return false
}

func TestWhatIsForOthersIsNotTaken(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	r := a.reader(topicTest(bestEffortTest))
	w := b.writer(topicTest(bestEffortTest))
	d.run(time.Second)
	writer := wire.GUID{Prefix: b.c.Prefix, Entity: w}
	send := func(dest, source wire.GUIDPrefix, n wire.SequenceNumber) {
		msg := b.pack.header
		msg.Prefix = source
		payload := wire.InfoDest{Prefix: dest}.Append(msg.Append(nil), binary.LittleEndian)
		data := wire.Data{Writer: w, Sequence: n, Payload: []byte("data")}
		a.Receive(d.now, Datagram{Payload: data.Append(payload, binary.LittleEndian)})
		a.collect()
	}
	send(wire.GUIDPrefix{9}, writer.Prefix, 1)
	send(a.c.Prefix, a.c.Prefix, 2)
	send(a.c.Prefix, wire.GUIDPrefix{9}, 3)
	a.wantGot()
	send(a.c.Prefix, writer.Prefix, 4)
	send(wire.GUIDPrefix{}, writer.Prefix, 6)
	a.wantGot("data", "data")
	if c, _ := a.Counts(r, writer); c.Lost != 1 { // 5
		t.Errorf("counts %+v", c)
	}
	a.wantCount(SampleLost, b, 1)
}

func TestArrivalAndSourceTimeCome(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	a.reader(topicTest(bestEffortTest))
	w := b.writer(topicTest(bestEffortTest))
	d.run(time.Second)
	stamp := wire.Timestamp{Seconds: 101, Fraction: 7}
	if err := b.Write(d.now, stamp, w, []byte("time")); err != nil {
		t.Fatal(err)
	}
	k := b.Packets()[0]
	a.Receive(d.now.Add(time.Second), Datagram{Payload: k.Payload, Arrival: d.now})
	got := a.Deliveries()[0]
	if got.Arrival != d.now || got.Source != wire.Some(stamp) || got.Writer != (wire.GUID{Prefix: b.c.Prefix, Entity: w}) {
		t.Errorf("got %+v", got)
	}
	if a.Deliveries() != nil {
		t.Error("delivered twice")
	}
}

func TestSamplesForManyReadersAreSentOnceToEachParticipant(t *testing.T) {
	d := newDomainTest(t, 3)
	a := d.nodes[0]
	w := a.writer(topicTest(bestEffortTest))
	for _, n := range d.nodes[1:] {
		n.reader(topicTest(bestEffortTest))
		n.reader(topicTest(bestEffortTest))
	}
	d.run(time.Second)
	if err := a.Write(d.now, wire.Timestamp{}, w, []byte("data")); err != nil {
		t.Fatal(err)
	}
	packets := a.Packets()
	slices.SortFunc(packets, func(a, b Packet) int { return cmp.Compare(a.To.Port(), b.To.Port()) })
	if len(packets) != 2 || packets[0].To != d.nodes[1].user || packets[1].To != d.nodes[2].user {
		t.Fatalf("packets %v", packets)
	}
	if &packets[0].Payload[0] != &packets[1].Payload[0] {
		t.Error("packed twice")
	}
}

func TestSamplesWrittenTogetherShareADatagram(t *testing.T) {
	p := newPairTest(t, bestEffortTest)
	for range 3 {
		if err := p.a.Write(p.now, wire.Timestamp{}, p.writer, []byte("data")); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(p.a.Packets()); got != 1 {
		t.Errorf("%d datagrams", got)
	}
}

func TestLargeSamplesAreCutAndRepaired(t *testing.T) {
	p := newPairTest(t, reliableTest)
	random := rand.New(rand.NewPCG(5, 6))
	p.drop = func(*nodeTest, []byte) bool { return random.IntN(10) < 3 }
	var want []string
	for i := range 5 {
		s := strings.Repeat(fmt.Sprintf("%07d.", i), 25000) // 200,000 bytes
		p.a.write(p.writer, s)
		want = append(want, s)
	}
	p.run(20 * time.Second)
	if !slices.Equal(p.b.got, want) {
		t.Errorf("%d samples of %d, or with other bytes", len(p.b.got), len(want))
	}
	if !p.a.Acked(p.writer) {
		t.Error("not acknowledged")
	}
}

func TestWhichAddressOfAParticipantIsSentTo(t *testing.T) {
	for _, c := range []struct {
		own, from string
		announced []string
		want      string
	}{
		{"127.0.0.1:1", "127.0.0.1:9", []string{"10.0.0.2:7", "127.0.0.1:7"}, "127.0.0.1:7"},
		{"127.0.0.1:1", "10.0.0.2:9", []string{"10.0.0.2:7"}, ""},
		{"10.0.0.1:1", "10.0.0.2:9", []string{"127.0.0.1:7", "10.0.0.2:7"}, "10.0.0.2:7"}, // its own loopback
		{"10.0.0.1:1", "10.0.0.1:9", []string{"127.0.0.1:7"}, "127.0.0.1:7"},              // on this host
		{"10.0.0.1:1", "127.0.0.1:9", []string{"127.0.0.1:7"}, "127.0.0.1:7"},
		{"10.0.0.1:1", "10.0.0.2:9", []string{"10.0.0.2:0", "0.0.0.0:7", "239.255.0.1:7", "255.255.255.255:7", "10.0.0.2:8"}, "10.0.0.2:8"},
		{"10.0.0.1:1", "10.0.0.2:9", []string{"172.17.0.1:7", "10.0.0.2:8"}, "10.0.0.2:8"},   // of its two networks, the one heard from
		{"10.0.0.1:1", "10.0.0.3:9", []string{"172.17.0.1:7", "10.0.0.2:8"}, "172.17.0.1:7"}, // heard from neither
	} {
		p := NewParticipant(0, ParticipantConfig{Metatraffic: []netip.AddrPort{netip.MustParseAddrPort(c.own)}})
		all := []wire.Locator{{Kind: wire.LocatorSHM, Port: 7}, {Kind: wire.LocatorInvalid, Port: 7}}
		for _, a := range c.announced {
			all = append(all, wire.UDPv4(netip.MustParseAddrPort(a)))
		}
		got := ""
		if to := p.pick(all, netip.MustParseAddrPort(c.from)); to != nil {
			got = to[0].String()
		}
		if got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}
