package plan

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"slices"
	"testing"
	"time"
)

// A condition is one run of the published experiment: what its model gave and,
// for some, what a ROS 2 node did.
type condition struct {
	Name       string  `json:"name"`
	Period     float64 `json:"sensor_period_s"`
	RTF        float64 `json:"rtf"`
	Frames     int     `json:"frames"`
	Depth      int     `json:"depth"`
	Processing struct {
		Seconds json.RawMessage `json:"seconds"`
	} `json:"processing"`
	Processed    int     `json:"model_processed"`
	Dropped      int     `json:"model_dropped"`
	MaxAge       float64 `json:"max_frame_age_wall_s"`
	ProcessedIDs []int64 `json:"model_processed_ids"`
	MissedIDs    []int64 `json:"model_missed_ids"`
	Measured     *struct {
		Processed  int      `json:"processed"`
		Dropped    int      `json:"dropped"`
		MissedIDs  []int64  `json:"missed_ids"`
		RTF        measured `json:"achieved_rtf"`
		MeanAge    measured `json:"frame_age_wall_mean_s"`
		MaxAge     measured `json:"frame_age_wall_max_s"`
		MaxLatency measured `json:"result_latency_wall_max_s"`
		MaxSim     measured `json:"result_latency_sim_max_s"`
		SimWall    measured `json:"sim_wall_s"`
		Mean       measured `json:"callback_mean_s"`
		Max        measured `json:"callback_max_s"`
		Late       *int     `json:"late_steps"`
	} `json:"measured_in_seed"`
}

// measured is a value, or the least and the greatest of several runs.
type measured []float64

func (m *measured) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]float64)(m))
	}
	*m = make(measured, 1)
	return json.Unmarshal(text, &(*m)[0])
}

// within checks that what was measured is what the plan says or up to so much
// more: a real machine adds to each time, and takes nothing off.
func (m measured) within(t *testing.T, what string, plan, more float64) {
	t.Helper()
	for _, v := range m {
		if v < plan*0.99 || v > plan+more {
			t.Errorf("%s: %v was measured, planned was %v", what, v, plan)
		}
	}
}

type goldenFrames struct {
	Conditions  []condition `json:"conditions"`
	SteadyState []struct {
		RTF        float64 `json:"rtf"`
		Depth      int     `json:"depth"`
		Processing float64 `json:"processing_s"`
		Age        float64 `json:"frame_age_s"`
		Latency    float64 `json:"result_latency_s"`
	} `json:"steady_state"`
	Drain struct {
		Depth10 float64 `json:"depth_10_max_frame_age_s"`
		Depth5  float64 `json:"depth_5_max_frame_age_s"`
	} `json:"drain"`
	SlowInARow []struct {
		RTF      float64 `json:"rtf"`
		Typical  float64 `json:"processing_s"`
		Slow     float64 `json:"slow_s"`
		Absorbed int64   `json:"absorbed"`
		LostFrom int64   `json:"lost_from"`
	} `json:"slow_frames_in_a_row"`
	PatternIndex struct {
		ByFrame    []int64 `json:"by_frame"`
		ByCallback []int64 `json:"by_callback"`
	} `json:"pattern_index"`
	Recommended struct {
		Worst   []recommended `json:"worst_times_margin"`
		Typical []recommended `json:"typical_times_margin"`
	} `json:"recommended"`
	Setup struct {
		Step          float64 `json:"step_s"`
		StepsPerFrame int64   `json:"steps_per_frame"`
	} `json:"experiment_setup"`
	Drift struct {
		Overhead float64 `json:"overhead_s"`
		Interval float64 `json:"frame_interval_s"`
		Before   int64   `json:"frames_before_first_loss"`
		LostID   int64   `json:"first_lost_id"`
		SimS     float64 `json:"sim_seconds_at_first_loss"`
	} `json:"drift"`
}

type recommended struct {
	Period  float64 `json:"period_s"`
	Worst   float64 `json:"worst_s"`
	Typical float64 `json:"typical_s"`
	Margin  float64 `json:"margin"`
	RTF     float64 `json:"rtf"`
}

func readGoldenFrames(t *testing.T) (g goldenFrames) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	all := struct{ Frames *goldenFrames }{&g}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return g
}

// rat returns the decimal that a float64 stands for: 0.2 is 1/5.
func rat(f float64) *big.Rat {
	text, _ := json.Marshal(f)
	x, _ := new(big.Rat).SetString(string(text))
	return x
}

func nanoseconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

func (c *condition) setup(t *testing.T) FramesSetup {
	t.Helper()
	s := FramesSetup{
		Rate: new(big.Rat).Inv(rat(c.Period)), RTFs: []*big.Rat{rat(c.RTF)}, Depth: c.Depth, Frames: c.Frames,
	}
	var constant float64
	if json.Unmarshal(c.Processing.Seconds, &constant) == nil {
		s.Processing = nanoseconds(constant)
		return s
	}
	var pattern []float64
	if err := json.Unmarshal(c.Processing.Seconds, &pattern); err != nil {
		t.Fatal(err)
	}
	for _, p := range pattern {
		s.Times = append(s.Times, nanoseconds(p))
	}
	return s
}

// oneRun plans a setup of one real time factor.
func oneRun(t *testing.T, s FramesSetup) (*Frames, *FramesRun) {
	t.Helper()
	f, err := NewFrames(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Runs) != 1 {
		t.Fatalf("%d runs", len(f.Runs))
	}
	return f, &f.Runs[0]
}

func TestPublishedConditions(t *testing.T) {
	for _, c := range readGoldenFrames(t).Conditions {
		t.Run(c.Name, func(t *testing.T) {
			f, r := oneRun(t, c.setup(t))
			if r.Published != c.Frames || r.Processed != c.Processed || r.Dropped != c.Dropped {
				t.Errorf("%d processed and %d dropped of %d, want %d and %d", r.Processed, r.Dropped, r.Published, c.Processed, c.Dropped)
			}
			wantNumber(t, "largest age", r.FrameAge.Max, c.MaxAge)
			if c.ProcessedIDs != nil && !slices.Equal(r.ProcessedIDs, c.ProcessedIDs) {
				t.Errorf("processed %v, want %v", r.ProcessedIDs, c.ProcessedIDs)
			}
			if c.MissedIDs != nil && !slices.Equal(r.MissedIDs, c.MissedIDs) {
				t.Errorf("missed %v, want %v", r.MissedIDs, c.MissedIDs)
			}
			c.compareMeasured(t, &f.Given, r)
		})
	}
}

// compareMeasured checks the plan against what the nodes of the published
// experiment did: frames counted exactly, times within what scheduling on a
// container of one CPU added (up to 60 ms in the slowest callback).
func (c *condition) compareMeasured(t *testing.T, g *FramesGiven, r *FramesRun) {
	m := c.Measured
	if m == nil {
		return
	}
	const machine = 0.06
	if m.Processed != r.Processed || m.Dropped != r.Dropped || m.MissedIDs != nil && !slices.Equal(m.MissedIDs, r.MissedIDs) {
		t.Errorf("%d processed, %d dropped %v were measured; planned %d, %d %v", m.Processed, m.Dropped, m.MissedIDs, r.Processed, r.Dropped, r.MissedIDs)
	}
	m.RTF.within(t, "RTF", c.RTF, 0.0025) // 497 steps over 496 periods read 0.2 % high
	m.MeanAge.within(t, "mean age", *r.FrameAge.Mean, 0.012)
	m.MaxAge.within(t, "largest age", *r.FrameAge.Max, machine)
	m.MaxLatency.within(t, "largest latency", *r.ResultLatency.Max, machine)
	m.MaxSim.within(t, "largest latency, simulated", *r.ResultLatencySim.Max, machine*c.RTF)
	m.SimWall.within(t, "simulation on the wall", r.LastPublished, 0.001)
	m.Mean.within(t, "mean callback", *g.Mean, 0.005)
	m.Max.within(t, "longest callback", g.Worst, machine)
	if m.Late != nil && *m.Late != 0 {
		t.Errorf("the simulator was late %d times, and the plan takes it to be on time", *m.Late)
	}
}

func TestPublishedSteadyState(t *testing.T) {
	for _, c := range readGoldenFrames(t).SteadyState {
		s := FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(c.RTF)}, Depth: c.Depth, Processing: nanoseconds(c.Processing)}
		_, r := oneRun(t, s) // of a minute
		for _, a := range []struct {
			what string
			got  Ages
			want float64
		}{
			{"age", r.FrameAge, c.Age},
			{"latency", r.ResultLatency, c.Latency},
			{"age, simulated", r.FrameAgeSim, c.Age * c.RTF},
			{"latency, simulated", r.ResultLatencySim, c.Latency * c.RTF},
		} {
			wantNumber(t, a.what, a.got.Steady, a.want)
			wantNumber(t, a.what, a.got.SteadyMin, a.want)
			wantNumber(t, a.what, a.got.SteadyMax, a.want)
		}
	}
}

// The oldest frame of all is the last one of the drain.
func TestPublishedDrain(t *testing.T) {
	g := readGoldenFrames(t)
	for depth, want := range map[int]float64{10: g.Drain.Depth10, 5: g.Drain.Depth5} {
		_, r := oneRun(t, FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(1)}, Depth: depth, Processing: 250 * ms})
		wantNumber(t, "largest age", r.FrameAge.Max, want)
		// The experiment paused for (depth + 1) times the longest callback, and 0.3 s.
		if most := float64(depth+1) * 0.25; r.Drain > most {
			t.Errorf("the queue of %d drains in %v s, want at most %v", depth, r.Drain, most)
		}
	}
}

func TestPublishedSlowFramesInARow(t *testing.T) {
	for _, c := range readGoldenFrames(t).SlowInARow {
		s := FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(c.RTF)}, Depth: 1, Processing: nanoseconds(c.Typical), Worst: nanoseconds(c.Slow)}
		_, r := oneRun(t, s)
		if r.SlowInARow == nil || *r.SlowInARow != (SlowRun{c.Absorbed, c.LostFrom}) {
			t.Errorf("RTF %v: %v, want %v", c.RTF, r.SlowInARow, c)
		}
		// The frames, followed one by one, say the same.
		for slow := range c.LostFrom + 1 {
			s.Times = slices.Repeat([]time.Duration{nanoseconds(c.Slow)}, int(slow))
			s.Times = append(s.Times, slices.Repeat([]time.Duration{nanoseconds(c.Typical)}, 60)...)
			s.Frames = len(s.Times)
			_, r := oneRun(t, s)
			switch {
			case slow <= c.Absorbed && r.Dropped > 0:
				t.Errorf("RTF %v: %d slow frames lose %v", c.RTF, slow, r.MissedIDs)
			case slow == c.LostFrom && (r.Dropped == 0 || r.MissedIDs[0] != c.LostFrom):
				t.Errorf("RTF %v: %d slow frames lose %v, want frame %d", c.RTF, slow, r.MissedIDs, c.LostFrom)
			}
		}
	}
}

func TestPublishedPatternIndex(t *testing.T) {
	g := readGoldenFrames(t)
	s := FramesSetup{
		Rate: rat(16), RTFs: []*big.Rat{rat(0.25)}, Depth: 1, Frames: 32,
		Times: []time.Duration{250 * ms, 250 * ms, 250 * ms, 375 * ms},
	}
	if _, r := oneRun(t, s); !slices.Equal(r.MissedIDs, g.PatternIndex.ByFrame) {
		t.Errorf("by frame %v, want %v", r.MissedIDs, g.PatternIndex.ByFrame)
	}
	s.ByCallback = true
	if _, r := oneRun(t, s); !slices.Equal(r.MissedIDs, g.PatternIndex.ByCallback) {
		t.Errorf("by callback %v, want %v", r.MissedIDs, g.PatternIndex.ByCallback)
	}
}

func TestPublishedRecommendation(t *testing.T) {
	g := readGoldenFrames(t).Recommended
	w, typical := g.Worst[0], g.Typical[0]
	f, err := NewFrames(context.Background(), FramesSetup{
		Rate: new(big.Rat).Inv(rat(w.Period)), Processing: nanoseconds(typical.Typical), Worst: nanoseconds(w.Worst),
		Margin: rat(w.Margin), Depth: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if l := f.RTFLimit; l.Recommended != w.RTF || l.RecommendedTypical != typical.RTF {
		t.Errorf("%v and %v, want %v and %v", l.Recommended, l.RecommendedTypical, w.RTF, typical.RTF)
	}
	if f.Given.Period != w.Period || w.Period != typical.Period || w.Margin != typical.Margin {
		t.Errorf("a period of %v s", f.Given.Period)
	}
}

func TestPublishedDrift(t *testing.T) {
	want := readGoldenFrames(t).Drift
	s := FramesSetup{
		Rate: rat(16), RTFs: []*big.Rat{rat(0.25)}, Depth: 1, Processing: 250 * ms, Overhead: nanoseconds(want.Overhead),
	}
	f, r := oneRun(t, s)
	d := f.Drift
	if d == nil || d.FrameInterval != want.Interval || d.FramesBefore != want.Before || d.FirstLostID != want.LostID || d.SimSeconds != want.SimS || d.Overhead != want.Overhead {
		t.Fatalf("%+v, want %+v", d, want)
	}
	// The frames, followed one by one, say the same.
	if r.MissedIDs[0] != want.LostID {
		t.Errorf("the run loses %v first", r.MissedIDs[0])
	}
	if first := r.Drawn[0]; first.ID != want.LostID-drawnBefore || len(r.Drawn) != maxDrawn {
		t.Errorf("drawn are %d frames from %d on", len(r.Drawn), first.ID)
	}
}

// The overhead is what the measured ages of the run at the limit were explained by.
func TestPublishedOverheadExplainsTheAges(t *testing.T) {
	for _, c := range readGoldenFrames(t).Conditions {
		if c.Name != "C" {
			continue
		}
		s := c.setup(t)
		s.Overhead = 700 * time.Microsecond
		_, r := oneRun(t, s)
		c.Measured.MeanAge.within(t, "mean age", *r.FrameAge.Mean, 0.001)
		c.Measured.MaxAge.within(t, "largest age", *r.FrameAge.Max, 0.0015)
	}
}

func TestPublishedSetup(t *testing.T) {
	g := readGoldenFrames(t)
	for _, c := range g.Conditions {
		steps := new(big.Rat).Quo(rat(c.Period), rat(g.Setup.Step))
		if steps.Cmp(big.NewRat(g.Setup.StepsPerFrame, 1)) != 0 {
			t.Errorf("%s: %v steps in a frame, want %d", c.Name, steps, g.Setup.StepsPerFrame)
		}
	}
}

func wantNumber(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || *got != want {
		t.Errorf("%s: %v, want %v", what, known(got), want)
	}
}
