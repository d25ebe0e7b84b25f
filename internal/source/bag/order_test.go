package bag

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// gathered is a sink that keeps the events.
type gathered struct {
	nobody
	events []timeline.Event
}

func (g *gathered) Events(batch []timeline.Event) { g.events = append(g.events, batch...) }

func drawEntries(t *rapid.T) []entry {
	n := rapid.IntRange(0, 300).Draw(t, "n")
	spread := rapid.IntRange(0, 200).Draw(t, "spread")
	entries := make([]entry, n)
	for i := range entries {
		e := &entries[i]
		e.At = timeline.Instant(i + rapid.IntRange(-spread, spread).Draw(t, "jitter"))
		e.Kind, e.Entity = timeline.SampleArrived, timeline.EntityID(1+i%3)
		if i%3 == 0 {
			e.Kind = timeline.TickArrived
		}
		e.place, e.Number = uint64(i), uint64(i)
	}
	return entries
}

// An order gives what a sort of everything gives, if it is told no more than is true.
func TestOrderIsASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := drawEntries(t)
		sink := new(gathered)
		o := newOrder(sink)
		for i, e := range entries {
			o.push(&e)
			if rapid.IntRange(0, 20).Draw(t, "release") == 0 {
				least := timeline.Instant(math.MaxInt64)
				for _, later := range entries[i+1:] {
					least = min(least, later.At)
				}
				o.release(least)
			}
		}
		o.flush()
		slices.SortStableFunc(entries, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(notTick(a), notTick(b)),
				cmp.Compare(a.file, b.file), cmp.Compare(a.place, b.place), cmp.Compare(a.sub, b.sub))
		})
		for i, e := range entries {
			if sink.events[i] != e.Event {
				t.Fatalf("event %d is %+v, want %+v", i, sink.events[i], e.Event)
			}
		}
		if len(sink.events) != len(entries) || o.late > 0 {
			t.Fatalf("%d events of %d, %d late", len(sink.events), len(entries), o.late)
		}
	})
}

func notTick(e entry) int {
	if e.Kind == timeline.TickArrived {
		return 0
	}
	return 1
}

// Counted is, of each topic in the order of the file, what is earlier than its
// latest message so far.
func TestDisorderIsWhatFollowsALaterMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := drawEntries(t)
		want := make(map[timeline.EntityID]uint64)
		latest := make(map[timeline.EntityID]timeline.Instant)
		o := newOrder(nobody{})
		for _, e := range entries {
			if last, ok := latest[e.Entity]; ok && e.At < last {
				want[e.Entity]++
			} else {
				latest[e.Entity] = e.At
			}
			o.push(&e)
		}
		o.flush()
		for topic := range latest {
			if n := o.disordered(topic); n != want[topic] {
				t.Fatalf("topic %d: %d out of order, want %d", topic, n, want[topic])
			}
		}
	})
}

// One message that overtook more than are remembered counts only these.
func TestDisorderIsBounded(t *testing.T) {
	var d disorder
	for place := range uint64(3 * maxDisorder) {
		d.next(spot{place: place + 1})
	}
	d.next(spot{place: 0})
	if len(d.spots) > maxDisorder || d.count < maxDisorder/2 || d.count > maxDisorder {
		t.Errorf("%d spots, %d counted", len(d.spots), d.count)
	}
}

func TestLateEventsAreCounted(t *testing.T) {
	sink := new(gathered)
	o := newOrder(sink)
	for _, at := range []timeline.Instant{10, 20, 5, 30} {
		o.push(&entry{Event: timeline.Event{At: at, Kind: timeline.SampleArrived}})
		o.release(at + 1)
	}
	o.flush()
	if o.late != 1 || len(sink.events) != 4 {
		t.Errorf("%d late of %d events", o.late, len(sink.events))
	}
}

func TestTicksComeFirst(t *testing.T) {
	sink := new(gathered)
	o := newOrder(sink)
	for i, kind := range []timeline.Kind{timeline.SampleArrived, timeline.TickArrived, timeline.SampleArrived} {
		o.push(&entry{Event: timeline.Event{At: 7, Kind: kind, Number: uint64(i)}, mark: mark{spot: spot{place: uint64(i)}}})
	}
	o.flush()
	var order []uint64
	for _, e := range sink.events {
		order = append(order, e.Number)
	}
	if !slices.Equal(order, []uint64{1, 0, 2}) {
		t.Errorf("order %v", order)
	}
}

// A window holds back no more than it may, however far out of order a file is;
// what comes later than that is late.
func TestWindowIsBounded(t *testing.T) {
	const size, count = 4, 100
	at := timeline.Instant(0)
	w := newWindow(func(q *queue) bool {
		at++
		e := entry{Event: timeline.Event{At: at, Kind: timeline.SampleArrived}, mark: mark{spot: spot{place: uint64(at)}}}
		switch {
		case at%10 == 0: // near enough
			e.At -= 2
		case at == count-1:
			e.At = 1
		}
		q.push(&e)
		return at < count
	}, size)
	sink := new(gathered)
	o := newOrder(sink)
	for {
		next, ok := w.bound()
		if !ok {
			break
		}
		o.release(next)
		w.load(t.Context(), &o.queue)
		if len(w.held.events) > size {
			t.Fatalf("%d entries are held", len(w.held.events))
		}
	}
	o.flush()
	if len(sink.events) != count || o.late != 1 {
		t.Errorf("%d events, %d late", len(sink.events), o.late)
	}
}
