package plan

import (
	"context"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/report/gantt"
	"github.com/takt-rt/takt/sim"
	"github.com/takt-rt/takt/timeline"
)

// A SystemGantt is who ran when in a window of a run.
type SystemGantt struct {
	Chart    *gantt.Chart
	Of       string // the callback around whose worst response it is; "" if the window was given
	PhaseSet int    // the run is at; 0 is the file's phases
}

// drawn is what is to be drawn of which run.
type drawn struct {
	of       string
	set      int
	from, to time.Duration
}

// gantt runs the system once more, up to the end of what is to be drawn.
func (p *systemPlan) gantt(ctx context.Context, a *System, seen *systemSeen) error {
	if p.Gantt == nil {
		return nil
	}
	d := drawn{set: p.PhaseSet, from: p.Gantt.From, to: min(p.Gantt.To, p.length)}
	if p.Gantt.To == 0 {
		d = p.aroundWorst(a, seen)
	}
	if d.to <= d.from {
		return nil
	}
	s := p.phased(d.set)
	chart := gantt.New(gantt.Options{From: d.from, Length: d.to - d.from})
	o := sim.NewTimeline(s, chart)
	// The chart counts from the first event: let that be the start of the run.
	chart.Events([]timeline.Event{{Kind: timeline.Mark}})
	if err := p.run(ctx, s, o, clock.Mono(d.to).Add(1), &systemSeen{}); err != nil {
		return err
	}
	o.Close()
	chart.Finish()
	a.Gantt = &SystemGantt{Chart: chart, Of: d.of, PhaseSet: d.set}
	return nil
}

// aroundWorst is the response that was explained, or the one of the run that
// comes nearest to its deadline, with a quarter of it before and after.
func (p *systemPlan) aroundWorst(a *System, seen *systemSeen) (d drawn) {
	d.set = p.PhaseSet
	var release, end time.Duration
	if e := a.Explanation; e != nil {
		d.of, d.set, release, end = e.Callback, e.PhaseSet, time.Duration(e.Release), time.Duration(e.End)
	} else if name := p.tightest(seen); name != "" {
		x := p.names[name]
		j := &seen.tally.threads[x.thread][x.callback].response.job
		d.of, release, end = name, time.Duration(j.release), time.Duration(j.end)
	}
	margin := max((end-release)/4, 1)
	d.from, d.to = max(release-margin, 0), min(end+margin, p.length)
	return d
}

// tightest is the callback whose worst response is the greatest in deadlines;
// where there is none, in periods, or in seconds.
func (p *systemPlan) tightest(seen *systemSeen) (name string) {
	best, rank := 0.0, 0
	for _, c := range p.load.refs {
		x := p.names[c.name]
		w := &seen.tally.threads[x.thread][x.callback].response
		if w.n == 0 {
			continue
		}
		of, r := time.Second, 1
		switch made := p.at(x); {
		case made.Context != nil && made.Context.Deadline > 0:
			of, r = made.Context.Deadline, 3
		case made.Period > 0:
			of, r = made.Period, 2
		}
		if tight := float64(w.most) / float64(of); r > rank || r == rank && tight > best {
			name, best, rank = c.name, tight, r
		}
	}
	return name
}
