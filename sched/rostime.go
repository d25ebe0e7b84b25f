package sched

import "github.com/takt-rt/takt/clock"

// A SimTime is a machine with timers on simulated time. All machines are.
type SimTime interface {
	// Tick says that at now the thread's clock has been set to sim, by a message
	// of /clock. It may be called while a callback runs. A timer on simulated time
	// becomes due by a tick only, once for all the releases that the tick passes;
	// without ticks, as in a simulator that is paused, nothing is due and nothing
	// waits for a time.
	//
	// Before the first tick simulated time is 0. What it passes is the start of
	// the clock and not skipped: a timer whose first release it passes serves its
	// last release not after the tick. A tick that goes back past the last call of
	// a timer begins its grid anew: see Timer.Jump.
	Tick(now clock.Mono, sim clock.Sim)
}

// rosTime is what a thread knows of simulated time.
type rosTime struct {
	sim     clock.Sim  // the last tick
	at      clock.Mono // when it came
	started bool       // there was a tick
	timers  []int32    // the callbacks that are timers on it
}

// A rosTimer is a timer on simulated time.
type rosTimer struct {
	Timer[clock.Sim]
	due clock.Mono // when the tick came that made it due; Never if it is not due
}

// tick takes the next value, and reports whether it goes back.
func (b *inbox) tick(now clock.Mono, sim clock.Sim) (back bool) {
	r := &b.ros
	first := !r.started
	back = !first && sim < r.sim
	r.sim, r.at, r.started = sim, now, true
	for _, callback := range r.timers {
		s := &b.slots[callback]
		switch {
		case first:
			s.ros.Resume(sim)
		case back:
			s.ros.Jump(sim)
		}
		b.rearm(s)
	}
	return back
}

// rearm looks anew at whether a timer on simulated time is due. One that was
// stays due since then.
func (b *inbox) rearm(s *slot) {
	switch {
	case s.canceled || !b.ros.started || !s.ros.Due(b.ros.sim):
		s.ros.due = Never
	case s.ros.due == Never:
		s.ros.due = b.ros.at
	}
	b.set(int(s.nth), s.ros.due)
}

// callROS calls a timer on simulated time. If it is due again by the same call,
// as where nothing is skipped, that is since the last tick.
func (b *inbox) callROS(s *slot) {
	release, skipped := s.ros.Call(b.ros.sim)
	b.job.Release, b.job.Origin, b.job.SimRelease = s.ros.due, s.ros.due, release
	b.serve(s, skipped)
	s.ros.due = Never
	b.rearm(s)
}

// Tick is SimTime.Tick.
func (l *Level) Tick(now clock.Mono, sim clock.Sim) {
	if l.tick(now, sim) {
		l.list.dropUndue(&l.inbox)
	}
}

// Tick is SimTime.Tick.
func (w *WaitSet) Tick(now clock.Mono, sim clock.Sim) {
	if w.tick(now, sim) {
		w.list.dropUndue(&w.inbox)
	}
}

// Tick is SimTime.Tick.
func (e *Events) Tick(now clock.Mono, sim clock.Sim) { e.tick(now, sim) }
