package trace

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// facts are those of testdata/recordings/ctf/expected.json, from the text
// output of babeltrace2, that need no knowledge of ROS 2.
type facts struct {
	Path        string            `json:"path"`
	EventCount  int               `json:"event_count"`
	FirstNS     int64             `json:"first_ns"`
	LastNS      int64             `json:"last_ns"`
	SpanS       float64           `json:"span_s"`
	EventCounts map[string]uint64 `json:"event_counts"`
	Processes   []process         `json:"processes"`
	CPUs        int               `json:"cpus_seen"`
}

type process struct {
	VPID      int64    `json:"vpid"`
	Procnames []string `json:"procnames"`
}

func TestTracesGiveTheirFacts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(recordings, "ctf", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Recordings map[string]facts }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for id, want := range all.Recordings {
		t.Run(id, func(t *testing.T) {
			got := factsOf(t, filepath.Join(recordings, want.Path))
			got.Path = want.Path
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func factsOf(t *testing.T, path string) (f facts) {
	tr, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	f.EventCounts = map[string]uint64{}
	procs, cpus := map[int64]map[string]bool{}, map[int16]bool{}
	tr.Each(context.Background(), func(e *Event) {
		at := e.At + tr.Clock.WallOffset
		if f.EventCount == 0 {
			f.FirstNS = at
		}
		f.EventCount++
		f.LastNS = at
		f.EventCounts[e.Class.Name]++
		cpus[e.CPU] = true
		if procs[e.PID] == nil {
			procs[e.PID] = map[string]bool{}
		}
		procs[e.PID][string(cut(e.Proc))] = true
	})
	f.SpanS, f.CPUs = float64(f.LastNS-f.FirstNS)/1e9, len(cpus)
	for _, pid := range slices.Sorted(maps.Keys(procs)) {
		f.Processes = append(f.Processes, process{pid, slices.Sorted(maps.Keys(procs[pid]))})
	}
	return f
}
