package report

import (
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
)

func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// Where a real time factor is shown, what it does not say stands beside it.
func TestViolationsStandBesideTheRealTimeFactor(t *testing.T) {
	for _, test := range []struct {
		name  string
		loops []*analysis.Loop
		want  string
		finds int
	}{
		{"no loop", nil, "deadlines not measured. RTF says how fast simulated time ran, not whether any callback met its deadline; this source has no callback times", 1},
		{"a loop without a deadline", []*analysis.Loop{{Name: "a", Callbacks: 20}},
			"deadlines not measured. RTF says how fast simulated time ran, not whether any callback met its deadline; no deadline is known for the callbacks of this source", 1},
		{"a loop with one", []*analysis.Loop{injected(t)}, "deadlines loop: 20 missed, 10 skipped, longest response 22 ms of 10 ms on ROS time", 0},
		{"the worst first", []*analysis.Loop{baseline(), injected(t)}, "loop: 20 missed, 10 skipped, longest response 22 ms of 10 ms on ROS time; loop: 0 missed, 0 skipped", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &analysis.Figures{Clock: &analysis.Clock{Topic: "/clock", RTF: ptr(1.0)}, Loops: test.loops}
			r := ofFigures(f)
			if got := flat(textOf(t, r, TextOptions{Width: 100})); !strings.Contains(got, test.want) {
				t.Errorf("no %q in %s", test.want, got)
			}
			if got := len(r.Verdict.Findings); got != test.finds {
				t.Errorf("%d findings, want %d", got, test.finds)
			}
		})
	}
}

func TestWordsOfViolations(t *testing.T) {
	for _, test := range []struct {
		loop *analysis.Loop
		want string
	}{
		{counted(0, 0), "none missed, none skipped, of 100 releases"},
		{counted(1, 0), "1 missed, 0 skipped: 1 violation of 100 releases (100 callbacks ran)"},
		{counted(20, 10), "20 missed, 10 skipped: 30 violations of 110 releases (100 callbacks ran)"},
		{changed(counted(2, 0), func(l *analysis.Loop) { l.Skipped = nil }), "2 of 100 callbacks missed; skipped releases are not known without the period"},
		{changed(counted(0, 3), func(l *analysis.Loop) { l.Missed = nil }), "3 of 103 releases skipped; missed ones are not known without the end of a callback"},
		{&analysis.Loop{Callbacks: 7}, "not known: neither the period nor a deadline is (7 callbacks)"},
	} {
		if got := violationWords(test.loop); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestSourceSaysWhatItHas(t *testing.T) {
	r := ofLoops(nil, injected(t))
	if got := contentWords(r); got != "489 callbacks of 1 loop" {
		t.Error(got)
	}
	r.Recording.Messages = 5000
	if got := contentWords(r); got != "5000 messages, 489 callbacks of 1 loop" {
		t.Error(got)
	}
	if got := contentWords(empty(nil)); got != "0 messages" {
		t.Error(got)
	}
	if r.Basis = Predicted; !strings.Contains(textOf(t, r, TextOptions{}), "4.990 s, predicted") {
		t.Error("the text does not say that the run is a predicted one")
	}
}

// A source without messages has a stretch of time nevertheless.
func TestLoopsHaveASpan(t *testing.T) {
	r := ofLoops(nil, baseline()).Recording
	if r.StartNS == nil || *r.EndNS-*r.StartNS != 4_990_000_000 || r.SpanS != 4.99 {
		t.Errorf("%+v", r)
	}
	if r := ofLoops(nil, &analysis.Loop{Name: "never"}).Recording; r.StartNS != nil {
		t.Errorf("nothing ran: %+v", r)
	}
}

func TestLoopsFitTheTerminal(t *testing.T) {
	many := ofLoops(loopPromises(), manyLoops(t)...)
	one := clockBeside(ofLoops(loopPromises(), injected(t)))
	for width := 40; width <= 120; width++ {
		got := textOf(t, one, TextOptions{Width: width}) + textOf(t, many, TextOptions{Width: width}) + textOf(t, many, TextOptions{Width: width, Verbose: true})
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			// The names of the loops are not cut in prose.
			if columns(line) > width && !strings.Contains(line, "controller_manager/update:") {
				t.Errorf("width %d: %d columns: %s", width, columns(line), line)
			}
			if strings.HasSuffix(line, " ") {
				t.Errorf("width %d: space at the end: %q", width, line)
			}
		}
	}
}

// Of many loops the worst is shown in full, and all are if all is asked for.
func TestManyLoopsAreATable(t *testing.T) {
	r := ofLoops(nil, manyLoops(t)...)
	for _, test := range []struct {
		verbose bool
		blocks  int
	}{{false, 1}, {true, 4}} {
		got := textOf(t, r, TextOptions{Verbose: test.verbose})
		if n := strings.Count(got, "\nloop  "); n != test.blocks+1 { // the head of the table too
			t.Errorf("verbose %v: %d blocks\n%s", test.verbose, n-1, got)
		}
		if !strings.Contains(got, "\nloop  controller_manager/update") {
			t.Errorf("the worst is not shown:\n%s", got)
		}
	}
}
