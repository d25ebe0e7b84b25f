package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/timeline"
)

func htmlOf(t *testing.T, r *Report, p *analysis.Plots) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wantIn(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("the page lacks %q", w)
		}
	}
}

func TestHTMLSaysWhatTheReportHas(t *testing.T) {
	r := startup(t, promises())
	got := htmlOf(t, r, nil)
	wantIn(t, got, `<p class="verdict bad">`, "> fail</strong>", ">Contracts</h2>", ">Findings</h2>", ">Clock</h2>", ">Topics</h2>")
	for _, topic := range r.Topics {
		if topic.Count > 0 {
			wantIn(t, got, "<h3>"+topic.Name+"</h3>")
		}
	}
	if n := strings.Count(got, `<li class="`); n != len(r.Verdict.Findings) {
		t.Errorf("%d findings, want %d", n, len(r.Verdict.Findings))
	}
	// The stall of the recording, found by a separate program.
	wantIn(t, got, "1.018 s", "min 0.0747 at 0.598 s")
}

func TestHTMLHasTheEndpoints(t *testing.T) {
	got := htmlOf(t, graphReport(), nil)
	wantIn(t, got, "Publishers of /scan", "Subscribers of /odom", "Who never connects on /scan",
		"/lidar wants reliable, /driver offers best effort: they never connect", "reliable, volatile, keep last 10", "50 Hz")
}

func TestHTMLIsTheSameForTheSameReport(t *testing.T) {
	a, b := startup(t, promises()), startup(t, promises())
	if htmlOf(t, a, nil) != htmlOf(t, b, nil) {
		t.Error("the same report came out in different bytes")
	}
}

func TestHTMLOfNothing(t *testing.T) {
	got := htmlOf(t, empty(nil), nil)
	wantIn(t, got, "unjudged")
	if strings.Contains(got, ">Clock</h2>") || strings.Contains(got, ">Loops</h2>") {
		t.Error("a section has nothing in it")
	}
}

// The worst value is marked in the chart with its size and its instant, and
// limits are drawn.
func TestHTMLMarksTheWorst(t *testing.T) {
	r := startup(t, promises())
	var imu *analysis.Topic
	for _, topic := range r.Topics {
		if topic.Name == "/imu" {
			imu = topic
		}
	}
	imu.OverInterval = &analysis.Over{LimitS: 0.008, Of: imu.IntervalS.Count}
	p := &analysis.Plots{Topics: map[string]*analysis.TopicPlots{"/imu": {
		IntervalS: &analysis.Track{StretchS: 1, Stretches: []analysis.Stretch{
			{AtS: 0, Count: 2, Min: 0.004, Max: 0.005, Mean: 0.0045, MinAtS: 0.1, MaxAtS: 0.2},
			{AtS: 1, Count: 1, Min: imu.IntervalS.Max, Max: imu.IntervalS.Max, Mean: imu.IntervalS.Max, MinAtS: 1.5, MaxAtS: 1.5},
		}},
		IntervalsHist: &analysis.Histogram{Bins: []analysis.Bin{{From: 0.004, To: 0.006, Count: 3}}},
	}}}
	got := htmlOf(t, r, p)
	wantIn(t, got,
		fmt.Sprintf("<title>Interval of /imu over time; worst %s at %.3f s; nominal", page.Seconds.Write(imu.IntervalS.Max), imu.IntervalS.MaxAtS),
		"limit 8 ms", ">limit</text>")
}

// Topics with something wrong come first, and others by how many nominal
// intervals their longest is; what the middleware publishes comes last.
func TestHTMLShowsTheWorstTopicsFirst(t *testing.T) {
	series := func(p50, most float64) *analysis.Series { return &analysis.Series{Count: 100, P50: p50, Max: most} }
	r := &Report{Topics: []*analysis.Topic{
		{Name: "/calm", Count: 100, Periodic: true, IntervalS: series(1, 1)},
		{Name: "/rosout", Count: 100, Periodic: true, IntervalS: series(1, 9)},
		{Name: "/slow", Count: 100, Periodic: true, IntervalS: series(1, 2)},
		{Name: "/stalled", Count: 100, Periodic: true, IntervalS: series(0.1, 1)},
		{Name: "/warned", Count: 100, Periodic: true, IntervalS: series(1, 1)},
		{Name: "/broken", Count: 100, Periodic: true, IntervalS: series(1, 1)},
		{Name: "/silent"},
	}}
	r.Verdict.Findings = []timeline.Finding{{Subject: "/warned", Severity: timeline.Warning}, {Subject: "/calm", Severity: timeline.Info}}
	r.Verdict.Contracts = []Contract{{Subject: "topic /broken", Result: Fail}, {Subject: "topic /calm", Result: Pass}}
	var names []string
	for _, topic := range worstTopics(r) {
		names = append(names, topic.Name)
	}
	if got, want := strings.Join(names, " "), "/broken /warned /stalled /slow /calm /rosout"; got != want {
		t.Errorf("topics %s, want %s", got, want)
	}
}

// 25 jobs with one release skipped after the 13th: it lies midway between the
// releases around it, at 270 ms.
func TestHTMLDrawsSkippedReleases(t *testing.T) {
	deadline := 0.01
	l := &analysis.Loop{Name: "control", DeadlineS: &deadline, LatenessS: &analysis.Series{}}
	s := timerGrid(l, []analysis.DrawnJob{
		{Number: 25, ReleaseAtS: 0.25, AtS: 0.25, EndAtS: 0.272, Missed: true, TheWorst: true},
		{Number: 26, ReleaseAtS: 0.26, AtS: 0.272, EndAtS: 0.273, Missed: true, Skipped: 1},
		{Number: 27, ReleaseAtS: 0.28, AtS: 0.28, EndAtS: 0.281},
	})
	if len(s.Work) != 4 || !s.Work[2].Lost || s.Work[2].Due < 0.27-1e-9 || s.Work[2].Due > 0.27+1e-9 {
		t.Errorf("work %+v, want the third lost at 0.27 s", s.Work)
	}
	if s.Deadline == nil || s.Deadline.At != 0.26 {
		t.Errorf("deadline %+v, want 0.26 s", s.Deadline)
	}
}

// A track of more stretches than are drawn keeps its extremes.
func TestCoarserKeepsExtremes(t *testing.T) {
	track := &analysis.Track{StretchS: 1}
	for i := range 250 {
		x := float64(i % 7)
		track.Stretches = append(track.Stretches, analysis.Stretch{AtS: float64(i), Count: 1, Min: x, Max: x + 1, Mean: x, MinAtS: float64(i), MaxAtS: float64(i)})
	}
	track.Stretches[100].Max, track.Stretches[101].Min = 99, -99
	list := coarser(track, 128)
	if len(list) != 125 || list[50].Max != 99 || list[50].MaxAtS != 100 || list[50].Min != -99 || list[50].MinAtS != 101 {
		t.Errorf("%d stretches, that of 100 s %+v", len(list), list[50])
	}
	n := uint64(0)
	for _, s := range list {
		n += s.Count
	}
	if n != 250 {
		t.Errorf("%d values, want 250", n)
	}
}

// An interval lasts until the next one starts, and so does its line.
func TestBandHoldsThroughASilence(t *testing.T) {
	track := &analysis.Track{StretchS: 1, Stretches: []analysis.Stretch{
		{AtS: 0, Count: 9, Min: 0.1, Max: 5, MinAtS: 0.2, MaxAtS: 0.9}, {AtS: 6, Count: 1, Min: 0.1, Max: 0.1, MinAtS: 6, MaxAtS: 6},
	}}
	got := band(track, greatest).Stretches
	if want := (page.Stretch{Min: 5, Max: 5, MinAt: 6, MaxAt: 6}); len(got) != 3 || got[1] != want {
		t.Errorf("stretches %+v, want %+v between", got, want)
	}
}

func TestHTMLIsShort(t *testing.T) {
	if blanks := regexp.MustCompile(`\n\s*\n\s*\n`).FindAllString(htmlOf(t, startup(t, nil), nil), -1); len(blanks) > 0 {
		t.Errorf("%d runs of blank lines", len(blanks))
	}
}
