package analysis

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A gridInstant is nanoseconds on the clock of a timer: the monotonic one or
// the node's ROS time.
type gridInstant int64

// A grid follows the releases of a timer that its starts served, in stretches:
// a new one begins where the timer's clock went back, or where it is not known
// what ran. Of each stretch only the first and last release count, and how
// many jobs ran, so that it does not matter in which order jobs of a
// multi-threaded executor start.
type grid struct {
	period time.Duration // 0: not known
	rule   sched.SkipRule

	timer    *sched.Timer[gridInstant] // replays the releases that were not recorded
	recorded bool                      // releases are recorded

	first, last gridInstant // releases served in the stretch
	served      uint64      // jobs of the stretch up to the last; 0 before it begins
	since       uint64      // jobs after the last whose release is not known
	passed      int64       // releases skipped just before the last one served

	// Of the closed stretches: periods between their first and last release,
	// and jobs less one each.
	periods, following uint64
	stretches          uint64 // with the one under way
}

func (g *grid) describe(period time.Duration, rule sched.SkipRule) {
	if g.period == period && g.rule == rule {
		return
	}
	g.restart()
	g.period, g.rule = period, rule
}

// restart ends the stretch.
func (g *grid) restart() {
	if g.served > 0 {
		g.periods += g.spanned()
		g.following += g.served - 1
	}
	g.served, g.since, g.passed, g.timer = 0, 0, 0, nil
}

// serve takes a recorded release whose job starts.
func (g *grid) serve(at gridInstant) {
	if !g.recorded {
		g.restart() // what was replayed before is another grid
		g.recorded = true
	}
	g.take(at)
}

// replay returns the release that a start at now serves by the timer's rule,
// on a grid that is laid from the first start of the stretch. It knows none
// without a period, nor if releases are recorded and this one is lost.
func (g *grid) replay(now gridInstant) (at gridInstant, ok bool) {
	if g.recorded || g.period == 0 {
		g.ran()
		return 0, false
	}
	if g.timer == nil {
		g.timer = sched.NewTimer(now, g.period, g.rule)
	}
	at, _ = g.timer.Call(now)
	g.take(at)
	return at, true
}

// ran says that a job started whose release cannot be known. Where releases
// are recorded it is one of those between the others'; a replay is lost.
func (g *grid) ran() {
	g.passed = 0
	if g.recorded {
		g.since++
	} else {
		g.restart()
	}
}

func (g *grid) take(at gridInstant) {
	if g.served == 0 {
		g.stretches++
		g.first, g.last, g.since = at, at, 0
	}
	g.passed = int64(max(g.between(g.last, at), g.since+1) - g.since - 1)
	g.first, g.last = min(g.first, at), max(g.last, at)
	g.served += 1 + g.since
	g.since = 0
}

// spanned returns the periods from the first release of the stretch to the
// last. Recorded releases may be off the grid by what a conversion rounded.
func (g *grid) spanned() uint64 {
	if g.served == 0 {
		return 0
	}
	return g.between(g.first, g.last)
}

func (g *grid) between(from, to gridInstant) uint64 {
	if to <= from || g.period == 0 {
		return 0
	}
	return uint64(math.Round(float64(clock.Sub(to, from)) / float64(g.period)))
}

// figures returns the periods from the first release served to the last, and
// how many releases between were skipped, over all stretches. They are not
// known without a period, or before a job.
func (g grid) figures() (periods, skipped uint64, ok bool) {
	ok = g.period > 0 && g.stretches > 0
	g.restart() // g is a copy: the stretch goes on
	if g.periods > g.following {
		skipped = g.periods - g.following
	}
	return g.periods, skipped, ok
}
