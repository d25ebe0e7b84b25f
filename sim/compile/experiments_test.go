package compile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim/compile"
)

// published are the values of the published experiments.
type published struct {
	Frames struct {
		Conditions []struct {
			Name      string
			RTF       float64
			Processed int64   `json:"model_processed"`
			Dropped   int64   `json:"model_dropped"`
			IDs       []int64 `json:"model_processed_ids"`
		}
	}
	Loop struct {
		Injected struct {
			Callbacks   int64
			Skipped     int64   `json:"skipped_periods"`
			Missed      int64   `json:"deadline_misses"`
			MaxLateness float64 `json:"max_lateness_ms"`
			MaxResponse float64 `json:"max_response_ms"`
		} `json:"ideal_injected"`
	}
}

func readPublished(t *testing.T) (p published) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// runFile runs a file of the examples.
func runFile(t *testing.T, name string, until time.Duration) *exampleRun {
	t.Helper()
	system, err := model.Load(filepath.Join("../../examples", name))
	if err != nil {
		t.Fatal(err)
	}
	built, err := compile.Compile(system, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return runExample(t, built.System, clock.Mono(until), false)
}

// The seven conditions, each as a system file: how many frames are seen, and which.
func TestConditionsOfTheFrameExperiment(t *testing.T) {
	seen := 0
	for _, c := range readPublished(t).Frames.Conditions {
		if len(c.Name) > 1 { // the long runs of one condition
			continue
		}
		seen++
		t.Run(c.Name, func(t *testing.T) {
			r := runFile(t, "frames/"+strings.ToLower(c.Name)+".yaml", time.Minute)
			got := r.callbacks["detect"]
			if got.Finished != c.Processed || got.Lost != c.Dropped {
				t.Errorf("%d seen and %d lost, want %d and %d", got.Finished, got.Lost, c.Processed, c.Dropped)
			}
			interval := time.Duration(float64(62_500*time.Microsecond) / c.RTF) // from frame to frame
			var ids []int64
			for _, j := range r.jobs {
				ids = append(ids, int64(time.Duration(j.release)/interval))
			}
			if diff := cmp.Diff(c.IDs, ids); diff != "" {
				t.Error(diff)
			}
		})
	}
	if seen != 7 {
		t.Errorf("%d conditions", seen)
	}
}

// The five phases of 5 s, each as a system file. A release at the very end of a
// phase counts, and the callback before the first interval does not: 489 of 490.
func TestPhasesOfTheDeadlineExperiment(t *testing.T) {
	injected := readPublished(t).Loop.Injected
	for _, c := range []struct {
		file                       string
		callbacks, missed, skipped int64
		lateness, response         float64 // ms
	}{
		{"wall", 500, 0, 0, 0, 0},
		{"wall-injected", injected.Callbacks + 1, injected.Missed, injected.Skipped, injected.MaxLateness, injected.MaxResponse},
		{"rtf-1", 500, 0, 0, 0, 0},
		{"rtf-1-injected", injected.Callbacks + 1, injected.Missed, injected.Skipped, injected.MaxLateness, injected.MaxResponse},
		{"rtf-0.5", 250, 0, 0, 0, 0}, // of 5 s by the wall
	} {
		t.Run(c.file, func(t *testing.T) {
			got := runFile(t, "loop/"+c.file+".yaml", 5*time.Second+time.Nanosecond).callbacks["control"]
			if got.Started != c.callbacks || got.Missed != c.missed || got.Skipped != c.skipped {
				t.Errorf("%d callbacks, %d missed, %d skipped; want %d, %d, %d", got.Started, got.Missed, got.Skipped, c.callbacks, c.missed, c.skipped)
			}
			ms := func(x float64) time.Duration { return time.Duration(x * float64(time.Millisecond)) }
			if got.MaxStartLateness != ms(c.lateness) || got.MaxResponse != ms(c.response) {
				t.Errorf("%v late, response %v; want %v ms and %v ms", got.MaxStartLateness, got.MaxResponse, c.lateness, c.response)
			}
		})
	}
}
