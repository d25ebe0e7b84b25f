package compile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim/compile"
)

// examples are the system files of the folder examples, with the case of
// testdata/scenarios whose expected values each has.
var examples = map[string]string{
	"s01/takt.yaml":                    "levels",
	"s01/one-level.yaml":               "one_level",
	"s01/no-priorities.yaml":           "levels_default_policy",
	"s01/full.yaml":                    "full_three_levels",
	"s01/full-one-level.yaml":          "full_one_level",
	"s02/takt.yaml":                    "10Hz",
	"s02/30hz.yaml":                    "30Hz_sink_first",
	"s02/30hz-greedy.yaml":             "30Hz_greedy",
	"s03/takt.yaml":                    "levels",
	"s03/one-level.yaml":               "one_level",
	"s04/takt.yaml":                    "as_written_two_cpus_dnn_100",
	"s04/two-cpus-alternating.yaml":    "as_written_two_cpus_dnn_50_100",
	"s04/three-cpus.yaml":              "as_written_three_cpus",
	"s04/scaled.yaml":                  "scaled_levels",
	"s04/scaled-one-level.yaml":        "scaled_one_level",
	"s05/takt.yaml":                    "in_phase",
	"s05/uart-just-after-control.yaml": "uart_just_after_control",
	"s05/third.yaml":                   "third",
	"s06/takt.yaml":                    "all_of",
	"s06/any.yaml":                     "any_of",
	"s06/context.yaml":                 "context_all_of",
	"s07/takt.yaml":                    "depth_10",
	"s07/depth-1.yaml":                 "depth_1",
	"s07/events.yaml":                  "events_executor",
	"s08/takt.yaml":                    "steps",
	"s08/synchronous.yaml":             "synchronous",
	"s09/takt.yaml":                    "latched",
	"s09/greedy.yaml":                  "greedy",
	"s09/ping-pong-greedy.yaml":        "ping_pong_greedy",
	"s09/ping-pong-capped.yaml":        "ping_pong_greedy_cap_10",
	"s10/takt.yaml":                    "inherit",
	"s10/plain-lock.yaml":              "none",
	"s11/takt.yaml":                    "in_phase",
	"s11/shifted.yaml":                 "shifted",
	"s12/takt.yaml":                    "budget_and_spin_period",
	"s12/free-running.yaml":            "free_running",
	"s12/spin-period-only.yaml":        "spin_period",
}

// exampleCase is what an example is held against: see testdata/scenarios/README.md.
type exampleCase struct {
	Name   string
	System struct {
		Duration clock.Mono `json:"duration_ns"`
	}
	Expected exampleFigures
}

type exampleFigures struct {
	Callbacks map[string]exampleCallback
	Threads   map[string]struct{ Cycles int64 }
	Sequence  string `json:"sequence_sha256"`
}

type exampleCallback struct {
	Released, Started, Finished int64
	Missed, Skipped, Lost       int64
	MaxResponse                 time.Duration `json:"max_response_ns"`
	MaxStartLateness            time.Duration `json:"max_start_lateness_ns"`
	MaxEndToEnd                 time.Duration `json:"max_end_to_end_ns"`
}

// Every file of examples, read and compiled, gives the counts, the worst times
// and, by its hash, the whole sequence of jobs of its case.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/s*/*.yaml")
	if err != nil || len(files) != len(examples) {
		t.Fatalf("%d files, %d of them known: %v", len(files), len(examples), err)
	}
	for file, name := range examples {
		t.Run(strings.TrimSuffix(file, ".yaml"), func(t *testing.T) {
			want := loadCase(t, file[:3], name)
			system, err := model.Load("../../examples/" + file)
			if err != nil {
				t.Fatal(err)
			}
			built, err := compile.Compile(system, compile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := runExample(t, built.System, want.System.Duration, file[:3] == "s11")
			if diff := cmp.Diff(want.Expected.Callbacks, got.callbacks); diff != "" {
				t.Errorf("expected (-), got (+):\n%s", diff)
			}
			var cycles []int64
			for _, thread := range want.Expected.Threads {
				cycles = append(cycles, thread.Cycles)
			}
			slices.Sort(cycles)
			slices.Sort(got.cycles)
			if !slices.Equal(cycles, got.cycles) {
				t.Errorf("cycles %v, want %v", got.cycles, cycles)
			}
			if hash := got.sequence(); hash != want.Expected.Sequence {
				t.Errorf("the sequence of jobs has the hash %s, want %s", hash, want.Expected.Sequence)
			}
		})
	}
}

func loadCase(t *testing.T, scenario, name string) exampleCase {
	t.Helper()
	text, err := os.ReadFile("../../testdata/scenarios/" + scenario + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []exampleCase }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(file.Cases, func(c exampleCase) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("%s has no case %q", scenario, name)
	}
	return file.Cases[i]
}
