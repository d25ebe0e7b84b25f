package bag

import (
	"math"
	"sort"

	"github.com/takt-rt/takt/timeline"
)

// An entry is an event on its way to the sink.
type entry struct {
	timeline.Event
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

// before is the order of a timeline: of time, then ticks, then the file's.
func (e *entry) before(f *entry) bool {
	if e.At != f.At {
		return e.At < f.At
	}
	if tick, other := e.Kind == timeline.TickArrived, f.Kind == timeline.TickArrived; tick != other {
		return tick
	}
	if e.spot != f.spot {
		return e.spot.before(f.spot)
	}
	return e.sub < f.sub
}

// A queue holds entries until it is known that no earlier one will come.
//
// Recorders write almost in order, so an entry is put in its place when it
// comes if that is near, and all are sorted before they leave if not.
type queue struct {
	entries  []entry
	unsorted bool
}

// near is how many places push moves an entry before it leaves the rest to sort.
const near = 32

func (q *queue) push(e *entry) {
	q.entries = append(q.entries, *e)
	if q.unsorted {
		return
	}
	i, stop := len(q.entries)-1, len(q.entries)-1-near
	for ; i > 0 && e.before(&q.entries[i-1]); i-- {
		if i <= stop {
			q.unsorted = true
			break
		}
		q.entries[i] = q.entries[i-1]
	}
	if i < len(q.entries)-1 {
		q.entries[i] = *e
	}
}

func (q *queue) sort() {
	if q.unsorted {
		sort.Sort(byOrder(q.entries))
		q.unsorted = false
	}
}

// drop removes the first n entries.
func (q *queue) drop(n int) {
	q.entries = q.entries[:copy(q.entries, q.entries[n:])]
}

type byOrder []entry

func (b byOrder) Len() int           { return len(b) }
func (b byOrder) Less(i, j int) bool { return b[i].before(&b[j]) }
func (b byOrder) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

// batchSize is how many events the sink is handed at once.
const batchSize = 512

// An order hands entries to the sink in order of time. It is told when nothing
// before an instant will come any more; an entry that comes all the same is
// handed on late, and counted.
type order struct {
	queue
	sink  timeline.Sink
	batch []timeline.Event
	last  timeline.Instant // of the latest event handed on
	late  uint64
	// Per topic, by its entity: what stood in the recording out of order.
	disorder []disorder
}

func newOrder(sink timeline.Sink) *order {
	return &order{sink: sink, batch: make([]timeline.Event, 0, batchSize), last: math.MinInt64}
}

// release hands on what is before the instant.
func (o *order) release(before timeline.Instant) {
	o.sort()
	n := sort.Search(len(o.entries), func(i int) bool { return o.entries[i].At >= before })
	o.hand(n)
}

// flush hands on everything.
func (o *order) flush() {
	o.sort()
	o.hand(len(o.entries))
	o.send()
}

func (o *order) hand(n int) {
	for i := range o.entries[:n] {
		e := &o.entries[i]
		if e.At < o.last {
			o.late++
		} else {
			o.last = e.At
		}
		if e.sub == 0 && e.Kind != timeline.Hole {
			o.place(e)
		}
		o.batch = append(o.batch, e.Event)
		if len(o.batch) == batchSize {
			o.send()
		}
	}
	o.drop(n)
}

func (o *order) send() {
	if len(o.batch) > 0 {
		o.sink.Events(o.batch)
		o.batch = o.batch[:0]
	}
}

func (o *order) place(e *entry) {
	for int(e.Entity) >= len(o.disorder) {
		o.disorder = append(o.disorder, disorder{})
	}
	o.disorder[e.Entity].next(e.spot)
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
