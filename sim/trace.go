package sim

import (
	"slices"

	"github.com/takt-rt/takt/sched"
)

// announce tells of what a callback that ends publishes.
func (s *Sim) announce(t *thread, job *sched.Job) {
	if s.trace == nil {
		return
	}
	for _, topic := range t.running.publishes {
		s.trace.Published(s.now, t.id.Thread, job, s.topics[topic].of)
	}
	for range t.asked {
		s.trace.Published(s.now, t.id.Thread, job, s.topics[t.running.reply].of)
	}
}

func (s *Sim) announceArrival(of *Topic, e *arrival) {
	if s.trace == nil {
		return
	}
	source := -1
	if e.order >= 0 && e.order < int64(len(s.sources)) {
		source = int(e.order)
	}
	s.trace.Delivered(s.now, of, source, e.sent)
}

// show tells of the threads that have a CPU, if they changed.
func (s *Sim) show() {
	if s.trace == nil {
		return
	}
	same := len(s.shown) == len(s.placed)
	for i := 0; same && i < len(s.placed); i++ {
		same = s.shown[i] == s.placed[i].id
	}
	if same {
		return
	}
	s.shown = slices.Grow(s.shown[:0], len(s.placed))
	for _, t := range s.placed {
		s.shown = append(s.shown, t.id)
	}
	s.trace.Placed(s.now, s.shown)
}
