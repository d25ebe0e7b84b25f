package report

import (
	"fmt"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
)

func loopID(i int) string { return fmt.Sprintf("loop-%d", i+1) }

// loops shows what is known of periodic callbacks.
func (h *html) loops() page.Section {
	s := page.Section{ID: "loops", Title: "Loops"}
	list := h.report.Loops
	if len(list) > 1 {
		s.Blocks = append(s.Blocks, loopOverview(list))
	}
	for i, l := range list {
		s.Blocks = append(s.Blocks, h.loop(l, loopID(i), i < openTopics))
	}
	return s
}

func loopOverview(list []*analysis.Loop) *page.Table {
	t := &page.Table{Caption: quantity.Count(len(list), "loop"), Columns: []page.Column{{Head: "loop"}}}
	for _, head := range []string{"callbacks", "period", "deadline", "missed", "skipped", "violations", "longest interval", "longest response"} {
		t.Columns = append(t.Columns, page.Column{Head: head, Number: true})
	}
	for i, l := range list {
		row := []page.Cell{{Text: l.Name, Link: loopID(i)}, {Text: fmt.Sprint(l.Callbacks)}, {Text: orUnknown(l.PeriodS, quantity.Seconds)}, {Text: orUnknown(l.DeadlineS, quantity.Seconds)}}
		for _, n := range []*uint64{l.Missed, l.Skipped, l.Violations} {
			row = append(row, page.Cell{Text: number(n)})
		}
		for _, s := range []*analysis.Series{l.IntervalS, l.ResponseS} {
			longest := unknown
			if s != nil {
				longest = quantity.Seconds(s.Max)
			}
			row = append(row, page.Cell{Text: longest})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (h *html) loop(l *analysis.Loop, id string, open bool) *page.Fold {
	f := &page.Fold{ID: id, Title: l.Name, Note: timerWords(l), Marks: loopMarks(l), Open: open}
	f.Blocks = append(f.Blocks, loopFacts(l))
	if charts := h.loopCharts(l); len(charts) > 0 {
		f.Blocks = append(f.Blocks, charts)
	}
	table := seriesTable("Series of "+l.Name,
		seriesRow{"interval", "start to start, monotonic", l.IntervalS},
		seriesRow{"interval in ROS time", "", l.IntervalRosS},
		seriesRow{"lateness", "start minus release, on the timer's clock", l.LatenessS},
		seriesRow{"response", "lateness plus execution", l.ResponseS},
		seriesRow{"execution", "monotonic", l.ExecS},
		seriesRow{"execution in ROS time", "as the node's own clock has it", l.ExecRosS},
		seriesRow{"execution of marked ones", "monotonic", l.InjectedExecS},
	)
	if len(table.Rows) > 0 {
		f.Blocks = append(f.Blocks, table)
	}
	return f
}

func loopMarks(l *analysis.Loop) (marks []page.Mark) {
	mark := func(n *uint64, words string) {
		if value(n) > 0 {
			marks = append(marks, page.Mark{Tone: page.Bad, Word: fmt.Sprintf("%d %s", *n, words)})
		}
	}
	mark(l.Missed, "missed")
	mark(l.Skipped, "skipped")
	if len(marks) == 0 && l.Violations != nil {
		marks = append(marks, page.Mark{Tone: page.Good, Word: "no violations"})
	}
	return marks
}

func loopFacts(l *analysis.Loop) page.Facts {
	periods := ""
	if l.GridPeriods != nil {
		periods = fmt.Sprint(*l.GridPeriods)
	}
	grid := ""
	if l.Anchored {
		grid = "releases were not recorded: laid from the first start"
	}
	return facts(
		fact("deadlines", violationWords(l)), fact("callbacks", fmt.Sprint(l.Callbacks)), fact("grid periods", periods), fact("grid", grid),
		fact("rule", l.Rule), fact("longer than", longerWords(l)),
		fact("marked", markedWords(l)), fact("RTF", loopRTFWords(l)), fact("wall per period", wallWords(l)),
	)
}

func (h *html) loopCharts(l *analysis.Loop) (charts page.Charts) {
	p := h.plots.Loops[l.Name]
	if p == nil {
		return nil
	}
	add := func(title, caption string, wide bool, d page.Drawing) {
		charts = append(charts, page.Chart{Title: title, Caption: caption, Wide: wide, Drawing: d})
	}
	deadline, period := at(l.DeadlineS, "deadline", true), periodOnAxis(l)
	if len(p.Worst) > 0 {
		add("The timer grid around the worst job", gridCaption(l), true, timerGrid(l, p.Worst))
	}
	if p.ResponseS != nil && l.ResponseS != nil {
		add("Response over time", "least and greatest; the longest is ringed", false, h.overTime("Response of "+l.Name+" over time", p.ResponseS, l.ResponseS, deadline...))
		add("Responses by length", "counts on a logarithmic scale", false, byLength("Responses of "+l.Name+" by length", p.ResponsesHist, l.ResponseS, deadline...))
	}
	if p.IntervalS != nil && l.IntervalS != nil {
		add("Interval over time", "start to start; least and greatest; the longest is ringed", false, h.overTime("Interval of "+l.Name+" over time", p.IntervalS, l.IntervalS, period...))
		add("Intervals by length", "counts on a logarithmic scale", false, byLength("Intervals of "+l.Name+" by length", p.IntervalsHist, l.IntervalS, period...))
	}
	return charts
}

// periodOnAxis is the period as intervals on the monotonic clock show it.
func periodOnAxis(l *analysis.Loop) []page.Limit {
	if l.WallPerPeriodS != nil {
		return at(l.WallPerPeriodS, "period on the wall", false)
	}
	return at(l.PeriodS, "period", false)
}

// at is a level line at a value that may not be known.
func at(v *float64, label string, strict bool) []page.Limit {
	if v == nil {
		return nil
	}
	return []page.Limit{{Value: *v, Label: label, Strict: strict}}
}

func gridCaption(l *analysis.Loop) string {
	words := "each release as a tick, a line from it to the start of its job, the job as a bar; a bar with ! ended after its deadline, ✗ is a release that was skipped, the outlined job is the worst"
	if l.TimerClock == "ros" {
		words += "; releases lie before their starts by the lateness in ROS time"
	}
	return words
}

// timerGrid draws the jobs around the worst one. Skipped releases lie evenly
// between the releases around them, as the grid does.
func timerGrid(l *analysis.Loop, jobs []analysis.DrawnJob) *page.Schedule {
	s := &page.Schedule{Name: "Timer grid of " + l.Name + " around the worst job", Due: "release", Runs: "job", Lost: "skipped"}
	for i, j := range jobs {
		s.Work = append(s.Work, page.Work{
			Label: fmt.Sprint(j.Number), Due: j.ReleaseAtS, Start: j.AtS, End: j.EndAtS, Late: j.Missed, Chosen: j.TheWorst,
		})
		if j.TheWorst && l.DeadlineS != nil && l.LatenessS != nil {
			s.Deadline = &page.Deadline{At: j.ReleaseAtS + *l.DeadlineS, Label: "its deadline"}
		}
		if i+1 == len(jobs) {
			break
		}
		step := (jobs[i+1].ReleaseAtS - j.ReleaseAtS) / float64(j.Skipped+1)
		for k := range min(j.Skipped, maxDrawnSkips) {
			due := j.ReleaseAtS + step*float64(k+1)
			s.Work = append(s.Work, page.Work{Due: due, Lost: true, LostAt: due})
		}
	}
	return s
}

// maxDrawnSkips bounds how many skipped releases in a row are drawn.
const maxDrawnSkips = 50
