package sched

import (
	"fmt"
	"slices"
	"strings"

	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// A driver runs a machine alone on one ideal CPU. At an instant, the callback
// ends first and samples arrive next, as in testdata/scenarios.
type driver struct {
	t        rapid.TB
	machine  Machine
	costs    []time.Duration // of callbacks
	arrivals []fact          // to come
	now      clock.Mono
	probes   bool

	jobs []run
	lost []Sample
}

// A fact is a sample that arrives.
type fact struct {
	at              time.Duration
	callback, input int
}

// A run is what became of a job.
type run struct {
	Job
	start, end clock.Mono
	missed     bool
}

func newLevelDriver(t rapid.TB, c LevelConfig, costs ...time.Duration) *driver {
	t.Helper()
	l, err := NewLevel(c)
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t: t, machine: l, costs: costs}
}

// arrive lets samples arrive at a callback's first input.
func (d *driver) arrive(callback int, at ...time.Duration) {
	for _, a := range at {
		d.arrivals = append(d.arrivals, fact{a, callback, 0})
	}
	d.sort()
}

func (d *driver) sort() {
	slices.SortStableFunc(d.arrivals, func(a, b fact) int { return int(a.at - b.at) })
}

// run runs what starts before until.
func (d *driver) run(until time.Duration) {
	d.t.Helper()
	for {
		d.deliver(d.now)
		job, next := d.step()
		if job == nil {
			if len(d.arrivals) > 0 {
				next = min(next, clock.Mono(d.arrivals[0].at))
			}
			if next <= d.now {
				d.t.Fatalf("waits at %v until %v", time.Duration(d.now), time.Duration(next))
			}
			if next >= clock.Mono(until) {
				return
			}
			d.now = next
			continue
		}
		r := run{Job: *job, start: d.now}
		cost := d.costs[job.Callback]
		d.now = d.now.Add(cost)
		d.deliver(d.now - 1)
		r.missed, r.end = d.machine.Done(d.now, cost), d.now
		d.jobs = append(d.jobs, r)
		if d.now >= clock.Mono(until) {
			return
		}
	}
}

// step takes a step if the thread wants a CPU. Peek must change nothing, and a
// driver that probes takes a step all the same, which must start nothing.
func (d *driver) step() (*Job, clock.Mono) {
	d.t.Helper()
	wants, next := d.machine.Peek(d.now)
	if again, then := d.machine.Peek(d.now); again != wants || then != next {
		d.t.Fatalf("peeks %v, %d and then %v, %d", wants, next, again, then)
	}
	if !wants && !d.probes {
		return nil, next
	}
	job, wait := d.machine.Step(d.now)
	if !wants && (job != nil || wait != next) {
		d.t.Fatalf("at %v peeks %v, %d and steps to %v, %d", time.Duration(d.now), wants, next, job, wait)
	}
	return job, wait
}

func (d *driver) deliver(now clock.Mono) {
	for len(d.arrivals) > 0 && clock.Mono(d.arrivals[0].at) <= now {
		a := d.arrivals[0]
		d.arrivals = d.arrivals[1:]
		at := clock.Mono(a.at)
		if lost, overwritten := d.machine.Arrive(a.callback, a.input, Sample{Arrival: at, Origin: at}); overwritten {
			d.lost = append(d.lost, lost)
		}
	}
}

// want checks which callbacks started when, such as "0@0s 1@5ms".
func (d *driver) want(want string) {
	d.t.Helper()
	var got []string
	for _, r := range d.jobs {
		got = append(got, fmt.Sprintf("%d@%v", r.Callback, time.Duration(r.start)))
	}
	if s := strings.Join(got, " "); s != want {
		d.t.Errorf("started %s, want %s", s, want)
	}
}

// wantMissed checks which of the jobs missed their deadlines.
func (d *driver) wantMissed(want ...int) {
	d.t.Helper()
	var got []int
	for i, r := range d.jobs {
		if r.missed {
			got = append(got, i)
		}
	}
	if !slices.Equal(got, want) {
		d.t.Errorf("missed by jobs %d, want %d", got, want)
	}
}

// timer is a timer from 0 on.
func timer(period time.Duration, c *Context) Callback {
	return Callback{Kind: TimerKind, Period: period, Context: c}
}

// once is a timer that is released at first, and not again in a test.
func once(first time.Duration, c *Context) Callback {
	return Callback{Kind: TimerKind, First: clock.Mono(first), Period: time.Hour, Context: c}
}

// subscription is a subscription that takes one message at a time.
func subscription(depth int, c *Context) Callback {
	return Callback{Kind: Subscription, Inputs: []Input{{depth}}, Context: c}
}
