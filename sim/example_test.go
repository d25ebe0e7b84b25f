package sim_test

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// A deadlines counts what a loop did.
type deadlines struct {
	sim.Unobserved
	missed, skipped int64
}

func (d *deadlines) Started(_ clock.Mono, _ int, job *sched.Job) { d.skipped += job.Skipped }

func (d *deadlines) Ended(_ clock.Mono, _ int, _ *sched.Job, missed bool) {
	if missed {
		d.missed++
	}
}

// A loop at 1 kHz beside telemetry of 5 ms at 10 Hz, for a minute: first both
// on one thread, then on two.
func Example() {
	loop := sim.Callback{Name: "loop", Costs: []time.Duration{200 * time.Microsecond}, Callback: sched.Callback{
		Kind: sched.TimerKind, Period: time.Millisecond, Context: &sched.Context{Deadline: time.Millisecond},
	}}
	telemetry := sim.Callback{Name: "telemetry", Costs: []time.Duration{5 * time.Millisecond}, Callback: sched.Callback{
		Kind: sched.TimerKind, Period: 100 * time.Millisecond,
	}}
	for _, system := range []sim.System{
		{Threads: []sim.Thread{{Callbacks: []sim.Callback{loop, telemetry}}}},
		{Threads: []sim.Thread{
			{Priority: 20, Callbacks: []sim.Callback{loop}},
			{Priority: 10, Callbacks: []sim.Callback{telemetry}},
		}},
	} {
		var d deadlines
		run, err := sim.New(system, &d)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := run.Run(clock.Mono(time.Minute)); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d threads: %d missed, %d skipped\n", len(system.Threads), d.missed, d.skipped)
	}
	// Output:
	// 1 threads: 600 missed, 2400 skipped
	// 2 threads: 0 missed, 0 skipped
}
