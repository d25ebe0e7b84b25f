package report

import (
	"fmt"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
)

// clock shows the real time factor, and beside it what it does not say.
func (h *html) clock() page.Section {
	s := page.Section{ID: "clock", Title: "Clock"}
	c := h.report.Clock
	if c == nil {
		return s
	}
	s.Blocks = append(s.Blocks,
		page.Text(fmt.Sprintf("%s, read at the %s, timed by the %s clock.", c.Topic, c.ReadAt, axisName(h.report.Recording.Axis))),
		h.clockFacts(c))
	if charts := h.clockCharts(c); len(charts) > 0 {
		s.Blocks = append(s.Blocks, charts)
	}
	s.Blocks = append(s.Blocks, seriesTable("Ticks of the clock",
		seriesRow{"interval", "between ticks, on the axis", c.IntervalS}, seriesRow{"step", "of simulated time between ticks", c.StepSimS},
		seriesRow{"latency", "of a tick, from being sent to arriving", c.LatencyS}))
	if len(c.Segments) > 1 {
		s.Blocks = append(s.Blocks, segmentTable(c.Segments))
	}
	return s
}

func (h *html) clockFacts(c *analysis.Clock) page.Facts {
	list := facts(fact("RTF", rtfWords(c)), fact("deadlines", deadlineWords(h.report.Loops)))
	for _, f := range h.report.Verdict.Findings {
		if f.ID == deadlinesNotMeasured {
			list = append(list, page.Fact{Name: "deadlines", Mark: &page.Mark{Tone: page.Doubt, Word: "not measured"}})
		}
	}
	list = append(list, facts(
		fact("windows", windowWords(c.Windows)), fact("ticks", tickWords(c)), fact("stamp error", errorWords(c.Error)), fact("latency", latencyWords(c)),
		fact("pauses", pauseWords(c.Pauses)), fact("segments", segmentWords(c.Segments)), fact("publishers", publisherWords(c)),
		fact("longest gap", gapWords(c.LongestGap)),
	)...)
	h.displays(c, func(label, words string) { list = append(list, facts(fact(label, words))...) })
	return list
}

func (h *html) clockCharts(c *analysis.Clock) (charts page.Charts) {
	p := h.plots.Clock
	if p == nil {
		return nil
	}
	if w := c.Windows; w != nil && p.RTF != nil {
		charts = append(charts, page.Chart{
			Title: "Real time factor over time", Wide: true,
			Caption: fmt.Sprintf("least and greatest window of %s; the slowest is ringed", chosen(asDuration(w.LengthS))),
			Drawing: &page.Series{
				Name: "Real time factor over time", Unit: page.Factor, Length: h.report.Recording.SpanS, Zero: w.Min < 0.5,
				Bands: []page.Band{band(p.RTF, least)}, Limits: h.rtfLimits(), Worst: &page.Point{At: w.MinAtS, Value: w.Min},
			},
		})
	}
	if t := h.plots.Topics[c.Topic]; t != nil && t.IntervalS != nil && c.IntervalS != nil {
		charts = append(charts, page.Chart{
			Title: "Tick interval over time", Caption: "least and greatest; the longest is ringed",
			Drawing: h.overTime("Interval between ticks over time", t.IntervalS, c.IntervalS),
		})
	}
	if p.Steps != nil && c.StepSimS != nil {
		charts = append(charts, page.Chart{
			Title: "Steps of simulated time", Caption: "number of ticks by size of their step, counts on a logarithmic scale",
			Drawing: byLength("Steps of simulated time between ticks", p.Steps, c.StepSimS),
		})
	}
	return charts
}

// rtfLimits are real time, and what was promised.
func (h *html) rtfLimits() []page.Limit {
	limits := []page.Limit{{Value: 1, Label: "real time"}}
	for _, c := range h.report.Verdict.Contracts {
		if c.Subject == "clock "+h.report.Clock.Topic && c.Unit == "1" {
			limits = append(limits, page.Limit{Value: c.Bound, Label: c.Limit, Strict: true})
		}
	}
	return limits
}

func segmentTable(list []analysis.Segment) *page.Table {
	t := &page.Table{Caption: "Segments of simulated time, each begun by a jump", Columns: []page.Column{{Head: "segment"}}}
	for _, head := range []string{"at", "simulated from", "to", "lasted", "ticks", "RTF", "jump before"} {
		t.Columns = append(t.Columns, page.Column{Head: head, Number: true})
	}
	for i, s := range list {
		t.Rows = append(t.Rows, []page.Cell{
			{Text: fmt.Sprint(i + 1)}, {Text: quantity.At(s.AtS)}, {Text: quantity.Seconds(s.FirstSimS)}, {Text: quantity.Seconds(s.LastSimS)},
			{Text: quantity.Seconds(s.WallS)}, {Text: fmt.Sprint(s.Ticks)}, {Text: orUnknown(s.RTF, quantity.Factor)}, {Text: orUnknown(s.JumpS, quantity.Seconds)},
		})
	}
	return t
}
