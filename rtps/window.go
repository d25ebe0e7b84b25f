package rtps

import (
	"slices"

	"github.com/takt-rt/takt/rtps/wire"
)

// windowLen is how far ahead of a hole a reader keeps samples: as many as one
// ACKNACK can ask for.
const windowLen = 256

// A window keeps what is known of the numbers that a reader cannot deliver
// yet. Number n stands at n modulo the length; its user sees to it that no two
// numbers meet in one place. It takes memory with the first hole.
type window struct {
	slots *[windowLen]slot
	room  int // bytes of payload that may still be kept
}

type slot struct {
	state  slotState
	asked  int // how often it was asked for
	sample Sample
}

type slotState uint8

const (
	missing slotState = iota
	held
	irrelevant
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
	n := len(s.Data.Payload) + len(s.Data.InlineQoS)
	if n > w.room {
		return false
	}
	w.room -= n
	s.Data.Payload = slices.Clone(s.Data.Payload)
	s.Data.InlineQoS = slices.Clone(s.Data.InlineQoS)
	at := w.at(s.Sequence)
	at.state, at.sample = held, s
	return true
}

// take empties the place of a number and returns what was there.
func (w *window) take(n wire.SequenceNumber) slot {
	if w.slots == nil {
		return slot{}
	}
	at := w.at(n)
	was := *at
	*at = slot{}
	w.room += len(was.sample.Data.Payload) + len(was.sample.Data.InlineQoS)
	return was
}
