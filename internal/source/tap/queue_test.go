package tap

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// A slowSink is one whose disk does not answer before it is let go.
type slowSink struct {
	log
	letGo chan struct{}
}

func (s *slowSink) Events(batch []timeline.Event) {
	<-s.letGo
	s.log.Events(batch)
}

// Ten times as much as may wait comes while the sink is busy: the receiving
// goroutine is not kept waiting, and what found no room is told.
func TestSlowSinkLeavesAHole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := newTapTest(t, Options{Waiting: 100})
		sink := &slowSink{log{now: tt.now}, make(chan struct{})}
		tt.start(sink)
		tt.found(1, imuTopic)
		tt.publish(1, imuTopic, 1, stamped(0, 0))
		tt.run(time.Second) // the sink is busy with the first
		begin := tt.now()
		for i := range wire.SequenceNumber(1000) {
			tt.graph.take(imuTopic)(sample(1, 2+i, begin.Add(time.Duration(i)*time.Millisecond), stamped(0, 0)))
		}
		if tt.now() != begin {
			t.Error("the receiving goroutine was kept waiting")
		}
		if n := len(tt.tap.queue.events); n != 100 {
			t.Errorf("%d events wait", n)
		}
		close(sink.letGo)
		tt.run(5 * time.Second)
		tt.publish(1, imuTopic, 2000, stamped(0, 0))
		o := tt.end()

		// Samples 1 to 101, what arrived from 100 ms to 999 ms lost, and the last.
		if n := len(sink.events); n != 103 {
			t.Fatalf("%d events", n)
		}
		for i, e := range sink.events[:101] {
			if e.Number != uint64(i+1) {
				t.Fatalf("event %d is sample %d", i, e.Number)
			}
		}
		at := timeline.Instant(begin)
		want := timeline.Event{At: at + 100e6, Kind: timeline.Hole, Value: int64(at) + 999e6}
		if sink.events[101] != want {
			t.Errorf("got %+v, want %+v", sink.events[101], want)
		}
		if !o.Partial || !strings.HasPrefix(findingOf(o, "sink-slow").Text, "900 events found no room, since more than 100 waited") {
			t.Errorf("outcome %+v", o)
		}
	})
}

// Descriptions that wait are as many as there are entities, however often
// they change; and there are only so many entities.
func TestGraphThatFloodsIsBounded(t *testing.T) {
	tt := newTapTest(t, Options{})
	for i := range uint32(maxEntities + 1000) {
		for range 2 {
			g := wire.GUID{Entity: wire.EntityID{byte(i >> 16), byte(i >> 8), byte(i), wire.KindWriter}}
			tt.tap.Found(Endpoint{GUID: g, Topic: imuTopic, QoS: reliable()})
			if i > 1 {
				tt.tap.Gone(g)
			}
		}
	}
	if n := len(tt.tap.queue.described); n > maxEntities {
		t.Errorf("%d descriptions wait", n)
	}
	if n := tt.tap.table.last; n != maxEntities {
		t.Errorf("%d entities", n)
	}
	tt.tap.turn(tt.sink, 0)
	if f := findingOf(tt.tap.outcome(), "too-many-entities"); f.ID == "" {
		t.Error("nothing is said of it")
	}
}

// Arrivals in a far future, as a misread clock gives, are not held for ever.
func TestHeldEventsAreBounded(t *testing.T) {
	o, sink := order{bound: time.Second, most: 100}, &log{now: newTapTest(t, Options{}).now}
	for i := range 10 {
		var batch [50]timeline.Event
		for j := range batch {
			batch[j] = timeline.Event{At: math.MaxInt64, Number: uint64(50*i + j)}
		}
		o.take(sink, batch[:], 0)
		if len(o.held) > 100 {
			t.Fatalf("%d events are held", len(o.held))
		}
	}
	o.end(sink)
	if len(sink.events) != 500 {
		t.Errorf("%d events were handed on", len(sink.events))
	}
}
