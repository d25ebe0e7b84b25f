package tap

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

func TestSampleBecomesAnEvent(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		t.run(700 * time.Millisecond)
		s := sample(1, 42, t.now(), append(stamped(1_700_000_100, 250), make([]byte, 300)...))
		s.Source = wire.Some(wire.Timestamp{Seconds: 1_700_000_100, Fraction: 1 << 31}) // and half a second
		s.Repairs = 2
		t.graph.take(imuTopic)(s)
		t.end()
		want := timeline.Event{
			At: 100_700_000_000, Kind: timeline.SampleArrived, Flags: timeline.HasStamp | timeline.HasSent,
			Entity: t.sink.last("/imu").ID, Size: 312, Number: 42,
			Cause: timeline.Cause{Entity: t.sink.last(writer(1).String()).ID, Number: 42},
			Stamp: 1_700_000_100_000_000_250, Sent: 100_500_000_000, Value: 2,
		}
		if len(t.sink.events) != 1 || t.sink.events[0] != want {
			t.Errorf("got %+v\nwant %+v", t.sink.events, want)
		}
	})
}

func TestClockBecomesTicks(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, clockTopic)
		t.publish(1, clockTopic, 1, stamped(687, 785_000_000))
		t.publish(1, clockTopic, 2, []byte{0, 1, 0, 0, 1}) // cut
		o := t.end()
		if len(t.sink.events) != 1 || t.sink.events[0].Kind != timeline.TickArrived || t.sink.events[0].Value != 687_785_000_000 {
			t.Errorf("events %+v", t.sink.events)
		}
		if e := t.sink.last("/clock"); e.Kind != timeline.ClockEntity || e.StampSource != "clock" {
			t.Errorf("described as %+v", e)
		}
		if f := findingOf(o, "undecodable"); !strings.HasPrefix(f.Text, "1 samples are shorter than rosgraph_msgs/msg/Clock needs") {
			t.Errorf("finding %+v", f)
		}
	})
}

// Who has left an instance has published nothing.
func TestDisposedInstanceIsNoSample(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		t.publish(1, imuTopic, 1, nil)
		t.end()
		if len(t.sink.events) != 0 {
			t.Errorf("events %+v", t.sink.events)
		}
	})
}

func TestOriginAndWallClock(t *testing.T) {
	var offset atomic.Int64
	offset.Store(int64(wallMinusMono))
	opt := Options{Name: "domain 7", Host: "robot", Boot: "b", ArrivalError: 20 * time.Microsecond, Offset: func() Offset { return Offset{time.Duration(offset.Load()), 30 * time.Microsecond} }}
	inVirtualTime(t, opt, func(t *tapTest) {
		t.run(time.Second)
		offset.Add(90_000) // as virtual clocks do
		t.run(time.Second)
		offset.Add(-3_000_000_000) // set
		t.run(time.Second)
		o := t.end()
		want := timeline.Origin{Kind: "tap", Path: "domain 7", Base: timeline.Base{
			Clock: timeline.MonoClock, Host: "robot", Boot: "b", MonoKnown: true, MonoError: 20_000, WallOffset: 1_700_000_000_000_000_000}}
		if t.sink.origin != want {
			t.Errorf("origin %+v", t.sink.origin)
		}
		const at = "the wall clock moved by -2.99991s against the monotonic clock meanwhile; its offset was known to 30µs at the beginning and to 30µs at the end"
		if f := findingOf(o, "wall-clock"); f.Text != at {
			t.Errorf("finding %+v", f)
		}
		if f := findingOf(o, "wall-clock-set"); !strings.Contains(f.Text, "set once, by up to -3s") {
			t.Errorf("finding %+v", f)
		}
	})
}

func TestSourceTimestampOfAnotherClockIsLeftOut(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		for i, seconds := range []uint32{1_700_000_100 - 3600, 1_700_000_100 - 3601, 1_700_000_100 + 3601, 42} {
			s := sample(1, wire.SequenceNumber(i+1), t.now(), stamped(0, 0))
			s.Source = wire.Some(wire.Timestamp{Seconds: seconds})
			t.graph.take(imuTopic)(s)
		}
		o := t.end()
		var has []bool
		for i := range t.sink.events {
			has = append(has, t.sink.events[i].Has(timeline.HasSent))
		}
		if len(has) != 4 || !has[0] || has[1] || has[2] || has[3] {
			t.Errorf("sent known: %v", has)
		}
		if f := findingOf(o, "source-other-clock"); !strings.HasPrefix(f.Text, "the source timestamps of 3 samples") {
			t.Errorf("finding %+v", f)
		}
	})
}

func TestGraphIsDescribed(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		policies := reliable()
		policies.Durability = qos.TransientLocal
		t.tap.Found(Endpoint{GUID: writer(1), Topic: imuTopic})
		t.run(time.Second)
		t.tap.Found(Endpoint{GUID: writer(1), Topic: imuTopic, Node: "/driver", QoS: policies}) // its node is known now
		t.tap.Found(Endpoint{GUID: writer(2), Topic: imuTopic, Node: "/driver"})
		t.tap.Found(Endpoint{GUID: guid(3, wire.KindReader), Topic: imuTopic, Node: "/filter"})
		t.run(time.Second)
		topic := t.sink.last("/imu")
		if topic.Kind != timeline.TopicEntity || topic.Type != "sensor_msgs/msg/Imu" || topic.StampSource != "header.stamp" || topic.Publishers != 2 || !topic.TransientLocal {
			t.Errorf("topic %+v", topic)
		}
		if w := t.sink.last(writer(1).String()); w.Kind != timeline.WriterEntity || w.Parent != topic.ID || w.Node != "/driver" || w.QoS != policies || w.Own || w.Left {
			t.Errorf("writer %+v", w)
		}
		if r := t.sink.last(guid(3, wire.KindReader).String()); r.Kind != timeline.ReaderEntity || r.Node != "/filter" || r.Own {
			t.Errorf("reader %+v", r)
		}
		if own := t.sink.last(guid(99, wire.KindReader).String()); own.Kind != timeline.ReaderEntity || own.Parent != topic.ID || !own.Own {
			t.Errorf("takt's reader %+v", own)
		}
		for _, n := range []string{"/driver", "/filter"} {
			if t.sink.last(n).Kind != timeline.NodeEntity {
				t.Errorf("node %s is %+v", n, t.sink.last(n))
			}
		}
		t.tap.Gone(writer(1))
		t.run(time.Second)
		if w := t.sink.last(writer(1).String()); !w.Left || w.Node != "/driver" {
			t.Errorf("after it left: %+v", w)
		}
		if topic := t.sink.last("/imu"); topic.Publishers != 1 || topic.TransientLocal {
			t.Errorf("after its writer left: %+v", topic)
		}
	})
}

// An analysis may look up the entity of each event.
func TestUnknownWriterIsDescribedBeforeItsSample(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		t.publish(8, imuTopic, 1, stamped(0, 0)) // discovery is behind
		t.end()
		w := t.sink.last(writer(8).String())
		if w.Kind != timeline.WriterEntity || t.sink.events[0].Cause.Entity != w.ID {
			t.Errorf("writer %+v, event %+v", w, t.sink.events[0])
		}
	})
}

func TestTaktsLossesAreItsOwn(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		count := func(c rtps.Counts) []timeline.Event {
			before := len(t.sink.events)
			t.graph.count(writer(1), c)
			t.run(time.Second)
			return t.sink.events[before:]
		}
		own, w := t.sink.last(guid(99, wire.KindReader).String()).ID, t.sink.last(writer(1).String()).ID
		if got := count(rtps.Counts{Delivered: 10, Irrelevant: 5}); len(got) != 0 {
			t.Errorf("what was never sent to takt is lost: %+v", got)
		}
		got := count(rtps.Counts{Delivered: 20, Lost: 2, Overwritten: 1, TooLarge: 1})
		if len(got) != 4 {
			t.Fatalf("%+v", got)
		}
		for i, why := range []timeline.DropReason{timeline.LostOnWire, timeline.LostOnWire, timeline.OverwrittenAtWriter, timeline.Rejected} {
			e := got[i]
			if e.Kind != timeline.SampleDropped || e.Entity != own || e.Cause.Entity != w || e.Value != int64(why) {
				t.Errorf("drop %d: %+v", i, e)
			}
		}
		if got := count(rtps.Counts{Lost: 1}); len(got) != 1 {
			t.Errorf("after a new match: %+v", got)
		}
		if got := count(rtps.Counts{Lost: 3001}); len(got) != 3000 {
			t.Errorf("of 3000 samples lost at once %d are told within a second", len(got))
		}
		if got := count(rtps.Counts{Lost: 1 << 40}); len(got) > 7*maxDrops { // in the batches of a second
			t.Errorf("a writer that claims to have sent 2^40 samples makes %d events", len(got))
		}
		before := len(t.sink.events)
		f := findingOf(t.end(), "drops-untold")
		if n := len(t.sink.events) - before; n > maxLast+2*maxDrops {
			t.Errorf("%d events at the end", n)
		}
		told := uint64(0)
		for _, e := range t.sink.events {
			if e.Value == int64(timeline.LostOnWire) {
				told++
			}
		}
		// Before the new match 2 were lost, since then 2^40.
		if want := fmt.Sprintf("lost %d samples more", 1<<40+2-told); !strings.Contains(f.Text, want) {
			t.Errorf("finding %+v, want %s", f, want)
		}
	})
}

// What is with the tap for less than 200 ms is all that a kill may cost.
func TestEventsAreHandedOnWithin200ms(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		for i := range wire.SequenceNumber(1000) {
			t.publish(1, imuTopic, i+1, stamped(0, 0))
			t.run(1700 * time.Microsecond)
		}
		t.end()
		for i, e := range t.sink.events {
			if waited := t.sink.came[i].Sub(e.At); waited > 200*time.Millisecond {
				t.Fatalf("event %d waited %v", i, waited)
			}
		}
		if len(t.sink.events) != 1000 {
			t.Errorf("%d events", len(t.sink.events))
		}
	})
}

func TestSampleBehindARepairComesLateAndIsTold(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		early := t.now()
		t.run(time.Second)
		t.publish(1, imuTopic, 2, stamped(0, 0))
		t.run(time.Second)
		t.graph.take(imuTopic)(sample(1, 1, early, stamped(0, 0)))
		if f := findingOf(t.end(), "not-in-order"); !strings.HasPrefix(f.Text, "1 events were delivered up to 1s behind later ones") {
			t.Errorf("finding %+v", f)
		}
	})
}

func TestWhatCannotBeJoinedIsSaid(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.graph.refuse = errRefused
		t.found(1, imuTopic)
		if f := findingOf(t.end(), "not-joined"); f.Subject != "/imu" || f.Text != "could not be joined: no ports left" {
			t.Errorf("finding %+v", f)
		}
		if len(t.noticed) != 1 {
			t.Errorf("told at once: %+v", t.noticed)
		}
	})
}

func TestLargeTopicsAreLeftAndSaid(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imageTopic)
		t.found(2, imuTopic)
		if t.graph.take(imageTopic) != nil {
			t.Error("/camera was joined")
		}
		t.publish(2, imuTopic, 1, make([]byte, 64<<10))
		t.run(time.Millisecond)
		if t.graph.take(imuTopic) != nil {
			t.Error("/imu was not left")
		}
		t.found(3, imuTopic) // another writer brings it not back
		if t.graph.take(imuTopic) != nil {
			t.Error("/imu was joined again")
		}
		if len(t.noticed) != 2 || t.noticed[0].Subject != "/camera" || t.noticed[1].Subject != "/imu" {
			t.Errorf("told at once: %+v", t.noticed)
		}
		if own := t.sink.last(guid(99, wire.KindReader).String()); !own.Left {
			t.Errorf("takt's reader after it left: %+v", own)
		}
	})
}

func TestNothingIsTakenAfterTheEnd(t *testing.T) {
	inVirtualTime(t, Options{}, func(t *tapTest) {
		t.found(1, imuTopic)
		take := t.graph.take(imuTopic)
		t.end()
		take(sample(1, 1, t.now(), stamped(0, 0)))
		t.tap.Found(Endpoint{GUID: writer(9), Topic: clockTopic})
		t.tap.Gone(writer(1))
		if len(t.tap.queue.events) != 0 || len(t.tap.queue.described) != 0 {
			t.Error("something still waits")
		}
	})
}

func TestTakingCostsNoAllocation(t *testing.T) {
	tt := newTapTest(t, Options{Waiting: 1 << 12})
	tt.tap.Found(Endpoint{GUID: writer(1), Topic: imuTopic})
	tt.tap.follow()
	tt.tap.turn(tt.sink, 0)
	s := sample(1, 1, 1, append(stamped(1, 2), make([]byte, 300)...))
	s.Source = wire.Some(wire.Timestamp{Seconds: 1_700_000_000})
	take := tt.graph.take(imuTopic)
	for range 2 { // the queue has its memory
		for range 1 << 13 {
			take(s)
		}
		tt.tap.queue.swap()
	}
	if n := testing.AllocsPerRun(1000, func() { s.Arrival++; take(s) }); n != 0 {
		t.Errorf("%v allocations for a sample", n)
	}
}

func BenchmarkTake(b *testing.B) {
	g := newGraph()
	tap := New(g, Options{Now: func() clock.Mono { return 0 }, Offset: func() Offset { return Offset{} }, Budget: BudgetOptions{BytesPerSecond: 1 << 50}})
	tap.Found(Endpoint{GUID: writer(1), Topic: imuTopic})
	tap.follow()
	s := sample(1, 1, 1, append(stamped(1, 2), make([]byte, 300)...))
	b.ReportAllocs()
	for b.Loop() {
		g.take(imuTopic)(s)
		if len(tap.queue.events) == enough {
			tap.queue.swap()
		}
	}
}
