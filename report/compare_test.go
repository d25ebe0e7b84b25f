package report

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/timeline"
)

// of makes a report of topics.
func of(topics ...*analysis.Topic) *Report {
	return New(timeline.Origin{}, timeline.Outcome{}, &analysis.Figures{Axis: "wall", Topics: topics}, nil, nil)
}

// difference finds one figure.
func difference(t *testing.T, c *Comparison, subject, figure string) Difference {
	t.Helper()
	for _, d := range c.Differences {
		if d.Subject == subject && d.Figure == figure {
			return d
		}
	}
	t.Fatalf("no %s of %s in %+v", figure, subject, c.Differences)
	return Difference{}
}

// Two real recordings of like systems: the figures are those of the
// recordings, the statistics were worked out from them with a calculator.
func TestCompareRecordings(t *testing.T) {
	c := Compare(startup(t, promises()), short(t, promises()))
	for _, want := range []Difference{
		// sqrt(0.000148577^2/5634 + 0.000106374^2/3961) = 2.603e-6; (5.020337 - 5.008356) ms over it.
		{"topic /imu", "rate_hz", 199.666324, 199.189806, -0.476518, ptr(-0.0023866), Beyond, "|z| 4.60"},
		// sqrt(0.001349902^2/138 + 0.000820246^2/97) = 1.4194e-4; 0.493034 ms over it.
		{"topic /scan", "rate_hz", 4.992031, 4.979774, -0.012257, ptr(-0.0024553), Beyond, "|z| 3.47"},
		// sqrt(0.026438473^2/139 + 0.000494227^2/98) = 2.24303e-3; 10.075758 ms over it.
		{"topic /scan", "age_s.mean", -0.0515, -0.061575758, -0.010075758, ptr(-0.195645786), Beyond, "|z| 4.49"},
		{"topic /imu", "interval_s.max", 0.005830212, 0.005752277, -0.000077935, ptr(-0.013367439), Unstated, "one observation"},
		{"recording", "messages", 9432, 6679, -2753, ptr(-0.291878711), Unstated, "one observation"},
	} {
		got := difference(t, c, want.Subject, want.Figure)
		close := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
		if diff := cmp.Diff(want, got, close); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", want.Subject, want.Figure, diff)
		}
	}
	// The factor of a run with one long stall is uncertain by about that stall.
	if got := difference(t, c, "clock", "rtf"); got.Noise != Within {
		t.Errorf("rtf: %+v", got)
	}
}

func TestCompareSaysWhatAppearedAndVanished(t *testing.T) {
	a, b := of(&analysis.Topic{Name: "/gone", Count: 1}, &analysis.Topic{Name: "/silent", Count: 1}),
		of(&analysis.Topic{Name: "/new", Count: 1}, &analysis.Topic{Name: "/silent"})
	b.Clock = &analysis.Clock{}
	found := func(id, text string) timeline.Finding { return timeline.Finding{ID: id, Subject: "/x", Text: text} }
	a.Verdict.Findings = []timeline.Finding{found("old", ""), found("both", "3 gaps")}
	b.Verdict.Findings = []timeline.Finding{found("both", "4 gaps"), found("fresh", "")}
	a.Verdict.Contracts = []Contract{{Subject: "topic /x", Limit: "1", Result: Pass}, {Subject: "topic /x", Limit: "2", Result: Pass}, {Subject: "topic /x", Limit: "3", Result: Fail}}
	b.Verdict.Contracts = []Contract{{Subject: "topic /x", Limit: "1", Result: Fail}, {Subject: "topic /x", Limit: "2", Result: Pass}, {Subject: "topic /x", Limit: "4", Result: Pass}}
	c := Compare(a, b)
	c.Differences = nil
	want := &Comparison{
		Schema: ComparisonSchema, A: Side{Basis: Measured, Result: Unjudged}, B: Side{Basis: Measured, Result: Unjudged},
		Remarks:          []string{},
		Appeared:         []string{"clock", "topic /new"},
		Vanished:         []string{"topic /gone", "topic /silent"},
		FindingsAppeared: []timeline.Finding{found("fresh", "")},
		FindingsVanished: []timeline.Finding{found("old", "")},
		Contracts:        []ContractChange{{"topic /x", "1", Pass, Fail}, {"topic /x", "3", Fail, ""}, {"topic /x", "4", "", Pass}},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("comparison (-want +got):\n%s", diff)
	}
}

func TestDifferencesOnOtherClocksAreNotJudged(t *testing.T) {
	a := of(&analysis.Topic{Name: "/x", Count: 101, RateHz: ptr(10.0), IntervalS: sample(100, 0.1, 0)})
	b := of(&analysis.Topic{Name: "/x", Count: 101, RateHz: ptr(20.0), IntervalS: sample(100, 0.05, 0)})
	if got := difference(t, Compare(a, b), "topic /x", "rate_hz"); got.Noise != Beyond {
		t.Errorf("on one clock: %+v", got)
	}
	b.Recording.Axis = "sim"
	c := Compare(a, b)
	if got := difference(t, c, "topic /x", "rate_hz"); got.Noise != Unstated || len(c.Remarks) != 1 {
		t.Errorf("on two: %+v, %q", got, c.Remarks)
	}
}

func TestAgesOnOtherClocksAreNotCompared(t *testing.T) {
	age := func(clock string) *Report {
		return of(&analysis.Topic{Name: "/x", Count: 1, AgeS: &analysis.Age{Clock: clock, Series: *series(100, 1)}})
	}
	for _, d := range Compare(age("wall"), age("sim")).Differences {
		if strings.HasPrefix(d.Figure, "age_s") {
			t.Errorf("%+v", d)
		}
	}
}

// Beyond the noise before what is not judged before the noise, the larger
// relative change first; from zero counts as a doubling.
func TestOrderOfDifferences(t *testing.T) {
	c := &Comparison{}
	d := &differ{comparison: c}
	d.add("within", 1, 9, judgedNoise{Within, ""})
	d.add("half", 2, 3, judgedNoise{Beyond, ""})
	d.add("zero", 0, 0, judgedNoise{Beyond, ""})
	d.add("from zero", 0, 5, judgedNoise{Beyond, ""})
	d.add("threefold down", 3, -6, judgedNoise{Beyond, ""})
	d.single("single", 1, 9)
	var names []string
	slices.SortStableFunc(c.Differences, byWeight)
	for _, d := range c.Differences {
		names = append(names, d.Figure)
	}
	want := []string{"threefold down", "from zero", "half", "zero", "single", "within"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestTransformsAreCompared(t *testing.T) {
	tf := func(rate float64) *Report {
		return of(&analysis.Topic{Name: "/tf", Count: 1, Transforms: []*analysis.Topic{{Name: "map -> odom", Count: 11, RateHz: &rate}}})
	}
	if got := difference(t, Compare(tf(10), tf(20)), "topic /tf map -> odom", "rate_hz"); got.Absolute != 10 {
		t.Errorf("%+v", got)
	}
}

func TestComparisonSaysHowMuchItLeavesOut(t *testing.T) {
	c := &Comparison{}
	d := &differ{comparison: c, subject: "topic /x"}
	for i := range 20 {
		d.add("rate_hz", float64(i+1), float64(2*i+2), judgedNoise{Beyond, "|z| 9.00"})
		d.add("age_s.mean", 1, 1, judgedNoise{Within, ""})
	}
	for _, test := range []struct {
		all  bool
		rows int
		more bool
	}{{false, 15, true}, {true, 20, false}} {
		var b bytes.Buffer
		if err := c.Text(&b, TextOptions{Verbose: test.all}); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if strings.Count(got, "+100 %") != test.rows || strings.Contains(got, "5 more, --all") != test.more ||
			!strings.Contains(got, "20 figures within the noise") || !strings.HasPrefix(got, "CHANGED  20 figures changed beyond the noise") {
			t.Errorf("all %v:\n%s", test.all, got)
		}
	}
}
