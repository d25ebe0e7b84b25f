package rtps

import (
	"errors"
	"fmt"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Change is one sample as its writer keeps it.
type Change struct {
	Sequence  wire.SequenceNumber
	Source    wire.Timestamp // when it was written
	InlineQoS []byte         // in little endian; nil if absent
	Payload   []byte         // from the encapsulation header on; nil if absent
	Key       bool           // Payload is the key only

	written clock.Mono // by the writer's own clock, for its lifespan
}

// ErrFull is why a writer that keeps everything refuses a sample: its history
// is full of samples that must be kept. Write again when readers have
// acknowledged some, or raise the limit.
var ErrFull = errors.New("the history is full")

// A History keeps changes of one writer of a topic without a key. What it
// keeps are always the numbers from First to Last without a hole, so all below
// First are gone.
type History struct {
	keepAll bool
	limit   int
	ring    []Change // change n stands at n modulo the length
	first   wire.SequenceNumber
	last    wire.SequenceNumber
}

// NewHistory returns an empty history. With KEEP_LAST it keeps the policy's
// depth, of at least 1. With KEEP_ALL it keeps limit samples, at least 1, and
// refuses more.
func NewHistory(policy qos.History, limit int) History {
	if !policy.KeepAll {
		limit = policy.Depth
	}
	return History{keepAll: policy.KeepAll, limit: max(limit, 1), first: 1}
}

// First returns the lowest number kept, Last + 1 if there is none.
func (h *History) First() wire.SequenceNumber { return h.first }

// Last returns the highest number given so far, 0 before the first.
func (h *History) Last() wire.SequenceNumber { return h.last }

// Len returns how many changes are kept.
func (h *History) Len() int { return int(h.last - h.first + 1) }

func (h *History) full() bool { return h.Len() == h.limit }

// Add gives c the next number and keeps a copy, at the price of the oldest
// change with KEEP_LAST. A full history of KEEP_ALL refuses with ErrFull. It
// reuses the memory of changes that are gone.
func (h *History) Add(c Change) (*Change, error) {
	if h.full() {
		if h.keepAll {
			return nil, fmt.Errorf("writing sample %d: %w with %d samples that not all readers have acknowledged", h.last+1, ErrFull, h.limit)
		}
		h.first++
	}
	if h.Len() == len(h.ring) {
		h.grow()
	}
	h.last++
	kept := h.slot(h.last)
	kept.Sequence, kept.Source, kept.Key = h.last, c.Source, c.Key
	kept.InlineQoS = replace(kept.InlineQoS, c.InlineQoS)
	kept.Payload = replace(kept.Payload, c.Payload)
	return kept, nil
}

// Get returns the change of a number, or nil if it is not kept. It is good
// until the next Add.
func (h *History) Get(n wire.SequenceNumber) *Change {
	if n < h.first || n > h.last {
		return nil
	}
	return h.slot(n)
}

// Release lets go of all changes up to n.
func (h *History) Release(n wire.SequenceNumber) {
	h.first = max(h.first, min(n, h.last)+1)
}

func (h *History) slot(n wire.SequenceNumber) *Change { return &h.ring[int(n)%len(h.ring)] }

// grow doubles the ring within the limit, so that a high limit costs nothing
// until it is needed.
func (h *History) grow() {
	old := h.ring
	h.ring = make([]Change, min(h.limit, max(16, 2*len(old))))
	for n := h.first; n <= h.last; n++ {
		*h.slot(n) = old[int(n)%len(old)]
	}
}

// replace returns a copy of b in the memory of old; nil stays nil, which says
// that there is no such part.
func replace(old, b []byte) []byte {
	if b == nil {
		return nil
	}
	if old == nil {
		old = make([]byte, 0, len(b))
	}
	return append(old[:0], b...)
}
