package analysis

import (
	"fmt"
	"slices"

	"github.com/takt-rt/takt/timeline"
)

// The knobs of a ClockError.
const (
	KnobRate = "tick-rate" // send ticks more often
	KnobPath = "path"      // have them arrive sooner
)

// addLatency completes the error of a node's "now" by what the ticks take to
// arrive, L in the mean: RTF x (L + 1/(2 f)) in the mean, and RTF x (L + 1/f)
// for what an undisturbed run stays under 99 % of the time, at f ticks per
// second that bring a new value. e has the terms of the ticks, RTF/(2 f) and
// RTF/f. A latency that is not positive is of clocks that disagree, and says nothing.
func (e *ClockError) addLatency(l *Series, rtf float64) {
	if l == nil || l.Mean <= 0 || rtf <= 0 {
		return
	}
	term := rtf * l.Mean
	e.LatencyMeanS = ptr(term)
	e.TotalMeanS, e.TotalBoundS = ptr(term+e.MeanS), ptr(term+e.BoundS)
	e.CrossoverHz = ptr(1 / l.Mean)
	crossover := fmt.Sprintf("%.0f Hz", *e.CrossoverHz)
	if e.BoundS > term {
		e.Knob = KnobRate
		e.Advice = fmt.Sprintf("raise the tick rate: up to %s that gains more than a shorter path", crossover)
		return
	}
	e.Knob = KnobPath
	e.Advice = fmt.Sprintf("shorten the path of /clock or raise the priority of who reads it: beyond %s more ticks gain less than that", crossover)
}

// clockPublishers names the nodes that the graph says drive the clock.
func (a *Analyzer) clockPublishers(c *Clock, byID map[timeline.EntityID]*Topic) {
	if c == nil {
		return
	}
	t := byID[a.clock.entity]
	if t == nil {
		return
	}
	writers := t.Publishing()
	for _, w := range writers {
		if !slices.Contains(c.PublishersBy, w.Who()) {
			c.PublishersBy = append(c.PublishersBy, w.Who())
		}
	}
	c.Publishers = max(c.Publishers, len(writers))
}
