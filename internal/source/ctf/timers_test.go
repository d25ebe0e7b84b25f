package ctf

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/timeline"
)

const ms = time.Millisecond

// made is when the timers of these tests are made.
const made = 2 * time.Second

// timerRun runs the callback of a timer of 10 ms, made at made, at the instants
// after that, each for 10 µs.
func timerRun(t *testing.T, version string, starts ...time.Duration) (g *reading, releases []time.Duration) {
	w := newWorld(t, tracetest.Options{})
	w.node(version)
	w.timer(made, 3, 4, 10*ms)
	for _, s := range starts {
		w.job(4, made+s, made+s+10*time.Microsecond)
	}
	g = w.read()
	timer := g.entity(t, timeline.TimerEntity, "/n timer 10ms")
	for _, r := range g.releases(timer.ID) {
		releases = append(releases, r-made)
	}
	return g, releases
}

// The first release is one period after the creation; a late start serves the
// release that was due first, and those that have passed meanwhile are skipped.
func TestReleasesFollowFromTheCreation(t *testing.T) {
	g, got := timerRun(t, "8.2.2", 10*ms+100*time.Microsecond, 32*ms, 40*ms+20*time.Microsecond, 51*ms)
	if want := []time.Duration{10 * ms, 20 * ms, 40 * ms, 50 * ms}; !slices.Equal(got, want) {
		t.Errorf("releases %v, want %v", got, want)
	}
	if g.found("timer-grid-moved") || !g.found("releases-derived") {
		t.Errorf("findings %v", g.outcome.Findings)
	}
}

// A start at exactly the next release skips it since Jazzy and kept it before:
// the first start, at 20 ms, serves 10 ms, the next one 30 or 20 ms.
func TestRuleIsOfTheDistribution(t *testing.T) {
	for version, want := range map[string]time.Duration{"8.2.2": 30 * ms, "4.1.1": 20 * ms, "": 30 * ms} {
		_, got := timerRun(t, version, 20*ms, 30*ms+time.Microsecond)
		if !slices.Equal(got, []time.Duration{10 * ms, want}) {
			t.Errorf("tracetools %q: releases %v, want 10ms and %v", version, got, want)
		}
	}
}

// rcl calls the timer before the callback starts. Here it was called just
// before the release at 30 ms, which so was not skipped, as the start after it
// shows.
func TestReleaseBetweenCallAndStart(t *testing.T) {
	g, got := timerRun(t, "8.2.2", 10*ms, 30*ms+5*time.Microsecond, 30*ms+200*time.Microsecond, 40*ms+time.Microsecond)
	if want := []time.Duration{10 * ms, 20 * ms, 30 * ms, 40 * ms}; !slices.Equal(got, want) {
		t.Errorf("releases %v, want %v", got, want)
	}
	if g.found("timer-grid-moved") {
		t.Error("the grid is said to have moved")
	}
}

// A start before its release begins a new grid, and is told of.
func TestTimerThatWasReset(t *testing.T) {
	g, got := timerRun(t, "8.2.2", 10*ms, 14*ms, 24*ms+time.Microsecond)
	if want := []time.Duration{10 * ms, 14 * ms, 24 * ms}; !slices.Equal(got, want) {
		t.Errorf("releases %v, want %v", got, want)
	}
	if !g.found("timer-grid-moved") {
		t.Errorf("findings %v", g.outcome.Findings)
	}
}

// What ran in a gap is not known, so that the start after it is held against
// the last release before it.
func TestReleaseAfterAGap(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.job(4, made+10*ms, made+11*ms)
	w.s.Flush()
	w.s.Skip(1)
	w.job(4, made+72*ms, made+73*ms)
	g := w.read()
	got := g.releases(g.entity(t, timeline.TimerEntity, "/n timer 10ms").ID)
	if want := []time.Duration{made + 10*ms, made + 70*ms}; !slices.Equal(got, want) {
		t.Errorf("releases %v, want %v", got, want)
	}
	if !g.outcome.Partial || !g.found("packets-missing") {
		t.Errorf("findings %v", g.outcome.Findings)
	}
}

// A node that subscribes to /clock may have timers on simulated time.
func TestTimersOfANodeThatFollowsClock(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.subscription("/clock", 20, 30)
	w.timer(made, 3, 4, 10*ms)
	w.job(4, made+20*ms, made+21*ms)
	g := w.read()
	if got := g.releases(g.entity(t, timeline.TimerEntity, "/n timer 10ms").ID); got != nil {
		t.Errorf("releases %v", got)
	}
	if !g.found("timers-on-ros-time") || g.found("releases-derived") {
		t.Errorf("findings %v", g.outcome.Findings)
	}
}

// Timers that never ran are known all the same, and no two callbacks have the
// same name.
func TestTimersThatNeverRan(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.timer(made+ms, 5, 6, 10*ms)
	w.timer(made+2*ms, 7, 8, 2500*time.Microsecond)
	w.job(6, made+11*ms, made+12*ms)
	g := w.read()
	want := []string{"/n timer 10ms", "/n timer 10ms #2", "/n timer 2.5ms"}
	if got := g.named(timeline.TimerEntity); !slices.Equal(got, want) {
		t.Errorf("timers %q, want %q", got, want)
	}
}
