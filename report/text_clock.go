package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
)

// labelWidth is the column at which the figures of the clock start.
const labelWidth = 16

// clock shows the real time factor, and beside it what it does not say.
func (t *text) clock() {
	c := t.report.Clock
	if c == nil {
		return
	}
	t.line()
	t.item(0, 7, span{bold, "clock"}, fmt.Sprintf("%s, read at the %s, timed by the %s clock", c.Topic, c.ReadAt, axisName(t.report.Recording.Axis)))
	row := func(label, words string) {
		if words != "" {
			t.item(2, labelWidth, span{text: label}, words)
		}
	}
	row("RTF", rtfWords(c))
	row("windows", windowWords(c.Windows))
	row("ticks", tickWords(c))
	row("stamp error", errorWords(c.Error))
	row("latency", latencyWords(c))
	row("pauses", pauseWords(c.Pauses))
	row("segments", segmentWords(c.Segments))
	row("publishers", publisherWords(c))
	t.displays(c, row)
	t.deadlines()
	if t.verbose {
		row("longest gap", gapWords(c.LongestGap))
		t.segments(c.Segments)
	}
}

func axisName(axis string) string {
	switch axis {
	case "mono":
		return "monotonic"
	case "sim":
		return "simulated"
	case "":
		return "unknown"
	}
	return axis
}

func rtfWords(c *analysis.Clock) string {
	if c.RTF == nil {
		return fmt.Sprintf("unknown: too little time passed (%s)", quantity.Count(c.Ticks, "tick"))
	}
	s := fmt.Sprintf("%s over %s (%s simulated)", quantity.Factor(*c.RTF), quantity.Seconds(c.SpanWallS), quantity.Seconds(c.SpanSimS))
	if c.RTFRunning != nil && quantity.Factor(*c.RTFRunning) != quantity.Factor(*c.RTF) {
		s += fmt.Sprintf("; %s without the pauses", quantity.Factor(*c.RTFRunning))
	}
	return s
}

func windowWords(w *analysis.Windows) string {
	if w == nil {
		return ""
	}
	return fmt.Sprintf("of %s: min %s at %s, median %s, max %s (%d of them)",
		chosen(asDuration(w.LengthS)), quantity.Factor(w.Min), quantity.At(w.MinAtS), quantity.Factor(w.P50), quantity.Factor(w.Max), w.Count)
}

func tickWords(c *analysis.Clock) string {
	var parts []string
	if c.TickHz != nil {
		parts = append(parts, quantity.Hertz(*c.TickHz))
	}
	if c.TickSimS != nil {
		parts = append(parts, quantity.Seconds(*c.TickSimS)+" simulated each")
	}
	if c.IntervalS != nil {
		parts = append(parts, "longest interval "+quantity.Seconds(c.IntervalS.Max))
	}
	if c.Backward > 0 {
		parts = append(parts, fmt.Sprintf("%d went back", c.Backward))
	}
	if c.Forward > 0 {
		parts = append(parts, fmt.Sprintf("%d jumped forward", c.Forward))
	}
	if c.Repeated > 0 {
		parts = append(parts, fmt.Sprintf("%d repeated", c.Repeated))
	}
	return strings.Join(parts, ", ")
}

func gapWords(g *analysis.ClockGap) string {
	if g == nil {
		return ""
	}
	words := fmt.Sprintf("%s at %s, with %s simulated in it", quantity.Seconds(g.LengthS), quantity.At(g.AtS), quantity.Seconds(g.SimulatedS))
	if g.RTFWithout != nil {
		words += "; RTF without it " + quantity.Factor(*g.RTFWithout)
	}
	return words
}

func errorWords(e *analysis.ClockError) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("a node's \"now\" is behind by %s on average, under %s undisturbed, at worst %s (latency left out)",
		quantity.Seconds(e.MeanS), quantity.Seconds(e.BoundS), quantity.Seconds(e.WorstS))
}

// latencyWords say how long ticks take, what a node's error is with that, and
// which of its two terms to work on.
func latencyWords(c *analysis.Clock) string {
	l, e := c.LatencyS, c.Error
	if l == nil {
		return ""
	}
	s := fmt.Sprintf("a tick takes %s on average, p99 %s", quantity.Seconds(l.Mean), quantity.Seconds(l.P99))
	if e == nil || e.TotalMeanS == nil || e.TotalBoundS == nil {
		return s
	}
	s += fmt.Sprintf(": with it \"now\" is behind by %s on average, under %s undisturbed", quantity.Seconds(*e.TotalMeanS), quantity.Seconds(*e.TotalBoundS))
	if e.Advice != "" {
		s += "; " + e.Advice
	}
	return s
}

func pauseWords(p *analysis.Pauses) string {
	if p == nil || p.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d, %s in all, longest %s at %s", p.Count, quantity.Seconds(p.TotalS), quantity.Seconds(p.LongestS), quantity.At(p.LongestAtS))
}

func segmentWords(s []analysis.Segment) string {
	if len(s) < 2 {
		return ""
	}
	return fmt.Sprintf("%d: simulated time jumped %s", len(s), quantity.Count(len(s)-1, "time"))
}

func publisherWords(c *analysis.Clock) string {
	if c.Publishers < 2 {
		return ""
	}
	s := fmt.Sprintf("%d drive this clock", c.Publishers)
	if len(c.PublishersBy) > 0 {
		s += " (" + strings.Join(c.PublishersBy, ", ") + ")"
	}
	for i, f := range c.FightingRTF {
		s += []string{", at RTF ", " and "}[min(i, 1)] + quantity.Factor(f)
	}
	return s
}

// displays shows what other tools would have shown, where that differs from the factor.
func (t *text) displays(c *analysis.Clock, row func(label, words string)) {
	if d := c.Displays; d != nil {
		row("gz-gui", t.displayWords(c.RTF, d.GzGUI))
		row("gz-sim stats", t.displayWords(c.RTF, d.GzStats))
		row("per frame", t.displayWords(c.RTF, d.PerFrame))
	}
	if s := t.report.Simulator; s != nil && s.RTF != nil && (t.verbose || differs(c.RTF, s.RTF.Mean)) {
		row("simulator says", fmt.Sprintf("mean %s, from %s to %s, on %s", quantity.Factor(s.RTF.Mean), quantity.Factor(s.RTF.Min), quantity.Factor(s.RTF.Max), s.Topic))
	}
}

func (t *text) displayWords(rtf *float64, d *analysis.Display) string {
	if d == nil || !t.verbose && !differs(rtf, d.Mean) && !differs(rtf, d.Last) {
		return ""
	}
	return fmt.Sprintf("would have shown mean %s, from %s to %s, last %s", quantity.Factor(d.Mean), quantity.Factor(d.Min), quantity.Factor(d.Max), quantity.Factor(d.Last))
}

// differs reports whether a figure is off the real time factor by a hundredth or more.
func differs(rtf *float64, shown float64) bool {
	return rtf != nil && math.Abs(shown-*rtf) >= 0.01
}

// deadlines puts beside the factor what it does not say: the violations, or
// that none were counted. By what rule stands with each loop.
func (t *text) deadlines() {
	if held := heldLoops(t.report.Loops); len(held) > 0 {
		t.item(2, labelWidth, span{violationStyle(held[0]), "deadlines"}, deadlineWords(held))
	}
	for _, f := range t.report.Verdict.Findings {
		if f.ID != deadlinesNotMeasured {
			continue
		}
		t.item(2, labelWidth, span{yellow, "deadlines"}, "not measured. "+f.Text)
		t.item(2+labelWidth, 2, span{text: "→"}, f.Remedy)
	}
}

// heldLoops are the loops that were held against a deadline, the worst first.
func heldLoops(loops []*analysis.Loop) []*analysis.Loop {
	return slices.DeleteFunc(worstLoops(loops), func(l *analysis.Loop) bool { return !hasDeadline(l) })
}

func deadlineWords(held []*analysis.Loop) string {
	var parts []string
	for _, l := range held[:min(len(held), shownLoops)] {
		words := fmt.Sprintf("%s: %d missed", l.Name, *l.Missed)
		if l.Skipped != nil {
			words += fmt.Sprintf(", %d skipped", *l.Skipped)
		}
		if l.ResponseS != nil && l.DeadlineS != nil {
			words += fmt.Sprintf(", longest response %s of %s on %s", quantity.Seconds(l.ResponseS.Max), quantity.Seconds(*l.DeadlineS), timerClockName(l.TimerClock))
		}
		parts = append(parts, words)
	}
	if more := len(held) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more below", more))
	}
	return strings.Join(parts, "; ")
}

func (t *text) segments(list []analysis.Segment) {
	for i, s := range list {
		words := fmt.Sprintf("at %s: simulated %s to %s in %s, %s", quantity.At(s.AtS), quantity.Seconds(s.FirstSimS), quantity.Seconds(s.LastSimS), quantity.Seconds(s.WallS), quantity.Count(s.Ticks, "tick"))
		if s.RTF != nil {
			words += ", RTF " + quantity.Factor(*s.RTF)
		}
		if s.JumpS != nil {
			words += ", after a jump of " + quantity.Seconds(*s.JumpS)
		}
		t.item(2, labelWidth, span{text: fmt.Sprintf("segment %d", i+1)}, words)
	}
}
