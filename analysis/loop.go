package analysis

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// A loop is the state of one periodic callback: of a timer, or of any callback
// whose jobs a source tells of.
type loop struct {
	entity timeline.Entity
	opt    LoopOptions

	// What opt and the entity come to; 0 where it is not known.
	period, deadline, jitter time.Duration
	onROS                    bool

	releases []release        // known, with no start yet, oldest first
	open     []job            // started, with no end yet, oldest first
	begun    bool             // the first job was started
	first    timeline.Instant // the first start that counts, if callbacks > 0
	last     job              // the last such start
	ended    job              // the last end that counts, if any
	mark     pending          // a mark whose job has not started
	grid     grid
	ros      rosTime
	reported reported
	jobs     drawn
	work     work
	way      *path    // that a job of it was reached by last
	inner    bool     // it takes what others publish, so it is no source
	plot     *jobPlot // nil unless Options.Plots

	callbacks, injected, unfinished, missed, unreadable uint64
	overPeriod, overJitter, overBudget                  uint64
	longest                                             time.Duration // interval

	interval, intervalROS, lateness, response stats.Summary
	exec, execROS, injectedExec, injectedROS  stats.Summary
	still                                     stats.Summary // monotonic execution of the jobs in which ROS time stood still
}

// A job is one run of the callback, from its start on.
type job struct {
	number        uint64
	at            timeline.Instant
	ros           clock.Sim
	hasROS        bool
	lateness      time.Duration // if knowsLateness
	knowsLateness bool
	exec, execROS time.Duration // once it has ended; execROS if hasExecROS
	hasExecROS    bool
	skipped       int64 // releases after it, once it is followed
	followed      bool  // the next job has started
	counts        bool  // it is not the first one, or that is kept
	marked        bool
	sent          timeline.Instant // when its sample was, if hasSent
	hasSent       bool
}

// response returns lateness plus execution, saturated.
func (j *job) response() time.Duration {
	return time.Duration(clock.Mono(j.lateness).Add(j.exec))
}

// A release is the scheduled instant of a job, on the timer's clock.
type release struct {
	number uint64
	at     gridInstant
}

// A pending is the number of a job to come, if known.
type pending struct {
	number uint64
	known  bool
}

// A reported counts the skipped releases that the source itself tells of.
type reported struct {
	skipped, since uint64 // since: after the last start, which count once another follows
}

// waiting bounds the releases that wait for their start, and the jobs that
// wait for their end: more are lost ones.
const waiting = 64

func newLoop(id timeline.EntityID, a *Analyzer) *loop {
	l := &loop{entity: timeline.Entity{ID: id}, work: newWork(a.pool)}
	for _, s := range []*stats.Summary{
		&l.interval, &l.intervalROS, &l.lateness, &l.response,
		&l.exec, &l.execROS, &l.injectedExec, &l.injectedROS, &l.still,
	} {
		*s = stats.In(a.pool)
	}
	if a.opt.Plots {
		l.plot = &jobPlot{}
		l.jobs.to = l.plot
	}
	l.describe(l.entity, a.opt.Loop)
	return l
}

// describe takes what is known of the callback, and what it is held against.
func (l *loop) describe(e timeline.Entity, opt LoopOptions) {
	l.entity, l.opt = e, opt
	l.onROS = opt.OnROS || e.TimerClock == timeline.SimClock
	l.period = max(opt.Period, 0)
	if l.period == 0 {
		l.period = max(e.Period, 0)
	}
	l.deadline = max(opt.Deadline, 0)
	if l.deadline == 0 {
		l.deadline = l.period
	}
	l.jitter = opt.jitter(l.period)
	l.grid.describe(l.period, opt.Rule)
}

// jitter returns how far over the period an interval may be.
func (o *LoopOptions) jitter(period time.Duration) time.Duration {
	if o.Jitter > 0 {
		return o.Jitter
	}
	share := o.JitterShare
	if share <= 0 {
		share = 0.05
	}
	return time.Duration(math.Round(share * float64(period)))
}

// loop returns the state of a callback.
func (a *Analyzer) loop(id timeline.EntityID) *loop {
	l := a.loops[id]
	if l == nil {
		l = newLoop(id, a)
		a.loops[id] = l
		a.loopOrder = append(a.loopOrder, l)
		if e, ok := a.entities[id]; ok {
			l.describe(e, a.loopOptions(e.Name))
		}
	}
	return l
}

// loopOptions returns what the callback of a name is held against.
func (a *Analyzer) loopOptions(name string) LoopOptions {
	if opt, ok := a.opt.Loops[name]; ok {
		return opt
	}
	return a.opt.Loop
}

// jobEvent takes an event of a callback. Marks may lie on anything, so only
// those on a callback that is known are taken.
func (a *Analyzer) jobEvent(e *timeline.Event) {
	if e.Kind == timeline.Mark && a.loops[e.Entity] == nil {
		a.threadMark(e)
		return
	}
	a.see(e)
	l := a.loop(e.Entity)
	switch e.Kind {
	case timeline.JobReleased:
		l.release(e)
	case timeline.JobStarted:
		l.start(e, a)
	case timeline.JobEnded:
		l.end(e, a)
	case timeline.PeriodsSkipped:
		l.reported.since += uint64(max(e.Value, 0))
	case timeline.Mark:
		l.marked(e.Number)
	}
}

// mono returns the monotonic instant of an instant of the axis, if its offset
// is known, else the instant as it is.
func (a *Analyzer) mono(t timeline.Instant) clock.Mono {
	if b := a.origin.Base; b.MonoKnown {
		return clock.Mono(t).Add(time.Duration(b.MonoOffset))
	}
	return clock.Mono(t)
}
