package plan

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/takt-rt/takt/internal/quantity"
)

// maxRanges is how many ranges of frame numbers a line of text names.
const maxRanges = 10

// Text writes the plan for a person: the limits, a line for each real time
// factor, what to make of it.
func (f *Frames) Text(w io.Writer) error {
	var b strings.Builder
	f.writeGiven(&b)
	f.writeLimits(&b)
	f.writeTable(&b)
	for i := range f.Runs {
		f.Runs[i].writeVerdict(&b)
	}
	f.writeDrift(&b)
	for _, found := range f.Findings {
		fmt.Fprintf(&b, "\n%s (%s, %s)\n  %s\n", found.ID, found.Severity, found.Subject, wrap(found.Text, 2))
		if found.Remedy != "" {
			fmt.Fprintf(&b, "  -> %s\n", wrap(found.Remedy, 5))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Frames) writeGiven(b *strings.Builder) {
	g := &f.Given
	times := fmt.Sprintf("the node takes %s of wall time for one", short(g.Typical))
	if g.Worst > g.Typical {
		times += fmt.Sprintf(", %s at worst", short(g.Worst))
	}
	if g.Times > 1 && g.Mean != nil {
		times += fmt.Sprintf(", %s in the mean", short(*g.Mean))
	}
	if g.Overhead > 0 {
		times += fmt.Sprintf(", and %s beside it", short(g.Overhead))
	}
	fmt.Fprintln(b, wrap(fmt.Sprintf("A frame every %s of simulated time (%s); %s.", short(g.Period), trimmedHertz(g.Rate), times), 0))
	fmt.Fprintln(b, wrap(fmt.Sprintf("%s; %s. %s", g.queue(), g.taken(), g.run()), 0))
}

func trimmedHertz(hz float64) string {
	return trim(strings.TrimSuffix(quantity.Hertz(hz), " Hz")) + " Hz"
}

func (g *FramesGiven) run() string {
	text := "The run has " + quantity.Count(g.Frames, "frame")
	switch {
	case g.Times > 1:
		return fmt.Sprintf("%s, which take %d times in turn, by %s.", text, g.Times, g.TimesBy)
	case g.Worst > g.Typical:
		return text + ", none of them slow."
	}
	return text + "."
}

func (g *FramesGiven) queue() string {
	text := "KEEP_ALL"
	if g.Depth > 0 {
		text = fmt.Sprintf("KEEP_LAST %d", g.Depth)
	}
	if g.Reliability != "" {
		text += ", " + g.Reliability
	}
	return text
}

func (g *FramesGiven) taken() string {
	if g.Take == "at-once" {
		return "frames are taken at once into a queue without a limit"
	}
	return "a frame is taken just before its callback"
}

func (f *Frames) writeLimits(b *strings.Builder) {
	l, g := &f.RTFLimit, &f.Given
	without := ""
	if g.Overhead > 0 {
		without = fmt.Sprintf(", without the %s beside each callback", short(g.Overhead))
	}
	fmt.Fprintf(b, "\nRTF limits%s: no frame is lost up to\n", without)
	limit := func(rtf float64, text string) { fmt.Fprintf(b, "  %-8s%s\n", number(rtf), wrap(text, 10)) }
	if g.Worst == g.Typical {
		limit(l.Worst, fmt.Sprintf("if none takes longer than %s", short(g.Worst)))
	} else {
		limit(l.Worst, fmt.Sprintf("whenever slow frames come: the worst time is %s", short(g.Worst)))
		if l.Mean != nil && g.Mean != nil {
			limit(*l.Mean, fmt.Sprintf("if slow ones are spread well: the mean is %s; above it the node falls behind", short(*g.Mean)))
		}
		limit(l.Typical, fmt.Sprintf("if none is slow: the typical time is %s", short(g.Typical)))
	}
	fmt.Fprintf(b, "Recommended, with a margin of %s\n", percent(g.Margin))
	limit(l.Recommended, "from the worst time")
	if g.Worst > g.Typical {
		limit(l.RecommendedTypical, "from the typical time: only if slow frames never cluster")
	}
}

func (f *Frames) writeTable(b *strings.Builder) {
	fmt.Fprintf(b, "\nOf %s; arrivals per callback and share by the typical time, wall time for %s simulated\n", quantity.Count(f.Given.Frames, "frame"), short(f.Given.Length))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "RTF\tinterval\tarrivals\tshare\tprocessed\tsteady age\tmax age\tmax latency\twall time\t")
	for i := range f.Runs {
		r := &f.Runs[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t\n", number(r.RTF), short(r.FrameInterval), number(r.Arrivals), percent(r.Share),
			r.Processed, known(r.FrameAge.Steady), known(r.FrameAge.Max), known(r.ResultLatency.Max), short(r.Wall))
	}
	t.Flush()
}

func known(s *float64) string {
	if s == nil {
		return "-"
	}
	return short(*s)
}

func (r *FramesRun) writeVerdict(b *strings.Builder) {
	text := r.Verdict
	if len(r.Notes) > 0 {
		text += "; " + strings.Join(r.Notes, "; ")
	}
	fmt.Fprintf(b, "\n%s\n", wrap(fmt.Sprintf("RTF %s: %s.", number(r.RTF), text), 2))
	if r.Dropped > 0 {
		fmt.Fprintf(b, "  processed %s\n", wrap(ranges(r.ProcessedIDs, maxRanges), 12))
		fmt.Fprintf(b, "  missed    %s\n", wrap(ranges(r.MissedIDs, maxRanges), 12))
	}
}

func (f *Frames) writeDrift(b *strings.Builder) {
	d := f.Drift
	if d == nil {
		return
	}
	fmt.Fprintf(b, "\n%s\n", wrap(fmt.Sprintf("Drift at the limit, RTF %s: each frame starts %s later than the one before, and frame %d is the first one lost, after %s of simulated time.",
		number(d.RTF), short(d.Overhead), d.FirstLostID, short(d.SimSeconds)), 2))
}
