package sched

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// A second is a second opinion on a multi-threaded executor: rclcpp's loop step by
// step, with the worker that holds the mutex in its wait, and with counts in place
// of queues. It shares nothing with the machine but the callbacks.
type second struct {
	callbacks []Callback
	costs     []time.Duration
	group     func(callback int) any
	exclusive func(callback int) bool

	now     clock.Mono
	ends    []clock.Mono // of what each worker runs; Never if it runs nothing
	runs    []int        // on each worker
	waiting bool         // a worker that runs nothing is in the wait
	guard   bool         // the interrupt guard condition is triggered
	stale   bool         // the wait set is to be built anew
	busy    map[any]bool
	left    map[any]bool // out of the wait set
	result  []int        // of the last wait
	due     []clock.Mono // of timers
	queued  []int        // samples

	started []secondJob
}

// A secondJob is a job that started.
type secondJob struct {
	callback int
	at       clock.Mono
}

func newSecond(c *crew) *second {
	s := &second{
		callbacks: c.callbacks, costs: c.costs, group: c.group, exclusive: c.exclusive,
		guard: true, busy: map[any]bool{}, left: map[any]bool{},
		queued: make([]int, len(c.callbacks)),
	}
	for range c.running {
		s.ends, s.runs = append(s.ends, Never), append(s.runs, 0)
	}
	for i := range c.callbacks {
		s.due = append(s.due, c.callbacks[i].First)
	}
	return s
}

// run lets time pass by 1 ms at a time.
func (s *second) run(arrivals []fact, until time.Duration) {
	for ; s.now < clock.Mono(until); s.now += clock.Mono(ms) {
		for w, end := range s.ends {
			if end == s.now {
				s.end(w)
			}
		}
		for ; len(arrivals) > 0 && clock.Mono(arrivals[0].at) == s.now; arrivals = arrivals[1:] {
			i := arrivals[0].callback
			if s.queued[i]++; s.callbacks[i].Inputs[0].Depth > 0 {
				s.queued[i] = min(s.queued[i], s.callbacks[i].Inputs[0].Depth)
			}
		}
		for w := slices.Index(s.ends, Never); w >= 0 && s.next(w); w = slices.Index(s.ends, Never) {
		}
	}
}

func (s *second) end(worker int) {
	i := s.runs[worker]
	s.ends[worker] = Never
	if s.exclusive(i) {
		s.busy[s.group(i)] = false
		s.guard = true
	}
}

// next is one turn of the loop of the worker that has the mutex. It reports
// whether the mutex is to be had again.
func (s *second) next(worker int) bool {
	if !s.waiting {
		if s.take(worker) {
			return true
		}
		if s.stale {
			s.stale = false
			s.left = map[any]bool{}
			for i := range s.callbacks {
				if g := s.group(i); s.busy[g] {
					s.left[g] = true
				}
			}
		}
		s.waiting = true
	}
	s.result = s.ready()
	woken := s.guard
	s.guard, s.stale = false, s.stale || woken
	if s.take(worker) {
		s.waiting = false
		return true
	}
	// Without the guard condition it goes on to wait, or turns in vain.
	s.waiting = !woken
	return woken
}

// ready is what a wait sees: by kind, then registration.
func (s *second) ready() (all []int) {
	for kind := TimerKind; kind <= Waitable; kind++ {
		for i := range s.callbacks {
			isDue := kind == TimerKind && s.due[i] <= s.now
			if c := &s.callbacks[i]; c.Kind == kind && !s.left[s.group(i)] && (isDue || s.queued[i] > 0) {
				all = append(all, i)
			}
		}
	}
	return all
}

// take runs the first of the result that may.
func (s *second) take(worker int) bool {
	var timers []int
	for k, i := range s.result {
		if s.busy[s.group(i)] {
			if s.callbacks[i].Kind == TimerKind {
				timers = append(timers, i)
			}
			continue
		}
		s.result = append(timers, s.result[k+1:]...)
		s.start(worker, i)
		return true
	}
	s.result = timers
	return false
}

func (s *second) start(worker, callback int) {
	c := &s.callbacks[callback]
	if c.Kind == TimerKind {
		s.due[callback] = s.due[callback].Add(c.Period)
		for s.due[callback] < s.now || s.due[callback] == s.now && c.Skip == SkipNow {
			s.due[callback] = s.due[callback].Add(c.Period)
		}
	} else {
		s.queued[callback]--
	}
	s.busy[s.group(callback)] = s.exclusive(callback)
	s.runs[worker], s.ends[worker] = callback, s.now.Add(s.costs[callback])
	s.started = append(s.started, secondJob{callback, s.now})
}

// The machine and the second opinion start the same callbacks at the same time,
// in the same order.
func TestMultiThreadedBySecondOpinion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCrew(t, rapid.IntRange(1, 4).Draw(t, "workers"))
		s := newSecond(c)
		s.run(slices.Clone(c.arrivals), 100*ms)
		c.run(100 * ms)
		if len(c.jobs) != len(s.started) {
			t.Fatalf("%d jobs, want %d", len(c.jobs), len(s.started))
		}
		for i, want := range s.started {
			if got := c.jobs[i]; got.Callback != want.callback || got.start != want.at {
				t.Fatalf("job %d is of callback %d at %d, want %d at %d", i, got.Callback, got.start, want.callback, want.at)
			}
		}
	})
}
