package sched

// A History is the queue between a writer and one reader's callback.
//
// With KEEP_LAST a sample that arrives at a full queue overwrites the oldest.
// That is so only where the callback's thread takes a sample just before it
// runs the callback, as rclcpp and rclpy do: a client library that takes every
// sample at once into a queue of its own keeps them all, whatever the depth,
// which is a History of depth 0.
type History[S any] struct {
	depth int
	ring  []S
	first int
	n     int
}

// NewHistory returns an empty history that keeps the last depth samples, or
// all of them with a depth of 0 (KEEP_ALL).
func NewHistory[S any](depth int) *History[S] {
	return &History[S]{depth: max(depth, 0), ring: make([]S, min(max(depth, 1), 64))}
}

// Len returns how many samples are kept.
func (h *History[S]) Len() int { return h.n }

// Arrive puts a sample in. It returns the sample that was overwritten, if one was.
func (h *History[S]) Arrive(s S) (lost S, overwritten bool) {
	if h.depth > 0 && h.n == h.depth {
		lost, overwritten = h.Take()
	}
	if h.n == len(h.ring) {
		h.grow()
	}
	last := h.first + h.n
	if last >= len(h.ring) {
		last -= len(h.ring)
	}
	h.ring[last] = s
	h.n++
	return lost, overwritten
}

// Take takes the oldest sample out; ok is false if there is none.
func (h *History[S]) Take() (s S, ok bool) {
	if h.n == 0 {
		return s, false
	}
	var none S
	s, h.ring[h.first] = h.ring[h.first], none
	if h.first++; h.first == len(h.ring) {
		h.first = 0
	}
	h.n--
	return s, true
}

// Oldest returns the sample that Take would take; ok is false if there is none.
func (h *History[S]) Oldest() (s S, ok bool) {
	if h.n == 0 {
		return s, false
	}
	return h.ring[h.first], true
}

func (h *History[S]) grow() {
	ring := make([]S, 2*len(h.ring))
	copied := copy(ring, h.ring[h.first:])
	copy(ring[copied:], h.ring[:h.first])
	h.ring, h.first = ring, 0
}
