package sched

import (
	"testing"

	"github.com/takt-rt/takt/clock"
)

// Two subscriptions under EDF become ready at 0. Their samples carry deadlines
// of 20 and 10 ms, so that the second goes first, whatever their own deadline.
func TestInheritedDeadline(t *testing.T) {
	c := &Context{Class: EDF, Deadline: 5 * ms, Inherit: true}
	l, err := NewLevel(LevelConfig{Callbacks: []Callback{subscription(1, c), subscription(1, c)}})
	if err != nil {
		t.Fatal(err)
	}
	l.Arrive(0, 0, Sample{Deadline: clock.Mono(20 * ms)})
	l.Arrive(1, 0, Sample{Deadline: clock.Mono(10 * ms)})
	for i, want := range []struct {
		callback int
		deadline clock.Mono
		end      clock.Mono
		missed   bool
	}{{1, clock.Mono(10 * ms), clock.Mono(10 * ms), false}, {0, clock.Mono(20 * ms), clock.Mono(20*ms) + 1, true}} {
		job, _ := l.Step(0)
		if job.Callback != want.callback || job.Deadline != want.deadline {
			t.Errorf("job %d is %+v, want %+v", i, job, want)
		}
		if missed := l.Done(want.end, 0); missed != want.missed {
			t.Errorf("job %d missed: %v", i, missed)
		}
	}
}

// Samples without a deadline give one from their arrival, and are counted.
func TestInheritFallsBack(t *testing.T) {
	c := &Context{Deadline: 5 * ms, Inherit: true}
	for _, m := range machines(t, []Callback{subscription(0, c)}) {
		deadlines := []clock.Mono{0, Never, clock.Mono(9 * ms)}
		for i, deadline := range deadlines {
			m.Arrive(0, 0, Sample{Arrival: clock.Mono(i), Deadline: deadline})
		}
		for i, want := range []clock.Mono{clock.Mono(5 * ms), clock.Mono(5*ms) + 1, clock.Mono(9 * ms)} {
			job, _ := m.Step(10)
			if job.Deadline != want {
				t.Errorf("%T: deadline %d is %v, want %v", m, i, job.Deadline, want)
			}
			m.Done(10, 0)
		}
		if n := m.(interface{ Fallbacks(int) int64 }).Fallbacks(0); n != 2 {
			t.Errorf("%T: fell back %d times, want 2", m, n)
		}
	}
}

// A deadline that comes with a sample is nothing to a context that does not
// inherit.
func TestNotInherited(t *testing.T) {
	for _, m := range machines(t, []Callback{subscription(1, &Context{Deadline: 5 * ms})}) {
		m.Arrive(0, 0, Sample{Arrival: 1, Deadline: clock.Mono(3 * ms)})
		if job, _ := m.Step(10); job.Deadline != clock.Mono(5*ms)+1 {
			t.Errorf("%T: the deadline is %v, want 5 ms after the arrival", m, job.Deadline)
		}
	}
}
