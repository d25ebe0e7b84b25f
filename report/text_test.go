package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/timeline"
)

func textOf(t *testing.T, r *Report, o TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextFitsTheTerminal(t *testing.T) {
	r, p := startup(t, promises()), short(t, promises())
	for width := 64; width <= 200; width += 4 {
		var b bytes.Buffer
		o := TextOptions{Width: width, Verbose: width%8 == 0}
		b.WriteString(textOf(t, r, o) + textOf(t, p, o))
		if width >= 80 {
			if err := Compare(r, p).Text(&b, o); err != nil {
				t.Fatal(err)
			}
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if columns(line) > width {
				t.Errorf("width %d: %d columns: %s", width, columns(line), line)
			}
			if strings.HasSuffix(line, " ") {
				t.Errorf("width %d: space at the end: %q", width, line)
			}
		}
	}
}

func TestColorChangesNothingElse(t *testing.T) {
	r := startup(t, promises())
	plain, color := textOf(t, r, TextOptions{}), textOf(t, r, TextOptions{Color: true})
	if strings.Contains(plain, "\x1b") {
		t.Error("colour that was not asked for")
	}
	stripped := regexp.MustCompile(`\x1b\[[0-9]*m`).ReplaceAllString(color, "")
	if color == plain || stripped != plain {
		t.Error("coloured text is not the plain text with colours")
	}
}

func TestNamesCannotSteerTheTerminal(t *testing.T) {
	r := empty(nil)
	r.Source.Path = "a\x1b[2Jb\r\n\u202ec"
	r.Topics = []*analysis.Topic{{Name: "/\x07", Count: 1}}
	got := textOf(t, r, TextOptions{})
	if strings.ContainsAny(got, "\x1b\r\x07\u202e") || !strings.Contains(got, "a\uFFFD[2Jb") {
		t.Errorf("%q", got)
	}
}

func TestFindingsAreBoundedUnlessAllAreAskedFor(t *testing.T) {
	r := empty(nil)
	for i := range 10 {
		r.Verdict.Findings = append(r.Verdict.Findings, timeline.Finding{ID: "x", Severity: timeline.Info, Subject: fmt.Sprintf("/%d", i), Text: "found"})
	}
	if got := textOf(t, r, TextOptions{}); strings.Count(got, "found") != 7 || !strings.Contains(got, "3 more, --verbose") {
		t.Errorf("%s", got)
	}
	if got := textOf(t, r, TextOptions{Verbose: true}); strings.Count(got, "found") != 10 || strings.Contains(got, "more") {
		t.Errorf("%s", got)
	}
}

func TestVerdictInWords(t *testing.T) {
	verdict := func(result Result, results ...Result) *Verdict {
		v := &Verdict{Result: result}
		for _, r := range results {
			v.Contracts = append(v.Contracts, Contract{Result: r})
		}
		return v
	}
	for _, test := range []struct {
		v    *Verdict
		want string
	}{
		{verdict(Unjudged), "no contract to judge by; takt init writes a first takt.yaml"},
		{verdict(Pass, Pass), "the limit holds"},
		{verdict(Pass, Pass, Pass), "all 2 limits hold"},
		{verdict(Fail, Fail), "1 of 1 limit broken"},
		{verdict(Fail, Pass, Fail, Inconclusive), "1 of 3 limits broken, 1 inconclusive"},
		{verdict(Inconclusive, Pass, Inconclusive), "1 of 2 limits cannot be told from this source, none is broken"},
	} {
		if got := verdictWords(test.v); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// The clock of a system that paused, jumped and had two publishers.
func TestTroubledClock(t *testing.T) {
	r := empty(nil)
	r.Clock = &analysis.Clock{
		Topic: "/clock", ReadAt: "recorder", RTF: ptr(0.5), RTFRunning: ptr(1.0), SpanSimS: 5, SpanWallS: 10,
		Segments:   []analysis.Segment{{Ticks: 1}, {AtS: 4, JumpS: ptr(-3.0), Ticks: 1}},
		Pauses:     &analysis.Pauses{Count: 2, TotalS: 5, LongestS: 4, LongestAtS: 1},
		Publishers: 2, FightingRTF: []float64{1, 2}, Backward: 1, Repeated: 3,
		Displays: &analysis.Displays{GzGUI: &analysis.Display{Mean: 0.5, Last: 0.5}, PerFrame: &analysis.Display{Mean: 0.6, Last: 0.5}},
	}
	got := strings.Join(strings.Fields(textOf(t, r, TextOptions{Width: 200})), " ")
	for _, want := range []string{
		"RTF 0.5000 over 10 s (5 s simulated); 1.0000 without the pauses",
		"pauses 2, 5 s in all, longest 4 s at 1.000 s",
		"segments 2: simulated time jumped 1 time",
		"publishers 2 drive this clock, at RTF 1.0000 and 2.0000",
		"ticks 1 went back, 3 repeated",
		"per frame would have shown mean 0.6000",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if strings.Contains(got, "gz-gui") {
		t.Error("a display that shows the factor is mentioned")
	}
}

func TestTransformsAndServicesAreRowsOnlyIfAllIsAskedFor(t *testing.T) {
	r := empty(nil)
	r.Topics = []*analysis.Topic{{Name: "/tf", Count: 2, Transforms: []*analysis.Topic{{Name: "map -> odom", Count: 2}}}}
	if got := textOf(t, r, TextOptions{}); strings.Contains(got, "map -> odom") || !strings.Contains(got, "1 transform") {
		t.Errorf("%s", got)
	}
	if got := textOf(t, r, TextOptions{Verbose: true}); !strings.Contains(got, "  map -> odom") {
		t.Errorf("%s", got)
	}
}
