package analysis

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// Figures returns what has been seen so far, and what a reader of it must
// know. Topics come in the order of their names.
func (a *Analyzer) Figures() (*Figures, []timeline.Finding) {
	f := &Figures{
		Axis:    a.origin.Base.Clock.String(),
		StartNS: int64(a.start), EndNS: int64(a.end), SpanS: seconds(a.end.Sub(a.start)),
		Messages: a.messages,
		Clock:    a.clockFigures(), Simulator: a.simulatorFigures(),
	}
	byID := map[timeline.EntityID]*Topic{}
	for _, t := range a.order {
		byID[t.entity.ID] = a.topicFigures(t, f.Clock)
	}
	a.endpointFigures(byID)
	a.clockPublishers(f.Clock, byID)
	for _, t := range a.order {
		figures := byID[t.entity.ID]
		parent := byID[t.entity.Parent]
		if t.entity.Kind == timeline.TransformEntity && parent != nil {
			parent.Transforms = append(parent.Transforms, figures)
		} else {
			f.Topics = append(f.Topics, figures)
		}
	}
	f.Loops = a.loopsFigures(f.Clock)
	if a.tellsOfMore() {
		f.Threads, f.Callbacks, f.Chains = a.threadFigures(), a.callbackFigures(), a.chainFigures()
	}
	sortTopics(f.Topics)
	for _, t := range f.Topics {
		sortTopics(t.Transforms)
	}
	return f, a.findings(f)
}

func sortTopics(ts []*Topic) {
	slices.SortStableFunc(ts, func(a, b *Topic) int { return cmp.Compare(a.Name, b.Name) })
}

func (a *Analyzer) topicFigures(t *topic, c *Clock) *Topic {
	f := &Topic{
		Name: t.entity.Name, Type: t.entity.Type, Count: t.count, Bytes: t.bytes,
		Publishers: t.entity.Publishers, TransientLocal: t.entity.TransientLocal,
		OutOfOrder: t.outOfOrder, Unreadable: t.unreadable,
	}
	if t.count == 0 {
		return f
	}
	f.FirstNS, f.LastNS = ptr(int64(t.first)), ptr(int64(t.last))
	f.StartSilenceS, f.EndSilenceS = ptr(seconds(t.first.Sub(a.start))), ptr(seconds(a.end.Sub(t.last)))
	a.rates(t, f)
	t.sizes(f)
	f.IntervalS = a.series(&t.interval)
	f.IntervalSimS = a.series(&t.simInterval)
	f.StampIntervalS = a.series(&t.stampInterval)
	f.PublishIntervalS = a.series(&t.sentInterval)
	f.PathS = a.series(&t.path)
	f.Periodic = periodic(&t.interval)
	f.Stamps = t.stampFigures()
	a.ages(t, f)
	f.OverInterval = a.over(&t.overInterval, t.limits.Interval)
	f.OverAge = a.over(&t.overAge, t.limits.Age)
	f.Bursts = t.bursts.figures()
	f.Gaps = a.gapFigures(t, f)
	f.RateSimHz = a.simRate(t, f)
	f.Late = late(t, f, c)
	f.Service = a.serviceFigures(&t.calls)
	return f
}

func (a *Analyzer) rates(t *topic, f *Topic) {
	span := t.last.Sub(t.first)
	f.SpanS = ptr(seconds(span))
	if t.count < 2 || span <= 0 {
		return
	}
	f.RateHz = ptr(float64(t.count-1) / seconds(span))
	n := min(t.count-t.outOfOrder, uint64(len(t.recent)))
	if n < 2 {
		return
	}
	ring := slices.Clone(t.recent[:n])
	slices.Sort(ring)
	window := ring[n-1].Sub(ring[0])
	// A silence that goes beyond the longest interval of the window is part of the rate now.
	if silence := a.end.Sub(t.last); silence > widest(ring) {
		window += silence
	}
	if window > 0 {
		f.RateLastHz, f.RateLastWindowS = ptr(float64(n-1)/seconds(window)), ptr(seconds(window))
	}
}

// sizes are known where the source tells of them.
func (t *topic) sizes(f *Topic) {
	if t.sized == 0 {
		return
	}
	f.SizeBytes = &Size{Mean: float64(t.bytes) / float64(t.sized), Max: uint64(t.largest)}
	if f.RateHz != nil {
		f.BytesPerS = ptr(*f.RateHz * f.SizeBytes.Mean)
	}
}

func widest(ring []timeline.Instant) (d time.Duration) {
	for i := 1; i < len(ring); i++ {
		d = max(d, ring[i].Sub(ring[i-1]))
	}
	return d
}

// simRate is the rate in simulated time: over the stamps if they are
// simulated and move, else over the clock's value at arrival.
func (a *Analyzer) simRate(t *topic, f *Topic) *float64 {
	var span, n float64
	switch s := f.Stamps; {
	case s != nil && s.Domain == "simulated" && s.Backward == 0 && s.Zero == 0:
		span, n = s.SpanS, float64(s.Nonzero-1)
	case t.simInterval.Count() > 0:
		span, n = t.simInterval.Sum(), float64(t.simInterval.Count())
	}
	if span <= 0 {
		return nil
	}
	return ptr(n / span)
}

// periodic reports whether the middle half of the intervals lies within a
// quarter of the median: else a nominal interval would mean nothing.
func periodic(s *stats.Summary) bool {
	if s.Count() < 8 {
		return false
	}
	mid := s.Quantile(0.5)
	return s.Quantile(0.75)-mid <= mid/4 && mid-s.Quantile(0.25) <= mid/4
}

func (t *topic) stampFigures() *Stamps {
	s := &t.stamps
	if s.zero+s.nonzero == 0 {
		return nil
	}
	f := &Stamps{
		Source: t.entity.StampSource, Nonzero: s.nonzero, Zero: s.zero, Equal: s.equal, Backward: s.backward,
		Domain: s.domain(), Wall: s.by[wall], Sim: s.by[simulated], NotWall: s.by[notWall],
	}
	if s.nonzero > 1 {
		f.SpanS = seconds(clock.Sub(s.last, s.first))
		if d := s.lastArrived.Sub(s.firstArrived); d > 0 {
			f.SpanRatio = ptr(f.SpanS / seconds(d))
		}
	}
	f.Missing = missing(&t.stampInterval)
	return f
}

// domain names the clock of the stamps: that of at least 95 % of those that
// could be judged.
func (s *stamps) domain() string {
	judged := s.nonzero
	if s.by[simulated] > 0 {
		judged -= s.early
	}
	most := func(n uint64) bool { return 20*n >= 19*judged }
	switch {
	case s.nonzero == 0:
		return "zero"
	case most(s.by[wall]):
		return "wall"
	case most(s.by[simulated]):
		return "simulated"
	case most(s.by[notWall]):
		return "not-wall"
	}
	return "mixed"
}

// missing counts the messages that regular stamps show to be missing: an
// interval of n nominal ones lacks n-1. It is 0 unless nearly all intervals
// are near a multiple of the median.
func missing(s *stats.Summary) (n uint64) {
	nominal := s.Quantile(0.5)
	if s.Count() < 8 || !(nominal > 0) {
		return 0
	}
	var off uint64
	s.Each(func(x float64, count uint64) {
		whole := math.Round(x / nominal)
		if whole < 1 || math.Abs(x-whole*nominal) > nominal/4 {
			off += count
			return
		}
		n += uint64(whole-1) * count
	})
	if 10*off > s.Count() {
		return 0
	}
	return n
}

func (a *Analyzer) ages(t *topic, f *Topic) {
	if f.Stamps == nil {
		return
	}
	switch f.Stamps.Domain {
	case "wall":
		f.AgeS = a.age("wall", &t.ageWall, t.negativeWall)
	case "simulated":
		f.AgeS = a.age("sim", &t.ageSim, t.negativeSim)
	default:
		return
	}
	b := t.behind // a copy: asking does not end anything
	b.look(a.end, a.wall(a.end), a.simNow())
	if b.any {
		f.BehindS = &Extreme{Max: seconds(b.max), MaxAtS: a.at(int64(b.maxAt))}
	}
}

func (a *Analyzer) age(clock string, s *stats.Summary, negative uint64) *Age {
	series := a.series(s)
	if series == nil {
		return nil
	}
	return &Age{Clock: clock, Negative: negative, Series: *series}
}

func (a *Analyzer) over(x *excess, limit time.Duration) *Over {
	if limit <= 0 {
		return nil
	}
	o := &Over{LimitS: seconds(limit), Of: x.of, Count: x.count}
	if x.count > 0 {
		o.FirstAtS = a.at(int64(x.first))
	}
	return o
}

// gapFigures are the intervals longer than the factor allows.
func (a *Analyzer) gapFigures(t *topic, f *Topic) *Gaps {
	g := &Gaps{Factor: a.opt.GapFactor, NominalS: nominal(f)}
	if g.NominalS == 0 {
		return nil
	}
	limit := g.Factor * g.NominalS
	t.interval.Each(func(x float64, count uint64) {
		if x > limit {
			g.Count += count
			g.TotalS += x * float64(count)
		}
	})
	for _, s := range t.gaps.s {
		if seconds(s.length) > limit {
			g.Longest = append(g.Longest, a.gap(s))
		}
	}
	if g.Count == 0 {
		return nil
	}
	return g
}

// nominal returns the interval that a topic keeps to: between bursts if most
// messages come in bursts, else the median; 0 if there is none.
func nominal(f *Topic) float64 {
	if b := f.Bursts; b != nil && 2*b.MeanSize*float64(b.Count) > float64(f.Count) {
		return b.MeanSpacing
	}
	if f.Periodic {
		return f.IntervalS.P50
	}
	return 0
}

func (a *Analyzer) gap(s spell) Gap {
	g := Gap{AtS: a.at(int64(s.at)), LengthS: seconds(s.length)}
	if s.hasSim {
		g.SimulatedS = ptr(seconds(s.sim))
	}
	return g
}

func (a *Analyzer) serviceFigures(c *calls) *Service {
	if c.events == 0 {
		return nil
	}
	return &Service{Events: c.events, Calls: max(c.client.Count(), c.server.Count()), ClientS: a.series(&c.client), ServerS: a.series(&c.server)}
}

// series returns the figures of a summary, nil if it is empty.
func (a *Analyzer) series(s *stats.Summary) *Series {
	if s.Count() == 0 {
		return nil
	}
	f := &Series{Count: s.Count(), Mean: s.Mean(), Stddev: s.Stddev(), P50: s.Quantile(0.5), P95: s.Quantile(0.95), P99: s.Quantile(0.99)}
	least, leastAt := s.Min()
	most, mostAt := s.Max()
	f.Min, f.MinAtS, f.Max, f.MaxAtS = least, a.at(leastAt), most, a.at(mostAt)
	f.P50CI[0], f.P50CI[1] = s.QuantileCI(0.5)
	f.P99CI[0], f.P99CI[1] = s.QuantileCI(0.99)
	if !s.Exact() {
		f.QuantileError = stats.SketchError
	}
	return f
}

func ptr[T any](x T) *T { return &x }
