package rtps

import (
	"slices"
	"unsafe"

	"github.com/takt-rt/takt/rtps/wire"
)

const (
	// windowLen is how far ahead of a hole a reader keeps samples: as many as a
	// writer of takt's that keeps all has under way, unless told otherwise. A
	// shorter window would throw away what a fast writer sends behind a hole, and
	// the two would live on repairs from then on.
	windowLen = 1024
	// sampleCost is what a held sample takes besides its payload, in bytes.
	sampleCost = int(unsafe.Sizeof(Sample{}))
)

// A room is memory that may still be taken, in bytes, out of a larger room.
type room struct {
	left int
	all  *room // nil: this is the largest
}

func (r *room) take(n int) bool {
	if n > r.left || r.all != nil && !r.all.take(n) {
		return false
	}
	r.left -= n
	return true
}

func (r *room) give(n int) {
	r.left += n
	if r.all != nil {
		r.all.give(n)
	}
}

// A window keeps what is known of the numbers that a reader cannot deliver
// yet. Number n stands at n modulo the length; its user sees to it that no two
// numbers meet in one place. It takes memory with the first hole.
type window struct {
	slots *[windowLen]slot
	held  int  // samples
	room  room // for them, and for incomplete samples
}

type slot struct {
	state  slotState
	asked  int     // how often it was asked for
	sample *Sample // if held
}

type slotState uint8

const (
	missing slotState = iota
	held
	irrelevant
	tooLarge
)

func (w *window) at(n wire.SequenceNumber) *slot {
	if w.slots == nil {
		w.slots = new([windowLen]slot)
	}
	return &w.slots[n%windowLen]
}

func (w *window) state(n wire.SequenceNumber) slotState {
	if w.slots == nil {
		return missing
	}
	return w.slots[n%windowLen].state
}

// hold keeps a copy of a sample if there is room.
func (w *window) hold(s Sample) bool {
	if !w.room.take(size(&s)) {
		return false
	}
	s.Data.Payload = slices.Clone(s.Data.Payload)
	s.Data.InlineQoS = slices.Clone(s.Data.InlineQoS)
	at := w.at(s.Sequence)
	at.state, at.sample = held, &s
	w.held++
	return true
}

// take empties the place of a number and returns what was there.
func (w *window) take(n wire.SequenceNumber) slot {
	if w.slots == nil {
		return slot{}
	}
	at := w.at(n)
	was := *at
	if was.state == missing {
		at.asked = 0
		return was
	}
	*at = slot{}
	if was.state == held {
		w.held--
		w.room.give(size(was.sample))
	}
	return was
}

// highest returns the highest number held that is above n, or 0. None is held
// outside of the window that begins at next.
func (w *window) highest(n, next wire.SequenceNumber) wire.SequenceNumber {
	for i := next + windowLen - 1; i > n && w.held > 0; i-- {
		if w.state(i) == held {
			return i
		}
	}
	return 0
}

// drop lets go of everything.
func (w *window) drop() {
	for i := range wire.SequenceNumber(windowLen) {
		w.take(i)
	}
}

func size(s *Sample) int { return sampleCost + len(s.Data.Payload) + len(s.Data.InlineQoS) }
