package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// What is shown of a comparison unless everything is asked for.
const (
	shownBeyond   = 15
	shownUnstated = 5
)

// Text writes the comparison for a person: what changed beyond the noise first.
func (c *Comparison) Text(w io.Writer, o TextOptions) error {
	t := &comparisonText{newPrinter(o), c, o.Verbose}
	t.head()
	t.changes()
	t.figures(Beyond, "beyond the noise", shownBeyond)
	t.figures(Unstated, "not judged, mostly single observations (maxima, minima, counts)", shownUnstated)
	if t.all {
		t.figures(Within, "within the noise", 0)
	}
	t.end()
	_, err := w.Write(t.out.Bytes())
	return err
}

type comparisonText struct {
	*printer
	c   *Comparison
	all bool
}

func (t *comparisonText) head() {
	n := t.c.count(Beyond)
	mark, words := span{yellow, "CHANGED"}, "no figure changed beyond the noise"
	if n > 0 {
		words = quantity.Count(n, "figure") + " changed beyond the noise"
	}
	switch {
	case t.c.A.Result != t.c.B.Result:
		mark.style = resultStyles[t.c.B.Result]
		words = fmt.Sprintf("verdict %s -> %s; %s", t.c.A.Result, t.c.B.Result, words)
	case n == 0 && !t.c.othersChanged():
		mark = span{green, "SAME"}
	}
	t.line(mark, span{text: "  " + words})
	t.side("a", t.c.A)
	t.side("b", t.c.B)
	for _, r := range t.c.Remarks {
		t.item(0, 2, span{yellow, "!"}, r)
	}
	t.pace()
	t.deadlines()
}

// pace says first how fast simulated time ran, whether that changed or not.
func (t *comparisonText) pace() {
	i := slices.IndexFunc(t.c.Differences, func(d Difference) bool { return d.Subject == "clock" && d.Figure == "rtf" })
	if i < 0 {
		return
	}
	d := &t.c.Differences[i]
	t.line()
	t.item(0, 0, span{}, fmt.Sprintf("real time factor %s -> %s (%s, %s: %s)", quantity.Factor(d.A), quantity.Factor(d.B), d.change(), noiseWords[d.Noise], d.Rule))
}

var noiseWords = map[Noise]string{Beyond: "beyond the noise", Within: "within the noise", Unstated: "not judged"}

func (t *comparisonText) side(name string, s Side) {
	t.item(0, 3, span{bold, name}, fmt.Sprintf("%s (%s, %s): %s", s.Path, s.Kind, s.Basis, s.Result))
}

// changes shows what appeared, vanished or changed its result.
func (t *comparisonText) changes() {
	if t.c.othersChanged() {
		t.line()
	}
	for _, l := range t.c.Contracts {
		t.item(0, 2, resultMarks[l.B], fmt.Sprintf("%s: %s: %s -> %s", l.Subject, l.Limit, orNone(l.A), orNone(l.B)))
	}
	if list := t.c.Vanished; len(list) > 0 {
		t.item(0, 2, span{red, "-"}, "vanished: "+strings.Join(list, ", "))
	}
	if list := t.c.Appeared; len(list) > 0 {
		t.item(0, 2, span{green, "+"}, "appeared: "+strings.Join(list, ", "))
	}
	t.findings("-", "no longer found", t.c.FindingsVanished)
	t.findings("+", "newly found", t.c.FindingsAppeared)
}

func orNone(r Result) string {
	if r == "" {
		return "not promised"
	}
	return string(r)
}

func (t *comparisonText) findings(mark, words string, list []timeline.Finding) {
	for _, f := range list {
		t.item(0, 2, span{severityMarks[f.Severity].style, mark}, fmt.Sprintf("%s: %s: %s", words, f.Subject, f.Text))
	}
}

// figures shows the differences of one kind that are differences, at most
// some of them, and none of ROS 2's own topics, unless everything is asked for.
func (t *comparisonText) figures(n Noise, title string, most int) {
	var list []*Difference
	for i := range t.c.Differences {
		if d := &t.c.Differences[i]; d.Noise == n && d.Absolute != 0 && (t.all || !analysis.Middleware(strings.TrimPrefix(d.Subject, "topic "))) {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		return
	}
	shown := len(list)
	if !t.all {
		shown = min(shown, most)
	}
	t.line()
	t.item(0, 0, span{}, title+":")
	t.differences(list[:shown])
	if rest := len(list) - shown; rest > 0 {
		t.line(span{text: fmt.Sprintf("  %d more, --all", rest)})
	}
}

func (t *comparisonText) differences(list []*Difference) {
	b := table{columns: []column{{head: "subject", left: true}, {head: "figure", left: true}, {head: "a"}, {head: "b"}, {head: "change"}, {head: "by", left: true, spare: 1}}}
	for _, d := range list {
		subject := strings.TrimPrefix(d.Subject, "topic ")
		for i, cell := range []string{subject, d.Figure, amount(d.Figure, d.A), amount(d.Figure, d.B), d.change(), d.Rule} {
			b.columns[i].cells = append(b.columns[i].cells, cell)
		}
	}
	b.notes = make([]string, len(list))
	b.print(t.printer)
}

// amount writes a figure in the unit that its name carries.
func amount(figure string, v float64) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(figure, "service."), ".")
	switch {
	case strings.HasSuffix(figure, "_hz"):
		return quantity.Hertz(v)
	case strings.HasSuffix(name, "_s") || strings.HasSuffix(figure, "_s"):
		return quantity.Seconds(v)
	case figure == "rtf" || name == "windows":
		return quantity.Factor(v)
	}
	return plain(v)
}

// change is the relative change where it says something, else the absolute one.
func (d *Difference) change() string {
	switch {
	case d.Relative == nil:
		return signed(d.Absolute, amount(d.Figure, d.Absolute))
	case math.Abs(*d.Relative) >= 10 && d.A*d.B > 0:
		return fmt.Sprintf("x%s", plain(roundTo(d.B/d.A, 3)))
	}
	return signed(*d.Relative, percent(*d.Relative))
}

func signed(v float64, s string) string {
	if v > 0 {
		return "+" + s
	}
	return s
}

func (t *comparisonText) end() {
	t.line()
	t.item(0, 0, span{}, fmt.Sprintf("%s within the noise, %d not judged.", quantity.Count(t.c.count(Within), "figure"), t.c.count(Unstated)))
	t.item(0, 0, span{}, "|z| is the difference of two means in standard errors, from 3 on beyond the noise; CI are the 95 % confidence intervals of a quantile. Both take values for independent, which intervals are not: a rule of thumb.")
}
