package report

import (
	"fmt"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
)

// shownRows bounds the rows of the page's tables of threads and callbacks.
const shownRows = 200

// numbers are a table's columns: one of names, the others of numbers.
func numbers(name string, heads ...string) []page.Column {
	columns := []page.Column{{Head: name}}
	for _, h := range heads {
		columns = append(columns, page.Column{Head: h, Number: true})
	}
	return columns
}

// threads shows the threads that callbacks ran on, the busiest first.
func (h *html) threads() page.Section {
	s := page.Section{ID: "threads", Title: "Executors"}
	list, rest := shown(h.report.Threads, shownRows, false)
	if len(list) == 0 {
		return s
	}
	t := &page.Table{
		Caption: tableCaption(len(list), rest, "thread"),
		Columns: numbers("thread", "callbacks", "per second", "busy", "CPU", "longest busy", "from"),
	}
	for _, f := range list {
		t.Rows = append(t.Rows, []page.Cell{
			{Text: f.Name}, {Text: fmt.Sprint(f.Callbacks)}, {Text: compact(f.RateHz)}, {Text: percent(f.Utilisation)},
			{Text: orUnknown(f.CPUUtilisation, percent)}, {Text: quantity.Seconds(f.LongestBusyS)}, {Text: quantity.At(f.LongestBusyAtS)},
		})
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

// callbacks shows the callbacks of every kind, the busiest first.
func (h *html) callbacks() page.Section {
	s := page.Section{ID: "callbacks", Title: "Callbacks"}
	list, rest := shown(h.report.Callbacks, shownRows, false)
	if len(list) == 0 {
		return s
	}
	t := &page.Table{
		Caption: tableCaption(len(list), rest, "callback"),
		Columns: numbers("callback", "jobs", "busy", "of its thread", "mean execution", "p99", "max", "longest response", "longest frame age", "longest result latency"),
	}
	for _, c := range list {
		t.Rows = append(t.Rows, []page.Cell{
			{Text: c.Name, Note: c.Thread}, {Text: fmt.Sprint(c.Jobs)}, {Text: percent(c.Utilisation)}, {Text: orUnknown(c.ThreadShare, percent)},
			{Text: durationOf(c.ExecS, mean)}, {Text: durationOf(c.ExecS, p99)}, {Text: durationOf(c.ExecS, maximum)},
			{Text: durationOf(c.ResponseS, maximum)}, {Text: durationOf(c.FrameAgeS, maximum)}, {Text: durationOf(c.ResultLatencyS, maximum)},
		})
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

// chains shows the named chains, then those that were found.
func (h *html) chains() page.Section {
	s := page.Section{ID: "chains", Title: "Chains"}
	for _, c := range h.report.Chains {
		words := chainWords(c)
		f := &page.Fold{Title: words, Note: quantity.Count(c.Outputs, "output")}
		if t := seriesTable("Latencies of "+words, chainRows(c)...); len(t.Rows) > 0 {
			f.Blocks = append(f.Blocks, t)
		}
		s.Blocks = append(s.Blocks, f)
	}
	return s
}

func tableCaption(shown, rest int, what string) string {
	if rest == 0 {
		return quantity.Count(shown, what)
	}
	return fmt.Sprintf("the busiest %d of %s", shown, quantity.Count(shown+rest, what))
}

// durationOf returns a figure of a series, unknown if there is none.
func durationOf(s *analysis.Series, f figure) string {
	if s == nil {
		return unknown
	}
	return quantity.Seconds(*f.of(s))
}
