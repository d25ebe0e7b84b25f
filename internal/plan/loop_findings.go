package plan

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// loopSeen gathers what a run shows beside the figures.
type loopSeen struct {
	setup *LoopSetup
	clock loopClock

	starts        []Start
	last          clock.Sim        // the start before, if any, on the loop's clock
	lastAt        timeline.Instant // the same on the axis
	late, tooLate uint64
	sleptLong     uint64 // cycles longer than the period although the loop slept
	overruns      uint64 // that ros2_control_node would log
	logged        int64  // the largest number of missed cycles that it would
}

func (n *loopSeen) see(c *cycle) {
	start := n.clock.onLoop(c.start)
	if len(n.starts) < n.setup.Starts {
		n.starts = append(n.starts, n.newStart(c))
	}
	if c.number > 1 || n.setup.Held.KeepFirst {
		switch lateness(start.Sub(c.release), n.setup.Held.Period) {
		case late:
			n.late++
		case tooLate:
			n.tooLate++
		}
	}
	if c.number > 1 && c.slept && start.Sub(n.last) > n.setup.Held.Period {
		n.sleptLong++
	}
	if c.logged > 0 {
		n.overruns++
		n.logged = max(n.logged, c.logged)
	}
	n.last, n.lastAt = start, n.clock.onAxis(c.start)
}

// A latenessClass is how late a start is.
type latenessClass uint8

const (
	onTime latenessClass = iota
	late
	tooLate
)

// lateness classes the lateness of a start as iRobot's ros2-performance does:
// late above 20 % of the period or 5 ms, too late above the period or 50 ms, the
// lesser in each case.
func lateness(by, period time.Duration) latenessClass {
	lateAbove, tooLateAbove := latenessLimits(period)
	switch {
	case by > tooLateAbove:
		return tooLate
	case by > lateAbove:
		return late
	}
	return onTime
}

func latenessLimits(period time.Duration) (late, tooLate time.Duration) {
	return min(period/5, 5*time.Millisecond), min(period, 50*time.Millisecond)
}

func (n *loopSeen) findings() (all []timeline.Finding) {
	add := func(id string, s timeline.Severity, remedy, text string, with ...any) {
		all = append(all, timeline.Finding{ID: id, Severity: s, Subject: n.setup.Name, Text: fmt.Sprintf(text, with...), Remedy: remedy})
	}
	if n.late+n.tooLate > 0 {
		a, b := latenessLimits(n.setup.Held.Period)
		add("lateness-classes", timeline.Info, "",
			"%s late (over %s) and %d too late (over %s), as iRobot's ros2-performance classes them",
			quantity.Count(n.late, "start"), quantity.Seconds(a.Seconds()), n.tooLate, quantity.Seconds(b.Seconds()))
	}
	if n.setup.Pace == ByRclcppRate && n.sleptLong > 0 {
		add("sleep-hides-late-cycles", timeline.Warning, "judge the time between starts, not what sleep() returns",
			"%s longer than the period although sleep() returned true: after a lag of more than a period rclcpp::Rate counts from one period after now",
			quantity.Count(n.sleptLong, "cycle"))
	}
	if n.overruns > 0 {
		add("log-counts-one-more", timeline.Info, "",
			"ros2_control_node would log %s, with up to %d missed cycles: it counts the cycle that took too long beside the %d skipped",
			quantity.Count(n.overruns, "overrun"), n.logged, n.logged-1)
	}
	return all
}
