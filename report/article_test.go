package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
)

// published is what the experiment's script printed of its phase
// sim_rtf1_injected in run 2, without what only the script knows: of the
// /clock publisher, of the container, and how it injected delays.
const published = `{"phase": "sim_rtf1_injected", "timer_clock": "ros_time(use_sim_time)", "period_ms": 10.0, ` +
	`"callbacks": 489, "grid_periods_spanned": 498, "skipped_periods": 10, "injected": 10, ` +
	`"interval_wall_ms": {"mean": 10.205, "min": 6.945, "p99": 22.804, "max": 23.087}, "max_wall_interval_at_s": 3.313, ` +
	`"interval_timer_clock_ms": {"mean": 10.205, "max": 22.0}, "start_lateness_ms": {"mean": 0.247, "max": 12.0}, ` +
	`"response_ms_max": 22.108, "deadline_ms": 10.0, "deadline_misses": 20, "wall_intervals_over_period": 230, ` +
	`"wall_intervals_over_period_plus_jitter": 12, "jitter_tolerance_ms": 0.5, "max_wall_interval_minus_deadline_ms": 13.087, ` +
	`"wall_intervals_over_budget": 0, "wall_budget_ms": 25.0, "exec_timer_clock_ms_max_injected": 0.0, ` +
	`"exec_wall_ms_max_injected": 22.108, "rtf_seen_by_control_node": 1.0}` + "\n"

// publishedLoop is the same phase as a loop: in seconds, and with digits that
// the script's rounding hides.
func publishedLoop() *analysis.Loop {
	return &analysis.Loop{
		Name: "sim_rtf1_injected", TimerClock: "ros", PeriodS: new(0.01), DeadlineS: new(0.01),
		Callbacks: 489, FirstAtS: new(0.010123456), GridPeriods: new(uint64(498)), Skipped: new(uint64(10)), Missed: new(uint64(20)), Violations: new(uint64(30)), Injected: 10,
		// The longest interval began 3.289812345 s after the first kept start.
		IntervalS:         &analysis.Series{Count: 488, Mean: 4.98004 / 488, Min: 0.006945123, P99: 0.022804499, Max: 0.023087321, MaxAtS: 0.010123456 + 3.289812345},
		IntervalRosS:      &analysis.Series{Count: 488, Mean: 4.98 / 488, Max: 0.022},
		LatenessS:         &analysis.Series{Count: 489, Mean: 0.121 / 489, Max: 0.012},
		ResponseS:         &analysis.Series{Count: 489, Max: 0.022107654},
		ExecS:             &analysis.Series{Count: 489, Max: 0.022107654},
		InjectedExecS:     &analysis.Series{Count: 10, Max: 0.022107654},
		InjectedExecRosS:  &analysis.Series{Count: 10, Max: 0},
		MaxMinusDeadlineS: new(0.013087321), OverPeriod: new(uint64(230)), OverPeriodPlusJitter: new(uint64(12)), JitterS: new(0.0005),
		OverBudget: new(uint64(0)), BudgetS: new(0.025), RTF: new(0.99996),
	}
}

func TestArticleIsWhatTheScriptPrinted(t *testing.T) {
	var b bytes.Buffer
	if err := Article(&b, []*analysis.Loop{publishedLoop()}); err != nil {
		t.Fatal(err)
	}
	if b.String() != published {
		t.Errorf("got\n%swant\n%s", b.String(), published)
	}
}

// What is not known is null, never zero.
func TestArticleOfAnUnknownLoop(t *testing.T) {
	var b bytes.Buffer
	if err := Article(&b, []*analysis.Loop{{Name: "a \"b\"", TimerClock: "steady", Callbacks: 1}, publishedLoop()}); err != nil {
		t.Fatal(err)
	}
	line, rest, _ := strings.Cut(b.String(), "\n")
	for _, want := range []string{
		`{"phase": "a \"b\"", "timer_clock": "steady", "period_ms": null, "callbacks": 1, "grid_periods_spanned": null`,
		`"interval_wall_ms": null, "max_wall_interval_at_s": null`,
		`"deadline_misses": null`,
		`"exec_wall_ms_max_injected": null}`,
	} {
		if !strings.Contains(line, want) {
			t.Errorf("%s\nhas no %s", line, want)
		}
	}
	if rest != published {
		t.Errorf("the second line is %s", rest)
	}
}

// Python's round and repr, of numbers about a half and whole ones.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{{10, "10.0"}, {0, "0.0"}, {0.5, "0.5"}, {22.1075, "22.108"}, {2.0005, "2.001"}, {1.0005, "1.0"}, {0.0625, "0.062"}, {100, "100.0"}, {-1.25, "-1.25"}} {
		if got := rounded(c.x, 3).String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.x, got, c.want)
		}
	}
}
