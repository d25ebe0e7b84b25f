package report

import (
	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
)

// drawnStretches is how many stretches of a track are drawn at most: more
// cannot be told apart on half the width of a page.
const drawnStretches = 128

// drawnRates is the same for rates: over few messages, or few ticks of the
// simulated clock, a rate says little.
const drawnRates = 32

// spreadForLog is how many times the usual value the greatest must be for a
// logarithmic axis.
const spreadForLog = 10

// band draws the extremes of a track. Where stretches without values follow,
// held is the value that lasts through them.
func band(t *analysis.Track, held func(drawnStretch) float64) page.Band {
	var b page.Band
	list := coarser(t, drawnStretches)
	for i, s := range list {
		if i > 0 && s.follows(list[i-1]) > 1.5 {
			x := held(list[i-1])
			b.Stretches = append(b.Stretches, page.Stretch{Min: x, Max: x, MinAt: s.AtS, MaxAt: s.AtS})
		}
		b.Stretches = append(b.Stretches, page.Stretch{Min: s.Min, Max: s.Max, MinAt: s.MinAtS, MaxAt: s.MaxAtS})
	}
	return b
}

// greatest is the interval that left the stretches after it empty, and least
// the real time factor of such a window.
func greatest(s drawnStretch) float64 { return s.Max }
func least(s drawnStretch) float64    { return s.Min }

// follows is how many lengths a stretch begins after another.
func (s drawnStretch) follows(o drawnStretch) float64 { return (s.AtS - o.AtS) / s.length }

// A drawnStretch is a stretch of a track, or two neighbours as one.
type drawnStretch struct {
	analysis.Stretch
	length float64
}

// coarser returns a track's stretches, neighbours joined until there are at most n.
func coarser(t *analysis.Track, n int) (all []drawnStretch) {
	join := 1
	for len(t.Stretches) > join*n {
		join *= 2
	}
	length := t.StretchS * float64(join)
	for _, s := range t.Stretches {
		if n := len(all); n > 0 && s.AtS < all[n-1].AtS+length-t.StretchS/2 {
			all[n-1].join(s)
			continue
		}
		all = append(all, drawnStretch{s, length})
	}
	return all
}

func (s *drawnStretch) join(o analysis.Stretch) {
	s.Mean = (s.Mean*float64(s.Count) + o.Mean*float64(o.Count)) / float64(s.Count+o.Count)
	s.Count += o.Count
	if o.Min < s.Min {
		s.Min, s.MinAtS = o.Min, o.MinAtS
	}
	if o.Max > s.Max {
		s.Max, s.MaxAtS = o.Max, o.MaxAtS
	}
}

// rate draws how many intervals went by in each second of a stretch: one over
// their mean.
func rate(label string, t *analysis.Track) page.Line {
	l := page.Line{Label: label}
	var last drawnStretch
	for _, s := range coarser(t, drawnRates) {
		if s.Mean <= 0 {
			continue
		}
		if last.Mean > 0 && s.follows(last) > 1.5 {
			l.Points = append(l.Points, page.Point{At: s.AtS, Value: 1 / last.Mean})
		}
		l.Points = append(l.Points, page.Point{At: s.AtS + s.length/2, Value: 1 / s.Mean})
		last = s
	}
	return l
}

// overTime draws a series of durations over time with its worst value.
func (h *html) overTime(name string, t *analysis.Track, s *analysis.Series, limits ...page.Limit) *page.Series {
	return &page.Series{
		Name: name, Unit: page.Seconds, Length: h.report.Recording.SpanS,
		Log: s.Min > 0 && s.P50 > 0 && s.Max > spreadForLog*s.P50, Zero: s.Min >= 0, Reach: 1.5 * s.P50,
		Bands: []page.Band{band(t, greatest)}, Limits: limits,
		Worst: &page.Point{At: s.MaxAtS, Value: s.Max},
	}
}

// byLength draws how a series of durations is spread.
func byLength(name string, g *analysis.Histogram, s *analysis.Series, limits ...page.Limit) *page.Histogram {
	c := &page.Histogram{Name: name, Unit: page.Seconds, Log: g.Log, Marks: []page.Limit{
		{Label: "p50", Value: s.P50}, {Label: "p99", Value: s.P99}, {Label: "max", Value: s.Max},
	}}
	c.Marks = append(c.Marks, limits...)
	for _, b := range g.Bins {
		c.Bins = append(c.Bins, page.Bin{From: b.From, To: b.To, Count: b.Count})
	}
	return c
}
