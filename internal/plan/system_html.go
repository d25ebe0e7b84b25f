package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
)

// HTML writes the plan as a page that stands alone.
func (a *System) HTML(w io.Writer) error {
	p := &page.Page{
		Title: "takt: plan of " + a.Given.File, Kind: "takt plan system, predicted",
		Heading: a.Given.File, Verdict: a.verdict(), Lead: a.given(),
		Foot: "All figures are predicted: what callbacks demand, and a run in virtual time. A worst that was seen is no bound. Made by takt.",
	}
	add := func(id, title string, blocks ...page.Block) {
		if len(blocks) > 0 {
			p.Sections = append(p.Sections, page.Section{ID: id, Title: title, Blocks: blocks})
		}
	}
	add("findings", "Findings", a.pageFindings()...)
	add("demand", "Demand", a.loadTable())
	add("threads", "Threads", a.threadTable())
	add("callbacks", "Callbacks", a.callbackTable())
	add("messages", "Messages", a.messageTable()...)
	add("chains", "Chains", a.chainTable()...)
	add("contracts", "Contracts", a.contractTable()...)
	add("phases", "Phases", a.sweepTable()...)
	add("explanation", "What the worst response is spent on", a.spentTable()...)
	if a.Gantt != nil {
		drawing, caption := a.Gantt.Chart.Drawing()
		add("gantt", "Who runs when", page.Charts{{Title: a.Gantt.title(), Caption: caption, Wide: true, Drawing: drawing}})
	}
	return page.Write(w, p)
}

func (a *System) verdict() *page.Verdict {
	violations := uint64(0)
	for i := range a.Callbacks {
		if v := a.Callbacks[i].Violations; v != nil {
			violations += *v
		}
	}
	switch {
	case !a.Load.Feasible:
		return &page.Verdict{Mark: page.Mark{Tone: page.Bad, Word: "infeasible"}, Text: "more is demanded than there is"}
	case violations > 0:
		return &page.Verdict{Mark: page.Mark{Tone: page.Bad, Word: "deadlines broken"}, Text: fmt.Sprintf("%d violations in the run", violations)}
	}
	return &page.Verdict{Mark: page.Mark{Tone: page.Good, Word: "feasible"}, Text: "the demand fits, and no deadline was broken in the run"}
}

func (a *System) pageFindings() []page.Block {
	if len(a.Findings) == 0 {
		return nil
	}
	tones := map[timeline.Severity]page.Tone{timeline.Error: page.Bad, timeline.Warning: page.Doubt, timeline.Info: page.Quiet}
	var list page.Findings
	for _, f := range a.Findings {
		list = append(list, page.Finding{Mark: page.Mark{Tone: tones[f.Severity], Word: f.ID}, Subject: f.Subject, Text: f.Text, Remedy: f.Remedy})
	}
	return []page.Block{list}
}

// table starts a table whose first columns are words and whose others are figures.
func table(caption string, words []string, figures ...string) *page.Table {
	t := &page.Table{Caption: caption}
	for _, head := range words {
		t.Columns = append(t.Columns, page.Column{Head: head})
	}
	for _, head := range figures {
		t.Columns = append(t.Columns, page.Column{Head: head, Number: true})
	}
	return t
}

func addRow(t *page.Table, texts ...string) {
	var row []page.Cell
	for _, text := range texts {
		row = append(row, page.Cell{Text: text})
	}
	t.Rows = append(t.Rows, row)
}

func (a *System) loadTable() *page.Table {
	l := a.Load
	t := table(fmt.Sprintf("%s CPUs typically and %s at worst, of %d", cpus(l.Typical), cpus(l.Worst), l.CPUs),
		[]string{"callback", "thread"}, "runs per second", "CPUs, typically", "CPUs, at worst")
	for _, c := range l.Callbacks {
		addRow(t, c.Callback, c.Thread, orDash(c.Rate, rate), orDash(c.Typical, cpus), orDash(c.Worst, cpus))
	}
	for _, c := range l.PerCPU {
		addRow(t, fmt.Sprintf("CPU %d", c.CPU), "pinned"+ifOver(c.Over), "-", cpus(c.Typical), cpus(c.Worst))
	}
	return t
}

func (a *System) threadTable() *page.Table {
	t := table("As they would be allocated, the most urgent of an executor first", []string{"thread", "executor", "priority", "CPU", "callback groups"})
	t.Columns = append(t.Columns, page.Column{Head: "why", Prose: true})
	for i := range a.Executors {
		for j := range a.Executors[i].Threads {
			s := &a.Executors[i].Threads[j]
			var b strings.Builder
			s.writeWhy(&b)
			why := strings.TrimPrefix(strings.Join(strings.Fields(b.String()), " "), s.Thread+": ")
			addRow(t, s.name(), a.Executors[i].Kind, s.priority(), s.cpu(), s.groups(), why)
		}
	}
	return t
}

func (a *System) callbackTable() *page.Table {
	t := table("A response is from release to end, lateness from release to start", []string{"callback"},
		"deadline", "released", "started", "missed", "skipped", "response, worst", "mean", "lateness, worst", "mean")
	for i := range a.Callbacks {
		c := &a.Callbacks[i]
		addRow(t, c.Callback, ifAny(c.Deadline), counted(c.Released), fmt.Sprint(c.Started), counted(c.Missed), fmt.Sprint(c.Skipped),
			known(c.WorstResponse), known(c.MeanResponse), known(c.WorstLateness), known(c.MeanLateness))
	}
	return t
}

func (a *System) messageTable() []page.Block {
	if len(a.Subscriptions) == 0 {
		return nil
	}
	t := table("An age is from publication to the start of the callback", []string{"topic", "callback"},
		"depth", "arrived", "taken", "dropped", "age, worst", "mean")
	for i := range a.Subscriptions {
		s := &a.Subscriptions[i]
		addRow(t, s.Topic, s.Callback, s.depth(), fmt.Sprint(s.Arrived), fmt.Sprint(s.Taken), fmt.Sprint(s.Dropped), known(s.WorstAge), known(s.MeanAge))
	}
	return []page.Block{t}
}

func (a *System) chainTable() []page.Block {
	if len(a.Chains) == 0 {
		return nil
	}
	t := table(chainWords, []string{"chain"}, "outputs", "reaction, worst", "mean", "promised", "reduced age, worst", "mean", "promised", "overwrite age, worst")
	for i := range a.Chains {
		c := &a.Chains[i]
		addRow(t, c.Chain, fmt.Sprint(c.Outputs), known(c.WorstReaction)+ifBroken(c.BreaksReaction), known(c.MeanReaction), known(c.MaxReaction),
			known(c.WorstReducedAge)+ifBroken(c.BreaksAge), known(c.MeanReducedAge), known(c.MaxAge), known(c.WorstOverwriteAge))
	}
	return []page.Block{t}
}

func (a *System) contractTable() []page.Block {
	if len(a.Contracts) == 0 {
		return nil
	}
	tones := map[report.Result]page.Tone{report.Pass: page.Good, report.Fail: page.Bad, report.Inconclusive: page.Doubt}
	t := table("Those of the file, judged by the run", []string{"of", "limit", "result"})
	t.Columns = append(t.Columns, page.Column{Head: "what the run came to", Prose: true})
	for _, c := range a.Contracts {
		t.Rows = append(t.Rows, []page.Cell{
			{Text: c.Subject}, {Text: c.Limit}, {Mark: &page.Mark{Tone: tones[c.Result], Word: string(c.Result)}}, {Text: firstOf(c.Why, c.Text)},
		})
	}
	return []page.Block{t}
}

func (a *System) sweepTable() []page.Block {
	s := a.Sweep
	if s == nil {
		return nil
	}
	t := table(a.swept(), []string{"callback"}, "response, worst", "at set", "violations, most", "at set", "dropped, most", "at set")
	for i := range s.Callbacks {
		c := &s.Callbacks[i]
		addRow(t, c.Callback, known(c.WorstResponse), setNumber(c.Set), counted(c.Violations), setNumber(c.ViolationsSet), fmt.Sprint(c.Dropped), setNumber(c.DroppedSet))
	}
	sets := page.Facts{}
	for i := range s.Worst {
		sets = append(sets, page.Fact{Name: fmt.Sprintf("set %d", s.Worst[i].Set), Value: s.Worst[i].said()})
	}
	return []page.Block{t, sets}
}

func (a *System) spentTable() []page.Block {
	e := a.Explanation
	if e == nil {
		return nil
	}
	t := table(e.said(), []string{"because"}, "time", "share")
	for i := range e.Parts {
		p := &e.Parts[i]
		addRow(t, spent(p.Cause, p.By), nanos(p.Length), percent(e.share(p)))
	}
	return []page.Block{t}
}
