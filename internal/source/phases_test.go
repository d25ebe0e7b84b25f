package source_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source"
	"github.com/takt-rt/takt/report"
)

const ms = time.Millisecond

// A phase is one of the published experiment's: what its script would have
// recorded had nothing disturbed it.
type phase struct {
	name     string
	sim      bool          // the timer follows /clock, else the steady clock
	step     time.Duration // that 1 ms of the timer's clock takes
	injected bool          // 22 ms in callbacks 25, 75, 125, ...
}

var phases = []phase{
	{"wall_baseline", false, ms, false},
	{"wall_injected", false, ms, true},
	{"sim_rtf1", true, ms, false},
	{"sim_rtf1_injected", true, ms, true},
	{"sim_rtf05", true, 2 * ms, false},
}

// A phaseRow is a recorder's row.
type phaseRow struct {
	startMono, startROS, endMono, endROS time.Duration
	mark                                 bool
}

// rows runs the phase for 5 s: a 10 ms timer whose first release is one period
// after the start. A start that a callback held up comes at that one's end, and
// releases at or before it are skipped. The published script starts /clock at
// 1 s. An rclpy node reads no tick while its callback runs, so its ROS time
// stands still; its steady clock does not.
func (p *phase) rows() (rows []phaseRow) {
	const boot, simStart = 5000 * time.Second, time.Second
	origin := boot // of the timer's clock
	if p.sim {
		origin = simStart
	}
	free := time.Duration(0) // of the callback before
	for release := 10 * ms; release*p.step/ms <= 5*time.Second; {
		start := max(release*p.step/ms, free)
		r := phaseRow{startMono: boot + start, startROS: origin + start*ms/p.step}
		if p.injected && (len(rows)+1)%50 == 25 {
			r.mark = true
			free = start + 22*ms
		} else {
			free = start
		}
		r.endMono, r.endROS = boot+free, r.startROS
		if !p.sim {
			r.endROS = origin + free
		}
		rows = append(rows, r)
		for release += 10 * ms; release*p.step/ms <= start; release += 10 * ms {
		}
	}
	return rows
}

func (p *phase) csv() string {
	var b strings.Builder
	for _, r := range p.rows() {
		mark := "False"
		if r.mark {
			mark = "True"
		}
		fmt.Fprintf(&b, "%d,%d,%d,%d,%s\n", r.startMono, r.startROS, r.endMono, r.endROS, mark)
	}
	return b.String()
}

func (p *phase) jsonl() string {
	var b strings.Builder
	for _, r := range p.rows() {
		fmt.Fprintf(&b, `{"start_mono_ns": %d, "start_ros_ns": %d, "end_mono_ns": %d, "end_ros_ns": %d, "mark": %v}`+"\n",
			r.startMono, r.startROS, r.endMono, r.endROS, r.mark)
	}
	return b.String()
}

func (p *phase) loop() analysis.LoopOptions {
	return analysis.LoopOptions{Period: 10 * ms, Deadline: 10 * ms, Budget: 25 * ms, OnROS: p.sim}
}

// What the script would have printed of the ideal, worked out by hand. With the
// injection: 500 releases less 10 skipped are 490 callbacks, the first left
// out; 488 intervals, of which 10 are 22 ms, 10 are 8 ms and 468 are 10 ms,
// together 4980 ms; p99 is the one of rank round(0.99 x 487) = 482, among the
// longest; 10 callbacks are 12 ms late, 120 ms over 489. The 25th callback, due
// at 250 ms, delays the next to 272 ms: 252 ms after the first kept, at 20 ms.
// At half pace 5 s have 250 releases.
var ideal = map[string]string{
	"wall_baseline": `{"phase": "wall_baseline", "timer_clock": "steady", "period_ms": 10.0, "callbacks": 499, "grid_periods_spanned": 498, "skipped_periods": 0, "injected": 0, ` +
		`"interval_wall_ms": {"mean": 10.0, "min": 10.0, "p99": 10.0, "max": 10.0}, "max_wall_interval_at_s": 0.01, "interval_timer_clock_ms": {"mean": 10.0, "max": 10.0}, ` +
		`"start_lateness_ms": {"mean": 0.0, "max": 0.0}, "response_ms_max": 0.0, "deadline_ms": 10.0, "deadline_misses": 0, ` +
		`"wall_intervals_over_period": 0, "wall_intervals_over_period_plus_jitter": 0, "jitter_tolerance_ms": 0.5, "max_wall_interval_minus_deadline_ms": 0.0, ` +
		`"wall_intervals_over_budget": 0, "wall_budget_ms": 25.0, "exec_timer_clock_ms_max_injected": null, "exec_wall_ms_max_injected": null}`,
	"wall_injected": `{"phase": "wall_injected", "timer_clock": "steady", "period_ms": 10.0, "callbacks": 489, "grid_periods_spanned": 498, "skipped_periods": 10, "injected": 10, ` +
		`"interval_wall_ms": {"mean": 10.205, "min": 8.0, "p99": 22.0, "max": 22.0}, "max_wall_interval_at_s": 0.252, "interval_timer_clock_ms": {"mean": 10.205, "max": 22.0}, ` +
		`"start_lateness_ms": {"mean": 0.245, "max": 12.0}, "response_ms_max": 22.0, "deadline_ms": 10.0, "deadline_misses": 20, ` +
		`"wall_intervals_over_period": 10, "wall_intervals_over_period_plus_jitter": 10, "jitter_tolerance_ms": 0.5, "max_wall_interval_minus_deadline_ms": 12.0, ` +
		`"wall_intervals_over_budget": 0, "wall_budget_ms": 25.0, "exec_timer_clock_ms_max_injected": 22.0, "exec_wall_ms_max_injected": 22.0}`,
	"sim_rtf1": `{"phase": "sim_rtf1", "timer_clock": "ros_time(use_sim_time)", "period_ms": 10.0, "callbacks": 499, "grid_periods_spanned": 498, "skipped_periods": 0, "injected": 0, ` +
		`"interval_wall_ms": {"mean": 10.0, "min": 10.0, "p99": 10.0, "max": 10.0}, "max_wall_interval_at_s": 0.01, "interval_timer_clock_ms": {"mean": 10.0, "max": 10.0}, ` +
		`"start_lateness_ms": {"mean": 0.0, "max": 0.0}, "response_ms_max": 0.0, "deadline_ms": 10.0, "deadline_misses": 0, ` +
		`"wall_intervals_over_period": 0, "wall_intervals_over_period_plus_jitter": 0, "jitter_tolerance_ms": 0.5, "max_wall_interval_minus_deadline_ms": 0.0, ` +
		`"wall_intervals_over_budget": 0, "wall_budget_ms": 25.0, "exec_timer_clock_ms_max_injected": null, "exec_wall_ms_max_injected": null, "rtf_seen_by_control_node": 1.0}`,
	"sim_rtf1_injected": `{"phase": "sim_rtf1_injected", "timer_clock": "ros_time(use_sim_time)", "period_ms": 10.0, "callbacks": 489, "grid_periods_spanned": 498, "skipped_periods": 10, "injected": 10, ` +
		`"interval_wall_ms": {"mean": 10.205, "min": 8.0, "p99": 22.0, "max": 22.0}, "max_wall_interval_at_s": 0.252, "interval_timer_clock_ms": {"mean": 10.205, "max": 22.0}, ` +
		`"start_lateness_ms": {"mean": 0.245, "max": 12.0}, "response_ms_max": 22.0, "deadline_ms": 10.0, "deadline_misses": 20, ` +
		`"wall_intervals_over_period": 10, "wall_intervals_over_period_plus_jitter": 10, "jitter_tolerance_ms": 0.5, "max_wall_interval_minus_deadline_ms": 12.0, ` +
		`"wall_intervals_over_budget": 0, "wall_budget_ms": 25.0, "exec_timer_clock_ms_max_injected": 0.0, "exec_wall_ms_max_injected": 22.0, "rtf_seen_by_control_node": 1.0}`,
	"sim_rtf05": `{"phase": "sim_rtf05", "timer_clock": "ros_time(use_sim_time)", "period_ms": 10.0, "callbacks": 249, "grid_periods_spanned": 248, "skipped_periods": 0, "injected": 0, ` +
		`"interval_wall_ms": {"mean": 20.0, "min": 20.0, "p99": 20.0, "max": 20.0}, "max_wall_interval_at_s": 0.02, "interval_timer_clock_ms": {"mean": 10.0, "max": 10.0}, ` +
		`"start_lateness_ms": {"mean": 0.0, "max": 0.0}, "response_ms_max": 0.0, "deadline_ms": 10.0, "deadline_misses": 0, ` +
		`"wall_intervals_over_period": 248, "wall_intervals_over_period_plus_jitter": 248, "jitter_tolerance_ms": 0.5, "max_wall_interval_minus_deadline_ms": 10.0, ` +
		`"wall_intervals_over_budget": 0, "wall_budget_ms": 25.0, "exec_timer_clock_ms_max_injected": null, "exec_wall_ms_max_injected": null, "rtf_seen_by_control_node": 0.5}`,
}

// The published phases, as rows of either kind, give the published analysis.
func TestPublishedPhases(t *testing.T) {
	for _, p := range phases {
		for name, text := range map[string]string{p.name + ".csv": p.csv(), p.name + ".jsonl": p.jsonl()} {
			t.Run(name, func(t *testing.T) {
				f := analyzeRows(t, name, text, analysis.Options{Loop: p.loop(), NearestRank: true})
				var b strings.Builder
				if err := report.Article(&b, f.Loops); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.Split(ideal[p.name], ", "), strings.Split(strings.TrimSpace(b.String()), ", ")); diff != "" {
					t.Error(diff)
				}
				if !json.Valid([]byte(b.String())) {
					t.Error("not JSON")
				}
			})
		}
	}
}

// Phases in one file, one after the other, are told apart by name and each held
// against its own options.
func TestPublishedPhasesInOneFile(t *testing.T) {
	text := "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark,name\n"
	opt := analysis.Options{Loops: map[string]analysis.LoopOptions{}, NearestRank: true}
	want := ""
	for _, p := range phases { // by name they come in another order
		text += strings.ReplaceAll(p.csv(), "\n", ","+p.name+"\n")
		opt.Loops[p.name] = p.loop()
	}
	for _, name := range []string{"sim_rtf05", "sim_rtf1", "sim_rtf1_injected", "wall_baseline", "wall_injected"} {
		want += ideal[name] + "\n"
	}
	var b strings.Builder
	if err := report.Article(&b, analyzeRows(t, "all.csv", text, opt).Loops); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// The golden values, as they were worked out beside the articles.
func TestGoldenPhase(t *testing.T) {
	data, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Loop struct {
			Ideal struct {
				Callbacks    uint64  `json:"callbacks"`
				GridPeriods  uint64  `json:"grid_periods_spanned"`
				Skipped      uint64  `json:"skipped_periods"`
				Missed       uint64  `json:"deadline_misses"`
				Injected     uint64  `json:"injected"`
				MeanInterval float64 `json:"mean_interval_ms"`
				MinInterval  float64 `json:"min_interval_ms"`
				MaxInterval  float64 `json:"max_interval_ms"`
				MaxLateness  float64 `json:"max_lateness_ms"`
				MaxResponse  float64 `json:"max_response_ms"`
			} `json:"ideal_injected"`
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	for _, p := range phases {
		if !p.injected {
			continue
		}
		l := analyzeRows(t, "loop.csv", p.csv(), analysis.Options{Loop: p.loop()}).Loops[0]
		got := golden.Loop.Ideal
		got.Callbacks, got.GridPeriods, got.Skipped, got.Missed, got.Injected = l.Callbacks, *l.GridPeriods, *l.Skipped, *l.Missed, l.Injected
		got.MeanInterval = float64(int(l.IntervalS.Mean*1e7+0.5)) / 1e4
		got.MinInterval, got.MaxInterval = l.IntervalS.Min*1e3, l.IntervalS.Max*1e3
		got.MaxLateness, got.MaxResponse = l.LatenessS.Max*1e3, l.ResponseS.Max*1e3
		if diff := cmp.Diff(golden.Loop.Ideal, got); diff != "" {
			t.Errorf("%s: %s", p.name, diff)
		}
		if *l.Violations != 30 {
			t.Errorf("%s: %d violations", p.name, *l.Violations)
		}
	}
}

// The example that the docs speak of is one of the phases.
func TestExampleIsAPhase(t *testing.T) {
	got, err := os.ReadFile("../../testdata/examples/loop.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark\n" + phases[3].csv()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("go generate ./internal/synth/examples writes it: %s", diff)
	}
}

func analyzeRows(t *testing.T, name, text string, opt analysis.Options) *analysis.Figures {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := source.Open(path, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := analysis.New(opt)
	o, err := s.Run(context.Background(), a)
	if err != nil || o.Partial || len(o.Findings) > 0 {
		t.Fatalf("%+v, %v", o, err)
	}
	f, _ := a.Figures()
	return f
}
