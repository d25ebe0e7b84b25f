package ctf

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// The figures of testdata/recordings/ctf/jazzy-slow-timer.README.txt, which
// were taken from babeltrace2's text output.
func TestJazzyTraceGivesItsValues(t *testing.T) {
	g := read(t, filepath.Join(recordings, "ctf", "jazzy-slow-timer"))
	c := checker{t, g}
	c.equal("events", g.run.events, 11509)
	slow := g.entity(t, timeline.TimerEntity, "/slow_timer timer 10ms")
	c.equal("period", slow.Period, 10*time.Millisecond)
	took := g.durations(slow.ID)
	c.equal("jobs of the slow timer", len(took), 973)
	long := slices.DeleteFunc(slices.Clone(took), func(d float64) bool { return d <= 15e-3 })
	c.equal("longer than 15 ms", len(long), 19)
	c.ms("shortest of those", slices.Min(long), 22.166)
	c.ms("longest of those", slices.Max(long), 22.318)
	c.spread("slow timer", intervals(g.starts[slow.ID]), 6.643, 9.999, 22.485)

	talker := g.entity(t, timeline.TimerEntity, "/talker timer 100ms")
	c.equal("jobs of the talker", len(g.durations(talker.ID)), 99)
	c.spread("talker", intervals(g.starts[talker.ID]), 99.918, 100.004, 100.076)
	listener := g.entity(t, timeline.CallbackEntity, "/listener subscription /chatter")
	c.equal("jobs of the listener", len(g.durations(listener.ID)), 99)
}

// ms compares with a figure that was written to a microsecond.
func (c checker) ms(what string, got, want float64) {
	c.Helper()
	if d := got*1e3 - want; d > 0.00051 || d < -0.00051 {
		c.Errorf("%s: %.6f ms, want %.3f ms", what, got*1e3, want)
	}
}

func (c checker) spread(what string, got []float64, least, median, most float64) {
	c.Helper()
	slices.Sort(got)
	c.ms(what+": min", got[0], least)
	c.ms(what+": median", (got[(len(got)-1)/2]+got[len(got)/2])/2, median)
	c.ms(what+": max", got[len(got)-1], most)
}

// Every sample that the listener gets is one that the talker has sent: with
// rmw_publish and rmw_take of tracetools 8 by the same source timestamp.
func TestJazzySamplesAreKnownAgain(t *testing.T) {
	g := read(t, filepath.Join(recordings, "ctf", "jazzy-slow-timer"))
	talker := g.writers("/chatter", "/talker")[0]
	listener := g.entity(t, timeline.CallbackEntity, "/listener subscription /chatter")
	sent := g.of(timeline.SampleSent, talker)
	jobs := g.of(timeline.JobStarted, listener.ID)
	if len(jobs) != 99 || len(sent) != 99 {
		t.Fatalf("%d sent, %d jobs, want 99 each", len(sent), len(jobs))
	}
	for i, j := range jobs {
		if want := (timeline.Cause{Entity: talker, Number: uint64(i + 1)}); j.Cause != want {
			t.Errorf("job %d is caused by %v, want %v", i, j.Cause, want)
		}
		// The source timestamp is read between the call and the write.
		if d := j.Sent.Sub(sent[i].Sent); d < 0 || d > 50*time.Microsecond {
			t.Errorf("sample %d: source timestamp %v after the call", i, d)
		}
	}
}

// A timer of 10 ms whose callback takes 22.2 ms serves the release at 10 ms as
// it ends, more than a period late, and skips the one at 20 ms: of 19 such jobs
// each is missed and makes the next one miss, and skips one release.
func TestJazzyLoopIsJudgedByItsGrid(t *testing.T) {
	_, f := analyse(t, "ctf/jazzy-slow-timer")
	for _, l := range f.Loops {
		if l.Name != "/slow_timer timer 10ms" {
			continue
		}
		if *l.Missed != 2*19 || *l.Skipped != 19 {
			t.Errorf("%d missed and %d skipped, want 38 and 19", *l.Missed, *l.Skipped)
		}
		// The grid is that of the timer's creation, so that no start is before
		// its release but by what rcl took to make the timer.
		if l.LatenessS.Min < -10e-6 || l.LatenessS.P50 > 1e-3 {
			t.Errorf("lateness from %v s, median %v s", l.LatenessS.Min, l.LatenessS.P50)
		}
		return
	}
	t.Error("the loop is missing")
}

// The axis is that of the metadata: its clock's UUID is the boot's, its offset
// that of the wall clock.
func TestJazzyAxis(t *testing.T) {
	g := read(t, filepath.Join(recordings, "ctf", "jazzy-slow-timer"))
	want := timeline.Base{
		Clock: timeline.MonoClock, MonoKnown: true, Host: "vm",
		Boot: "66c4dc1b-327f-4026-aa6b-72356dee622a", WallOffset: 1796171298754300643,
	}
	if g.origin.Kind != "ctf" || g.origin.Base != want {
		t.Errorf("origin %+v, want %+v", g.origin, want)
	}
}
