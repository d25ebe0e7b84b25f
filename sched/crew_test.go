package sched

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// A crew runs the workers of a multi-threaded executor, each on an ideal CPU. At
// an instant, callbacks end in the order of workers, samples arrive, and workers
// that want a CPU take steps in order, until nothing changes.
type crew struct {
	t         rapid.TB
	executor  *MultiThreaded
	callbacks []Callback
	costs     []time.Duration // of callbacks
	arrivals  []fact          // to come, in order
	now       clock.Mono
	probes    bool // workers take steps also if they do not want to

	running []*run // by worker
	jobs    []*run // as they started
	taken   []int  // by callback
	arrived []int
	lost    []int
	settled func() // if nothing more starts at an instant
}

func newCrew(t rapid.TB, workers int, callbacks []Callback, costs ...time.Duration) *crew {
	t.Helper()
	m, err := NewMultiThreaded(callbacks, workers)
	if err != nil {
		t.Fatal(err)
	}
	n := len(callbacks)
	return &crew{
		t: t, executor: m, callbacks: callbacks, costs: costs, running: make([]*run, workers),
		taken: make([]int, n), arrived: make([]int, n), lost: make([]int, n),
	}
}

// arrive lets samples arrive at a callback.
func (c *crew) arrive(callback int, at ...time.Duration) {
	for _, a := range at {
		c.arrivals = append(c.arrivals, fact{a, callback, 0})
	}
	slices.SortStableFunc(c.arrivals, func(a, b fact) int { return int(a.at - b.at) })
}

// run runs what starts before until.
func (c *crew) run(until time.Duration) {
	c.t.Helper()
	for c.now < clock.Mono(until) {
		c.finish()
		c.deliver()
		for c.steps() {
		}
		if c.settled != nil {
			c.settled()
		}
		next := c.next()
		if next <= c.now && !slices.ContainsFunc(c.running, func(r *run) bool { return r != nil && r.end == c.now }) {
			c.t.Fatalf("waits at %v until %v", time.Duration(c.now), time.Duration(next))
		}
		c.now = next
	}
}

func (c *crew) finish() {
	for i, r := range c.running {
		if r == nil || r.end > c.now {
			continue
		}
		w := c.executor.Worker(i)
		if w.job.Callback != r.Callback || w.job.Release != r.Release || w.job.Worker != i {
			c.t.Fatalf("worker %d runs %+v and ends %+v", i, r.Job, w.job)
		}
		r.missed = w.Done(c.now, r.end.Sub(r.start))
		c.running[i] = nil
	}
}

func (c *crew) deliver() {
	for len(c.arrivals) > 0 && clock.Mono(c.arrivals[0].at) <= c.now {
		a := c.arrivals[0]
		c.arrivals = c.arrivals[1:]
		c.arrived[a.callback]++
		if _, overwritten := c.executor.Arrive(a.callback, a.input, Sample{Arrival: c.now, Origin: c.now}); overwritten {
			c.lost[a.callback]++
		}
	}
}

// steps lets every idle worker take a step, and reports whether one started a
// callback.
func (c *crew) steps() (started bool) {
	c.t.Helper()
	for i, r := range c.running {
		if r != nil {
			continue
		}
		wants, next := c.executor.Peek(c.now)
		if !wants && !c.probes {
			continue
		}
		job, wait := c.executor.Worker(i).Step(c.now)
		if job == nil {
			if again, _ := c.executor.Peek(c.now); again || !wants && wait != next || wait <= c.now {
				c.t.Fatalf("at %v peeks %v, %d, waits until %d and peeks %v", time.Duration(c.now), wants, next, wait, again)
			}
			continue
		}
		if !wants {
			c.t.Fatalf("at %v wants nothing and starts %+v", time.Duration(c.now), *job)
		}
		c.running[i] = &run{Job: *job, start: c.now, end: c.now.Add(c.costs[job.Callback])}
		c.jobs = append(c.jobs, c.running[i])
		c.taken[job.Callback] += job.Taken
		started = true
	}
	return started
}

func (c *crew) next() clock.Mono {
	next := Never
	for _, r := range c.running {
		if r == nil {
			_, at := c.executor.Peek(c.now)
			next = min(next, at)
		} else {
			next = min(next, r.end)
		}
	}
	if len(c.arrivals) > 0 {
		next = min(next, clock.Mono(c.arrivals[0].at))
	}
	return next
}

// want checks which callbacks started when and on which worker, such as
// "0@0s/0 1@5ms/1".
func (c *crew) want(want string) {
	c.t.Helper()
	var got []string
	for _, r := range c.jobs {
		got = append(got, fmt.Sprintf("%d@%v/%d", r.Callback, time.Duration(r.start), r.Worker))
	}
	if s := strings.Join(got, " "); s != want {
		c.t.Errorf("started %s, want %s", s, want)
	}
}
