package analysis

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// bodies draws execution times of up to a few periods of 10 ms.
func bodies(t *rapid.T) []time.Duration {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
		return rapid.SampledFrom([]time.Duration{0, us, ms, 9 * ms, 10 * ms, 11 * ms, 20 * ms, 22 * ms, 35 * ms}).Draw(t, "exec")
	}), 2, 80).Draw(t, "bodies")
}

// run is the events of a timer of 10 ms with these bodies on one thread. It is
// written without package sched: a release at or before the start of the job
// before is skipped. The first release is met on time.
func run(bodies []time.Duration, recorded bool) (events []timeline.Event, skipped uint64) {
	const period = 10 * ms
	var release, free time.Duration
	for i, exec := range bodies {
		start := max(release, free)
		n, at := uint64(i+1), timeline.Instant(start)
		if recorded {
			events = append(events, timeline.Event{Kind: timeline.JobReleased, Entity: loopID, At: at, Number: n, Value: int64(release)})
		}
		events = append(events,
			timeline.Event{Kind: timeline.JobStarted, Flags: timeline.HasROS, Entity: loopID, At: at, Number: n, ROS: clock.Sim(start)},
			timeline.Event{Kind: timeline.JobEnded, Flags: timeline.HasROS, Entity: loopID, At: at + timeline.Instant(exec), Number: n, ROS: clock.Sim(start + exec)})
		free = start + exec
		for release += period; release <= start; release += period {
			if i+1 < len(bodies) { // after the last job nothing was served
				skipped++
			}
		}
	}
	return events, skipped
}

func loopOf(t interface{ Fatalf(string, ...any) }, opt Options, batches ...[]timeline.Event) *Loop {
	a := New(opt)
	a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.MonoClock}})
	a.Describe(timeline.Entity{ID: loopID, Kind: timeline.TimerEntity, Name: "control"})
	for _, b := range batches {
		a.Events(b)
	}
	f, _ := a.Figures()
	if len(f.Loops) != 1 {
		t.Fatalf("%d loops", len(f.Loops))
	}
	return f.Loops[0]
}

func TestGridAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bodies := bodies(t)
		o := every(10 * ms)
		o.Loop.KeepFirst, o.Loop.OnROS = true, rapid.Bool().Draw(t, "on ROS time")
		events, skipped := run(bodies, false)
		replayed := loopOf(t, o, events)
		events, _ = run(bodies, true)
		recorded := loopOf(t, o, events)
		if *replayed.Skipped != skipped {
			t.Fatalf("skipped %d, want %d", *replayed.Skipped, skipped)
		}
		if *replayed.GridPeriods != replayed.Callbacks-1+skipped || *replayed.Violations != *replayed.Missed+skipped {
			t.Fatalf("%d grid periods, %d callbacks, %d missed, %d violations", *replayed.GridPeriods, replayed.Callbacks, *replayed.Missed, *replayed.Violations)
		}
		replayed.Anchored = false // the one difference, as the first start is on time
		if d := cmp.Diff(recorded, replayed); d != "" {
			t.Fatalf("recorded releases give other figures than the replay:\n%s", d)
		}
	})
}

func TestBatchesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events, _ := run(bodies(t), rapid.Bool().Draw(t, "recorded"))
		whole := loopOf(t, every(10*ms), events)
		var batches [][]timeline.Event
		for rest := events; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "batch")
			batches, rest = append(batches, rest[:n]), rest[n:]
		}
		if d := cmp.Diff(whole, loopOf(t, every(10*ms), batches...)); d != "" {
			t.Fatal(d)
		}
	})
}

// Whatever a source says, nothing panics and the counts keep their bounds.
func TestAnyEvents(t *testing.T) {
	extremes := []int64{0, 1, -1, 10, math.MaxInt64, math.MinInt64, int64(10 * ms), int64(time.Hour)}
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64Range(0, 4)
		instant := rapid.SampledFrom(extremes)
		kind := rapid.SampledFrom([]timeline.Kind{timeline.JobReleased, timeline.JobStarted, timeline.JobEnded, timeline.PeriodsSkipped, timeline.Mark, timeline.Hole})
		events := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) timeline.Event {
			return timeline.Event{
				Kind: kind.Draw(t, "kind"), Entity: loopID, Number: number.Draw(t, "number"),
				At: timeline.Instant(instant.Draw(t, "at")), ROS: clock.Sim(instant.Draw(t, "ros")), Value: instant.Draw(t, "value"),
				Flags: rapid.SampledFrom([]timeline.Flags{0, timeline.HasROS}).Draw(t, "flags"),
			}
		}), 0, 60).Draw(t, "events")
		o := every(time.Duration(rapid.SampledFrom(extremes).Draw(t, "period")))
		o.Loop.OnROS = rapid.Bool().Draw(t, "on ROS time")
		l := loopOf(t, o, events)
		switch {
		case l.Unfinished > l.Callbacks, l.Injected > l.Callbacks:
			t.Fatalf("%+v", l)
		case l.ExecS != nil && l.ExecS.Count+l.Unfinished != l.Callbacks:
			t.Fatalf("%d executions and %d unfinished of %d", l.ExecS.Count, l.Unfinished, l.Callbacks)
		case l.Missed != nil && *l.Missed > l.ResponseS.Count:
			t.Fatalf("%d missed of %d", *l.Missed, l.ResponseS.Count)
		}
	})
}

func BenchmarkLoop(b *testing.B) {
	for _, recorded := range []bool{false, true} {
		b.Run(fmt.Sprintf("recorded=%v", recorded), func(b *testing.B) {
			a := New(every(10 * ms))
			a.Describe(timeline.Entity{ID: loopID, Kind: timeline.TimerEntity, Name: "control"})
			var batch []timeline.Event
			at := timeline.Instant(0)
			for n := uint64(1); b.Loop(); n++ { // one job
				batch = batch[:0]
				start := at + timeline.Instant(n*7919%300)
				if recorded {
					batch = append(batch, timeline.Event{Kind: timeline.JobReleased, Entity: loopID, At: start, Number: n, Value: int64(at)})
				}
				batch = append(batch,
					timeline.Event{Kind: timeline.JobStarted, Flags: timeline.HasROS, Entity: loopID, At: start, Number: n, ROS: clock.Sim(start)},
					timeline.Event{Kind: timeline.JobEnded, Flags: timeline.HasROS, Entity: loopID, At: start + 1000, Number: n, ROS: clock.Sim(start)})
				a.Events(batch)
				at += timeline.Instant(10 * ms)
			}
		})
	}
}
