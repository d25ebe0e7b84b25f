package report

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
)

// overview has every topic in a row, the worst first.
func (h *html) overview() *page.Table {
	simulated := h.report.Clock != nil
	t := &page.Table{
		Caption: fmt.Sprintf("%s, the worst first: by findings, then by the longest interval over the nominal one", quantity.Count(len(h.topics), "topic")),
		Columns: []page.Column{{Head: "topic"}, {Head: "interval over time"}, {Head: "messages", Number: true}},
	}
	column := func(group string, heads ...string) {
		for _, head := range heads {
			t.Columns = append(t.Columns, page.Column{Group: group, Head: head, Number: true})
		}
	}
	if simulated {
		column("rate, Hz", h.report.Recording.Axis, "sim")
	} else {
		column("rate, Hz", h.report.Recording.Axis)
	}
	column("interval, ms", "p50", "p99", "max")
	column("", "max / nominal")
	column("age, ms", "p50", "p99", "max")
	t.Columns = append(t.Columns, page.Column{Group: "age, ms", Head: "by"})
	for i := range h.topics {
		t.Rows = append(t.Rows, h.overviewRow(&h.topics[i], simulated))
	}
	return t
}

func (h *html) overviewRow(t *htmlTopic, simulated bool) []page.Cell {
	var words []string
	for _, m := range t.marks {
		words = append(words, m.Sign()+" "+m.Word)
	}
	row := []page.Cell{{Text: t.Name, Link: t.id, Note: strings.Join(words, ", ")}, {Drawing: h.spark(t.Topic)}}
	number := func(v *float64, scale float64) { row = append(row, page.Cell{Text: cell(v, scale)}) }
	row = append(row, page.Cell{Text: fmt.Sprint(t.Count)})
	number(t.RateHz, 1)
	if simulated {
		number(t.RateSimHz, 1)
	}
	quantiles := func(s *analysis.Series) {
		for _, f := range []figure{p50, p99, maximum} {
			if s == nil {
				number(nil, 1)
			} else {
				number(f.of(s), 1e3)
			}
		}
	}
	quantiles(t.IntervalS)
	over := unknown
	if x := stretched(t.Topic); x > 0 {
		over = compact(x)
	}
	row = append(row, page.Cell{Text: over})
	quantiles(ageSeries(t.Topic))
	by := unknown
	if t.AgeS != nil {
		by = t.AgeS.Clock
	}
	return append(row, page.Cell{Text: by})
}

// spark is a topic's interval over time, small.
func (h *html) spark(t *analysis.Topic) page.Drawing {
	p := h.plots.Topics[t.Name]
	if p == nil || p.IntervalS == nil || t.IntervalS == nil {
		return nil
	}
	d := h.overTime("Interval of "+t.Name+" over time", p.IntervalS, t.IntervalS)
	d.Spark, d.Limits = true, nil
	d.Bands[0].Stretches = thin(d.Bands[0].Stretches, 32)
	return d
}

// thin joins neighbours until at most n stretches are left.
func thin(list []page.Stretch, n int) (all []page.Stretch) {
	join := (len(list) + n - 1) / n
	for i, s := range list {
		if i%join == 0 {
			all = append(all, s)
			continue
		}
		last := &all[len(all)-1]
		if s.Min < last.Min {
			last.Min, last.MinAt = s.Min, s.MinAt
		}
		if s.Max > last.Max {
			last.Max, last.MaxAt = s.Max, s.MaxAt
		}
	}
	return all
}
