package analysis

import "time"

func (a *Analyzer) clockFigures() *Clock {
	c := a.clock
	if c == nil || c.n == 0 {
		return nil
	}
	sim, wall := c.sim+c.now.sim(), c.wall+c.now.wall()
	f := &Clock{
		Topic: a.entities[c.entity].Name, ReadAt: readAt(a.origin.Kind), Ticks: c.n,
		Publishers: a.entities[c.entity].Publishers,
		SpanSimS:   seconds(sim), SpanWallS: seconds(wall),
		FirstSimS: c.first.t.Seconds(), LastSimS: c.last.t.Seconds(),
		StepSimS: a.series(&c.steps), IntervalS: a.series(&c.intervals),
		LatencyS: a.series(&c.latency),
		Segments: a.segmentFigures(c), LongestGap: a.clockGap(c, sim, wall),
		Backward: c.backward, Forward: c.forward, Repeated: c.repeated,
	}
	if c.fight.on(c.backward) { // ratios over values of two clocks mean nothing
		f.Publishers = max(f.Publishers, 2)
		f.FightingRTF = []float64{c.fight.a.rtf(), c.fight.b.rtf()}
		return f
	}
	p := c.pauses // a copy: a pause under way goes on
	p.end(c.last)
	f.Pauses = a.pauseFigures(p)
	f.Windows, f.Displays = a.windowFigures(&c.windows), c.displays.figures()
	if wall > 0 {
		f.RTF = ptr(ratio(sim, wall))
		f.TickHz = ptr(float64(c.n-1-uint64(c.closed)) / seconds(wall))
		c.resolution(f, a, wall-p.total)
	}
	return f
}

// readAt says where a source of a kind met the ticks.
func readAt(kind string) string {
	switch kind {
	case "capture":
		return "capture"
	case "tap":
		return "observer"
	}
	return "recorder"
}

func (a *Analyzer) simulatorFigures() *Simulator {
	if a.reported.Count() == 0 {
		return nil
	}
	return &Simulator{Topic: a.entities[a.reportedBy].Name, RTF: a.series(&a.reported)}
}

// resolution is what the ticks allow a node to know: their size, and the
// error of "now" for want of a newer one.
func (c *ticks) resolution(f *Clock, a *Analyzer, running time.Duration) {
	var moves uint64
	c.steps.Each(func(x float64, count uint64) {
		if x > 0 {
			moves += count
		}
	})
	if moves == 0 || running <= 0 {
		return
	}
	if f.Pauses != nil {
		f.RTFRunning = ptr(f.SpanSimS / seconds(running))
	}
	// The median of the steps that moved: repeats sort before them.
	repeats := float64(c.steps.Count() - moves)
	f.TickSimS = ptr(c.steps.Quantile((repeats + float64(moves-1)/2) / max(1, float64(c.steps.Count()-1))))
	perTick := f.SpanSimS / float64(moves) // RTF / f, with f the ticks that moved
	worst, at := c.steps.Max()
	f.Error = &ClockError{MeanS: perTick / 2, BoundS: perTick, WorstS: worst, WorstAtS: a.at(at)}
	f.Error.addLatency(f.LatencyS, f.SpanSimS/seconds(running))
}

func (a *Analyzer) clockGap(c *ticks, sim, wall time.Duration) *ClockGap {
	s := c.silence
	if s.length == 0 {
		return nil
	}
	g := &ClockGap{AtS: a.at(int64(s.at)), LengthS: seconds(s.length), SimulatedS: seconds(s.sim)}
	if wall > s.length {
		g.RTFWithout = ptr(ratio(sim-s.sim, wall-s.length))
	}
	return g
}

func (a *Analyzer) segmentFigures(c *ticks) (f []Segment) {
	for _, s := range append(c.segments[:len(c.segments):len(c.segments)], c.now) {
		g := Segment{
			AtS: a.at(int64(s.first.at)), FirstSimS: s.first.t.Seconds(), LastSimS: s.last.t.Seconds(),
			WallS: seconds(s.wall()), Ticks: s.n,
		}
		if s.wall() > 0 {
			g.RTF = ptr(ratio(s.sim(), s.wall()))
		}
		if s.jumped {
			g.JumpS = ptr(seconds(s.jump))
		}
		f = append(f, g)
	}
	return f
}

func (a *Analyzer) windowFigures(w *windows) *Windows {
	if w.rtf.Count() == 0 {
		return nil
	}
	f := &Windows{LengthS: seconds(w.length), Count: w.rtf.Count(), P50: w.rtf.Quantile(0.5), Last: ptr(w.last), Below: w.below, Above: w.above}
	least, leastAt := w.rtf.Min()
	most, mostAt := w.rtf.Max()
	f.Min, f.MinAtS, f.Max, f.MaxAtS = least, a.at(leastAt), most, a.at(mostAt)
	return f
}

func (a *Analyzer) pauseFigures(p pauses) *Pauses {
	if p.count == 0 {
		return nil
	}
	return &Pauses{
		Count: p.count, TotalS: seconds(p.total),
		LongestS: seconds(p.longest.length), LongestAtS: a.at(int64(p.longest.at)),
	}
}

func (d *displays) figures() *Displays {
	f := &Displays{GzGUI: d.gui.figures(), GzStats: d.single.figures(), PerFrame: d.perFrame.figures()}
	if *f == (Displays{}) {
		return nil
	}
	return f
}

func (s *shown) figures() *Display {
	if s.Count() == 0 {
		return nil
	}
	least, _ := s.Min()
	most, _ := s.Max()
	return &Display{Count: s.Count(), Mean: s.Mean(), P50: s.Quantile(0.5), Min: least, Max: most, Last: s.last}
}
