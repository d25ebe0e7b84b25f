package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
)

// shownLoops is how many loops are shown one by one. Of more there is a table,
// with the worst shown in full.
const shownLoops = 3

// loops shows what is known of periodic callbacks.
func (t *text) loops() {
	list := t.report.Loops
	if len(list) > shownLoops {
		t.line()
		loopTable(list).print(t.printer)
		if !t.verbose {
			list = worstLoops(list)[:1]
		}
	}
	for _, l := range list {
		t.line()
		t.loop(l)
	}
}

// worstLoops orders loops by how many violations they had, then by how much of
// the deadline their longest response took.
func worstLoops(list []*analysis.Loop) []*analysis.Loop {
	return slices.SortedStableFunc(slices.Values(list), func(a, b *analysis.Loop) int {
		return cmp.Or(
			cmp.Compare(violationsSeen(b), violationsSeen(a)),
			cmp.Compare(deadlineUsed(b), deadlineUsed(a)),
		)
	})
}

// violationsSeen are those that are known.
func violationsSeen(l *analysis.Loop) uint64 { return value(l.Missed) + value(l.Skipped) }

// deadlineUsed is the share of the deadline that the longest response took; 0 if that is not known.
func deadlineUsed(l *analysis.Loop) float64 {
	if l.ResponseS == nil || l.DeadlineS == nil || *l.DeadlineS <= 0 {
		return 0
	}
	return l.ResponseS.Max / *l.DeadlineS
}

// releases are the instants at which a loop's callback was due: it ran, or was skipped.
func releases(l *analysis.Loop) uint64 { return l.Callbacks + value(l.Skipped) }

// loop shows one loop.
func (t *text) loop(l *analysis.Loop) {
	t.item(0, 6, span{bold, "loop"}, l.Name+": "+timerWords(l))
	if l.Callbacks == 0 {
		t.item(2, labelWidth, span{text: "callbacks"}, "none")
		return
	}
	row := func(label, words string) {
		if words != "" {
			t.item(2, labelWidth, span{text: label}, words)
		}
	}
	t.item(2, labelWidth, span{violationStyle(l), "deadlines"}, violationWords(l))
	row("rule", l.Rule)
	row("response", seriesWords(l.ResponseS))
	row("lateness", seriesWords(l.LatenessS))
	row("execution", seriesWords(l.ExecS))
	row("  in ROS time", executionOnROS(l))
	row("marked", markedWords(l))
	row("interval", intervalWords(l.IntervalS))
	row("  in ROS time", unlessSame(intervalWords(l.IntervalRosS), intervalWords(l.IntervalS)))
	row("longer than", longerWords(l))
	row("RTF", loopRTFWords(l))
	row("wall time", wallWords(l))
}

// executionOnROS shows execution times as the node's own clock has them, where
// that clock shows something else.
func executionOnROS(l *analysis.Loop) string {
	a, b := l.ExecS, l.ExecRosS
	if a == nil || b == nil || quantity.Seconds(a.Mean) == quantity.Seconds(b.Mean) && quantity.Seconds(a.Max) == quantity.Seconds(b.Max) {
		return ""
	}
	return fmt.Sprintf("execution mean %s, max %s by the node's own clock", quantity.Seconds(b.Mean), quantity.Seconds(b.Max))
}

// unlessSame returns what the node's own clock says, if it says something else.
func unlessSame(words, monotonic string) string {
	if words == monotonic {
		return ""
	}
	return words
}

func timerWords(l *analysis.Loop) string {
	period, deadline := "unknown period", "no deadline"
	if l.PeriodS != nil {
		period = "period " + quantity.Seconds(*l.PeriodS)
	}
	if l.DeadlineS != nil {
		deadline = "deadline " + quantity.Seconds(*l.DeadlineS)
	}
	return fmt.Sprintf("%s on %s, %s", period, timerClockName(l.TimerClock), deadline)
}

func timerClockName(clock string) string {
	switch clock {
	case "ros":
		return "ROS time"
	case "":
		return "an unknown clock"
	}
	return "the " + clock + " clock"
}

func violationStyle(l *analysis.Loop) style {
	switch {
	case violationsSeen(l) > 0, l.Missed == nil:
		return yellow
	case l.Skipped != nil:
		return green
	}
	return normal
}

// violationWords never mix what was missed with what was skipped.
func violationWords(l *analysis.Loop) string {
	switch missed, skipped := value(l.Missed), value(l.Skipped); {
	case l.Missed == nil && l.Skipped == nil:
		return fmt.Sprintf("not known: neither the period nor a deadline is (%s)", quantity.Count(l.Callbacks, "callback"))
	case l.Missed == nil:
		return fmt.Sprintf("%d of %s skipped; missed ones are not known without the end of a callback", skipped, quantity.Count(releases(l), "release"))
	case l.Skipped == nil:
		return fmt.Sprintf("%d of %s missed; skipped releases are not known without the period", missed, quantity.Count(l.Callbacks, "callback"))
	case missed+skipped == 0:
		return fmt.Sprintf("none missed, none skipped, of %s", quantity.Count(releases(l), "release"))
	default:
		return fmt.Sprintf("%d missed, %d skipped: %s of %s (%s ran)", missed, skipped,
			quantity.Count(missed+skipped, "violation"), quantity.Count(releases(l), "release"), quantity.Count(l.Callbacks, "callback"))
	}
}

func seriesWords(s *analysis.Series) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("mean %s, p99 %s, max %s at %s", quantity.Seconds(s.Mean), quantity.Seconds(s.P99), quantity.Seconds(s.Max), quantity.At(s.MaxAtS))
}

func intervalWords(s *analysis.Series) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("mean %s, min %s, p99 %s, max %s at %s", quantity.Seconds(s.Mean), quantity.Seconds(s.Min), quantity.Seconds(s.P99), quantity.Seconds(s.Max), quantity.At(s.MaxAtS))
}

// longerWords count the intervals over the period, and what else they are held against.
func longerWords(l *analysis.Loop) string {
	if l.IntervalS == nil {
		return ""
	}
	words := ""
	add := func(format string, with ...any) {
		if words != "" {
			words += "; "
		}
		words += fmt.Sprintf(format, with...)
	}
	if l.OverPeriod != nil {
		add("the period, on the monotonic clock: %d of %s (that is no missed deadline)", *l.OverPeriod, quantity.Count(l.IntervalS.Count, "interval"))
	}
	if l.OverPeriodPlusJitter != nil && l.JitterS != nil {
		add("the period + %s: %d", quantity.Seconds(*l.JitterS), *l.OverPeriodPlusJitter)
	}
	if l.OverBudget != nil && l.BudgetS != nil {
		add("the budget of %s: %d", quantity.Seconds(*l.BudgetS), *l.OverBudget)
	}
	return words
}

// markedWords tell of the callbacks that the recorder marked.
func markedWords(l *analysis.Loop) string {
	if l.Injected == 0 {
		return ""
	}
	words := quantity.Count(l.Injected, "callback")
	if s := l.InjectedExecS; s != nil {
		words += ", execution " + rangeWords(s)
	}
	if s := l.InjectedExecRosS; s != nil {
		words += fmt.Sprintf(" (%s in ROS time)", rangeWords(s))
	}
	return words
}

func rangeWords(s *analysis.Series) string {
	least, most := quantity.Seconds(s.Min), quantity.Seconds(s.Max)
	if least == most {
		return most
	}
	return least + " to " + most
}

// loopRTFWords show the real time factor that the callback saw.
func loopRTFWords(l *analysis.Loop) string {
	if l.RTF == nil {
		return ""
	}
	words := quantity.Factor(*l.RTF) + ", read in the callback"
	if s := l.IntervalS; s != nil {
		words += ", over " + quantity.Seconds(s.Mean*float64(s.Count))
	}
	return words
}

// wallWords show how long a period is on the monotonic clock, where that is
// another time or a budget is to hold it.
func wallWords(l *analysis.Loop) string {
	wall := l.WallPerPeriodS
	if wall == nil || l.SpareS == nil && l.PeriodS != nil && quantity.Seconds(*wall) == quantity.Seconds(*l.PeriodS) {
		return ""
	}
	words := quantity.Seconds(*wall) + " for each period"
	switch {
	case l.SpareS == nil || l.BudgetS == nil:
	case *l.SpareS < 0:
		words += fmt.Sprintf(", %s over the budget of %s", quantity.Seconds(-*l.SpareS), quantity.Seconds(*l.BudgetS))
	default:
		words += fmt.Sprintf("; the budget of %s leaves %s", quantity.Seconds(*l.BudgetS), quantity.Seconds(*l.SpareS))
	}
	return words
}
