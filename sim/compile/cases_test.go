package compile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim/compile"
)

// runText runs a system file.
func runText(t *testing.T, file string, until time.Duration) *exampleRun {
	t.Helper()
	system, err := model.Parse("takt.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	built, err := compile.Compile(system, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return runExample(t, built.System, clock.Mono(until), false)
}

// A callback of 50 ms beside one with a deadline of 1 ms: on one thread no class
// helps, as nothing interrupts a callback; on two levels nothing is missed.
// The long one runs every 100 ms from 0, the short one every 10 ms from 5 ms on:
// it is released at 5 ms, ends at 51 ms, and those of 15 to 45 ms are skipped.
func TestLongCallbackBesideAShortDeadline(t *testing.T) {
	const nodes = `
nodes:
  log: {callbacks: {write: {timer: 100ms, phase: 0s, execution: 50ms}}}
  drive: {callbacks: {step: {timer: 10ms, phase: 5ms, execution: 1ms, deadline: 1ms, CLASS}}}
`
	for _, c := range []struct {
		name, levels, class string
		missed, skipped     int64 // in 1 s
	}{
		{"fifo", "{only: {groups: [log, drive]}}", "class: fifo", 10, 40},
		{"edf", "{only: {groups: [log, drive]}}", "class: edf", 10, 40},
		{"critical", "{only: {groups: [log, drive]}}", "class: edf, bucket: critical", 10, 40},
		{"two levels", "{low: {groups: [log], priority: 10}, high: {groups: [drive], priority: 40}}", "class: fifo", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := "takt: 1\nexecutors: {main: {levels: " + c.levels + "}}\n" + strings.Replace(nodes, "CLASS", c.class, 1)
			got := runText(t, file, time.Second).callbacks["step"]
			if got.Missed != c.missed || got.Skipped != c.skipped {
				t.Errorf("%d missed and %d skipped, want %d and %d", got.Missed, got.Skipped, c.missed, c.skipped)
			}
		})
	}
}

// A budget of 2 ms in 10 ms before a demand of 5 ms in 10 ms: a fifth of the CPU,
// and 3 ms more to do after every period, which is 3 messages of 1 ms each.
func TestBudgetBelowTheDemand(t *testing.T) {
	const file = `takt: 1
executors: {main: {levels: {only: {groups: [sink]}}}}
nodes:
  sink: {callbacks: {take: {subscription: /in, depth: all, execution: 1ms, class: sporadic, budget: 2ms, budget_period: 10ms}}}
sensors: {source: {publishes: [/in], rate: 500Hz}}
`
	for _, periods := range []int64{1, 10, 100, 1000} {
		got := runText(t, file, time.Duration(periods)*10*time.Millisecond).callbacks["take"]
		if got.Released != 5*periods || got.Finished != 2*periods {
			t.Errorf("after %d periods %d came and %d ran, want %d and %d", periods, got.Released, got.Finished, 5*periods, 2*periods)
		}
		if backlog := got.Released - got.Finished; backlog != 3*periods || got.Lost != 0 {
			t.Errorf("after %d periods %d wait and %d are lost, want %d and 0", periods, backlog, got.Lost, 3*periods)
		}
	}
}
