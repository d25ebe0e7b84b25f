package plan

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/takt-rt/takt/analysis"
)

// goldenLoops is what the published experiment gives for its loops.
type goldenLoops struct {
	Arithmetic []map[string]float64 `json:"arithmetic"`
	Rules      struct {
		PeriodMs   float64 `json:"period_ms"`
		DeadlineMs float64 `json:"deadline_ms"`
		InjectMs   float64 `json:"inject_ms"`
		Every      uint64  `json:"inject_every"`
		First      uint64  `json:"first_injected_callback"`
		PhaseS     float64 `json:"phase_s"`
		JitterPc   float64 `json:"jitter_percent"`
		BudgetMs   float64 `json:"wall_budget_ms"`
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

func readGoldenLoops(t *testing.T) (g goldenLoops) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	all := struct{ Loop *goldenLoops }{&g}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return g
}

// setup is a phase of the experiment, without the injected delays.
func (g *goldenLoops) setup() LoopSetup {
	r := &g.Rules
	return LoopSetup{
		Held: analysis.LoopOptions{
			Period: inMs(r.PeriodMs)[0], Deadline: inMs(r.DeadlineMs)[0], JitterShare: r.JitterPc / 100, Budget: inMs(r.BudgetMs)[0],
		},
		Exec: Executions{Times: []time.Duration{0}}, Length: inMs(1e3 * r.PhaseS)[0],
	}
}

func (g *goldenLoops) injected() LoopSetup {
	s := g.setup()
	s.Exec.Every, s.Exec.First, s.Exec.Injected = g.Rules.Every, g.Rules.First, inMs(g.Rules.InjectMs)[0]
	return s
}

// The timer of the phase is on the steady clock, or on ROS time that keeps pace with it.
func TestIdealInjectedPhase(t *testing.T) {
	g := readGoldenLoops(t)
	want := g.Ideal
	for name, rtf := range map[string]*big.Rat{"steady": nil, "ros": big.NewRat(1, 1)} {
		t.Run(name, func(t *testing.T) {
			s := g.injected()
			s.RTF = rtf
			p := planLoop(t, s)
			p.wantCounts(want.Callbacks, want.Missed, want.Skipped)
			if p.l.Injected != want.Injected || *p.l.GridPeriods != want.GridPeriods || p.l.Anchored || p.l.TimerClock != name {
				t.Errorf("%d injected, %d grid periods, anchored %v, on %s", p.l.Injected, *p.l.GridPeriods, p.l.Anchored, p.l.TimerClock)
			}
			if got := math.Round(p.l.IntervalS.Mean*1e7) / 1e4; got != want.MeanMs {
				t.Errorf("mean interval %v ms, want %v ms", got, want.MeanMs)
			}
			p.want("shortest interval", &p.l.IntervalS.Min, want.MinMs/1e3)
			p.want("longest interval", &p.l.IntervalS.Max, want.MaxMs/1e3)
			p.want("lateness", &p.l.LatenessS.Max, want.LateMs/1e3)
			p.want("response", &p.l.ResponseS.Max, want.ResponseMs/1e3)
			p.want("injected execution", &p.l.InjectedExecS.Max, g.Rules.InjectMs/1e3)
			p.wantFinding("loop-misses", "20 of 489 callbacks", "10 releases skipped")
		})
	}
}

// item returns the published calculation that has a key.
func (g *goldenLoops) item(t *testing.T, key string) map[string]float64 {
	t.Helper()
	for _, m := range g.Arithmetic {
		if _, ok := m[key]; ok {
			return m
		}
	}
	t.Fatalf("golden.json has no calculation with %s", key)
	return nil
}

func TestPublishedLoopArithmetic(t *testing.T) {
	g := readGoldenLoops(t)
	t.Run("rate to period", func(t *testing.T) {
		m := g.item(t, "rate_hz")
		if got, err := Period(rat(m["rate_hz"])); err != nil || got != inMs(m["period_ms"])[0] {
			t.Errorf("%v, %v, want %v ms", got, err, m["period_ms"])
		}
	})
	t.Run("mean interval and real time factor", func(t *testing.T) {
		m := g.item(t, "mean_interval_ms")
		s := g.setup()
		s.Length, s.RTF, s.Held.KeepFirst = inMs(m["wall_ms"])[0], big.NewRat(1, 1), true
		p := planLoop(t, s)
		if p.l.Callbacks != uint64(m["cycles"]) {
			t.Errorf("%d callbacks", p.l.Callbacks)
		}
		p.want("mean interval", &p.l.IntervalS.Mean, m["mean_interval_ms"]/1e3)
		p.want("real time factor", p.l.RTF, m["rtf"])
	})
	t.Run("overrun", func(t *testing.T) {
		m := g.item(t, "overrun_ms")
		s := g.injected()
		s.Held.Deadline, s.Exec.Injected = inMs(m["deadline_ms"])[0], inMs(m["longest_interval_ms"])[0]
		p := planLoop(t, s)
		p.want("longest interval", &p.l.IntervalS.Max, m["longest_interval_ms"]/1e3)
		p.want("overrun", p.l.MaxMinusDeadlineS, m["overrun_ms"]/1e3)
	})
	t.Run("misses", func(t *testing.T) {
		// Callbacks 1, 401 and 801 take 11 ms: each misses by itself, and the next
		// starts 1 ms late.
		m := g.item(t, "misses")
		s := g.setup()
		s.Length, s.Held.KeepFirst = time.Duration(m["cycles"])*s.Held.Period, true
		s.Exec = Executions{Times: []time.Duration{0}, Every: 400, First: 1, Injected: 11 * ms}
		p := planLoop(t, s)
		p.wantCounts(uint64(m["cycles"]), uint64(m["misses"]), 0)
		if got := 100 * float64(*p.l.Missed) / float64(p.l.Callbacks); math.Abs(got-m["miss_rate_percent"]) > 1e-12 {
			t.Errorf("%v %% missed, want %v %%", got, m["miss_rate_percent"])
		}
	})
	t.Run("wall time per step, and what is to spare", func(t *testing.T) {
		step, budget := g.item(t, "sim_step_ms"), g.item(t, "spare_ms")
		s := g.setup()
		s.Held.Period, s.RTF = inMs(step["sim_step_ms"])[0], rat(step["rtf"])
		s.Held.Budget = inMs(budget["wall_budget_ms"])[0]
		p := planLoop(t, s)
		p.want("wall per step", p.l.WallPerPeriodS, step["wall_per_step_ms"]/1e3)
		p.want("wall per step, mean interval", &p.l.IntervalS.Mean, budget["wall_per_step_ms"]/1e3)
		p.want("spare", p.l.SpareS, budget["spare_ms"]/1e3)
		p.want("real time factor", p.l.RTF, step["rtf"])
		if *p.l.OverBudget != 0 {
			t.Errorf("%d over the budget", *p.l.OverBudget)
		}
	})
}

// What was measured lies around what is planned: the means in the published
// ranges, the extremes within the millisecond that a real thread is late.
func TestPlanAgreesWithTheMeasuredPhases(t *testing.T) {
	text, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Loop struct {
			Measured struct {
				Injected struct {
					MeanMs    float64    `json:"mean_ms"`
					MaxMs     [2]float64 `json:"max_ms"`
					MinMs     [2]float64 `json:"min_ms"`
					LateMs    [2]float64 `json:"max_start_lateness_ms"`
					Callbacks uint64     `json:"callbacks"`
					Missed    uint64     `json:"misses"`
					Skipped   uint64     `json:"skipped"`
				} `json:"wall_injected"`
				Half struct {
					WallMs float64 `json:"wall_mean_ms"`
					SimMs  float64 `json:"sim_mean_ms"`
				} `json:"sim_rtf05"`
			} `json:"measured_ranges"`
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	near := func(what string, gotS, measuredMs float64) {
		t.Helper()
		if math.Abs(1e3*gotS-measuredMs) > 1 {
			t.Errorf("%s: planned %v ms, measured %v ms", what, 1e3*gotS, measuredMs)
		}
	}
	g := readGoldenLoops(t)
	m := all.Loop.Measured.Injected
	p := planLoop(t, g.injected())
	p.wantCounts(m.Callbacks, m.Missed, m.Skipped)
	if got := math.Round(p.l.IntervalS.Mean*1e6) / 1e3; got != m.MeanMs {
		t.Errorf("mean interval %v ms, measured %v ms", got, m.MeanMs)
	}
	near("longest interval", p.l.IntervalS.Max, m.MaxMs[1])
	near("shortest interval", p.l.IntervalS.Min, m.MinMs[0])
	near("lateness", p.l.LatenessS.Max, m.LateMs[1])

	s := g.setup()
	s.RTF = big.NewRat(1, 2)
	p = planLoop(t, s)
	p.want("mean interval on the wall", &p.l.IntervalS.Mean, all.Loop.Measured.Half.WallMs/1e3)
	p.want("mean interval in ROS time", &p.l.IntervalRosS.Mean, all.Loop.Measured.Half.SimMs/1e3)
}
