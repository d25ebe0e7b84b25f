package sched

import "github.com/takt-rt/takt/clock"

// inherited returns the deadline that comes with what the callback would take,
// the earliest of the inputs' oldest samples, or Never.
func (s *slot) inherited() clock.Mono {
	if s.holdsSample() {
		return s.sample.inherited
	}
	deadline := Never
	for i := range s.inputs {
		if m, ok := s.inputs[i].queue.Oldest(); ok && m.Deadline != 0 {
			deadline = min(deadline, m.Deadline)
		}
	}
	return deadline
}

// Fallbacks returns how many jobs of a callback were to inherit a deadline and
// had a sample without one: theirs was relative to when they became ready.
func (b *inbox) Fallbacks(callback int) int64 { return b.slots[callback].fallbacks }
