package levels_test

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/sched/levels"
)

// A loop of 1 kHz beside telemetry on one CPU: each gets a thread, and the
// kernel takes the CPU from telemetry when the loop is due.
func ExampleAssign() {
	r, err := levels.Assign([]levels.Group{
		{Name: "/telemetry", Callbacks: []levels.Callback{{Name: "/telemetry/send", Period: 100 * time.Millisecond, Cost: 5 * time.Millisecond}}},
		{Name: "/attitude", Callbacks: []levels.Callback{{Name: "/attitude/control", Period: time.Millisecond, Cost: 200 * time.Microsecond}}},
	}, levels.Options{Plan: levels.Plan{Range: levels.Band{Low: 1, High: 99}, Pool: levels.Band{Low: 10, High: 49}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range r.Levels {
		fmt.Printf("%s at %d: %s\n", l.Name, l.Priority, l.Why)
	}
	// Output:
	// 1ms at 49: /attitude/control every 1ms
	// boot at 10: /telemetry/send every 100ms
}
