package report

import (
	"slices"

	"github.com/takt-rt/takt/analysis"
)

// compareFigures compares every subject that both reports have.
func (c *Comparison) compareFigures(a, b *Report) {
	d := &differ{comparison: c, silent: !sameAxis(a, b)}
	d.subject = "clock"
	if both(d, a.Clock, b.Clock) {
		d.clock(a.Clock, b.Clock)
		d.ticks = a.Clock.Topic
	}
	d.subject = "recording"
	d.single("messages", float64(a.Recording.Messages), float64(b.Recording.Messages))
	d.single("span_s", a.Recording.SpanS, b.Recording.SpanS)
	d.topics("topic ", a.Topics, b.Topics)
	d.loops(a.Loops, b.Loops)
}

// A differ compares the figures of one subject after the other.
type differ struct {
	comparison *Comparison
	subject    string
	silent     bool   // say nothing of the noise: the two are on different clocks
	ticks      string // the topic of the clock, whose figures are the clock's
}

// both reports whether both sides have the subject, and notes it if one has.
func both[T any](d *differ, a, b *T) bool {
	switch {
	case a == nil && b != nil:
		d.comparison.Appeared = append(d.comparison.Appeared, d.subject)
	case a != nil && b == nil:
		d.comparison.Vanished = append(d.comparison.Vanished, d.subject)
	}
	return a != nil && b != nil
}

// topics aligns topics, or the transforms of one, by name.
func (d *differ) topics(prefix string, a, b []*analysis.Topic) {
	var names []string
	for _, t := range slices.Concat(a, b) {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		d.subject = prefix + name
		if name == d.ticks {
			continue
		}
		if x, y := withMessages(a, name), withMessages(b, name); both(d, x, y) {
			d.topic(x, y)
			d.topics(prefix+name+" ", x.Transforms, y.Transforms)
		}
	}
}

// withMessages finds a topic by name; one without messages has no figures.
func withMessages(list []*analysis.Topic, name string) *analysis.Topic {
	for _, t := range list {
		if t.Name == name && t.Count > 0 {
			return t
		}
	}
	return nil
}

func (d *differ) clock(a, b *analysis.Clock) {
	if a.RTF != nil && b.RTF != nil {
		d.add("rtf", *a.RTF, *b.RTF, rtfNoise(a, b))
	}
	if a.Windows != nil && b.Windows != nil && a.Windows.LengthS == b.Windows.LengthS {
		d.single("windows.min", a.Windows.Min, b.Windows.Min)
		d.single("windows.max", a.Windows.Max, b.Windows.Max)
	}
	if a.TickHz != nil && b.TickHz != nil {
		d.add("tick_hz", *a.TickHz, *b.TickHz, seriesNoise(a.IntervalS, b.IntervalS))
	}
	d.quantiles("interval_s", a.IntervalS, b.IntervalS)
	d.series("step_sim_s", a.StepSimS, b.StepSimS)
	d.series("latency_s", a.LatencyS, b.LatencyS)
	d.single("backward", float64(a.Backward), float64(b.Backward))
	d.single("forward", float64(a.Forward), float64(b.Forward))
	d.single("repeated", float64(a.Repeated), float64(b.Repeated))
	d.single("pauses.total_s", pausedS(a), pausedS(b))
}

func pausedS(c *analysis.Clock) float64 {
	if c.Pauses == nil {
		return 0
	}
	return c.Pauses.TotalS
}

// rtfNoise judges a real time factor as the ratio of its mean step to its mean interval.
func rtfNoise(a, b *analysis.Clock) judgedNoise {
	if a.IntervalS == nil || a.StepSimS == nil || b.IntervalS == nil || b.StepSimS == nil {
		return oneObservation
	}
	return ratioOfMeans(a.IntervalS, a.StepSimS, b.IntervalS, b.StepSimS)
}

func (d *differ) topic(a, b *analysis.Topic) {
	d.single("count", float64(a.Count), float64(b.Count))
	// A rate is one over the mean interval, so its noise is that of the intervals.
	if a.RateHz != nil && b.RateHz != nil {
		d.add("rate_hz", *a.RateHz, *b.RateHz, seriesNoise(a.IntervalS, b.IntervalS))
	}
	if a.RateSimHz != nil && b.RateSimHz != nil {
		d.add("rate_sim_hz", *a.RateSimHz, *b.RateSimHz, seriesNoise(simIntervals(a), simIntervals(b)))
	}
	d.quantiles("interval_s", a.IntervalS, b.IntervalS)
	d.ages(a.AgeS, b.AgeS)
	d.series("path_s", a.PathS, b.PathS)
	if a.BehindS != nil && b.BehindS != nil {
		d.single("behind_s.max", a.BehindS.Max, b.BehindS.Max)
	}
	d.counts(a, b)
	d.losses("losses", a.Losses, b.Losses)
	d.losses("own_losses", a.OwnLosses, b.OwnLosses)
	if a.BytesPerS != nil && b.BytesPerS != nil {
		d.single("bytes_per_s", *a.BytesPerS, *b.BytesPerS)
	}
	if a.Service != nil && b.Service != nil {
		d.series("service.client_s", a.Service.ClientS, b.Service.ClientS)
		d.series("service.server_s", a.Service.ServerS, b.Service.ServerS)
	}
}

// simIntervals are the intervals that a rate in simulated time rests on.
func simIntervals(t *analysis.Topic) *analysis.Series {
	if t.Stamps != nil && t.Stamps.Domain == "simulated" {
		return t.StampIntervalS
	}
	return t.IntervalSimS
}

// ages compares ages if they were taken on the same clock.
func (d *differ) ages(a, b *analysis.Age) {
	if a != nil && b != nil && a.Clock == b.Clock {
		d.series("age_s", &a.Series, &b.Series)
	}
}

// counts compares what either side has any of.
func (d *differ) counts(a, b *analysis.Topic) {
	for _, f := range []struct {
		name string
		of   func(*analysis.Topic) uint64
	}{
		{"gaps.count", func(t *analysis.Topic) uint64 { return value(t.Gaps).Count }},
		{"bursts.count", func(t *analysis.Topic) uint64 { return value(t.Bursts).Count }},
		{"stamps.missing", func(t *analysis.Topic) uint64 { return value(t.Stamps).Missing }},
		{"stamps.backward", func(t *analysis.Topic) uint64 { return value(t.Stamps).Backward }},
		{"out_of_order", func(t *analysis.Topic) uint64 { return t.OutOfOrder }},
	} {
		if x, y := f.of(a), f.of(b); x != 0 || y != 0 {
			d.single(f.name, float64(x), float64(y))
		}
	}
}

// losses compares the reasons of which either side has any.
func (d *differ) losses(name string, a, b *analysis.Losses) {
	if a == nil || b == nil {
		return
	}
	for _, r := range []struct {
		name string
		a, b uint64
	}{
		{"lost_on_wire", a.LostOnWire, b.LostOnWire},
		{"overwritten_at_writer", a.OverwrittenAtWriter, b.OverwrittenAtWriter},
		{"overwritten_at_reader", a.OverwrittenAtReader, b.OverwrittenAtReader},
		{"rejected", a.Rejected, b.Rejected},
		{"unclassified", a.Unclassified, b.Unclassified},
	} {
		if r.a != 0 || r.b != 0 {
			d.single(name+"."+r.name, float64(r.a), float64(r.b))
		}
	}
}

func value[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

// series compares the mean and what quantiles compares.
func (d *differ) series(name string, a, b *analysis.Series) {
	if a == nil || b == nil {
		return
	}
	d.add(name+".mean", a.Mean, b.Mean, seriesNoise(a, b))
	d.quantiles(name, a, b)
}

// quantiles compares the median and the 99th percentile by their confidence
// intervals, and shows the extremes.
func (d *differ) quantiles(name string, a, b *analysis.Series) {
	if a == nil || b == nil {
		return
	}
	d.add(name+".p50", a.P50, b.P50, overlap(0.5, a, b))
	d.add(name+".p99", a.P99, b.P99, overlap(0.99, a, b))
	d.single(name+".min", a.Min, b.Min)
	d.single(name+".max", a.Max, b.Max)
}

func seriesNoise(a, b *analysis.Series) judgedNoise {
	if a == nil || b == nil {
		return oneObservation
	}
	return welch(a, b)
}

// single compares a figure that is one observation of each run.
func (d *differ) single(figure string, a, b float64) { d.add(figure, a, b, oneObservation) }

func (d *differ) add(figure string, a, b float64, j judgedNoise) {
	if d.silent {
		j = judgedNoise{Unstated, "different clocks"}
	}
	diff := Difference{Subject: d.subject, Figure: figure, A: a, B: b, Absolute: b - a, Noise: j.noise, Rule: j.rule}
	if a != 0 {
		relative := (b - a) / max(a, -a)
		diff.Relative = &relative
	}
	d.comparison.Differences = append(d.comparison.Differences, diff)
}
