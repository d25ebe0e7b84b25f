package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// HTML writes the plan as a page that stands alone: the limits, a table of the
// real time factors, and what becomes of the frames at each of them, drawn.
func (f *Frames) HTML(w io.Writer) error {
	g := &f.Given
	p := &page.Page{
		Title: "takt: plan of frames at " + trimmedHertz(g.Rate), Kind: "takt plan frames, predicted",
		Heading: fmt.Sprintf("%s frames, %s for one", trimmedHertz(g.Rate), short(g.Typical)),
		Lead:    f.given(),
		Foot:    "Times are on the wall unless they are called simulated. All figures are predicted: closed forms, and frames followed one by one in virtual time. A real robot runs at RTF 1 and cannot slow time down. Made by takt.",
		Sections: []page.Section{
			{ID: "limits", Title: "Limits of the real time factor", Blocks: []page.Block{f.limitTable()}},
			{ID: "factors", Title: "At each real time factor", Blocks: []page.Block{f.runTable()}},
		},
	}
	if len(f.Findings) > 0 {
		p.Sections = append(p.Sections, page.Section{ID: "findings", Title: "Findings", Blocks: []page.Block{f.findings()}})
	}
	frames := page.Section{ID: "frames", Title: "Frames"}
	for i := range f.Runs {
		frames.Blocks = append(frames.Blocks, f.Runs[i].fold(i))
	}
	p.Sections = append(p.Sections, frames)
	return page.Write(w, p)
}

// given says what the plan was made for.
func (f *Frames) given() string {
	var b strings.Builder
	f.writeGiven(&b)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (f *Frames) limitTable() *page.Table {
	t := &page.Table{
		Caption: fmt.Sprintf("The real time factor up to which no frame is lost, and that less a margin of %s", percent(f.Given.Margin)),
		Columns: []page.Column{{Head: "if each frame takes"}, {Head: "wall time", Number: true}, {Head: "limit", Number: true}, {Head: "recommended", Number: true}, {Head: "holds", Prose: true}},
	}
	l, g := &f.RTFLimit, &f.Given
	add := func(what string, time, limit float64, recommended, holds string) {
		t.Rows = append(t.Rows, []page.Cell{{Text: what}, {Text: short(time)}, {Text: number(limit)}, {Text: recommended}, {Text: holds}})
	}
	add("the worst time", g.Worst, l.Worst, number(l.Recommended), "whenever slow frames come")
	if g.Worst > g.Typical {
		if l.Mean != nil && g.Mean != nil {
			add("the mean time", *g.Mean, *l.Mean, "-", "if slow frames are spread well; above it the node falls behind")
		}
		add("the typical time", g.Typical, l.Typical, number(l.RecommendedTypical), "only if slow frames never cluster")
	}
	return t
}

func (f *Frames) runTable() *page.Table {
	t := &page.Table{
		Caption: fmt.Sprintf("What becomes of the frames; ages and latencies on the wall, the last column for %s of simulated time", short(f.Given.Length)),
		Columns: []page.Column{{Head: "RTF"}, {Head: "verdict"}},
	}
	for _, head := range []string{"frame every", "frames per callback", "share", "processed", "age, steady", "age, max", "latency, max", "takes"} {
		t.Columns = append(t.Columns, page.Column{Head: head, Number: true})
	}
	for i := range f.Runs {
		r := &f.Runs[i]
		mark := r.mark()
		row := []page.Cell{{Text: number(r.RTF), Link: r.id(i)}, {Mark: &mark}}
		for _, text := range []string{
			short(r.FrameInterval), number(r.Arrivals), percent(r.Share), fmt.Sprintf("%d of %d", r.Processed, r.Published),
			known(r.FrameAge.Steady), known(r.FrameAge.Max), known(r.ResultLatency.Max), short(r.Wall),
		} {
			row = append(row, page.Cell{Text: text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (f *Frames) findings() (list page.Findings) {
	tones := map[timeline.Severity]page.Tone{timeline.Error: page.Bad, timeline.Warning: page.Doubt, timeline.Info: page.Quiet}
	for _, found := range f.Findings {
		list = append(list, page.Finding{
			Mark: page.Mark{Tone: tones[found.Severity], Word: string(found.Severity)}, Subject: found.Subject, Text: found.Text, Remedy: found.Remedy,
		})
	}
	return list
}

func (r *FramesRun) id(i int) string { return fmt.Sprintf("run-%d", i+1) }

// mark is the verdict in short.
func (r *FramesRun) mark() page.Mark {
	for _, v := range []page.Mark{{Tone: page.Good, Word: everyFrameFits}, {Tone: page.Doubt, Word: dependsOnClustering}} {
		if strings.HasPrefix(r.Verdict, v.Word) {
			return v
		}
	}
	return page.Mark{Tone: page.Bad, Word: fallsBehind}
}

// openRuns is how many runs are shown unfolded.
const openRuns = 10

// fold has all that is known of one run.
func (r *FramesRun) fold(i int) *page.Fold {
	f := &page.Fold{ID: r.id(i), Title: "RTF " + number(r.RTF), Marks: []page.Mark{r.mark()}, Open: i < openRuns}
	f.Blocks = append(f.Blocks, page.Text(strings.Join(append([]string{r.Verdict}, r.Notes...), "; ")+"."))
	if len(r.Drawn) > 0 {
		f.Blocks = append(f.Blocks, page.Charts{{
			Title:   r.drawnTitle(),
			Caption: "each frame as a tick where it arrives, a line from it to its callback, the callback as a bar; ✗ is a frame that was overwritten before it was taken; seconds of wall time",
			Wide:    true, Drawing: r.schedule(),
		}})
	}
	facts := page.Facts{
		{Name: "processed", Value: fmt.Sprintf("%d of %d: %s", r.Processed, r.Published, ranges(r.ProcessedIDs, maxRanges))},
	}
	if r.Dropped > 0 {
		facts = append(facts, page.Fact{Name: "missed", Value: fmt.Sprintf("%d: %s", r.Dropped, ranges(r.MissedIDs, maxRanges))})
	}
	f.Blocks = append(f.Blocks, facts, r.ageTable())
	return f
}

func (r *FramesRun) drawnTitle() string {
	first, last := r.Drawn[0].ID, r.Drawn[len(r.Drawn)-1].ID
	return fmt.Sprintf("Frames %d to %d of %s", first, last, quantity.Count(r.Published, "frame"))
}

// schedule draws the frames that the run keeps for it.
func (r *FramesRun) schedule() *page.Schedule {
	s := &page.Schedule{Name: "Frames at RTF " + number(r.RTF), Due: "arrived", Runs: "taken", Lost: "dropped"}
	for _, f := range r.Drawn {
		s.Work = append(s.Work, page.Work{
			Label: fmt.Sprint(f.ID), Due: f.ArrivedS, Start: f.TakenS, End: f.EndedS, Lost: f.Dropped, LostAt: f.DroppedAtS,
		})
	}
	return s
}

func (r *FramesRun) ageTable() *page.Table {
	t := &page.Table{Caption: "Ages of the frames that were processed", Columns: []page.Column{{Head: "RTF " + number(r.RTF)}}}
	for _, head := range []string{"mean", "steady, from", "steady, mean", "steady, to", "max"} {
		t.Columns = append(t.Columns, page.Column{Head: head, Number: true})
	}
	for _, row := range []struct {
		name, note string
		ages       Ages
	}{
		{"frame age", "callback start minus publication", r.FrameAge},
		{"result latency", "callback end minus publication", r.ResultLatency},
		{"frame age, simulated", "as read from the simulated clock", r.FrameAgeSim},
		{"result latency, simulated", "as read from the simulated clock", r.ResultLatencySim},
	} {
		cells := []page.Cell{{Text: row.name, Note: row.note}}
		for _, v := range []*float64{row.ages.Mean, row.ages.SteadyMin, row.ages.Steady, row.ages.SteadyMax, row.ages.Max} {
			cells = append(cells, page.Cell{Text: known(v)})
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
