package sched

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A frameCase is a camera on simulated time and one callback, from
// testdata/scenarios: frame k arrives at floor(k * period * den / num).
type frameCase struct {
	Name   string
	System struct {
		Period     time.Duration `json:"sensor_period_ns"`
		RTF        [2]int64
		Frames     int
		Depth      int
		Processing []time.Duration `json:"processing_ns"`
		PatternBy  string          `json:"pattern_by"`
	}
	Expected frameFigures
}

type frameFigures struct {
	Processed, Dropped int
	ProcessedIDs       []int         `json:"processed_ids"`
	DroppedIDs         []int         `json:"dropped_ids"`
	MaxAge             time.Duration `json:"max_frame_age_ns"`
	SumAge             time.Duration `json:"sum_frame_age_ns"`
	MaxLatency         time.Duration `json:"max_result_latency_ns"`
	SumLatency         time.Duration `json:"sum_result_latency_ns"`
	End                time.Duration `json:"end_ns"`
}

func TestFrames(t *testing.T) {
	text, err := os.ReadFile("../testdata/scenarios/random-shared.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []frameCase `json:"frame_cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 50 {
		t.Errorf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if diff := cmp.Diff(c.Expected, c.run()); diff != "" {
				t.Errorf("expected (-), got (+):\n%s", diff)
			}
		})
	}
}

// run lets one callback at a time take the oldest frame just before it starts.
func (c *frameCase) run() frameFigures {
	f := frameFigures{ProcessedIDs: []int{}, DroppedIDs: []int{}}
	s := &c.System
	arrival := func(frame int) time.Duration {
		return time.Duration(int64(frame) * int64(s.Period) * s.RTF[1] / s.RTF[0])
	}
	queue := NewHistory[int](s.Depth)
	now, arrived := time.Duration(0), 0
	arrive := func() {
		for ; arrived < s.Frames && arrival(arrived) <= now; arrived++ {
			if lost, overwritten := queue.Arrive(arrived); overwritten {
				f.DroppedIDs = append(f.DroppedIDs, lost)
			}
		}
	}
	for {
		arrive()
		frame, ok := queue.Take()
		if !ok {
			if arrived == s.Frames {
				break
			}
			now = arrival(arrived)
			continue
		}
		index := frame
		if s.PatternBy == "callback" {
			index = len(f.ProcessedIDs)
		}
		age := now - arrival(frame)
		now += s.Processing[index%len(s.Processing)]
		f.ProcessedIDs = append(f.ProcessedIDs, frame)
		f.MaxAge, f.SumAge = max(f.MaxAge, age), f.SumAge+age
		latency := now - arrival(frame)
		f.MaxLatency, f.SumLatency = max(f.MaxLatency, latency), f.SumLatency+latency
	}
	slices.Sort(f.DroppedIDs)
	f.Processed, f.Dropped, f.End = len(f.ProcessedIDs), len(f.DroppedIDs), now
	return f
}
