package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/stats"
)

// sortedLoops returns the loops by name; of equal names the one seen first.
func (a *Analyzer) sortedLoops() []*loop {
	ls := slices.Clone(a.loopOrder)
	slices.SortStableFunc(ls, func(a, b *loop) int { return cmp.Compare(a.entity.Name, b.entity.Name) })
	return ls
}

// periodicLoops returns those callbacks that are loops, sorted.
func (a *Analyzer) periodicLoops() []*loop {
	return slices.DeleteFunc(a.sortedLoops(), func(l *loop) bool { return !a.periodic(l) })
}

func (a *Analyzer) loopsFigures(c *Clock) (all []*Loop) {
	for _, l := range a.periodicLoops() {
		all = append(all, a.loopFigures(l, c))
	}
	return all
}

func (a *Analyzer) loopFigures(l *loop, c *Clock) *Loop {
	f := &Loop{
		Name: l.entity.Name, TimerClock: "steady", PeriodS: known(l.period), DeadlineS: known(l.deadline),
		Callbacks: l.callbacks, Injected: l.injected, Unfinished: l.unfinishedNow(),
		Unreadable: l.unreadable, Resets: l.ros.resets,
		IntervalS: a.loopSeries(&l.interval), IntervalRosS: a.loopSeries(&l.intervalROS),
		LatenessS: a.loopSeries(&l.lateness), ResponseS: a.loopSeries(&l.response),
		ExecS: a.loopSeries(&l.exec), ExecRosS: a.loopSeries(&l.execROS),
		InjectedExecS: a.loopSeries(&l.injectedExec), InjectedExecRosS: a.loopSeries(&l.injectedROS),
		BudgetS: known(l.opt.Budget),
	}
	if l.callbacks > 0 {
		f.FirstAtS = ptr(a.at(int64(l.first)))
	}
	if l.onROS {
		f.TimerClock = "ros"
	}
	if l.deadline > 0 {
		f.Rule = l.rule(c)
	}
	l.violations(f)
	l.intervals(f)
	l.pace(f)
	return f
}

// violations are the figures on releases.
func (l *loop) violations(f *Loop) {
	f.Anchored = !l.grid.recorded && l.grid.stretches > 0
	periods, skipped, ok := l.grid.figures()
	// What the source reports of skipped releases is better than a replay.
	if n := l.reported.skipped; n > 0 && !l.grid.recorded {
		skipped, ok = n, true
		periods = max(l.callbacks, 1) - 1 + n
	}
	if ok {
		f.GridPeriods, f.Skipped = &periods, &skipped
	}
	if l.deadline > 0 && l.response.Count() > 0 {
		f.Missed = ptr(l.missed)
	}
	if f.Missed != nil && f.Skipped != nil {
		f.Violations = ptr(*f.Missed + *f.Skipped)
	}
}

// intervals are the figures on the distances of starts.
func (l *loop) intervals(f *Loop) {
	if l.interval.Count() == 0 {
		return
	}
	if l.deadline > 0 {
		f.MaxMinusDeadlineS = ptr(seconds(l.longest - l.deadline))
	}
	if l.period > 0 {
		f.OverPeriod, f.OverPeriodPlusJitter, f.JitterS = ptr(l.overPeriod), ptr(l.overJitter), ptr(seconds(l.jitter))
	}
	if l.opt.Budget > 0 {
		f.OverBudget = ptr(l.overBudget)
	}
}

// pace are the figures on ROS time beside the monotonic clock.
func (l *loop) pace(f *Loop) {
	rtf, ok := l.ros.rtf()
	if !ok {
		return
	}
	f.RTF = &rtf
	if !l.onROS || l.period == 0 || rtf <= 0 {
		return
	}
	wall := time.Duration(math.Round(float64(l.period) * float64(l.ros.mono) / float64(l.ros.ros)))
	f.WallPerPeriodS = ptr(seconds(wall))
	if l.opt.Budget > 0 {
		f.SpareS = ptr(seconds(l.opt.Budget - wall))
	}
}

// rule says in words what counts as missed and as skipped. The mixed rule is
// that of the published experiment for a timer on ROS time.
func (l *loop) rule(c *Clock) string {
	missed := "response (start lateness on the steady clock + execution) over the deadline"
	if l.onROS {
		tick := "the clock's tick"
		if c != nil && c.TickSimS != nil {
			tick += " of " + quantity.Seconds(*c.TickSimS)
		}
		missed = fmt.Sprintf("response by the mixed rule (start lateness in ROS time, to %s, + monotonic execution) over the deadline", tick)
	}
	if l.period == 0 {
		return "missed: " + missed
	}
	return fmt.Sprintf("missed: %s; %s", missed, l.opt.Rule)
}

func (l *loop) unfinishedNow() uint64 {
	n := l.unfinished
	for i := range l.open {
		if l.open[i].counts {
			n++
		}
	}
	return n
}

// known returns a duration in seconds, nil if it is 0.
func known(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	return ptr(seconds(d))
}

// loopSeries returns the figures of a loop's series, nil if it is empty.
func (a *Analyzer) loopSeries(s *stats.Summary) *Series {
	f := a.series(s)
	if f != nil && a.opt.NearestRank {
		f.P50, f.P95, f.P99 = s.NearestRank(0.5), s.NearestRank(0.95), s.NearestRank(0.99)
	}
	return f
}
