// Package sim runs a System in virtual time: threads with the machines of
// sched, on CPUs that cost nothing but what callbacks use.
//
// At one instant, in this order: callbacks that have used their CPU time end,
// in thread order, and publish; ticks of simulated time set clocks; samples come
// into the queues, those of sources in list order before those of callbacks in order of publication; CPUs are
// handed out, and threads that hold one and run no callback take their steps,
// until nothing changes. So what comes at an instant is seen by what starts at
// that instant.
//
// The most urgent threads that want a CPU have one; preemption and migration
// are immediate and free. Of equal priority, the thread that has wanted a CPU
// for longer goes first, in thread order if for equally long, and keeps its
// place until it wants none: equals do not preempt each other, and there are no
// time slices. A thread looks for what is ready only while it has a CPU.
//
// Each worker of a multi-threaded executor is such a thread. All that are idle want
// a CPU when there is something to do, if only to wait anew, and the first that
// has one does it. As there are no time slices, one that has no CPU while others
// run does not wait anew meanwhile, as it would with rclcpp under the default
// policy: with fewer CPUs than workers, callback groups then starve less here.
//
// These are the rules of testdata/scenarios/README.md, whose cases are the tests:
// every count, order and hash of theirs comes out.
//
// The same system gives the same run. Memory does not grow with the length of a
// run, except for queues that keep all.
package sim

import (
	"fmt"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// Limits to what a system that does not come to rest may take.
type limits struct {
	starts  int // of callbacks at one instant
	waiting int // samples in all queues and on their way, or entries in one events executor
}

// usual is far beyond any system that comes to rest.
var usual = limits{starts: 1_000_000, waiting: 1_000_000}

// A Sim is a run of a System.
type Sim struct {
	now      clock.Mono
	threads  []thread // of the System, with each of their workers
	cpus     int
	placed   []*thread  // the threads that have a CPU, by number
	wake     clock.Mono // when the next thread without a CPU is to be asked
	agenda   agenda
	topics   []topic
	sources  []source
	clock    *ticker // nil without simulated time
	observer Observer
	trace    TraceObserver // the same, if it is one
	shown    []OSThread    // that it knows to have a CPU
	starts   int           // at this instant
	waiting  int           // samples in queues
	limits   limits
	failed   error // once the system does not come to rest
}

// Run runs up to until, which is the first instant that does not happen. It may
// be called again to go on. It gives an error if the system does not come to
// rest at an instant, or if samples pile up without bound; and a *Fault where a
// missed deadline ends the run.
func (s *Sim) Run(until clock.Mono) error {
	for s.failed == nil {
		next := s.next()
		if next >= until {
			return nil
		}
		if next > s.now {
			s.advance(next)
		}
		s.finish()
		if s.failed != nil {
			break
		}
		s.deliver()
		s.dispatch()
		s.check()
	}
	return s.failed
}

// check fails a system that does not come to rest.
func (s *Sim) check() {
	switch {
	case s.starts > s.limits.starts:
		s.failed = fmt.Errorf("at %.9f s more than %d callbacks start and none takes time; give the callbacks that publish to each other, or a timer of period 0, a cost", s.now.Seconds(), s.limits.starts)
	case s.waiting+len(s.agenda.heap) > s.limits.waiting:
		s.failed = fmt.Errorf("at %.9f s more than %d samples wait in queues or are on their way; give subscriptions a depth, or less to do", s.now.Seconds(), s.limits.waiting)
	}
}

// Machine returns the machine of a thread, of several the first, for what it counts.
func (s *Sim) Machine(thread int) sched.Machine {
	first := 0
	for s.threads[first].id.Thread != thread {
		first++
	}
	return s.threads[first].machine
}

// next returns the instant at which something happens next: now again, if a
// callback takes no time.
func (s *Sim) next() clock.Mono {
	next := min(s.agenda.next(), s.wake)
	for _, t := range s.placed {
		next = min(next, s.now.Add(t.lasts()))
	}
	return max(next, s.now)
}

// advance lets the callbacks in progress use their CPUs up to the instant to.
func (s *Sim) advance(to clock.Mono) {
	for _, t := range s.placed {
		t.use(to.Sub(s.now))
	}
	s.now, s.starts = to, 0
}

// finish ends the callbacks that have used their CPU time, in thread order.
func (s *Sim) finish() {
	for _, t := range s.placed {
		if t.left > 0 {
			continue
		}
		job := t.job
		t.job = nil
		t.touch()
		missed := t.machine.Done(s.now, t.cost)
		s.announce(t, job)
		s.observer.Ended(s.now, t.id.Thread, job, missed)
		s.unlock(t.running.lock)
		for _, topic := range t.running.publishes {
			s.publish(topic, job, t.running.client)
		}
		for _, client := range t.asked {
			s.publish(t.running.reply, job, client)
		}
		if job.Callback == t.clockCallback {
			s.set(t, job.Number)
		}
		if missed && t.running.faults && s.failed == nil {
			s.failed = &Fault{At: s.now, Thread: t.id.Thread, Callback: job.Callback}
		}
	}
}

// dispatch hands out the CPUs and lets threads take their steps.
func (s *Sim) dispatch() {
	for s.starts <= s.limits.starts {
		s.refresh()
		s.assign()
		s.show()
		if !s.step() {
			return
		}
	}
}

// step lets every thread that has a CPU and no callback take a step. It reports
// whether by that a CPU became free, or others of the same executor may want one.
func (s *Sim) step() (again bool) {
	for _, t := range s.placed {
		if t.job != nil {
			continue
		}
		job, wake := t.machine.Step(s.now)
		if job == nil {
			t.wants, t.wake, t.runnable = false, wake, false
			again = true
			continue
		}
		s.starts++
		s.waiting -= job.Taken
		t.begin(job)
		s.observer.Started(s.now, t.id.Thread, job)
		if len(t.crew) > 0 {
			t.touch()
			again = true
		}
		if !s.lock(t) {
			again = true
		}
	}
	return again
}
