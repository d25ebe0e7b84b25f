package sim

import (
	"errors"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A callback of 5 ms under a deadline of 4 ms ends the run at 5 ms. What ends at
// that instant on another CPU is told of, and nothing after.
func TestFaultEndsTheRun(t *testing.T) {
	for _, executor := range []Executor{Level, WaitSet, Events} {
		late := timer("late", 0, 0, 5*ms)
		late.Context = &sched.Context{Deadline: 4 * ms, OnMiss: sched.Fault}
		s := System{CPUs: 2, Threads: []Thread{
			{Executor: executor, Callbacks: []Callback{timer("ok", 5*ms, 10*ms, ms), late}},
			threadOf(0, timer("other", 0, 5*ms, 5*ms)),
		}}
		l := &log{system: &s, starts: make([]clock.Mono, 2), worst: map[string]time.Duration{}}
		r, err := New(s, l)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var fault *Fault
			if err := r.Run(clock.Mono(time.Second)); !errors.As(err, &fault) || *fault != (Fault{At: clock.Mono(5 * ms), Callback: 1}) {
				t.Errorf("got %v", err)
			}
		}
		l.want(t, "late 0s-5ms", "other 0s-5ms")
	}
}
