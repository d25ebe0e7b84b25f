package sched

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// drawCrew draws an executor of timers and subscriptions in groups, with what
// arrives in 100 ms.
func drawCrew(t *rapid.T, workers int) *crew {
	groups := []*Group{nil, {}, {}, {Reentrant: true}}
	kinds := []Kind{TimerKind, TimerKind, Subscription, Subscription, Service, Client, Waitable}
	n := rapid.IntRange(1, 8).Draw(t, "callbacks")
	callbacks, costs := make([]Callback, n), make([]time.Duration, n)
	for i := range callbacks {
		c := &callbacks[i]
		c.Kind = rapid.SampledFrom(kinds).Draw(t, "kind")
		c.Group = rapid.SampledFrom(groups).Draw(t, "group")
		c.Node = rapid.IntRange(0, 1).Draw(t, "node")
		costs[i] = time.Duration(rapid.IntRange(1, 12).Draw(t, "cost")) * ms
		if c.Kind == TimerKind {
			c.First = clock.Mono(rapid.IntRange(0, 20).Draw(t, "first")) * clock.Mono(ms)
			c.Period = time.Duration(rapid.IntRange(1, 30).Draw(t, "period")) * ms
			c.Skip = rapid.SampledFrom([]SkipRule{SkipNow, KeepNow}).Draw(t, "skip")
			continue
		}
		c.Inputs = []Input{{Depth: rapid.IntRange(0, 3).Draw(t, "depth")}}
	}
	d := newCrew(t, workers, callbacks, costs...)
	d.probes = rapid.Bool().Draw(t, "probes")
	for i := range callbacks {
		if callbacks[i].Kind != TimerKind {
			for _, at := range rapid.SliceOfN(rapid.IntRange(0, 99), 0, 20).Draw(t, "arrivals") {
				d.arrive(i, time.Duration(at)*ms)
			}
		}
	}
	return d
}

// group is the group of a callback, as something to compare.
func (c *crew) group(callback int) any {
	if g := c.callbacks[callback].Group; g != nil {
		return g
	}
	return c.callbacks[callback].Node
}

func (c *crew) exclusive(callback int) bool {
	g := c.callbacks[callback].Group
	return g == nil || !g.Reentrant
}

// Callbacks of a mutually exclusive group never overlap.
func TestGroupsExclude(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCrew(t, rapid.IntRange(1, 4).Draw(t, "workers"))
		c.run(100 * ms)
		last := map[any]clock.Mono{}
		for i, r := range c.jobs {
			if g := c.group(r.Callback); c.exclusive(r.Callback) {
				if r.start < last[g] {
					t.Fatalf("job %d, of callback %d, starts at %d, in a group that is busy until %d", i, r.Callback, r.start, last[g])
				}
				last[g] = r.end
			}
		}
	})
}

// No worker is idle while a callback is ready whose group is free: of a timer by
// its grid as the jobs show it, else because samples are left.
func TestWorkersConserveWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCrew(t, rapid.IntRange(1, 4).Draw(t, "workers"))
		c.settled = func() {
			if !slices.Contains(c.running, nil) {
				return
			}
			for i := range c.callbacks {
				if c.isReady(i) && !c.isHeld(i) {
					t.Fatalf("at %v callback %d is ready and a worker is idle", time.Duration(c.now), i)
				}
			}
		}
		c.run(100 * ms)
	})
}

func (c *crew) isReady(callback int) bool {
	if c.callbacks[callback].Kind != TimerKind {
		return c.arrived[callback] > c.taken[callback]+c.lost[callback]
	}
	next := c.callbacks[callback].First
	for _, r := range c.jobs {
		if r.Callback == callback {
			next = r.Release.Add(time.Duration(1+r.Skipped) * c.callbacks[callback].Period)
		}
	}
	return next <= c.now
}

// isHeld reports whether the callback's group is busy.
func (c *crew) isHeld(callback int) bool {
	return c.exclusive(callback) && slices.ContainsFunc(c.running, func(r *run) bool {
		return r != nil && c.group(r.Callback) == c.group(callback)
	})
}

// What arrived was taken, overwritten, or is still there, which all of it is not
// once the workers have had the time for it; and what was taken came in order.
func TestWorkersTakeWhatArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCrew(t, rapid.IntRange(1, 4).Draw(t, "workers"))
		for i := range c.callbacks {
			if c.callbacks[i].Kind == TimerKind {
				c.callbacks[i].Period = time.Hour // of a new executor, in which nothing starves
			}
		}
		m, err := NewMultiThreaded(c.callbacks, len(c.running))
		if err != nil {
			t.Fatal(err)
		}
		c.executor = m
		c.run(8 * 20 * 12 * ms)
		released := make([]clock.Mono, len(c.callbacks))
		for _, r := range c.jobs {
			if r.Release < released[r.Callback] {
				t.Fatalf("callback %d took a sample of %d after one of %d", r.Callback, r.Release, released[r.Callback])
			}
			released[r.Callback] = r.Release
		}
		for i := range c.callbacks {
			if c.callbacks[i].Kind != TimerKind && c.arrived[i] != c.taken[i]+c.lost[i] {
				t.Fatalf("callback %d: %d arrived, %d taken, %d lost", i, c.arrived[i], c.taken[i], c.lost[i])
			}
		}
	})
}

// One worker is the single-threaded wait set, job by job, whatever the groups.
func TestOneWorkerIsAWaitSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCrew(t, 1)
		arrivals := slices.Clone(c.arrivals)
		c.run(100 * ms)
		w, err := NewWaitSet(WaitSetConfig{Callbacks: c.callbacks})
		if err != nil {
			t.Fatal(err)
		}
		d := &driver{t: t, machine: w, costs: c.costs, arrivals: arrivals}
		d.run(100 * ms)
		if len(d.jobs) != len(c.jobs) {
			t.Fatalf("%d jobs of a wait set and %d of one worker", len(d.jobs), len(c.jobs))
		}
		for i, r := range d.jobs {
			if got := c.jobs[i]; got.Job != r.Job || got.start != r.start || got.end != r.end {
				t.Fatalf("job %d: a wait set runs %+v, one worker %+v", i, r, *got)
			}
		}
	})
}
