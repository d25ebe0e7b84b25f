package compile_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// exampleRun is an observer that counts under the names of the scenario files.
type exampleRun struct {
	sim.Unobserved
	names     [][]string // by thread and callback
	callbacks map[string]exampleCallback
	cycles    []int64 // by thread
	jobs      []exampleJob
	last      []int // of jobs, by thread
}

type exampleJob struct {
	name                string
	thread              int
	release, start, end clock.Mono
}

// runExample runs a system. Names of callbacks are those behind NODE/, or
// NODE.CALLBACK if dotted is set.
func runExample(t *testing.T, system sim.System, until clock.Mono, dotted bool) *exampleRun {
	t.Helper()
	r := &exampleRun{callbacks: map[string]exampleCallback{}, cycles: make([]int64, len(system.Threads)), last: make([]int, len(system.Threads))}
	for _, thread := range system.Threads {
		var names []string
		for _, c := range thread.Callbacks {
			node, name, _ := strings.Cut(c.Name, "/")
			if dotted {
				name = node + "." + name
			}
			names = append(names, name)
			var figures exampleCallback
			if c.Kind == sched.TimerKind && c.First < until {
				figures.Released = int64((until-1).Sub(c.First)/c.Period) + 1
			}
			r.callbacks[name] = figures
		}
		r.names = append(r.names, names)
	}
	run, err := sim.New(system, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Run(until); err != nil {
		t.Fatal(err)
	}
	return r
}

// change changes the figures of one callback.
func (r *exampleRun) change(thread, callback int, f func(*exampleCallback)) {
	name := r.names[thread][callback]
	c := r.callbacks[name]
	f(&c)
	r.callbacks[name] = c
}

func (r *exampleRun) Arrived(thread, callback, _ int, _ sched.Sample) {
	r.change(thread, callback, func(c *exampleCallback) { c.Released++ })
}

func (r *exampleRun) Overwritten(_ clock.Mono, thread, callback, _ int, _ sched.Sample) {
	r.change(thread, callback, func(c *exampleCallback) { c.Lost++ })
}

func (r *exampleRun) Started(now clock.Mono, thread int, job *sched.Job) {
	r.change(thread, job.Callback, func(c *exampleCallback) {
		c.Started++
		c.Skipped += job.Skipped
		c.MaxStartLateness = max(c.MaxStartLateness, now.Sub(job.Release))
	})
	r.cycles[thread] = job.Cycle + 1
	r.last[thread] = len(r.jobs)
	r.jobs = append(r.jobs, exampleJob{r.names[thread][job.Callback], thread, job.Release, now, -1})
}

func (r *exampleRun) Ended(now clock.Mono, thread int, job *sched.Job, missed bool) {
	r.change(thread, job.Callback, func(c *exampleCallback) {
		c.Finished++
		if missed {
			c.Missed++
		}
		c.MaxResponse = max(c.MaxResponse, now.Sub(job.Release))
		c.MaxEndToEnd = max(c.MaxEndToEnd, now.Sub(job.Origin))
	})
	r.jobs[r.last[thread]].end = now
}

// sequence hashes a line for each job, by start and then by thread.
func (r *exampleRun) sequence() string {
	slices.SortStableFunc(r.jobs, func(a, b exampleJob) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.thread, b.thread))
	})
	h := sha256.New()
	for _, j := range r.jobs {
		fmt.Fprintf(h, "%s %d %d %d\n", j.name, j.release, j.start, j.end)
	}
	return hex.EncodeToString(h.Sum(nil))
}
