package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

func ms(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

func ptr[T any](v T) *T { return &v }

// empty is a report of a source without a message.
func empty(sys *model.System) *Report {
	return New(timeline.Origin{Kind: "mcap", Path: "empty.mcap"}, timeline.Outcome{}, &analysis.Figures{Axis: "wall"}, nil, sys)
}

func TestFindingsAreOrderedAndEachOnce(t *testing.T) {
	warn := func(subject string) timeline.Finding {
		return timeline.Finding{ID: "w", Severity: timeline.Warning, Subject: subject}
	}
	note := timeline.Finding{ID: "i", Severity: timeline.Info, Subject: "/a"}
	outcome := timeline.Outcome{Findings: []timeline.Finding{truncated}}
	r := New(timeline.Origin{}, outcome, &analysis.Figures{}, []timeline.Finding{note, warn("/b"), truncated, warn("/a")}, nil)
	want := []timeline.Finding{truncated, warn("/a"), warn("/b"), note}
	if diff := cmp.Diff(want, r.Verdict.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{truncated.Text}, r.Source.Problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestNoRealTimeFactorWithoutWhatItDoesNotSay(t *testing.T) {
	for _, test := range []struct {
		name  string
		clock *analysis.Clock
		want  int
	}{
		{"a factor", &analysis.Clock{RTF: ptr(1.0)}, 1},
		{"a clock without a factor", &analysis.Clock{}, 0},
		{"no clock", nil, 0},
	} {
		r := New(timeline.Origin{}, timeline.Outcome{}, &analysis.Figures{Clock: test.clock}, nil, nil)
		if got := len(r.Verdict.Findings); got != test.want {
			t.Errorf("%s: %d findings, want %d", test.name, got, test.want)
		}
		var b bytes.Buffer
		if err := Text(&b, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(strings.Join(strings.Fields(b.String()), " "), "not whether any callback met its deadline")
		if said != (test.want > 0) {
			t.Errorf("%s: the text says so: %v\n%s", test.name, said, &b)
		}
	}
}

func TestWhatIsNotFiniteIsUnknown(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f := &analysis.Figures{
		Axis: "wall",
		Clock: &analysis.Clock{
			RTF:      &nan,
			Windows:  &analysis.Windows{Min: inf},
			Segments: []analysis.Segment{{WallS: inf}, {WallS: 1}},
		},
		Topics: []*analysis.Topic{nil, {
			Name: "/a", Count: 2, RateHz: &inf,
			IntervalS: &analysis.Series{P99CI: [2]float64{0, nan}},
			AgeS:      &analysis.Age{Clock: "wall", Series: analysis.Series{Mean: nan}},
			Gaps:      &analysis.Gaps{},
		}},
	}
	r := New(timeline.Origin{}, timeline.Outcome{}, f, nil, nil)
	want := &Report{
		Schema: Schema, Basis: Measured,
		Source:    Source{Problems: []string{}},
		Recording: Recording{Axis: "wall", StartNS: ptr(int64(0)), EndNS: ptr(int64(0)), Start: "1970-01-01T00:00:00Z"},
		Verdict:   Verdict{Result: Unjudged, Findings: []timeline.Finding{}, Contracts: []Contract{}},
		Clock:     &analysis.Clock{Segments: []analysis.Segment{{WallS: 1}}, PublishersBy: []string{}, FightingRTF: []float64{}},
		Topics: []*analysis.Topic{{
			Name: "/a", Count: 2, Gaps: &analysis.Gaps{Longest: []analysis.Gap{}}, Transforms: []*analysis.Topic{},
			Writers: []*analysis.Writer{}, Readers: []*analysis.Reader{}, Mismatches: []analysis.Mismatch{},
		}},
		Loops: []*analysis.Loop{}, Threads: []*analysis.Thread{}, Callbacks: []*analysis.Callback{}, Chains: []*analysis.Chain{},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestTopicsComeByName(t *testing.T) {
	r := New(timeline.Origin{}, timeline.Outcome{}, &analysis.Figures{Topics: []*analysis.Topic{{Name: "/b"}, {Name: "/a"}}}, nil, nil)
	if r.Topics[0].Name != "/a" || r.Topics[1].Name != "/b" {
		t.Errorf("topics are %s, %s", r.Topics[0].Name, r.Topics[1].Name)
	}
}
