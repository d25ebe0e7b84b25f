package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// TextOptions say how text is laid out. The zero value is plain text of 80 columns.
type TextOptions struct {
	Width   int  // columns; 0 means 80, less than 40 counts as 40
	Color   bool // whether to mark severities by colour
	Verbose bool // show everything, not only what matters most
}

// What is shown of a list unless everything is asked for.
const (
	shownFindings  = 7
	shownContracts = 10
)

// Text writes a report for a person: the verdict first, then what matters, the
// clock, the loops, the threads and callbacks, the chains, and a table of the topics.
func Text(w io.Writer, r *Report, o TextOptions) error {
	p := newPrinter(o)
	t := &text{printer: p, report: r, verbose: o.Verbose}
	t.verdict()
	t.contracts()
	t.findings()
	t.clock()
	t.loops()
	t.threads()
	t.callbacks()
	t.chains()
	t.topics()
	t.endpoints()
	t.load()
	_, err := w.Write(p.out.Bytes())
	return err
}

// A text is one report being written.
type text struct {
	*printer
	report  *Report
	verbose bool
}

var resultStyles = map[Result]style{Pass: green, Fail: red, Inconclusive: yellow, Unjudged: bold}

func (t *text) verdict() {
	v := &t.report.Verdict
	word := strings.ToUpper(string(v.Result))
	t.item(0, columns(word)+2, span{resultStyles[v.Result], word}, verdictWords(v))
	t.item(0, 0, span{}, t.sourceWords())
}

func verdictWords(v *Verdict) string {
	n := uint64(len(v.Contracts))
	broken, open := tally(v.Contracts, Fail), tally(v.Contracts, Inconclusive)
	switch {
	case v.Result == Unjudged:
		return "no contract to judge by; takt init writes a first takt.yaml"
	case broken > 0 && open > 0:
		return fmt.Sprintf("%d of %s broken, %d inconclusive", broken, quantity.Count(n, "limit"), open)
	case broken > 0:
		return fmt.Sprintf("%d of %s broken", broken, quantity.Count(n, "limit"))
	case open > 0:
		return fmt.Sprintf("%d of %s cannot be told from this source, none is broken", open, quantity.Count(n, "limit"))
	case n == 1:
		return "the limit holds"
	}
	return fmt.Sprintf("all %d limits hold", n)
}

func tally(lines []Contract, r Result) uint64 {
	n := uint64(0)
	for i := range lines {
		if lines[i].Result == r {
			n++
		}
	}
	return n
}

func (t *text) sourceWords() string {
	r := t.report
	s := fmt.Sprintf("%s (%s): %s, %s", r.Source.Path, r.Source.Kind, contentWords(r), quantity.Seconds(r.Recording.SpanS))
	if at, err := time.Parse(time.RFC3339Nano, r.Recording.Start); err == nil {
		s += " from " + at.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	s += ", " + r.Basis
	if r.Source.Partial {
		s += ", PARTIAL: some of what happened is missing"
	}
	return s
}

// contentWords say how much a report rests on: messages, callbacks, or both.
func contentWords(r *Report) string {
	messages := quantity.Count(r.Recording.Messages, "message")
	if len(r.Callbacks) > 0 {
		jobs := uint64(0)
		for _, c := range r.Callbacks {
			jobs += c.Jobs
		}
		return fmt.Sprintf("%s, %s of %s", messages, quantity.Count(jobs, "job"), quantity.Count(len(r.Callbacks), "callback"))
	}
	if len(r.Loops) == 0 {
		return messages
	}
	callbacks := uint64(0)
	for _, l := range r.Loops {
		callbacks += l.Callbacks
	}
	words := fmt.Sprintf("%s of %s", quantity.Count(callbacks, "callback"), quantity.Count(len(r.Loops), "loop"))
	if r.Recording.Messages > 0 {
		words = messages + ", " + words
	}
	return words
}

// contracts shows the limits that do not hold; those that do only if everything is asked for.
func (t *text) contracts() {
	var lines []*Contract
	for _, want := range []Result{Fail, Inconclusive, Pass} {
		for i := range t.report.Verdict.Contracts {
			if c := &t.report.Verdict.Contracts[i]; c.Result == want && (want != Pass || t.verbose) {
				lines = append(lines, c)
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	t.line()
	shown := t.shown(len(lines), shownContracts)
	for _, c := range lines[:shown] {
		t.contract(c)
	}
	t.more(len(lines)-shown, "limit")
}

var resultMarks = map[Result]span{Pass: {green, "✓"}, Fail: {red, "✗"}, Inconclusive: {yellow, "?"}}

func (t *text) contract(c *Contract) {
	words := fmt.Sprintf("%s: %s (%s)", c.Subject, c.Limit, c.Kind)
	if c.Text != "" {
		words += ": " + c.Text
	}
	if c.Why != "" {
		words += ": " + c.Why
	}
	t.item(0, 2, resultMarks[c.Result], words)
}

// findings shows the findings that matter most. What a real time factor does
// not say stands beside the factor, in the block of the clock.
func (t *text) findings() {
	var list []timeline.Finding
	for _, f := range t.report.Verdict.Findings {
		if f.ID != deadlinesNotMeasured {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return
	}
	t.line()
	shown := t.shown(len(list), shownFindings)
	for _, f := range list[:shown] {
		t.finding(0, &f)
	}
	t.more(len(list)-shown, "finding")
}

var severityMarks = map[timeline.Severity]span{timeline.Error: {red, "✗"}, timeline.Warning: {yellow, "!"}, timeline.Info: {faint, "i"}}

func (t *printer) finding(indent int, f *timeline.Finding) {
	words := f.Text
	if f.Subject != "" {
		words = f.Subject + ": " + words
	}
	t.item(indent, 2, severityMarks[f.Severity], words)
	if f.Remedy != "" {
		t.item(indent+2, 2, span{text: "→"}, f.Remedy)
	}
}

func (t *text) shown(n, most int) int {
	if t.verbose {
		return n
	}
	return min(n, most)
}

func (t *text) more(n int, thing string) {
	if n > 0 {
		t.line(span{text: fmt.Sprintf("  %d more, --verbose shows every %s", n, thing)})
	}
}
