package plan

import (
	"context"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
	"github.com/takt-rt/takt/timeline"
)

// NewSystem plans a system. When ctx is done the runs end early, and the answer
// says that it is partial.
func NewSystem(ctx context.Context, s SystemSetup) (*System, error) {
	p, err := newSystemPlan(&s)
	if err != nil {
		return nil, err
	}
	a := &System{Schema: SystemSchema, Given: p.given(), Load: p.load.rounded(), Executors: p.executors()}
	a.Findings = append(p.load.infeasible(), p.remarks()...)
	seen, err := p.observe(ctx, p.phased(p.PhaseSet))
	if err != nil {
		return nil, err
	}
	p.fill(a, seen)
	if err := p.sweep(ctx, a, seen); err != nil {
		return nil, err
	}
	if err := p.explain(ctx, a, seen); err != nil {
		return nil, err
	}
	if err := p.gantt(ctx, a, seen); err != nil {
		return nil, err
	}
	a.Findings = append(a.Findings, p.observed(a, seen)...)
	return a, nil
}

// A systemSeen is what was seen of a run.
type systemSeen struct {
	tally    *tally
	readers  *readers
	report   *report.Report
	chains   []*analysis.Chain
	ended    clock.Mono // how far the run came
	complete bool
	failed   error // the system does not come to rest
}

// A systemObserver tells both of the run.
type systemObserver struct {
	*sim.Timeline
	tally *tally
}

func (o *systemObserver) Arrived(thread, callback, input int, s sched.Sample) {
	o.tally.Arrived(thread, callback, input, s)
	o.Timeline.Arrived(thread, callback, input, s)
}

func (o *systemObserver) Overwritten(now clock.Mono, thread, callback, input int, s sched.Sample) {
	o.tally.Overwritten(now, thread, callback, input, s)
	o.Timeline.Overwritten(now, thread, callback, input, s)
}

func (o *systemObserver) Started(now clock.Mono, thread int, job *sched.Job) {
	o.tally.Started(now, thread, job)
	o.Timeline.Started(now, thread, job)
}

func (o *systemObserver) Ended(now clock.Mono, thread int, job *sched.Job, missed bool) {
	o.tally.Ended(now, thread, job, missed)
	o.Timeline.Ended(now, thread, job, missed)
}

// observe runs the system with all that is to be known of a run.
func (p *systemPlan) observe(ctx context.Context, s *sim.System) (*systemSeen, error) {
	seen := &systemSeen{tally: newTally(s), readers: newReaders()}
	a := analysis.New(p.analysis())
	sinks := []timeline.Sink{a, seen.readers}
	if p.Trace != nil {
		sinks = append(sinks, p.Trace)
	}
	o := &systemObserver{sim.NewTimeline(s, timeline.Tee(sinks...)), seen.tally}
	err := p.run(ctx, s, o, clock.Mono(p.length), seen)
	o.Close()
	if err != nil {
		return nil, err
	}
	figures, findings := a.Figures()
	origin := timeline.Origin{Kind: "virtual time", Path: p.System.File, Base: timeline.Base{Clock: timeline.MonoClock}}
	seen.report = report.New(origin, timeline.Outcome{Partial: !seen.complete}, figures, findings, p.System)
	seen.report.Basis = report.Predicted
	seen.chains = figures.Chains
	return seen, nil
}

// runSlices is into how many parts a run is cut, between which it can be told to end.
const runSlices = 1000

// run runs a system up to an instant, or until ctx is done.
func (p *systemPlan) run(ctx context.Context, s *sim.System, o sim.Observer, until clock.Mono, seen *systemSeen) error {
	r, err := sim.New(*s, o)
	if err != nil {
		return err
	}
	slice := max(time.Duration(until)/runSlices, 1)
	for seen.ended < until {
		if ctx.Err() != nil {
			return nil
		}
		next := min(seen.ended.Add(slice), until)
		if seen.failed = r.Run(next); seen.failed != nil {
			return nil
		}
		p.progress(next.Sub(seen.ended))
		seen.ended = next
	}
	seen.complete = true
	return nil
}

// progress counts virtual time that has passed.
func (p *systemPlan) progress(ran time.Duration) {
	p.ran += ran.Seconds()
	if p.Progress != nil {
		p.Progress(min(1, p.ran/(p.length.Seconds()*float64(1+p.Sets))))
	}
}

// analysis is what is asked of the run: what contracts need counted, and chains.
func (p *systemPlan) analysis() analysis.Options {
	o := analysis.Options{Limits: map[string]analysis.Limits{}, Loops: map[string]analysis.LoopOptions{}, Loop: analysis.LoopOptions{KeepFirst: true}}
	for _, t := range p.System.Topics {
		o.Limits[t.Name] = analysis.Limits{Interval: t.MaxInterval, Age: t.MaxAge}
	}
	for i := range p.System.Loops {
		c := &p.System.Loops[i]
		o.Loops[c.Name] = analysis.LoopOptions{
			Period: c.Period, Deadline: c.Deadline, Budget: c.Budget, OnROS: c.OnROS,
			Jitter: c.Jitter, JitterShare: c.JitterShare, KeepFirst: true,
		}
	}
	if c := p.System.Clock; c != nil {
		o.Window, o.MinWindowRTF, o.MaxWindowRTF = c.Window, c.MinWindowRTF, c.MaxWindowRTF
	}
	for i := range p.System.Design.Chains {
		c := &p.System.Design.Chains[i]
		if path := p.callbacksOn(c); len(path) <= mostFollowed {
			o.Chains = append(o.Chains, analysis.NamedChain{Name: c.Name, Callbacks: path})
		}
	}
	return o
}
