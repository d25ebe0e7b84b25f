package tap

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// An order holds events back until no earlier ones are to be expected, and
// hands them on in the order of time, ticks first among equals, so that a
// sample meets the last simulated time that had come. What comes later than
// that is handed on with the next batch, and counted.
type order struct {
	bound  time.Duration
	most   int // events held
	held   []timeline.Event
	handed timeline.Instant // up to here all was handed on
	begun  bool

	late  uint64        // events that came behind a later one
	worst time.Duration // by how much, at most
}

// take adds events and hands on those that are more than bound older than now.
func (o *order) take(sink timeline.Sink, events []timeline.Event, now timeline.Instant) {
	o.held = append(o.held, events...)
	slices.SortStableFunc(o.held, earlier)
	until := now - timeline.Instant(o.bound)
	n, _ := slices.BinarySearchFunc(o.held, until, func(e timeline.Event, until timeline.Instant) int {
		if e.At < until {
			return -1
		}
		return 1
	})
	// An arrival in the future would be held for as long: the clock was misread.
	o.hand(sink, max(n, len(o.held)-o.most))
}

// end hands on all.
func (o *order) end(sink timeline.Sink) { o.hand(sink, len(o.held)) }

// hand hands on the first n events, in batches that a timeline file keeps whole.
func (o *order) hand(sink timeline.Sink, n int) {
	if n == 0 {
		return
	}
	o.countLate(o.held[:n])
	for batch := range slices.Chunk(o.held[:n], enough) {
		sink.Events(batch)
	}
	o.held = slices.Delete(o.held, 0, n)
}

func (o *order) countLate(events []timeline.Event) {
	if !o.begun {
		o.begun, o.handed = true, math.MinInt64
	}
	for i := range events {
		behind := o.handed.Sub(events[i].At)
		if behind <= 0 {
			break
		}
		o.late++
		o.worst = max(o.worst, behind)
	}
	o.handed = max(o.handed, events[len(events)-1].At)
}

func earlier(a, b timeline.Event) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(rank(a.Kind), rank(b.Kind)))
}

func rank(k timeline.Kind) int {
	if k == timeline.TickArrived {
		return 0
	}
	return 1
}
