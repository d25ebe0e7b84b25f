package analysis

import (
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// Plots are what figures alone do not show: how the series went over time, and
// how their values are spread. They are kept if Options.Plots is set. Instants
// "AtS" are seconds after the start of the timeline, as in Figures.
type Plots struct {
	Clock  *ClockPlots
	Topics map[string]*TopicPlots // by name; none of topics that share one
	Loops  map[string]*LoopPlots  // by name; none of loops that share one
}

// ClockPlots are of simulated time.
type ClockPlots struct {
	RTF   *Track     // over the windows, each at its start
	Steps *Histogram // of simulated time between ticks, seconds
}

// TopicPlots are of one topic; what it does not have is nil. Transforms have none.
type TopicPlots struct {
	IntervalS     *Track // each at its start
	IntervalSimS  *Track
	AgeS          *Track
	AgeClock      string     // of AgeS and AgesHist, as in Age
	IntervalsHist *Histogram // seconds
	AgesHist      *Histogram // seconds
}

// A Track is a series over time: stretches of equal length, in order. Those
// without values are left out.
type Track struct {
	StretchS  float64
	Stretches []Stretch
}

// A Stretch has what fell into it.
type Stretch struct {
	AtS            float64 // its start
	Count          uint64
	Min, Max, Mean float64
	MinAtS, MaxAtS float64
}

// Plots returns what has been seen so far; nil if Options.Plots is not set.
func (a *Analyzer) Plots() *Plots {
	if !a.opt.Plots {
		return nil
	}
	p := &Plots{Clock: a.clockPlots(), Topics: map[string]*TopicPlots{}, Loops: map[string]*LoopPlots{}}
	for _, t := range a.order {
		if t.plot != nil && t.count > 0 {
			putOnce(p.Topics, t.entity.Name, a.topicPlots(t))
		}
	}
	for _, l := range a.loopOrder {
		putOnce(p.Loops, l.entity.Name, a.loopPlots(l))
	}
	return p
}

// putOnce puts the plots of a name, and nil if there are some already.
func putOnce[T any](all map[string]*T, name string, plots *T) {
	if _, there := all[name]; there {
		plots = nil
	}
	all[name] = plots
}

func (a *Analyzer) clockPlots() *ClockPlots {
	c := a.clock
	if c == nil || c.n == 0 || c.fight.on(c.backward) { // ratios over values of two clocks mean nothing
		return nil
	}
	return &ClockPlots{RTF: a.track(c.windows.track), Steps: histogram(&c.steps)}
}

// track returns a series over time, nil if it is empty.
func (a *Analyzer) track(t *stats.Track) *Track {
	if t == nil || t.Length() == 0 {
		return nil
	}
	f := &Track{StretchS: float64(t.Length()) / 1e9}
	t.Each(func(start int64, b stats.Bucket) {
		f.Stretches = append(f.Stretches, Stretch{
			AtS: a.at(start), Count: b.Count, Min: b.Min, Max: b.Max, Mean: b.Mean(),
			MinAtS: a.at(b.MinAt), MaxAtS: a.at(b.MaxAt),
		})
	})
	return f
}

// NominalS returns the interval that a topic keeps to, in seconds: between
// bursts if most messages come in bursts, else the median if it is periodic; 0
// if there is none.
func (t *Topic) NominalS() float64 {
	if t.IntervalS == nil {
		return 0
	}
	return nominal(t)
}

// A topicPlot is what is kept of a topic to be plotted. A nil one keeps nothing.
type topicPlot struct {
	interval, sim, age stats.Track
	by                 domain // the clock of age: that of the first stamp with one
}

func (a *Analyzer) topicPlots(t *topic) *TopicPlots {
	p := &TopicPlots{
		IntervalS: a.track(&t.plot.interval), IntervalSimS: a.track(&t.plot.sim), AgeS: a.track(&t.plot.age),
		IntervalsHist: histogram(&t.interval),
	}
	switch t.plot.by {
	case wall:
		p.AgeClock, p.AgesHist = "wall", histogram(&t.ageWall)
	case simulated:
		p.AgeClock, p.AgesHist = "sim", histogram(&t.ageSim)
	}
	return p
}

// pass takes what passed between two arrivals.
func (p *topicPlot) pass(s spell) {
	if p == nil {
		return
	}
	p.interval.Add(seconds(s.length), int64(s.at))
	if s.hasSim {
		p.sim.Add(seconds(s.sim), int64(s.at))
	}
}

// stamped takes the age of a stamp that was read from a clock.
func (p *topicPlot) stamped(e *timeline.Event, by domain, age float64) {
	if p == nil || by == notWall || p.by != notWall && p.by != by {
		return
	}
	p.by = by
	p.age.Add(age, int64(e.At))
}
