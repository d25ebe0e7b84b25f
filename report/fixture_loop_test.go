package report

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// An experiment has the figures of the published experiment.
type experiment struct {
	Loop struct {
		Ideal struct {
			Callbacks   uint64  `json:"callbacks"`
			GridPeriods uint64  `json:"grid_periods_spanned"`
			Skipped     uint64  `json:"skipped_periods"`
			Missed      uint64  `json:"deadline_misses"`
			Injected    uint64  `json:"injected"`
			MeanMs      float64 `json:"mean_interval_ms"`
			MinMs       float64 `json:"min_interval_ms"`
			MaxMs       float64 `json:"max_interval_ms"`
			LatenessMs  float64 `json:"max_lateness_ms"`
			ResponseMs  float64 `json:"max_response_ms"`
		} `json:"ideal_injected"`
	} `json:"loop"`
	Tutorial struct {
		PeriodUs  float64 `json:"period_us"`
		Percent   float64 `json:"allowed_latency_percent"`
		AllowedUs float64 `json:"allowed_us"`
		MeanNs    float64 `json:"mean_ns"`
		MaxNs     float64 `json:"max_ns"`
	} `json:"deadline_tutorial"`
}

func readExperiment(t testing.TB) experiment {
	t.Helper()
	var p experiment
	if err := json.Unmarshal(readFile(t, "../testdata/seeds/golden.json"), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// spread is a series of n values between two bounds, most of them at the lower
// one; how they lie between matters to nothing here.
func spread(n uint64, least, mean, most, maxAt float64) *analysis.Series {
	return &analysis.Series{
		Count: n, Mean: mean, Stddev: (most - least) / 10, Min: least, P50: mean, P95: mean, P99: most, Max: most,
		MaxAtS: maxAt, P50CI: [2]float64{mean, mean}, P99CI: [2]float64{mean, most},
	}
}

// injected is the published loop of 10 ms of which every 50th callback takes
// 22 ms, on a timer that follows ROS time at a real time factor of 1. ROS time
// stands still while a callback runs.
func injected(t testing.TB) *analysis.Loop {
	i := readExperiment(t).Loop.Ideal
	const ms = 1e-3
	return &analysis.Loop{
		Name: "loop", TimerClock: "ros", PeriodS: ptr(10 * ms), DeadlineS: ptr(10 * ms), Anchored: true,
		Rule: "missed: mixed response (start lateness in ROS time, to the clock's tick, 1 ms, + execution on the monotonic clock) over the deadline; " +
			"skipped: releases at or before now are skipped",
		Callbacks: i.Callbacks, FirstAtS: ptr(10 * ms), GridPeriods: &i.GridPeriods, Skipped: &i.Skipped, Missed: &i.Missed,
		Violations: ptr(i.Missed + i.Skipped), Injected: i.Injected,
		IntervalS:    spread(i.Callbacks-1, i.MinMs*ms, i.MeanMs*ms, i.MaxMs*ms, 0.25),
		IntervalRosS: spread(i.Callbacks-1, i.MinMs*ms, i.MeanMs*ms, i.MaxMs*ms, 0.25),
		// Ten callbacks of 489 start 12 ms late, and ten take 22 ms.
		LatenessS: spread(i.Callbacks, 0, 10*i.LatenessMs*ms/float64(i.Callbacks), i.LatenessMs*ms, 0.272),
		ResponseS: spread(i.Callbacks, 0, 10*(i.ResponseMs+i.LatenessMs)*ms/float64(i.Callbacks), i.ResponseMs*ms, 0.25),
		ExecS:     spread(i.Callbacks, 0, 10*22*ms/float64(i.Callbacks), 22*ms, 0.25), ExecRosS: spread(i.Callbacks, 0, 0, 0, 0),
		InjectedExecS: spread(i.Injected, 22*ms, 22*ms, 22*ms, 0.25), InjectedExecRosS: spread(i.Injected, 0, 0, 0, 0),
		MaxMinusDeadlineS: ptr((i.MaxMs - 10) * ms), OverPeriod: ptr(uint64(10)), OverPeriodPlusJitter: ptr(uint64(10)), JitterS: ptr(0.5 * ms),
		OverBudget: ptr(uint64(0)), BudgetS: ptr(25 * ms), RTF: ptr(1.0), WallPerPeriodS: ptr(10 * ms), SpareS: ptr(15 * ms),
	}
}

// baseline is the same loop without the slow callbacks, on the steady clock.
func baseline() *analysis.Loop {
	const ms = 1e-3
	none := func() *uint64 { return new(uint64) }
	return &analysis.Loop{
		Name: "loop", TimerClock: "steady", PeriodS: ptr(10 * ms), DeadlineS: ptr(10 * ms),
		Rule:      "missed: response (start lateness on the steady clock + execution) over the deadline; skipped: releases at or before now are skipped",
		Callbacks: 499, FirstAtS: ptr(10 * ms), GridPeriods: ptr(uint64(498)), Skipped: none(), Missed: none(), Violations: none(),
		IntervalS: spread(498, 9.9*ms, 10*ms, 10.079*ms, 1.2), LatenessS: spread(499, 0.003*ms, 0.05*ms, 0.112*ms, 1.2),
		ResponseS: spread(499, 0.01*ms, 0.06*ms, 0.2*ms, 1.2), ExecS: spread(499, 0.005*ms, 0.01*ms, 0.1*ms, 2),
		MaxMinusDeadlineS: ptr(0.079 * ms), OverPeriod: ptr(uint64(245)), OverPeriodPlusJitter: none(), JitterS: ptr(0.5 * ms),
	}
}

// ofLoops makes a report of loops that ran for 5 s.
func ofLoops(sys *model.System, loops ...*analysis.Loop) *Report {
	const start = int64(86_400 * time.Second)
	f := &analysis.Figures{Axis: "mono", StartNS: start, EndNS: start + int64(4990*time.Millisecond), SpanS: 4.99, Loops: loops}
	return New(timeline.Origin{Kind: "rows-csv", Path: "loop.csv"}, timeline.Outcome{}, f, nil, sys)
}

func ofFigures(f *analysis.Figures) *Report {
	return New(timeline.Origin{}, timeline.Outcome{}, f, nil, nil)
}

// loopPromises are contracts that the published loop keeps, breaks and leaves open.
func loopPromises() *model.System {
	return &model.System{File: "takt.yaml", Loops: []model.LoopContract{
		{Name: "loop", Line: 3, Kind: model.Hard, Period: ms(10), OnROS: true, Deadline: ms(10), MaxLatenessShare: 0.05, Jitter: ms(15), Budget: ms(25)},
		{Name: "planner", Line: 10, Kind: model.Hard, Deadline: ms(100)},
	}}
}

// clockBeside is a clock of simulated time at a real time factor of 1.
func clockBeside(r *Report) *Report {
	r.Clock = &analysis.Clock{Topic: "/clock", ReadAt: "recorder", RTF: ptr(1.0), SpanSimS: 5, SpanWallS: 5, Ticks: 5000}
	return r
}

// manyLoops are loops of different troubles.
func manyLoops(t testing.TB) []*analysis.Loop {
	worst, calm, unknown, never := injected(t), baseline(), baseline(), &analysis.Loop{Name: "never", TimerClock: "steady"}
	worst.Name, calm.Name, unknown.Name = "controller_manager/update", "imu_driver/poll", "planner/replan"
	unknown.PeriodS, unknown.DeadlineS, unknown.GridPeriods, unknown.Skipped, unknown.Missed, unknown.Violations = nil, nil, nil, nil, nil, nil
	unknown.LatenessS, unknown.ResponseS, unknown.OverPeriod, unknown.OverPeriodPlusJitter, unknown.JitterS, unknown.Rule = nil, nil, nil, nil, nil, ""
	unknown.MaxMinusDeadlineS = nil
	return []*analysis.Loop{worst, calm, unknown, never}
}
