package pcap

import (
	"time"

	"github.com/takt-rt/takt/timeline"
)

// How long, and how many, events wait for earlier ones: captures of several
// queues hold packets a little out of order.
const (
	window    = time.Second
	maxHeld   = 1 << 17
	batchSize = 512
)

// A held event waits for its turn. Which entity it is about is asked only then,
// since writers may be announced after their first sample.
type held struct {
	timeline.Event
	of    *stream // nil: Entity is known
	place uint64  // in the file
}

// An order hands events on in the order of time.
type order struct {
	heap   []held // a binary heap: container/heap would allocate for each event
	places uint64
	latest timeline.Instant
	last   timeline.Instant // handed on
	late   uint64           // events that were handed on after a later one
	batch  []timeline.Event
	sink   timeline.Sink
	entity func(h *held) bool // fills in the entity; false leaves the event out
}

func (o *order) push(h held) {
	h.place = o.places
	o.places++
	o.heap = append(o.heap, h)
	o.rise(len(o.heap) - 1)
	o.latest = max(o.latest, h.At)
	for len(o.heap) > 0 && (o.latest.Sub(o.heap[0].At) > window || len(o.heap) > maxHeld) {
		o.pop()
	}
}

func (o *order) pop() {
	o.give(&o.heap[0])
	last := len(o.heap) - 1
	o.heap[0] = o.heap[last]
	o.heap = o.heap[:last]
	o.sift()
}

func (o *order) give(h *held) {
	if !o.entity(h) {
		return
	}
	if h.At < o.last {
		o.late++
	}
	o.last = max(o.last, h.At)
	if o.batch = append(o.batch, h.Event); len(o.batch) == batchSize {
		o.hand()
	}
}

func (o *order) hand() {
	if len(o.batch) > 0 {
		o.sink.Events(o.batch)
		o.batch = o.batch[:0]
	}
}

func (o *order) flush() {
	for len(o.heap) > 0 {
		o.pop()
	}
	o.hand()
}

// rise puts the entry at i where it belongs above.
func (o *order) rise(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !o.before(i, parent) {
			return
		}
		o.heap[i], o.heap[parent] = o.heap[parent], o.heap[i]
		i = parent
	}
}

// sift puts the first entry where it belongs below.
func (o *order) sift() {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(o.heap); child++ {
			if o.before(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		o.heap[i], o.heap[least] = o.heap[least], o.heap[i]
		i = least
	}
}

// before is the order of a timeline: of time, then ticks, then the file's.
func (o *order) before(i, j int) bool {
	a, b := &o.heap[i], &o.heap[j]
	if a.At != b.At {
		return a.At < b.At
	}
	if tick, other := a.Kind == timeline.TickArrived, b.Kind == timeline.TickArrived; tick != other {
		return tick
	}
	return a.place < b.place
}
