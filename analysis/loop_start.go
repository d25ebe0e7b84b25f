package analysis

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// release takes the scheduled instant of a job to come.
func (l *loop) release(e *timeline.Event) {
	if len(l.releases) == waiting {
		l.releases = slices.Delete(l.releases, 0, 1)
	}
	l.releases = append(l.releases, release{e.Number, gridInstant(e.Value)})
}

// released takes the scheduled instant of the job that starts, if one came.
func (l *loop) released(number uint64) (at gridInstant, ok bool) {
	for i, r := range l.releases {
		if r.number == number {
			l.releases = slices.Delete(l.releases, i, i+1)
			return r.at, true
		}
	}
	return 0, false
}

// start takes the start of a job.
func (l *loop) start(e *timeline.Event, a *Analyzer) {
	j := job{
		number: e.Number, at: e.At, ros: e.ROS, hasROS: e.Has(timeline.HasROS),
		counts: l.begun || l.opt.KeepFirst,
		marked: l.mark.known && l.mark.number == e.Number,
		sent:   e.Sent, hasSent: e.Has(timeline.HasSent),
	}
	if j.marked {
		l.mark = pending{}
	}
	l.work.start(e)
	if t := a.thread(e); t != nil {
		a.chains.start(t.start(l, e.Number), e)
	}
	at, recorded := l.released(e.Number)
	l.begun = true
	if j.counts {
		l.count(&j, at, recorded, a)
	}
	if old, ok := l.take(e.Number); ok { // the number came anew: the end of the old one is lost
		l.lose(&old)
	}
	if len(l.open) == waiting {
		l.lose(&l.open[0])
		l.open = slices.Delete(l.open, 0, 1)
	}
	l.open = append(l.open, j)
}

// count takes a job that starts into the figures.
func (l *loop) count(j *job, at gridInstant, recorded bool, a *Analyzer) {
	if l.callbacks == 0 {
		l.first = j.at
	}
	l.callbacks++
	if j.marked {
		l.injected++
	}
	if l.callbacks > 1 {
		if j.at < l.last.at { // the source could not put it in its place
			l.grid.ran()
			return
		}
		l.reported.skipped += l.reported.since
		l.pass(j, a)
	}
	l.reported.since = 0
	if l.ros.read(j) && l.onROS {
		l.grid.restart()
	}
	l.late(j, at, recorded, a)
	l.follow()
	l.last = *j
}

// follow tells the job before the one that starts what was skipped between.
func (l *loop) follow() {
	for i := range l.open {
		if j := &l.open[i]; j.counts && !j.followed {
			j.followed, j.skipped = true, l.grid.passed
		}
	}
	l.jobs.follow(l.grid.passed)
}

// pass takes the interval from the last start to this one.
func (l *loop) pass(j *job, a *Analyzer) {
	if a.unreadable(l.entity.ID, l.last.at, j.at) {
		l.unreadable++
		l.grid.restart() // whatever ran between is not known
		return
	}
	d, at := j.at.Sub(l.last.at), int64(l.last.at)
	l.interval.Add(seconds(d), at)
	l.plot.passed(d, l.last.at)
	l.longest = max(l.longest, d)
	if l.period > 0 {
		l.overPeriod += over(d, l.period)
		l.overJitter += over(d-l.jitter, l.period)
	}
	if l.opt.Budget > 0 {
		l.overBudget += over(d, l.opt.Budget)
	}
	if step, ok := l.ros.step(j); ok && l.last.hasROS {
		l.intervalROS.Add(seconds(step), at)
	}
}

// over returns 1 if d is over the limit, else 0.
func over(d, limit time.Duration) uint64 {
	if d > limit {
		return 1
	}
	return 0
}

// late finds the release that a start served, and how late it was. Both are on
// the timer's clock, so a timer on ROS time whose start has none leaves its
// lateness unknown, and without recorded releases the grid too.
func (l *loop) late(j *job, at gridInstant, recorded bool, a *Analyzer) {
	now, known := gridInstant(a.mono(j.at)), true
	if l.onROS {
		now, known = gridInstant(j.ros), j.hasROS
	}
	switch {
	case recorded:
		l.grid.serve(at)
	case known:
		at, known = l.grid.replay(now)
	default:
		l.grid.ran()
	}
	if !known {
		return
	}
	j.lateness, j.knowsLateness = clock.Sub(now, at), true
	l.lateness.Add(seconds(j.lateness), int64(j.at))
	l.plot.late(j)
}
