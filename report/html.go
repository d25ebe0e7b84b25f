package report

import (
	"fmt"
	"io"
	"path"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// HTML writes a report as a page that stands alone: the verdict first, then
// what matters, the clock, the loops and the topics, drawn over time. Plots may
// be nil: then the page has figures but no charts.
func HTML(w io.Writer, r *Report, plots *analysis.Plots) error {
	if plots == nil {
		plots = &analysis.Plots{}
	}
	h := &html{text: &text{report: r, verbose: true}, plots: plots, topics: worstTopics(r)}
	p := &page.Page{
		Title: "takt: " + r.Source.Path, Kind: "takt timing report", Heading: path.Base(r.Source.Path),
		Verdict: &page.Verdict{Mark: resultMark(r.Verdict.Result), Text: verdictWords(&r.Verdict)},
		Lead:    h.sourceWords(),
		Foot:    footWords(r),
	}
	for _, s := range []page.Section{h.contracts(), h.findings(), h.clock(), h.loops(), h.threads(), h.callbacks(), h.chains(), h.topicsSection()} {
		if len(s.Blocks) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return page.Write(w, p)
}

// An html is one report being made a page.
type html struct {
	*text  // for its words
	plots  *analysis.Plots
	topics []htmlTopic
}

func footWords(r *Report) string {
	return "Times are seconds after the start; they are " + r.Basis + ", on the " + axisName(r.Recording.Axis) +
		" clock unless another is named. An interval over the period is not a missed deadline, and a real time factor says nothing about deadlines. Made by takt."
}

func resultMark(r Result) page.Mark {
	tones := map[Result]page.Tone{Pass: page.Good, Fail: page.Bad, Inconclusive: page.Doubt, Unjudged: page.Quiet}
	return page.Mark{Tone: tones[r], Word: string(r)}
}

func severityMark(s timeline.Severity) page.Mark {
	tones := map[timeline.Severity]page.Tone{timeline.Error: page.Bad, timeline.Warning: page.Doubt, timeline.Info: page.Quiet}
	return page.Mark{Tone: tones[s], Word: string(s)}
}

// contracts are all limits, those that do not hold first.
func (h *html) contracts() page.Section {
	s := page.Section{ID: "contracts", Title: "Contracts"}
	t := &page.Table{
		Caption: "Every limit of the system file, what was measured, and the result",
		Columns: []page.Column{{Head: "subject"}, {Head: "result"}, {Head: "limit", Prose: true}, {Head: "kind"}, {Head: "measured", Prose: true}},
	}
	for _, want := range []Result{Fail, Inconclusive, Pass} {
		for _, c := range h.report.Verdict.Contracts {
			if c.Result != want {
				continue
			}
			mark := resultMark(c.Result)
			t.Rows = append(t.Rows, []page.Cell{
				{Text: c.Subject, Note: c.Place}, {Mark: &mark}, {Text: c.Limit}, {Text: string(c.Kind)}, {Text: c.Text, Note: c.Why},
			})
		}
	}
	if len(t.Rows) > 0 {
		s.Blocks = []page.Block{t}
	}
	return s
}

// findings are all findings, most severe first, as the verdict has them.
func (h *html) findings() page.Section {
	s := page.Section{ID: "findings", Title: "Findings"}
	var list page.Findings
	for _, f := range h.report.Verdict.Findings {
		list = append(list, page.Finding{
			Mark: severityMark(f.Severity), Subject: f.Subject, Link: h.linkTo(f.Subject), Text: f.Text, Remedy: f.Remedy,
		})
	}
	if len(list) > 0 {
		s.Blocks = []page.Block{list}
	}
	return s
}

// linkTo returns the place in the page that has more of a finding's subject.
func (h *html) linkTo(subject string) string {
	for _, t := range h.topics {
		if t.Name == subject {
			return t.id
		}
	}
	if subject == "clock" && h.report.Clock != nil {
		return "clock"
	}
	for i, l := range h.report.Loops {
		if l.Name == subject {
			return loopID(i)
		}
	}
	return ""
}

func fact(name, value string) page.Fact { return page.Fact{Name: name, Value: value} }

// facts drops the facts without a value.
func facts(list ...page.Fact) (all page.Facts) {
	for _, f := range list {
		if f.Value != "" || f.Mark != nil {
			all = append(all, f)
		}
	}
	return all
}

// orUnknown fills the cell of a figure that may not be known.
func orUnknown(v *float64, words func(float64) string) string {
	if v == nil {
		return unknown
	}
	return words(*v)
}

// seriesTable has the figures of several series, one to a row.
func seriesTable(caption string, rows ...seriesRow) *page.Table {
	t := &page.Table{Caption: caption, Columns: []page.Column{{Head: "series"}}}
	for _, head := range []string{"values", "mean", "min", "p50", "p95", "p99", "max", "max at"} {
		t.Columns = append(t.Columns, page.Column{Head: head, Number: true})
	}
	for _, r := range rows {
		s := r.series
		if s == nil {
			continue
		}
		cells := []page.Cell{{Text: r.name, Note: r.note}, {Text: fmt.Sprint(s.Count)}}
		for _, v := range []float64{s.Mean, s.Min, s.P50, s.P95, s.P99, s.Max} {
			cells = append(cells, page.Cell{Text: quantity.Seconds(v)})
		}
		t.Rows = append(t.Rows, append(cells, page.Cell{Text: quantity.At(s.MaxAtS)}))
	}
	return t
}

// A seriesRow is a series of durations with its name, and what else is to be said of it.
type seriesRow struct {
	name, note string
	series     *analysis.Series
}
