package plan

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Text writes the plan for a person: both terms, the one to attack first, what
// keeps within the tolerance, other rates.
func (c *Clock) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, wrap(c.Given.sentence(), 0))
	c.writeTerms(&b)
	if c.Advice != "" {
		fmt.Fprintf(&b, "\n%s\n", wrap(c.Advice, 0))
	}
	c.writeTolerance(&b)
	c.writeTable(&b)
	c.writeTimer(&b)
	c.writeAsk(&b)
	for _, found := range c.Findings {
		fmt.Fprintf(&b, "\n%s (%s, %s)\n  %s\n", found.ID, found.Severity, found.Subject, wrap(found.Text, 2))
		if found.Remedy != "" {
			fmt.Fprintf(&b, "  -> %s\n", wrap(found.Remedy, 5))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (g *ClockGiven) sentence() string {
	text := "At RTF " + number(g.RTF)
	switch {
	case g.Step != nil:
		text += fmt.Sprintf(" /clock ticks every %s of simulated time, that is at %s of wall time", short(*g.Step), hertz(*g.ClockRate))
	case g.ClockRate != nil:
		text += fmt.Sprintf(" /clock ticks at %s of wall time", hertz(*g.ClockRate))
	default:
		text += " it is not known how often /clock ticks"
	}
	if g.Default {
		text += ", the default of " + g.Source
	}
	if g.Latency != nil {
		text += fmt.Sprintf("; a tick is in use %s of wall time after it was published", short(*g.Latency))
	}
	return text + "."
}

// writeTerms lists the error and what makes it up.
func (c *Clock) writeTerms(b *strings.Builder) {
	if c.LatencyTerm == nil && c.TickTerm == nil {
		return
	}
	fmt.Fprintf(b, "\nA node's now() is behind, in simulated time, by\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	line := func(name string, s, m *float64, text string) {
		if s == nil {
			return
		}
		fmt.Fprintf(t, "  %s\t%s\t", name, short(*s))
		if c.Given.Speed != nil {
			if m != nil {
				fmt.Fprintf(t, "%s m", number(*m))
			}
			fmt.Fprint(t, "\t")
		}
		fmt.Fprintln(t, text)
	}
	tick := "RTF / clock rate: what passes from tick to tick"
	if c.Given.Basis == "sim" {
		tick = "the step from tick to tick, whatever the RTF"
	}
	line("latency term", c.LatencyTerm, c.Position, "RTF x latency")
	line("tick term", c.TickTerm, c.PositionTick, tick)
	line("total", c.Total, c.PositionTotal, "their sum")
	line("mean", c.MeanError, nil, "latency term + half of the tick term")
	t.Flush()
	if c.Given.Speed != nil {
		fmt.Fprintf(b, "Metres are at %s m/s of simulated time.\n", number(*c.Given.Speed))
	}
	if c.Total != nil {
		fmt.Fprintln(b, wrap("The total is the worst case on paper. On real nodes 99 % of the readings in an undisturbed run stay within it; the largest error adds RTF x what the latest tick was late.", 0))
	}
}

// writeTolerance says what keeps within the tolerance.
func (c *Clock) writeTolerance(b *strings.Builder) {
	if c.Given.Tolerance == nil {
		return
	}
	fmt.Fprintf(b, "\nTolerance %s of simulated time", short(*c.Given.Tolerance))
	switch within := c.WithinTolerance; {
	case within != nil && *within:
		fmt.Fprint(b, ": kept")
	case within != nil:
		fmt.Fprint(b, ": exceeded")
	}
	fmt.Fprintln(b)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	limit := func(what string, rtf *float64) {
		if rtf != nil {
			fmt.Fprintf(t, "  largest RTF %s\t%s\n", what, orNone(*rtf))
		}
	}
	limit("with these ticks", c.MaxRTF)
	limit("from the latency term alone", c.MaxRTFLatencyOnly)
	if c.MaxRTF == nil {
		limit("from the tick term alone", c.MaxRTFTickOnly)
	}
	needed := fmt.Sprintf("  /clock rate needed at RTF %s\t", number(c.Given.RTF))
	switch {
	case c.ClockStepNeeded != nil:
		fmt.Fprintf(t, "%s%s of wall time, steps of %s (simulated)\n", needed, hertz(*c.ClockRateNeeded), short(*c.ClockStepNeeded))
	case c.ClockRateNeeded != nil:
		fmt.Fprintf(t, "%s%s of wall time\n", needed, hertz(*c.ClockRateNeeded))
	case c.Given.Latency != nil:
		fmt.Fprintf(t, "%snone is high enough\n", needed)
	case c.ClockRateNeededTick != nil:
		fmt.Fprintf(t, "%s%s of wall time without any latency\n", needed, hertz(*c.ClockRateNeededTick))
	}
	t.Flush()
}

func orNone(rtf float64) string {
	if rtf == 0 {
		return "none is low enough"
	}
	return number(rtf)
}

// writeTable lists what other rates would give.
func (c *Clock) writeTable(b *strings.Builder) {
	sim := c.Given.Basis == "sim"
	fmt.Fprintf(b, "\n/clock rates at RTF %s; errors are in simulated time\n", number(c.Given.RTF))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	if sim {
		fmt.Fprint(t, "of simulated time\t")
	}
	fmt.Fprint(t, "of wall time\ttick term\t")
	if c.LatencyTerm != nil {
		fmt.Fprint(t, "total\tmean\t")
	}
	if c.LatencyTerm != nil && c.Given.Tolerance != nil {
		fmt.Fprint(t, "max RTF\t")
	}
	fmt.Fprintln(t)
	for i := range c.Table {
		r := &c.Table[i]
		if sim {
			fmt.Fprintf(t, "%s\t", hertzOrLimit(r.RateSim))
		}
		fmt.Fprintf(t, "%s\t%s\t", hertzOrLimit(r.Rate), short(r.TickTerm))
		if c.LatencyTerm != nil {
			fmt.Fprintf(t, "%s\t%s\t", known(r.Total), known(r.MeanError))
		}
		if c.LatencyTerm != nil && c.Given.Tolerance != nil {
			fmt.Fprintf(t, "%s\t", r.maxRTF())
		}
		fmt.Fprintln(t, r.mark())
	}
	t.Flush()
}

func hertzOrLimit(hz *float64) string {
	if hz == nil {
		return "infinite"
	}
	return hertz(*hz)
}

func (r *ClockRow) maxRTF() string {
	switch {
	case r.MaxRTF == nil:
		return "any"
	case *r.MaxRTF == 0:
		return "none"
	}
	return number(*r.MaxRTF)
}

// mark says what is special about a row.
func (r *ClockRow) mark() string {
	switch {
	case r.Given && r.Needed:
		return "  <- given, as needed"
	case r.Given:
		return "  <- given"
	case r.Needed:
		return "  <- needed"
	}
	return ""
}

func (c *Clock) writeTimer(b *strings.Builder) {
	t := c.Timer
	if t == nil {
		return
	}
	text := fmt.Sprintf("A timer of %s on simulated time runs %s per simulated second, %s per wall second", hertz(t.Rate), times(t.PerSimSecond), times(t.PerWallSecond))
	if t.Skipped > 0 {
		text += fmt.Sprintf("; %s of its releases are skipped (%s)", percent(t.Skipped), t.Rule)
	} else {
		text += "; no release is skipped"
	}
	fmt.Fprintf(b, "\n%s\n", wrap(fmt.Sprintf("%s. It starts less than %s of simulated time late.", text, short(t.LateBelow)), 0))
}

// hertz writes a rate, however low: 66.6667 Hz.
func hertz(hz float64) string { return number(hz) + " Hz" }

// times writes how often something happens: 4 times, once.
func times(n float64) string {
	if n == 1 {
		return "once"
	}
	return number(n) + " times"
}

func (c *Clock) writeAsk(b *strings.Builder) {
	a := c.Ask
	if a == nil {
		return
	}
	equal := "no difference between readings is"
	if a.EqualShare > 0 {
		equal = percent(a.EqualShare) + " of the differences between readings are"
	}
	text := fmt.Sprintf("now() asked for %s per wall second, %s per simulated second, returns each tick %s: %s zero.",
		times(a.Rate), times(a.PerSimSecond), times(a.ReadingsPerTick), equal)
	fmt.Fprintf(b, "\n%s\n", wrap(text, 0))
}
