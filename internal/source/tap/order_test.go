package tap

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// Events that are delivered within the bound of their arrival come in the order
// of time, and each comes once; the others are counted.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const bound = 50
		slowest := rapid.SampledFrom([]int{bound, 3 * bound}).Draw(t, "slowest delivery")
		o, sink := order{bound: bound, most: 1 << 16}, &log{now: noClock}
		type delivery struct {
			at timeline.Instant
			e  timeline.Event
		}
		var all []delivery
		for i := range rapid.IntRange(1, 200).Draw(t, "events") {
			arrival := timeline.Instant(rapid.IntRange(0, 1000).Draw(t, "arrival"))
			delay := timeline.Instant(rapid.IntRange(0, slowest).Draw(t, "delay"))
			kind := rapid.SampledFrom([]timeline.Kind{timeline.SampleArrived, timeline.TickArrived}).Draw(t, "kind")
			all = append(all, delivery{arrival + delay, timeline.Event{At: arrival, Kind: kind, Number: uint64(i)}})
		}
		for now := timeline.Instant(0); now <= 1000+3*bound; now += timeline.Instant(rapid.IntRange(1, 100).Draw(t, "turn")) {
			var batch []timeline.Event
			all = slices.DeleteFunc(all, func(d delivery) bool {
				if d.at < now {
					batch = append(batch, d.e)
				}
				return d.at < now
			})
			o.take(sink, batch, now)
		}
		rest := make([]timeline.Event, 0, len(all))
		for _, d := range all {
			rest = append(rest, d.e)
		}
		o.take(sink, rest, 1000+3*bound+100)
		o.end(sink)

		behind, seen := uint64(0), map[uint64]bool{}
		latest := timeline.Instant(-1)
		for i, e := range sink.events {
			seen[e.Number] = true
			if e.At < latest {
				behind++
			}
			if slowest == bound && i > 0 && earlier(e, sink.events[i-1]) < 0 {
				t.Fatalf("%+v came after %+v", e, sink.events[i-1])
			}
			latest = max(latest, e.At)
		}
		if len(seen) != len(sink.events) {
			t.Fatalf("%d different events of %d", len(seen), len(sink.events))
		}
		if behind != o.late || slowest == bound && o.late > 0 {
			t.Fatalf("%d events are out of order, %d were counted", behind, o.late)
		}
	})
}

func TestTicksComeFirstAmongEquals(t *testing.T) {
	o, sink := order{most: 10}, &log{now: noClock}
	o.take(sink, []timeline.Event{
		{At: 5, Kind: timeline.SampleArrived, Number: 1},
		{At: 5, Kind: timeline.SampleArrived, Number: 2},
		{At: 5, Kind: timeline.TickArrived, Number: 3},
	}, 6)
	var got []uint64
	for _, e := range sink.events {
		got = append(got, e.Number)
	}
	if !slices.Equal(got, []uint64{3, 1, 2}) {
		t.Errorf("order %v", got)
	}
}

// A timeline file keeps batches of up to 16384 events whole.
func TestBatchesAreBounded(t *testing.T) {
	o, sink := order{bound: time.Nanosecond, most: 1 << 20}, &log{now: noClock}
	o.take(sink, make([]timeline.Event, 40_000), 10)
	if sink.largest != 16384 || len(sink.events) != 40_000 {
		t.Errorf("the largest batch of %d events has %d", len(sink.events), sink.largest)
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("batch=%d", n), func(b *testing.B) {
			batch := make([]timeline.Event, n)
			o, sink := order{bound: 50 * time.Millisecond, most: 1 << 16}, nothing{}
			now := timeline.Instant(0)
			for b.Loop() {
				for i := range batch {
					batch[i].At = now + timeline.Instant(i*150_000_000/n)
				}
				now += 150_000_000
				o.take(sink, batch, now)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
		})
	}
}

// nothing is a sink that does nothing.
type nothing struct{}

func (nothing) Start(timeline.Origin)    {}
func (nothing) Describe(timeline.Entity) {}
func (nothing) Events([]timeline.Event)  {}
