package sim

import "github.com/takt-rt/takt/sched"

// refresh looks anew at which threads are runnable.
func (s *Sim) refresh() {
	s.wake = sched.Never
	for i := range s.threads {
		s.wake = min(s.wake, s.threads[i].refresh(s.now))
	}
}

// assign gives the CPUs to the most urgent threads.
func (s *Sim) assign() {
	for _, t := range s.placed {
		t.placed = false
	}
	s.placed = s.placed[:0]
	for cpu := range s.cpus {
		if t := s.mostUrgent(cpu); t != nil {
			s.place(t)
		}
	}
}

// place puts a thread among those that have a CPU.
func (s *Sim) place(t *thread) {
	t.placed = true
	i := len(s.placed)
	s.placed = append(s.placed, t)
	for ; i > 0 && s.placed[i-1].number > t.number; i-- {
		s.placed[i] = s.placed[i-1]
	}
	s.placed[i] = t
}

// mostUrgent returns the most urgent thread that may run on the CPU and has
// none, or nil.
func (s *Sim) mostUrgent(cpu int) (best *thread) {
	for i := range s.threads {
		t := &s.threads[i]
		if !t.runnable || t.placed || t.cpu >= 0 && t.cpu != cpu || t.exhausted() {
			continue
		}
		if best == nil || !best.before(t) {
			best = t
		}
	}
	return best
}
