package plan

import (
	"context"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/sched"
)

// A planned is a loop's answer, being checked.
type planned struct {
	*Loop
	t *testing.T
	l *analysis.Loop
}

func planLoop(t *testing.T, s LoopSetup) planned {
	t.Helper()
	p, err := NewLoop(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if p.Report.Basis != report.Predicted || p.Report.Source.Partial || len(p.Report.Loops) != 1 {
		t.Fatalf("a report %s, partial %v, of %d loops", p.Report.Basis, p.Report.Source.Partial, len(p.Report.Loops))
	}
	return planned{p, t, p.Report.Loops[0]}
}

// loopOf is a loop of one period and its callbacks' execution times in turn,
// every callback counting.
func loopOf(period, length time.Duration, times ...time.Duration) LoopSetup {
	return LoopSetup{
		Held: analysis.LoopOptions{Period: period, KeepFirst: true}, Exec: Executions{Times: times},
		Length: length, Starts: 1000,
	}
}

// wantStarts checks when the callbacks start, and which release each serves.
func (p planned) wantStarts(releases, starts []time.Duration) {
	p.t.Helper()
	var gotReleases, gotStarts []time.Duration
	for _, s := range p.Starts {
		gotReleases, gotStarts = append(gotReleases, time.Duration(s.Release)), append(gotStarts, time.Duration(s.Start))
	}
	if !slices.Equal(gotStarts, starts) {
		p.t.Errorf("starts %v, want %v", gotStarts, starts)
	}
	if !slices.Equal(gotReleases, releases) {
		p.t.Errorf("releases %v, want %v", gotReleases, releases)
	}
}

func (p planned) wantCounts(callbacks, missed, skipped uint64) {
	p.t.Helper()
	if p.l.Callbacks != callbacks || *p.l.Missed != missed || *p.l.Skipped != skipped || *p.l.Violations != missed+skipped {
		p.t.Errorf("%d callbacks, %d missed, %d skipped, %d violations; want %d, %d, %d, %d",
			p.l.Callbacks, *p.l.Missed, *p.l.Skipped, *p.l.Violations, callbacks, missed, skipped, missed+skipped)
	}
}

// want checks a figure in seconds, to the nanosecond that the run is exact to.
func (p planned) want(what string, got *float64, want float64) {
	p.t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-12 {
		p.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (p planned) wantFinding(id string, words ...string) {
	p.t.Helper()
	for _, f := range p.Report.Verdict.Findings {
		if f.ID != id {
			continue
		}
		for _, w := range words {
			if !strings.Contains(f.Text, w) {
				p.t.Errorf("%s: %q does not say %q", id, f.Text, w)
			}
		}
		return
	}
	p.t.Errorf("no finding %s in %v", id, p.Report.Verdict.Findings)
}

// inMs returns durations of so many milliseconds.
func inMs(all ...float64) (list []time.Duration) {
	for _, x := range all {
		list = append(list, time.Duration(math.Round(x*1e6)))
	}
	return list
}

// At 20 Hz, bodies of 20, 80, 20, 20 ms under a rate that catches up: cycles of
// 50, 80, 20, 50 ms; one miss, 30 ms late. The short cycle is no miss.
func TestLoopThatCatchesUp(t *testing.T) {
	s := loopOf(50*ms, 200*ms, inMs(20, 80, 20, 20)...)
	s.Pace = ByROS1Rate
	p := planLoop(t, s)
	p.wantStarts(inMs(0, 50, 100, 150, 200), inMs(0, 50, 130, 150, 200))
	p.wantCounts(5, 1, 0)
	p.want("longest response", &p.l.ResponseS.Max, 0.080)
	p.want("lateness", &p.l.LatenessS.Max, 0.030)
	p.want("shortest interval", &p.l.IntervalS.Min, 0.020)
	if !strings.Contains(p.l.Rule, "late cycles run at once") {
		t.Errorf("rule: %s", p.l.Rule)
	}
}

// rclcpp::Rate at 20 Hz, one body of 160 ms, then 20 ms: cycles of 160, 70, 70,
// 60, 50 ms; three longer than the period although sleep() reported success.
func TestLoopThatResets(t *testing.T) {
	s := loopOf(50*ms, 410*ms, inMs(160, 20, 20, 20, 20, 20)...)
	s.Pace = ByRclcppRate
	p := planLoop(t, s)
	p.wantStarts(inMs(0, 50, 230, 300, 360, 410), inMs(0, 160, 230, 300, 360, 410))
	p.wantFinding("sleep-hides-late-cycles", "3 cycles longer than the period although sleep() returned true")
}

// Bodies of 10, 10, 350, 10, 10 ms at a period of 100 ms. The release of 400
// starts 250 ms late; 500 and 600 are skipped.
func TestLoopWithALongBody(t *testing.T) {
	p := planLoop(t, loopOf(100*ms, 700*ms, inMs(10, 10, 350, 10, 10)...))
	p.wantStarts(inMs(100, 200, 300, 400, 700), inMs(100, 200, 300, 650, 700))
	p.wantCounts(5, 2, 2)
	p.want("lateness", &p.l.LatenessS.Max, 0.250)
	if p.Starts[3].Skipped != 2 || !p.Starts[3].Missed || p.Starts[4].Missed {
		t.Errorf("starts %+v", p.Starts)
	}
}

// A body of always 150 ms at a period of 100 ms: every 150 ms, one of three
// releases skipped. A start that meets a release skips it by the newer rule,
// with 50 and 100 ms of lateness in turn, and keeps it by the older, with 100
// and 150 ms.
func TestLoopThatNeverKeepsUp(t *testing.T) {
	for _, c := range []struct {
		rule    sched.SkipRule
		want    []time.Duration
		skipped uint64
	}{
		// Starts at 100, 250, ..., 29950 ms. The last of the 200 serves the release
		// of 29900 by the newer rule: 298 periods, of which 199 were served. By the
		// older it serves that of 29800.
		{sched.SkipNow, inMs(0, 50, 100, 50, 100, 50, 100, 50), 99},
		{sched.KeepNow, inMs(0, 50, 100, 150, 100, 150, 100, 150), 98},
	} {
		rule, want := c.rule, c.want
		s := loopOf(100*ms, 30*time.Second, 150*ms)
		s.Held.Rule, s.Starts = rule, 8
		p := planLoop(t, s)
		var got []time.Duration
		for i, start := range p.Starts {
			got = append(got, start.Lateness())
			if i > 0 && start.Interval != 150*ms {
				t.Errorf("%v: interval %v", rule, start.Interval)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: lateness %v, want %v", rule, got, want)
		}
		p.wantCounts(200, 200, c.skipped)
		if !strings.Contains(p.l.Rule, rule.String()) {
			t.Errorf("rule: %s", p.l.Rule)
		}
	}
}

// ros2_control at 500 Hz with an update of 3.327106 ms skips one period, where
// its log says two; at 100 Hz with 92.398981 ms nine, where it says ten.
func TestLoopOfROS2Control(t *testing.T) {
	for _, c := range []struct {
		hz, update float64
		skipped    uint64
		log        string
	}{{500, 3.327106, 1, "up to 2 missed cycles"}, {100, 92.398981, 9, "up to 10 missed cycles"}} {
		period, err := Period(new(big.Rat).SetFloat64(c.hz))
		if err != nil {
			t.Fatal(err)
		}
		s := loopOf(period, 12*period, inMs(0.1, c.update, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)...)
		s.Pace = ByROS2Control
		p := planLoop(t, s)
		if *p.l.Skipped != c.skipped || *p.l.Missed != 1 || p.l.LatenessS.Max != 0 {
			t.Errorf("%v Hz: %d skipped, %d missed, %v s late", c.hz, *p.l.Skipped, *p.l.Missed, p.l.LatenessS.Max)
		}
		p.wantFinding("log-counts-one-more", "1 overrun", c.log)
	}
}

// Late above 20 % of the period or 5 ms, too late above the period or 50 ms.
func TestLatenessClasses(t *testing.T) {
	for _, c := range []struct {
		period, by time.Duration
		want       latenessClass
	}{
		{10 * ms, 2 * ms, onTime},
		{10 * ms, 2*ms + 1, late},
		{10 * ms, 10 * ms, late},
		{10 * ms, 10*ms + 1, tooLate},
		{25 * ms, 5 * ms, onTime},
		{100 * ms, 5 * ms, onTime},
		{100 * ms, 5*ms + 1, late},
		{100 * ms, 50 * ms, late},
		{100 * ms, 50*ms + 1, tooLate},
		{time.Second, 50*ms + 1, tooLate},
		{10 * ms, -ms, onTime},
	} {
		if got := lateness(c.by, c.period); got != c.want {
			t.Errorf("%v late of a period of %v: class %d, want %d", c.by, c.period, got, c.want)
		}
	}
}

// Bodies of 13 ms at 10 ms: starts at 10, 23, 36, 49, 62, ... that are 0, 3, 6,
// 9 ms late; at 62 the release of 50 is 12 ms late and 60 is skipped; then from
// 70 on it begins again 5 ms late.
func TestLoopCountsTheClasses(t *testing.T) {
	p := planLoop(t, loopOf(10*ms, 70*ms, 13*ms))
	p.wantStarts(inMs(10, 20, 30, 40, 50), inMs(10, 23, 36, 49, 62))
	p.wantFinding("lateness-classes", "3 starts late (over 2 ms) and 1 too late (over 10 ms)")
}

// The first callback does not count, whatever it does.
func TestLoopLeavesTheFirstOut(t *testing.T) {
	s := loopOf(10*ms, 50*ms, inMs(9, 1)...)
	s.Held.KeepFirst = false
	s.Exec = Executions{Times: inMs(0), Every: 100, First: 1, Injected: 15 * ms}
	p := planLoop(t, s)
	p.wantStarts(inMs(10, 20, 30, 40, 50), inMs(10, 25, 30, 40, 50))
	p.wantCounts(4, 0, 0)
	if p.l.Injected != 0 {
		t.Errorf("%d injected", p.l.Injected)
	}
}

// A release at the very end counts, one after it does not; a callback that has
// started then ends.
func TestLoopEnds(t *testing.T) {
	p := planLoop(t, loopOf(10*ms, 30*ms, 4*ms))
	p.wantStarts(inMs(10, 20, 30), inMs(10, 20, 30))
	p.want("execution", &p.l.ExecS.Max, 0.004)
	p = planLoop(t, loopOf(10*ms, 30*ms-1, 4*ms))
	p.wantStarts(inMs(10, 20), inMs(10, 20))
}

func TestLoopInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := NewLoop(ctx, loopOf(time.Microsecond, 10*time.Second, 0))
	if err != nil || !p.Report.Source.Partial || p.Report.Loops[0].Callbacks != 65535 {
		t.Errorf("%v, partial %v, %d callbacks", err, p.Report.Source.Partial, p.Report.Loops[0].Callbacks)
	}
}

func TestLoopRefusals(t *testing.T) {
	far := 60 * 365 * 24 * time.Hour
	for want, change := range map[string]func(*LoopSetup){
		"the period is not known":                 func(s *LoopSetup) { s.Held.Period = 0 },
		"ends before the first release, at 10ms":  func(s *LoopSetup) { s.Length = 9 * ms },
		"holds more than 10000000 callbacks":      func(s *LoopSetup) { s.Held.Period = 1 },
		"nothing says how long a callback takes":  func(s *LoopSetup) { s.Exec = Executions{} },
		"leave out --rtf":                         func(s *LoopSetup) { s.Pace, s.RTF = ByROS2Control, big.NewRat(1, 2) },
		"--rtf 0.000: write a number above zero":  func(s *LoopSetup) { s.RTF = new(big.Rat) },
		"--rtf -1.000: write a number above zero": func(s *LoopSetup) { s.RTF = big.NewRat(-1, 1) },
		"--rtf 0.333: write a number above zero": func(s *LoopSetup) {
			s.RTF, _ = new(big.Rat).SetString("0.33333333333333333333333333333333")
		},
		"longer than 50 years":                   func(s *LoopSetup) { s.Exec.Times = []time.Duration{far} },
		"longer than 50 years on the wall or in": func(s *LoopSetup) { s.RTF = big.NewRat(1, 1e10) },
		"than 50 years on the wall":              func(s *LoopSetup) { s.RTF = big.NewRat(1e18, 1) },
		"50 years":                               func(s *LoopSetup) { s.Held.Period, s.Length = far, far },
	} {
		s := loopOf(10*ms, 5*time.Second, ms)
		change(&s)
		if _, err := NewLoop(context.Background(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestPeriod(t *testing.T) {
	for hz, want := range map[string]time.Duration{"100": 10 * ms, "1000": ms, "0.5": 2 * time.Second, "62.5": 16 * ms, "1000000000": 1} {
		rate, _ := new(big.Rat).SetString(hz)
		if got, err := Period(rate); got != want || err != nil {
			t.Errorf("%s Hz: %v, %v; want %v", hz, got, err, want)
		}
	}
	for hz, want := range map[string]string{"30": "--period 33.333333ms", "3000000000": "from 1 ns", "0.00000000001": "292 years"} {
		rate, _ := new(big.Rat).SetString(hz)
		if got, err := Period(rate); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s Hz: %v, %v; want %q", hz, got, err, want)
		}
	}
}
