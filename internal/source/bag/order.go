package bag

import (
	"math"
	"slices"
	"sort"

	"github.com/takt-rt/takt/timeline"
)

// An entry is an event on its way to the sink.
type entry struct {
	timeline.Event
	mark
}

// A mark is what else there is to tell about the order of an event.
type mark struct {
	spot
	sub uint32 // which of the events of one message, from 0
}

// A spot is where in a recording a message stands.
type spot struct {
	file  uint32 // number of the file
	place uint64 // in the file: grows from message to message
}

func (s spot) before(t spot) bool {
	if s.file != t.file {
		return s.file < t.file
	}
	return s.place < t.place
}

// A queue holds entries until it is known that no earlier one will come, their
// events apart, so that the sink can be handed those as they lie.
//
// Recorders write almost in order, so an entry is put in its place when it
// comes if that is near, and all are sorted before they leave if not.
type queue struct {
	events   []timeline.Event
	marks    []mark
	unsorted bool
}

// near is how many places push moves an entry before it leaves the rest to sort.
const near = 32

func (q *queue) push(e *entry) {
	q.events = append(q.events, e.Event)
	q.marks = append(q.marks, e.mark)
	if q.unsorted {
		return
	}
	last := len(q.events) - 1
	for i := last; i > 0 && q.Less(i, i-1); i-- {
		if i <= last-near {
			q.unsorted = true
			return
		}
		q.Swap(i, i-1)
	}
}

func (q *queue) sort() {
	if q.unsorted {
		sort.Sort(q)
		q.unsorted = false
	}
}

// drop removes the first n entries.
func (q *queue) drop(n int) {
	q.events = q.events[:copy(q.events, q.events[n:])]
	q.marks = q.marks[:copy(q.marks, q.marks[n:])]
}

// Len, Less and Swap are those of sort.Interface.
func (q *queue) Len() int { return len(q.events) }

// Less is the order of a timeline: of time, then ticks, then the file's.
func (q *queue) Less(i, j int) bool {
	e, f := &q.events[i], &q.events[j]
	if e.At != f.At {
		return e.At < f.At
	}
	if tick, other := e.Kind == timeline.TickArrived, f.Kind == timeline.TickArrived; tick != other {
		return tick
	}
	m, n := &q.marks[i], &q.marks[j]
	if m.spot != n.spot {
		return m.spot.before(n.spot)
	}
	return m.sub < n.sub
}

func (q *queue) Swap(i, j int) {
	q.events[i], q.events[j] = q.events[j], q.events[i]
	q.marks[i], q.marks[j] = q.marks[j], q.marks[i]
}

// batchSize is how many events the sink is handed at once, at most.
const batchSize = 512

// An order hands entries to the sink in order of time. It is told when nothing
// before an instant will come any more; an entry that comes all the same is
// handed on late, and counted.
type order struct {
	queue
	sink timeline.Sink
	last timeline.Instant // of the latest event handed on
	late uint64
	// Per topic, by its entity: what stood in the recording out of order.
	disorder []disorder
}

func newOrder(sink timeline.Sink) *order {
	return &order{sink: sink, last: math.MinInt64}
}

// release hands on what is before the instant.
func (o *order) release(before timeline.Instant) {
	o.sort()
	o.hand(sort.Search(len(o.events), func(i int) bool { return o.events[i].At >= before }))
}

// flush hands on everything.
func (o *order) flush() {
	o.sort()
	o.hand(len(o.events))
}

func (o *order) hand(n int) {
	for i := range n {
		e := &o.events[i]
		if e.At < o.last {
			o.late++
		} else {
			o.last = e.At
		}
		if m := &o.marks[i]; m.sub == 0 && e.Kind != timeline.Hole {
			o.place(e.Entity, m.spot)
		}
	}
	for batch := range slices.Chunk(o.events[:n], batchSize) {
		o.sink.Events(batch)
	}
	o.drop(n)
}

func (o *order) place(topic timeline.EntityID, at spot) {
	for int(topic) >= len(o.disorder) {
		o.disorder = append(o.disorder, disorder{})
	}
	o.disorder[topic].next(at)
}

// A disorder counts, among messages that come in the order of time, those that
// stood in the recording after a later one. It remembers a limited number, so
// that of more than maxDisorder messages overtaken by one only these count.
type disorder struct {
	spots []spot // growing: those that no later message has stood before
	count uint64
}

const maxDisorder = 128

func (d *disorder) next(s spot) {
	n := len(d.spots)
	for ; n > 0 && s.before(d.spots[n-1]); n-- {
		d.count++
	}
	if n == maxDisorder {
		n = copy(d.spots, d.spots[n/2:])
	}
	d.spots = append(d.spots[:n], s)
}

// disordered returns the count of a topic.
func (o *order) disordered(topic timeline.EntityID) uint64 {
	if int(topic) < len(o.disorder) {
		return o.disorder[topic].count
	}
	return 0
}
