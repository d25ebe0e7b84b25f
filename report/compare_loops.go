package report

import (
	"fmt"
	"slices"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
)

// loops aligns loops by name, or if either report has only one, those: the name
// of a recorded loop may be no more than that of its file. A name that several
// loops of a report share is not compared: nothing says which of them is which.
func (d *differ) loops(a, b []*analysis.Loop) {
	if len(a) == 1 && len(b) == 1 && a[0].Name != b[0].Name && a[0].Callbacks > 0 && b[0].Callbacks > 0 {
		d.subject = "loop " + a[0].Name
		d.remark("the only loop of a, is compared with the only one of b, " + b[0].Name)
		d.loop(a[0], b[0])
		return
	}
	var names []string
	for _, l := range slices.Concat(a, b) {
		names = append(names, l.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		d.subject = "loop " + name
		x, many := thatRan(a, name)
		y, manyToo := thatRan(b, name)
		switch {
		case many || manyToo:
			d.remark("several loops have this name, and are not compared")
		case both(d, x, y):
			d.loop(x, y)
		}
	}
}

// thatRan finds a loop by name; one without callbacks has no figures.
func thatRan(list []*analysis.Loop, name string) (found *analysis.Loop, many bool) {
	for _, l := range list {
		if l.Name == name && l.Callbacks > 0 {
			many = found != nil
			found = l
		}
	}
	return found, many
}

func (d *differ) remark(text string) {
	d.comparison.Remarks = append(d.comparison.Remarks, d.subject+": "+text)
}

// loop compares what both were held against alike.
func (d *differ) loop(a, b *analysis.Loop) {
	d.single("callbacks", float64(a.Callbacks), float64(b.Callbacks))
	d.series("interval_s", a.IntervalS, b.IntervalS)
	d.series("interval_ros_s", a.IntervalRosS, b.IntervalRosS)
	d.series("exec_s", a.ExecS, b.ExecS)
	d.series("exec_ros_s", a.ExecRosS, b.ExecRosS)
	if a.RTF != nil && b.RTF != nil {
		d.add("rtf", *a.RTF, *b.RTF, oneObservation)
	}
	if d.alike("budget", a.BudgetS, b.BudgetS) {
		d.known("over_budget", a.OverBudget, b.OverBudget)
	}
	if a.TimerClock != b.TimerClock {
		d.remark(fmt.Sprintf("its timer is on %s in a, on %s in b: lateness and violations are not compared", timerClockName(a.TimerClock), timerClockName(b.TimerClock)))
		return
	}
	d.series("lateness_s", a.LatenessS, b.LatenessS)
	d.series("response_s", a.ResponseS, b.ResponseS)
	d.violations(a, b)
}

// violations compares what was counted by the same period and deadline.
func (d *differ) violations(a, b *analysis.Loop) {
	if a.Rule != b.Rule && hasDeadline(a) && hasDeadline(b) {
		d.remark(fmt.Sprintf("violations were counted by another rule in a (%s) than in b (%s)", a.Rule, b.Rule))
	}
	samePeriod := d.alike("period", a.PeriodS, b.PeriodS)
	sameDeadline := d.alike("deadline", a.DeadlineS, b.DeadlineS)
	if sameDeadline {
		d.known("missed", a.Missed, b.Missed)
	}
	if !samePeriod {
		return
	}
	d.known("skipped", a.Skipped, b.Skipped)
	if sameDeadline {
		d.known("violations", a.Violations, b.Violations)
	}
	d.known("over_period", a.OverPeriod, b.OverPeriod)
	if d.alike("jitter", a.JitterS, b.JitterS) {
		d.known("over_period_plus_jitter", a.OverPeriodPlusJitter, b.OverPeriodPlusJitter)
	}
}

// alike reports whether a limit is the same in both, and remarks if it is not.
func (d *differ) alike(limit string, a, b *float64) bool {
	if a == nil || b == nil {
		return false
	}
	if asDuration(*a) != asDuration(*b) {
		d.remark(fmt.Sprintf("its %s is %s in a, %s in b: what was counted by it is not compared", limit, quantity.Seconds(*a), quantity.Seconds(*b)))
		return false
	}
	return true
}

// known compares numbers that both know.
func (d *differ) known(figure string, a, b *uint64) {
	if a != nil && b != nil {
		d.single(figure, float64(*a), float64(*b))
	}
}

// deadlines shows the violations of the loops in both, whether they changed or
// not: no real time factor stands without them.
func (t *comparisonText) deadlines() {
	of := map[string]map[string]*Difference{}
	var loops []string
	for i := range t.c.Differences {
		d := &t.c.Differences[i]
		if of[d.Subject] == nil {
			of[d.Subject] = map[string]*Difference{}
		}
		of[d.Subject][d.Figure] = d
		if d.Figure == "missed" {
			loops = append(loops, d.Subject)
		}
	}
	slices.Sort(loops)
	paced := of["clock"]["rtf"] != nil
	if len(loops) > 0 && !paced {
		t.line()
	}
	for _, name := range loops[:min(len(loops), shownLoops)] {
		t.item(0, 0, span{}, name+": "+changedViolations(of[name]))
	}
	switch more := len(loops) - shownLoops; {
	case more > 0:
		t.line(span{text: fmt.Sprintf("  %s more", quantity.Count(more, "loop"))})
	case len(loops) == 0 && paced:
		t.item(0, 0, span{}, "deadlines: no loop has them measured in both")
	}
}

func changedViolations(of map[string]*Difference) string {
	words := ""
	for _, f := range []struct{ figure, words string }{
		{"missed", "missed"}, {"skipped", "skipped"}, {"response_s.max", "longest response"}, {"interval_s.max", "longest interval"},
	} {
		d := of[f.figure]
		if d == nil {
			continue
		}
		if words != "" {
			words += ", "
		}
		words += fmt.Sprintf("%s %s -> %s", f.words, amount(d.Figure, d.A), amount(d.Figure, d.B))
	}
	return words
}
