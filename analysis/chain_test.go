package analysis

import (
	"math"
	"testing"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// A task is a periodic one of the published examples; times in milliseconds.
type task struct{ cost, period int }

// rateMonotonic runs tasks on one CPU by priority in their order, preemptively,
// all released at 0. Each reads the register of the task before it in the chain
// when it starts and writes its own when it ends. Tasks are entities 1, 2, 3,
// their threads as well, their registers 11, 12, 13.
func rateMonotonic(a *Analyzer, tasks []task, chain []int, until int) {
	a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.MonoClock, MonoKnown: true}})
	names := []string{"one", "two", "three"}
	before := map[int]int{}
	for i, id := range chain {
		a.Describe(timeline.Entity{ID: timeline.EntityID(id), Kind: timeline.TimerEntity, Name: names[id-1], Period: time.Duration(tasks[id-1].period) * time.Millisecond})
		if i > 0 {
			before[id] = chain[i-1]
		}
	}
	left, jobs, written := make([]int, len(tasks)), make([]uint64, len(tasks)), make([]uint64, len(tasks))
	running := make([]bool, len(tasks))
	emit := func(at, task int, kind timeline.Kind, entity int, number uint64, cause timeline.Cause) {
		a.Events([]timeline.Event{{
			At: timeline.Instant(at) * 1e6, Kind: kind, Entity: timeline.EntityID(entity), Number: number,
			Cause: cause, Thread: int32(task + 1), Flags: timeline.HasThread,
		}})
	}
	for now := range until {
		for i, t := range tasks {
			if now%t.period == 0 {
				left[i] = t.cost
			}
		}
		for i := range tasks {
			if left[i] == 0 {
				continue
			}
			if id := i + 1; !running[i] {
				running[i] = true
				jobs[i]++
				emit(now, i, timeline.JobStarted, id, jobs[i], timeline.Cause{})
				if from := before[id]; from > 0 && written[from-1] > 0 {
					emit(now, i, timeline.SampleTaken, 20+id, written[from-1], timeline.Cause{Entity: timeline.EntityID(10 + from), Number: written[from-1]})
				}
			}
			if left[i]--; left[i] == 0 {
				running[i] = false
				written[i]++
				emit(now+1, i, timeline.SampleSent, 11+i, written[i], timeline.Cause{})
				emit(now+1, i, timeline.JobEnded, i+1, jobs[i], timeline.Cause{})
			}
			break
		}
	}
}

// The exact values of the published examples on end-to-end latency: rate
// monotonic, preemptive, released together.
func TestChainsOfPeriodicTasksGiveTheirExactLatencies(t *testing.T) {
	first := []task{{1, 5}, {2, 8}, {3, 20}}
	harmonic := []task{{2, 10}, {4, 20}, {8, 40}}
	for _, c := range []struct {
		tasks                        []task
		chain                        []int
		reaction, overwrite, reduced float64
	}{
		{first, []int{1, 2, 3}, 32, 32, 9},
		{first, []int{3, 2, 1}, 30, 30, 25},
		{first, []int{1, 3}, 27, 27, 7},
		{first, []int{3, 1}, 30, 30, 25},
		{harmonic, []int{1, 2, 3}, 56, 56, 16},
		{harmonic, []int{3, 2, 1}, 66, 66, 56},
	} {
		a := New(Options{})
		rateMonotonic(a, c.tasks, c.chain, 4000)
		f, _ := a.Figures()
		if len(f.Chains) != 1 || len(f.Chains[0].Callbacks) != len(c.chain) {
			t.Fatalf("%v: chains %+v", c.chain, f.Chains)
		}
		for what, v := range map[string][2]float64{
			"reaction":      {f.Chains[0].ReactionS.Max, c.reaction},
			"overwrite age": {f.Chains[0].OverwriteAgeS.Max, c.overwrite},
			"reduced age":   {f.Chains[0].ReducedAgeS.Max, c.reduced},
		} {
			if math.Abs(v[0]-v[1]/1e3) > 1e-12 {
				t.Errorf("%v of %v: %s %v s, want %v ms", c.chain, c.tasks, what, v[0], v[1])
			}
		}
	}
}
