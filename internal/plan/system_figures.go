package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

func (p *systemPlan) given() SystemGiven {
	g := SystemGiven{File: p.System.File, Length: p.length.Seconds(), Seed: p.Seed, Times: "worst", PhaseSet: p.PhaseSet}
	if p.Typical {
		g.Times = "typical"
	}
	if s := p.System.Design.Simulation; s != nil {
		g.RTF = float(p.load.rates.rtf)
	}
	return g
}

// fill has the figures of the run.
func (p *systemPlan) fill(a *System, seen *systemSeen) {
	a.Partial = !seen.complete
	a.Report, a.Verdict, a.Contracts = seen.report, seen.report.Verdict.Result, seen.report.Verdict.Contracts
	a.Callbacks = []SystemCallback{}
	for _, c := range p.load.refs {
		a.Callbacks = append(a.Callbacks, p.callback(p.names[c.name], seen))
	}
	a.Subscriptions = p.subscriptions(seen)
	for i := range p.System.Design.Chains {
		a.Chains = append(a.Chains, p.chain(&p.System.Design.Chains[i], seen))
	}
}

// at returns a callback of the system built.
func (p *systemPlan) at(x place) *sim.Callback {
	return &p.built.System.Threads[x.thread].Callbacks[x.callback]
}

func (p *systemPlan) callback(x place, seen *systemSeen) SystemCallback {
	c, t := p.at(x), &seen.tally.threads[x.thread][x.callback]
	s := SystemCallback{
		Callback: c.Name, Thread: p.built.System.Threads[x.thread].Name, Period: c.Period.Seconds(),
		Started: t.started, Finished: t.finished, Skipped: t.skipped,
	}
	if c.Context != nil && c.Context.Deadline > 0 {
		violations := t.missed + t.skipped
		s.Deadline, s.Missed, s.Violations = c.Context.Deadline.Seconds(), &t.missed, &violations
	}
	s.releases(c, t, seen.ended)
	if t.response.n > 0 {
		s.WorstResponse, s.WorstRelease = in(t.response.most), since(t.response.job.release)
		s.MeanResponse = t.response.mean()
	}
	if t.lateness.n > 0 {
		s.WorstLateness, s.MeanLateness = in(t.lateness.most), t.lateness.mean()
	}
	return s
}

// releases counts those of a callback. Of a timer on simulated time, which has
// no grid in monotonic time, they are what was served or passed over; of
// several topics they are no messages.
func (s *SystemCallback) releases(c *sim.Callback, t *callbackTally, ended clock.Mono) {
	released, waiting := t.arrived, t.arrived-t.taken-t.overwritten
	switch {
	case c.Kind == sched.Fused:
		return
	case c.Kind == sched.TimerKind && (c.OnROS || c.Period == 0):
		released, waiting = t.started+t.skipped, 0
	case c.Kind == sched.TimerKind:
		released = gridded(c, ended)
		waiting = released - min(released, t.started+t.skipped)
	}
	s.Released, s.Waiting = &released, &waiting
}

// gridded returns how many releases a timer on the monotonic clock has before an
// instant.
func gridded(c *sim.Callback, ended clock.Mono) uint64 {
	switch {
	case c.First >= ended:
		return 0
	case c.Once:
		return 1
	}
	return 1 + uint64((ended-1-c.First)/clock.Mono(c.Period))
}

func (w *worst) mean() *float64 {
	m := w.sum.Seconds() / float64(w.n)
	return &m
}

func in(d time.Duration) *float64 {
	s := d.Seconds()
	return &s
}

// since returns an instant of the run in seconds after its start.
func since(t clock.Mono) *float64 { return in(time.Duration(t)) }

// subscriptions are the inputs of callbacks. The readers of the timeline come in
// the order of the system built.
func (p *systemPlan) subscriptions(seen *systemSeen) (list []SystemSubscription) {
	next := 0
	for i := range p.built.System.Threads {
		t := &p.built.System.Threads[i]
		for j := range t.Callbacks {
			for k, of := range t.Callbacks[j].From {
				r := seen.readers.list[next]
				next++
				if p.built.Callbacks[i][j] != nil {
					list = append(list, r.subscription(t.Callbacks[j].Name, of.Name, t.Callbacks[j].Inputs[k].Depth))
				}
			}
		}
	}
	return list
}

func (r *reader) subscription(callback, topic string, depth int) SystemSubscription {
	s := SystemSubscription{
		Callback: callback, Topic: topic, Depth: depth,
		Arrived: r.arrived, Taken: r.taken, Dropped: r.dropped, Waiting: r.arrived - r.taken - r.dropped,
	}
	if r.taken > 0 {
		mean := r.sum.Seconds() / float64(r.taken)
		s.WorstAge, s.WorstAt, s.MeanAge = in(r.most), in(time.Duration(r.mostAt)), &mean
	}
	return s
}

// mostFollowed is how many callbacks of a chain an analysis follows.
const mostFollowed = 10

// callbacksOn are the callbacks of a chain, which may begin with a sensor.
func (p *systemPlan) callbacksOn(c *model.Chain) []string {
	for i := range p.System.Design.Sensors {
		if len(c.Path) > 0 && c.Path[0] == p.System.Design.Sensors[i].Name {
			return c.Path[1:]
		}
	}
	return c.Path
}

func (p *systemPlan) chain(c *model.Chain, seen *systemSeen) SystemChain {
	s := SystemChain{Chain: c.Name, Path: c.Path}
	if c.MaxReaction > 0 {
		s.MaxReaction = in(c.MaxReaction)
	}
	if c.MaxAge > 0 {
		s.MaxAge = in(c.MaxAge)
	}
	path := p.callbacksOn(c)
	switch {
	case len(path) > mostFollowed:
		s.Why = fmt.Sprintf("it has more than the %d callbacks that are followed", mostFollowed)
		return s
	case len(path) < 2:
		s.Why = "it has less than two callbacks; the ages of messages are those of one"
		return s
	}
	for _, f := range seen.chains {
		if f.Name == c.Name && slices.Equal(f.Callbacks, path) {
			s.measured(f)
		}
	}
	if s.Outputs == 0 {
		s.Why = "no output came of it"
	}
	return s
}
