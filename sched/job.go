package sched

import "github.com/takt-rt/takt/clock"

// A Sample is a message in a queue. The machine does not look into it.
type Sample struct {
	Number  int64      // the writer's count, or what else identifies it
	Arrival clock.Mono // when it came into the queue
	Origin  clock.Mono // when the data at the head of its chain came to be

	// Deadline is absolute, for contexts that inherit it; 0 or Never is none.
	Deadline clock.Mono
}

// A Job is one run of a callback, with what it takes.
type Job struct {
	Callback int
	Release  clock.Mono // of a timer, the instant served, on simulated time that of the tick that made it due; of a fused callback, when its condition became true; else the arrival of the oldest sample taken
	Deadline clock.Mono // absolute; Never if it has none
	Origin   clock.Mono // the oldest of the samples taken; of a timer, the release
	Number   int64      // of a timer, which release of its grid, from 0; else of the oldest sample taken, of a fused callback's first input that had one
	Skipped  int64      // releases of a timer that this job stands for beside its own
	Taken    int        // samples taken out of the queues
	Cycle    int64      // of the thread, from 0; cycles that start no callback do not count
	Worker   int        // of a MultiThreaded, which thread runs it, from 0

	SimRelease clock.Sim // of a timer on simulated time, the instant served, on its clock
}

// start makes the job of a callback that is ready at now.
func (b *inbox) start(callback int32, now clock.Mono, deadline clock.Mono) *Job {
	s := &b.slots[callback]
	if s.inherits && s.kind != TimerKind && s.inherited() == Never {
		s.fallbacks++
	}
	b.job = Job{Callback: int(callback), Deadline: deadline, Cycle: b.cycles - 1}
	switch {
	case s.kind == TimerKind && s.ros != nil:
		b.callROS(s)
	case s.kind == TimerKind:
		b.call(s, now)
	case s.holdsSample():
		b.useSample(s)
		b.mark(callback)
	default:
		b.takeInputs(s)
		b.mark(callback)
	}
	return &b.job
}

// takeInputs takes what one run of the callback takes.
func (b *inbox) takeInputs(s *slot) {
	if s.kind != Fused {
		b.take(s)
		return
	}
	b.job.Release = s.fusedBase()
	b.takeFused(s)
}

func (b *inbox) call(s *slot, now clock.Mono) {
	release, skipped := s.timer.Call(now)
	b.job.Release, b.job.Origin = release, release
	b.serve(s, skipped)
	if s.canceled {
		b.set(int(s.nth), Never)
		return
	}
	b.set(int(s.nth), s.timer.Next())
}

// serve counts a release that is served. That of a one-shot timer is its only one.
func (b *inbox) serve(s *slot, skipped int64) {
	if s.once {
		skipped, s.canceled = 0, true
	}
	b.job.Number, b.job.Skipped = s.released, skipped
	s.released += 1 + skipped
}

func (b *inbox) take(s *slot) {
	in := &s.inputs[0]
	m, _ := in.queue.Take()
	b.job.Release, b.job.Number, b.job.Origin, b.job.Taken = m.Arrival, m.Number, m.Origin, 1
	for s.all && in.queue.Len() > 0 {
		m, _ = in.queue.Take()
		b.job.Origin = min(b.job.Origin, m.Origin)
		b.job.Taken++
	}
	s.settle(in)
}

func (b *inbox) takeFused(s *slot) {
	for i := range s.inputs {
		m, ok := s.inputs[i].queue.Take()
		if !ok {
			continue
		}
		if b.job.Taken == 0 {
			b.job.Number, b.job.Origin = m.Number, m.Origin
		}
		b.job.Origin = min(b.job.Origin, m.Origin)
		b.job.Taken++
		s.settle(&s.inputs[i])
	}
}

// settle sets since when an input that was taken from has had something.
func (s *slot) settle(in *input) {
	if oldest, ok := in.queue.Oldest(); ok {
		in.since = oldest.Arrival
	} else {
		s.filled--
	}
}

// missed reports whether the job misses its deadline by ending at now.
func (b *inbox) missed(now clock.Mono) bool { return now > b.job.Deadline }

// deadline is of a callback whose context has this relative deadline.
func (s *slot) deadline(c *Context) clock.Mono {
	if c.Inherit && s.kind != TimerKind {
		if d := s.inherited(); d != Never {
			return d
		}
	}
	if c.Deadline == 0 {
		return Never
	}
	return add(s.base(), c.Deadline)
}
