package sched_test

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// One thread with a timer of 10 ms and a subscription, driven by hand: a
// message comes at 3 ms, and each callback takes 2 ms.
func ExampleLevel() {
	level, err := sched.NewLevel(sched.LevelConfig{Callbacks: []sched.Callback{
		{Kind: sched.TimerKind, Period: 10 * time.Millisecond},
		{Kind: sched.Subscription, Inputs: []sched.Input{{Depth: 1}}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	now, message := clock.Mono(0), clock.Mono(3*time.Millisecond)
	for now < clock.Mono(20*time.Millisecond) {
		if now >= message {
			level.Arrive(1, 0, sched.Sample{Arrival: message, Origin: message})
			message = sched.Never
		}
		job, next := level.Step(now)
		if job == nil {
			now = min(next, message)
			continue
		}
		fmt.Printf("at %v: callback %d, released at %v\n", time.Duration(now), job.Callback, time.Duration(job.Release))
		now = now.Add(2 * time.Millisecond)
		level.Done(now, 2*time.Millisecond)
	}
	// Output:
	// at 0s: callback 0, released at 0s
	// at 3ms: callback 1, released at 3ms
	// at 10ms: callback 0, released at 10ms
}
