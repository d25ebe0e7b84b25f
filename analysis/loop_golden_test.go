package analysis

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// golden is what the published experiment gives for its loops.
type golden struct {
	TimerGrid struct {
		Example struct {
			PeriodMs    float64   `json:"period_ms"`
			ExecMs      float64   `json:"exec_ms_of_callback_at_0"`
			StartsMs    []float64 `json:"starts_ms"`
			IntervalsMs []float64 `json:"intervals_ms"`
			Skipped     uint64    `json:"skipped"`
		} `json:"example"`
	} `json:"timer_grid"`
	Rules struct {
		PeriodMs   float64 `json:"period_ms"`
		DeadlineMs float64 `json:"deadline_ms"`
		InjectMs   float64 `json:"inject_ms"`
		Every      int     `json:"inject_every"`
		First      int     `json:"first_injected_callback"`
		PhaseS     float64 `json:"phase_s"`
		JitterPc   float64 `json:"jitter_percent"`
		BudgetMs   float64 `json:"wall_budget_ms"`
		StepMs     float64 `json:"clock_step_ms"`
	} `json:"phase_rules"`
	Ideal struct {
		Callbacks   uint64  `json:"callbacks"`
		GridPeriods uint64  `json:"grid_periods_spanned"`
		Skipped     uint64  `json:"skipped_periods"`
		Missed      uint64  `json:"deadline_misses"`
		Injected    uint64  `json:"injected"`
		MeanMs      float64 `json:"mean_interval_ms"`
		MinMs       float64 `json:"min_interval_ms"`
		MaxMs       float64 `json:"max_interval_ms"`
		LateMs      float64 `json:"max_lateness_ms"`
		ResponseMs  float64 `json:"max_response_ms"`
	} `json:"ideal_injected"`
}

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	text, err := os.ReadFile("../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	all := struct{ Loop *golden }{&g}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return g
}

func millis(x float64) time.Duration { return time.Duration(x * 1e6) }

func (g *golden) options() LoopOptions {
	return LoopOptions{
		Period: millis(g.Rules.PeriodMs), Deadline: millis(g.Rules.DeadlineMs),
		JitterShare: g.Rules.JitterPc / 100, Budget: millis(g.Rules.BudgetMs),
	}
}

// A starter runs an ideal phase by the published rules: it calls run with the
// start of each callback on the timer's clock, its release, and whether it is
// an injected one; run returns when the callback ends on that clock.
func (g *golden) phase(run func(release, start time.Duration, injected bool) (end time.Duration)) {
	period, length := millis(g.Rules.PeriodMs), millis(1e3*g.Rules.PhaseS)
	free := time.Duration(0)
	release := period
	for n := 1; release <= length; n++ {
		start := max(release, free)
		free = run(release, start, n%g.Rules.Every == g.Rules.First)
		for release += period; release <= start; release += period { // what has passed at the start is skipped
		}
	}
}

func TestTimerGrid(t *testing.T) {
	g := readGolden(t).TimerGrid.Example
	o := every(millis(g.PeriodMs))
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	for i, s := range g.StartsMs {
		exec := time.Duration(0)
		if i == 0 {
			exec = millis(g.ExecMs)
		}
		p.job(millis(s), exec)
	}
	l, _ := p.figures()
	p.wantCount("skipped", l.Skipped, g.Skipped)
	var longest, shortest = g.IntervalsMs[0], g.IntervalsMs[0]
	for _, x := range g.IntervalsMs {
		longest, shortest = max(longest, x), min(shortest, x)
	}
	p.want("longest interval", &l.IntervalS.Max, longest/1e3)
	p.want("shortest interval", &l.IntervalS.Min, shortest/1e3)
	p.want("lateness", &l.LatenessS.Max, 0.012)
}

// The timer of the phase is on the steady clock, or on ROS time at a real time
// factor of 1, which moves by 1 ms and stands still while a callback of the
// node runs. Releases are recorded, or not.
func TestIdealInjected(t *testing.T) {
	g := readGolden(t)
	for _, c := range []struct {
		name          string
		ros, recorded bool
	}{{"steady", false, false}, {"steady, recorded", false, true}, {"ros", true, false}, {"ros, recorded", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Loop: g.options()}
			o.Loop.OnROS = c.ros
			p := newLoopTape(t, o, timeline.Entity{})
			g.phase(func(release, start time.Duration, injected bool) time.Duration {
				exec := time.Duration(0)
				if injected {
					exec = millis(g.Rules.InjectMs)
				}
				if c.recorded {
					p.released(release)
				}
				if c.ros {
					p.jobROS(start, exec, start, start)
				} else {
					p.job(start, exec)
				}
				if injected {
					p.mark(p.number)
				}
				return start + exec
			})
			l, found := p.figures()
			g.wantIdeal(p, l)
			if l.Anchored == c.recorded {
				t.Errorf("anchored: %v", l.Anchored)
			}
			p.wantFinding(found, "loop-misses")
			if c.ros {
				p.want("injected, in ROS time", &l.InjectedExecRosS.Max, 0)
				p.want("real time factor", l.RTF, 1)
				p.wantFinding(found, "ros-time-stood-still")
			}
		})
	}
}

func (g *golden) wantIdeal(p *loopTape, l *Loop) {
	p.t.Helper()
	want := g.Ideal
	p.wantCount("callbacks", &l.Callbacks, want.Callbacks)
	p.wantCount("grid periods", l.GridPeriods, want.GridPeriods)
	p.wantCount("skipped", l.Skipped, want.Skipped)
	p.wantCount("missed", l.Missed, want.Missed)
	p.wantCount("violations", l.Violations, want.Missed+want.Skipped)
	p.wantCount("injected", &l.Injected, want.Injected)
	p.want("mean interval", &l.IntervalS.Mean, 4.980/488) // 10.2049 ms
	p.want("shortest interval", &l.IntervalS.Min, want.MinMs/1e3)
	p.want("longest interval", &l.IntervalS.Max, want.MaxMs/1e3)
	p.want("lateness", &l.LatenessS.Max, want.LateMs/1e3)
	p.want("response", &l.ResponseS.Max, want.ResponseMs/1e3)
	p.want("injected execution", &l.InjectedExecS.Min, g.Rules.InjectMs/1e3)
	p.want("longest interval less deadline", l.MaxMinusDeadlineS, 0.012)
	p.wantCount("over period", l.OverPeriod, want.Injected)
	p.wantCount("over period and jitter", l.OverPeriodPlusJitter, want.Injected)
	p.want("jitter", l.JitterS, 0.0005)
	p.wantCount("over budget", l.OverBudget, 0)
}

// Case: sim at half pace. 10 ms take 20 ms on the wall; 25 ms leave 5 ms.
func TestHalfPace(t *testing.T) {
	g := readGolden(t)
	o := Options{Loop: g.options()}
	o.Loop.OnROS = true
	p := newLoopTape(t, o, timeline.Entity{})
	g.phase(func(release, start time.Duration, injected bool) time.Duration {
		p.jobROS(2*start, 0, start, start)
		return start
	})
	l, found := p.figures()
	p.want("real time factor", l.RTF, 0.5)
	p.want("wall per period", l.WallPerPeriodS, 0.020)
	p.want("spare", l.SpareS, 0.005)
	p.want("mean interval", &l.IntervalS.Mean, 0.020)
	p.want("mean interval in ROS time", &l.IntervalRosS.Mean, 0.010)
	p.wantCount("over budget", l.OverBudget, 0)
	p.wantCount("missed", l.Missed, 0)
	p.wantCount("skipped", l.Skipped, 0)
	p.wantCount("wall intervals over the period", l.OverPeriod, 498)
	if len(found) > 0 {
		t.Errorf("findings %q on a clean loop", found)
	}
}

// Bodies of 10, 10, 350, 10, 10 ms at 100 ms: starts at 100, 200, 300, 650,
// 700 ms; the release of 400 starts 250 ms late; 500 and 600 are skipped.
func TestLongBody(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		o := every(100 * ms)
		o.Loop.KeepFirst = true
		p := newLoopTape(t, o, timeline.Entity{})
		for _, j := range [][3]time.Duration{{100, 100, 10}, {200, 200, 10}, {300, 300, 350}, {400, 650, 10}, {700, 700, 10}} {
			if recorded {
				p.released(j[0] * ms)
			}
			p.job(j[1]*ms, j[2]*ms)
		}
		l, _ := p.figures()
		p.wantCount("skipped", l.Skipped, 2)
		p.wantCount("missed", l.Missed, 2)
		p.wantCount("violations", l.Violations, 4)
		p.wantCount("grid periods", l.GridPeriods, 6)
		p.want("lateness", &l.LatenessS.Max, 0.250)
		p.want("response", &l.ResponseS.Max, 0.350)
	}
}

// A body of always 150 ms at 100 ms: one of three releases skipped, and
// lateness of 50 and 100 ms in turn. Where grid and start coincide the older
// rule keeps the release.
func TestOverloadedUnderBothRules(t *testing.T) {
	for _, c := range []struct {
		rule    sched.SkipRule
		skipped uint64
		mean    float64 // lateness, the first being 0
	}{
		// Starts 0 150 300 450 600 750 900; releases 0 100 200 400 500 700 800:
		// 300 is skipped at 300, and so on; lateness 0 50 100 50 100 50 100.
		{sched.SkipNow, 2, 450.0 / 7},
		// Releases 0 100 200 300 500 600 800: at 300 that of 300 is kept and served
		// at 450, when 400 has passed; lateness 0 50 100 150 100 150 100.
		{sched.KeepNow, 2, 650.0 / 7},
	} {
		o := every(100 * ms)
		o.Loop.KeepFirst, o.Loop.Rule = true, c.rule
		p := newLoopTape(t, o, timeline.Entity{})
		for i := range 7 {
			p.job(time.Duration(i)*150*ms, 150*ms)
		}
		l, _ := p.figures()
		p.wantCount("skipped", l.Skipped, c.skipped)
		p.want("lateness", &l.LatenessS.Mean, c.mean/1e3)
	}
}

// 25 ms at a deadline of 10 ms is 15 ms over; 3 of 1000 missed.
func TestArithmetic(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	at := time.Duration(0)
	for i := range 1001 {
		exec := time.Duration(0)
		if i < 3 {
			exec = 11 * ms
		}
		p.released(at)
		p.job(at, exec)
		at += 10 * ms
	}
	l, _ := p.figures()
	p.want("mean interval", &l.IntervalS.Mean, 0.010)
	p.wantCount("missed", l.Missed, 3)
	p.wantCount("skipped", l.Skipped, 0)

	p = newLoopTape(t, o, timeline.Entity{})
	p.job(0, 0)
	p.job(25*ms, 0)
	l, _ = p.figures()
	if got := *l.MaxMinusDeadlineS; got != 0.015 {
		t.Errorf("longest interval less deadline %v s, want 0.015 s", got)
	}
}
