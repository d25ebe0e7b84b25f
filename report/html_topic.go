package report

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
)

// topic has all that is known of one topic.
func (h *html) topic(t *htmlTopic, open bool) *page.Fold {
	f := &page.Fold{ID: t.id, Title: t.Name, Note: t.Type, Marks: t.marks, Open: open}
	f.Blocks = append(f.Blocks, h.topicFacts(t.Topic))
	if charts := h.topicCharts(t.Topic); len(charts) > 0 {
		f.Blocks = append(f.Blocks, charts)
	}
	var age *analysis.Series
	ageNote := ""
	if t.AgeS != nil {
		age, ageNote = &t.AgeS.Series, "receive time minus stamp, on the "+clockName(t.AgeS.Clock)+" clock"
	}
	table := seriesTable("Series of "+t.Name,
		seriesRow{"interval", "between arrivals", t.IntervalS},
		seriesRow{"interval, simulated", "by the last value of the clock", t.IntervalSimS},
		seriesRow{"stamp interval", "", t.StampIntervalS},
		seriesRow{"publish interval", "", t.PublishIntervalS},
		seriesRow{"path", "receive time minus publish time", t.PathS},
		seriesRow{"age", ageNote, age},
	)
	if len(table.Rows) > 0 {
		f.Blocks = append(f.Blocks, table)
	}
	if g := t.Gaps; g != nil && len(g.Longest) > 0 {
		f.Blocks = append(f.Blocks, gapTable(t.Topic))
	}
	for _, table := range endpointTables(t.Topic) {
		f.Blocks = append(f.Blocks, table)
	}
	if len(t.Transforms) > 0 {
		f.Blocks = append(f.Blocks, transformTable(t.Topic))
	}
	return f
}

func clockName(clock string) string {
	if clock == "sim" {
		return "simulated"
	}
	return clock
}

func (h *html) topicFacts(t *analysis.Topic) page.Facts {
	nominal := ""
	if n := t.NominalS(); n > 0 {
		nominal = quantity.Seconds(n)
	}
	publishers := ""
	if t.Publishers > 0 {
		publishers = fmt.Sprint(t.Publishers)
	}
	size := ""
	if s := t.SizeBytes; s != nil {
		size = fmt.Sprintf("mean %s B, largest %d B", compact(s.Mean), s.Max)
	}
	return facts(
		fact("messages", fmt.Sprint(t.Count)), fact("publishers", publishers), fact("publishing/subscribed now", pubSub(t)),
		fact("size", size), fact("bandwidth", deref(t.BytesPerS, bytesPerSecond)),
		fact("rate, "+h.report.Recording.Axis+" clock", deref(t.RateHz, quantity.Hertz)), fact("rate, simulated clock", deref(t.RateSimHz, quantity.Hertz)),
		fact("nominal interval", nominal), fact("worth noting", strings.Join(notes(t), "; ")),
	)
}

func bytesPerSecond(v float64) string { return compact(v/1e3) + " kB/s" }

func (h *html) topicCharts(t *analysis.Topic) (charts page.Charts) {
	p := h.plots.Topics[t.Name]
	if p == nil {
		return nil
	}
	add := func(title, caption string, d page.Drawing) {
		charts = append(charts, page.Chart{Title: title, Caption: caption, Drawing: d})
	}
	if p.IntervalS != nil && t.IntervalS != nil {
		limits := promised(t.OverInterval)
		all := limits
		if n := t.NominalS(); n > 0 {
			all = append([]page.Limit{{Value: n, Label: "nominal"}}, limits...)
		}
		add("Interval over time", "least and greatest; the longest is ringed", h.overTime("Interval of "+t.Name+" over time", p.IntervalS, t.IntervalS, all...))
		add("Intervals by length", "counts on a logarithmic scale", byLength("Intervals of "+t.Name+" by length", p.IntervalsHist, t.IntervalS, limits...))
	}
	if p.AgeS != nil && t.AgeS != nil && p.AgeClock == t.AgeS.Clock {
		limits := promised(t.OverAge)
		by := clockName(t.AgeS.Clock) + " clock"
		add("Age over time", by+"; least and greatest; the oldest is ringed", h.overTime("Age of "+t.Name+" over time", p.AgeS, &t.AgeS.Series, limits...))
		add("Ages by size", by+"; counts on a logarithmic scale", byLength("Ages of "+t.Name+" by size", p.AgesHist, &t.AgeS.Series, limits...))
	}
	if p.IntervalS != nil && p.IntervalSimS != nil {
		axis := h.report.Recording.Axis
		add("Rate over time", "messages per second of the "+axis+" clock, drawn through, and of the simulated clock, dashed", &page.Series{
			Name: "Rate of " + t.Name + " over time, on the " + axis + " and the simulated clock", Unit: page.Hertz, Length: h.report.Recording.SpanS, Zero: true,
			Lines: []page.Line{rate(axis, p.IntervalS), rate("sim", p.IntervalSimS)},
		})
	}
	return charts
}

// promised is the limit of a contract.
func promised(o *analysis.Over) []page.Limit {
	if o == nil {
		return nil
	}
	return []page.Limit{{Value: o.LimitS, Label: "limit", Strict: true}}
}
