package gantt

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// written writes spans as "callback state from-to", instants in microseconds
// from the first event.
func (c *Chart) written() (all []string) {
	spans, _ := c.Spans()
	for _, s := range spans {
		open := ""
		if s.Open {
			open = " open"
		}
		all = append(all, fmt.Sprintf("%d %s %d-%d%s", s.Callback, s.State, s.From.Sub(c.first)/us, s.To.Sub(c.first)/us, open))
	}
	return all
}

func wantSpans(t *testing.T, c *Chart, want ...string) {
	t.Helper()
	if got := c.written(); !slices.Equal(got, want) {
		t.Errorf("spans %q\nwant  %q", got, want)
	}
}

// What play's comment says.
func TestSpans(t *testing.T) {
	wantSpans(t, chart(Options{}),
		"4 runs 0-2000", "3 waits 2000-2500", "3 runs 2500-3500", "4 off its CPU 2000-3500",
		"4 runs 3500-6000", "5 waits 3500-6000", "5 runs 6000-6500")
}

func TestWindowKeepsWhatTouchesIt(t *testing.T) {
	wantSpans(t, chart(Options{From: 6100 * us, Length: ms}), "5 runs 6000-6500")
}

func TestBoundIsKeptAndSaid(t *testing.T) {
	spans, left := chart(Options{Spans: 3}).Spans()
	if len(spans) != 3 || left != 4 {
		t.Errorf("%d spans kept and %d left, want 3 and 4", len(spans), left)
	}
}

// A job without an end goes on to the last event, and says so.
func TestJobWithoutEnd(t *testing.T) {
	c := New(Options{})
	c.Start(timeline.Origin{})
	c.Events([]timeline.Event{
		{At: 1000, Kind: timeline.JobStarted, Entity: loop, Number: 1},
		{At: 6000, Kind: timeline.JobReleased, Entity: loop, Number: 2},
		{At: 6000, Kind: timeline.JobEnded, Entity: loop, Number: 7}, // of no job that was seen
	})
	c.Finish()
	wantSpans(t, c, "3 runs 0-5 open")
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 1: "1 ns", 1500: "1.5 us", 60 * ms: "60 ms", 1001 * ms: "1.001 s", 90 * time.Second: "90 s", ms + 1: "1.000001 ms",
	} {
		if got := duration(d); got != want {
			t.Errorf("%d ns: %s, want %s", d, got, want)
		}
	}
}

// 6.5 ms on 50 characters: 0.1 ms takes 65 of them, 0.2 ms 32.5.
func TestCell(t *testing.T) {
	for _, c := range []struct {
		length time.Duration
		n      int
		want   time.Duration
	}{{6500 * us, 50, 200 * us}, {6500 * us, 66, 100 * us}, {0, 10, 1}, {1 << 62, 10, 500_000_000 * time.Second}} {
		if got := cellOf(c.length, c.n); got != c.want {
			t.Errorf("%v on %d: %v, want %v", c.length, c.n, got, c.want)
		}
	}
}

// Whatever comes, in whatever order: spans do not end before they begin, the
// bound holds, and both ways to draw go through.
func TestAnyTimeline(t *testing.T) {
	kinds := []timeline.Kind{timeline.JobReleased, timeline.JobStarted, timeline.JobEnded, timeline.SwitchedIn, timeline.SwitchedOut, timeline.SampleSent, timeline.PeriodsSkipped}
	rapid.Check(t, func(t *rapid.T) {
		var all []timeline.Event
		at := timeline.Instant(rapid.Int64().Draw(t, "first"))
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			at = plus(at, time.Duration(rapid.Int64Range(0, 1<<rapid.IntRange(0, 62).Draw(t, "bits")).Draw(t, "step")))
			all = append(all, timeline.Event{
				At: at, Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Entity: timeline.EntityID(rapid.IntRange(0, 8).Draw(t, "entity")),
				Number: rapid.Uint64Range(0, 3).Draw(t, "number"), Thread: rapid.Int32Range(0, 2).Draw(t, "thread"),
				Flags: timeline.Flags(rapid.Uint8().Draw(t, "flags")), Value: rapid.Int64().Draw(t, "value"),
				Cause: timeline.Cause{Entity: timeline.EntityID(rapid.IntRange(0, 8).Draw(t, "by")), Number: rapid.Uint64Range(0, 3).Draw(t, "cause")},
			})
		}
		c := New(Options{Spans: 20})
		c.Start(timeline.Origin{})
		c.Events(all)
		c.Finish()
		spans, _ := c.Spans()
		if len(spans) > 20 {
			t.Fatalf("%d spans", len(spans))
		}
		for _, s := range spans {
			if s.To < s.From {
				t.Fatalf("%+v", s)
			}
		}
		checkDrawings(t, c, all)
	})
}
