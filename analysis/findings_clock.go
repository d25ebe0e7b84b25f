package analysis

import (
	"fmt"
	"math"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// tolerable is the error of a node's "now" that is not worth a finding.
const tolerable = 0.010

func clockFindings(c *Clock) (all []timeline.Finding) {
	add := func(id string, sev timeline.Severity, remedy, text string, with ...any) {
		all = append(all, note(id, sev, "clock", remedy, text, with...))
	}
	if len(c.FightingRTF) > 0 {
		add("clock-fight", timeline.Error, "stop one of them: a simulator and a player with --clock, or two of either",
			"two publishers drive %s%s: its values go to and fro between two clocks (real time factors %s and %s); nodes see time jump back %s",
			c.Topic, by(c.PublishersBy), quantity.Factor(c.FightingRTF[0]), quantity.Factor(c.FightingRTF[1]), quantity.Count(c.Backward, "time"))
		return all
	}
	if c.Publishers > 1 {
		add("clock-publishers", timeline.Warning, "make sure that only one of them publishes at a time", "%d publishers were offered for %s%s", c.Publishers, c.Topic, by(c.PublishersBy))
	}
	if c.FirstSimS > 1 {
		add("clock-start", timeline.Info, "", "the first value is %s: nodes that start without a clock see it jump there from 0; that is a clock start, not an overrun", quantity.At(c.FirstSimS))
	}
	all = append(all, jumpFindings(c)...)
	all = append(all, pauseFindings(c)...)
	all = append(all, stallFindings(c)...)
	all = append(all, displayFindings(c)...)
	if e := c.Error; e != nil && e.MeanS > tolerable/2 {
		add("clock-coarse", timeline.Warning, coarseRemedy(c),
			"a node's now() is behind by %s in the mean and up to %s, since /clock moves by %s at a time (%s on the wall); latency comes on top",
			quantity.Seconds(e.MeanS), quantity.Seconds(e.BoundS), quantity.Seconds(*c.TickSimS), quantity.Hertz(*c.TickHz))
	}
	return all
}

// by names the nodes behind a clock, where the graph tells.
func by(nodes []string) string {
	if len(nodes) == 0 {
		return ""
	}
	return " (" + list(nodes) + ")"
}

// coarseRemedy: RTF / f is the error's bound, so f = RTF / tolerable.
func coarseRemedy(c *Clock) string {
	hz := math.Ceil(*c.RTF / tolerable)
	return fmt.Sprintf("for at most %g ms publish /clock at %.0f Hz or more (ros2 bag play --clock %.0f), or lower the real time factor", tolerable*1e3, hz, hz)
}

func jumpFindings(c *Clock) (all []timeline.Finding) {
	const shown = 3
	for i, s := range c.Segments {
		if s.JumpS == nil || i > shown {
			continue
		}
		if *s.JumpS < 0 {
			all = append(all, note("clock-went-back", timeline.Warning, "clock", "expected after a reset, a loop or a seek; else look for a second publisher",
				"simulated time went back by %s at %s, from %s to %s", quantity.Seconds(-*s.JumpS), quantity.At(s.AtS),
				quantity.At(s.FirstSimS-*s.JumpS), quantity.At(s.FirstSimS)))
		} else {
			all = append(all, note("clock-jumped", timeline.Warning, "clock", "",
				"simulated time jumped forward by %s at %s; the jump is not counted as progress", quantity.Seconds(*s.JumpS), quantity.At(s.AtS)))
		}
	}
	if jumps := c.Backward + c.Forward; jumps > shown {
		all = append(all, note("clock-went-back", timeline.Warning, "clock", "", "%s in all: %d back, %d forward", quantity.Count(jumps, "jump"), c.Backward, c.Forward))
	}
	return all
}

func pauseFindings(c *Clock) []timeline.Finding {
	p := c.Pauses
	if p == nil {
		return nil
	}
	if c.SpanSimS == 0 {
		return []timeline.Finding{note("clock-paused", timeline.Warning, "clock", "let the simulation run (gz sim -r; the player's space bar)",
			"paused: ticks came for %s, but simulated time stood still at %s", quantity.Seconds(c.SpanWallS), quantity.At(c.LastSimS))}
	}
	text := fmt.Sprintf("paused %s for %s in all, longest %s at %s", quantity.Count(p.Count, "time"),
		quantity.Seconds(p.TotalS), quantity.Seconds(p.LongestS), quantity.Seconds(p.LongestAtS))
	if c.RTFRunning != nil {
		text += "; real time factor while running " + quantity.Factor(*c.RTFRunning)
	}
	return []timeline.Finding{note("clock-paused", timeline.Info, "clock", "", "%s", text)}
}

// stallFindings tell of the longest silence of the clock, and of the slowest window.
func stallFindings(c *Clock) (all []timeline.Finding) {
	if c.RTF == nil {
		return nil
	}
	g := c.LongestGap
	if g != nil && g.LengthS > 0.2 && g.LengthS > 3*c.IntervalS.P50 {
		text := fmt.Sprintf("no tick for %s at %s, in which simulated time moved by %s", quantity.Seconds(g.LengthS), quantity.At(g.AtS), quantity.Seconds(g.SimulatedS))
		if g.RTFWithout != nil {
			text += fmt.Sprintf(": real time factor %s with it, %s without", quantity.Factor(*c.RTF), quantity.Factor(*g.RTFWithout))
		}
		all = append(all, note("clock-stall", timeline.Warning, "clock", "look at what the simulator loaded or computed then; if ticks are only rare, publish them more often", "%s", text))
	}
	w := c.Windows
	if w != nil && w.Min < *c.RTF/2 && c.Pauses == nil && (g == nil || w.MinAtS > g.AtS || w.MinAtS+w.LengthS < g.AtS-w.LengthS) {
		all = append(all, note("clock-slow-window", timeline.Warning, "clock", "",
			"the slowest window of %s, at %s, had a real time factor of %s; over all %s", quantity.Seconds(w.LengthS), quantity.Seconds(w.MinAtS), quantity.Factor(w.Min), quantity.Factor(*c.RTF)))
	}
	return all
}

// displayFindings warn of displays that say something else than what happened.
func displayFindings(c *Clock) []timeline.Finding {
	if c.RTF == nil || c.Displays == nil || c.Displays.PerFrame == nil {
		return nil
	}
	p := c.Displays.PerFrame
	if math.Abs(p.Mean-*c.RTF) <= 0.05**c.RTF && math.Abs(p.P50-*c.RTF) <= 0.05**c.RTF {
		return nil
	}
	return []timeline.Finding{note("display-misleads", timeline.Info, "clock", "take simulated time over real time between two instants, never a mean of ratios",
		"the ratios of the single steps have mean %s and median %s, as a per-frame display shows; the real time factor is %s",
		quantity.Factor(p.Mean), quantity.Factor(p.P50), quantity.Factor(*c.RTF))}
}

func reportedFindings(f *Figures) []timeline.Finding {
	if f.Simulator == nil || f.Clock.RTF == nil {
		return nil
	}
	rtf, own := *f.Clock.RTF, f.Simulator.RTF.Mean
	if math.Abs(own-rtf) <= 0.02*rtf {
		return nil
	}
	return []timeline.Finding{note("reported-rtf-differs", timeline.Info, "clock", "",
		"%s says %s in the mean of %s; by /clock it was %s (each of its values is the ratio of one step or a few)",
		f.Simulator.Topic, quantity.Factor(own), quantity.Count(f.Simulator.RTF.Count, "sample"), quantity.Factor(rtf))}
}

// quantizedFindings name the topics whose jitter in simulated time is only
// that of a coarse clock. A period p read from a clock that moves in steps of
// s gives intervals of floor(p/s) or ceil(p/s) steps, whose spread is
// s sqrt(f (1-f)) with f the fraction of p/s.
func quantizedFindings(f *Figures) []timeline.Finding {
	c := f.Clock
	if c.TickSimS == nil || c.RTF == nil || *c.RTF <= 0 {
		return nil
	}
	step := *c.TickSimS
	var names []string
	var example *Topic
	for _, t := range f.Topics {
		if t.IntervalSimS == nil || t.RateSimHz == nil || !t.Periodic || t.Name == c.Topic {
			continue
		}
		period := 1 / *t.RateSimHz
		_, fraction := math.Modf(period / step)
		spread, own := step*math.Sqrt(fraction*(1-fraction)), t.IntervalS.Stddev**c.RTF
		if s := t.IntervalSimS.Stddev; s > period/5 && math.Abs(s-spread) < spread/5 && own < s/2 {
			names = append(names, t.Name)
			if example == nil {
				example = t
			}
		}
	}
	if example == nil {
		return nil
	}
	return []timeline.Finding{note("jitter-is-the-clocks", timeline.Info, "clock", "judge these topics by receive time or by their stamps, or publish /clock more often",
		"in simulated time %s jitter only because the clock moves by %s at a time: %s has intervals with a deviation of %s, on the wall %s",
		list(names), quantity.Seconds(step), example.Name, quantity.Seconds(example.IntervalSimS.Stddev), quantity.Seconds(example.IntervalS.Stddev))}
}
