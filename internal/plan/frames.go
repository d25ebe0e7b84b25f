package plan

import "github.com/takt-rt/takt/timeline"

// FramesSchema names the JSON form of Frames.
const FramesSchema = "takt.plan.frames/1"

// Frames is the answer of takt plan frames: what becomes of a sensor's frames
// when one callback thread works on them, at several real time factors. The
// keys are stable; docs/plan-frames.schema.json describes them. A time is on
// the wall unless it is called simulated.
type Frames struct {
	Schema   string             `json:"schema"`
	Given    FramesGiven        `json:"given"`
	RTFLimit RTFLimits          `json:"rtf_limit"`
	Drift    *FramesDrift       `json:"drift,omitempty"` // with an overhead and a bounded queue only
	Runs     []FramesRun        `json:"runs"`
	Findings []timeline.Finding `json:"findings,omitempty"`
}

// FramesGiven repeats what the plan was made for, defaults filled in.
type FramesGiven struct {
	Rate        float64  `json:"rate_hz"`  // frames per simulated second
	Period      float64  `json:"period_s"` // simulated time from frame to frame
	Typical     float64  `json:"typical_s"`
	Mean        *float64 `json:"mean_s,omitempty"` // known where the time of every frame is
	Worst       float64  `json:"worst_s"`
	Times       int      `json:"times"`      // how many times the run uses in turn
	TimesBy     string   `json:"times_by"`   // what indexes them: frame or callback
	Overhead    float64  `json:"overhead_s"` // what the thread needs beside each callback
	Margin      float64  `json:"margin"`     // a share
	Depth       int      `json:"depth"`      // 0: KEEP_ALL
	Reliability string   `json:"reliability,omitempty"`
	Take        string   `json:"take"`     // before-callback or at-once
	Frames      int      `json:"frames"`   // in the run
	Length      float64  `json:"length_s"` // simulated
}

// RTFLimits are the real time factors up to which frames fit: the period over
// a processing time.
type RTFLimits struct {
	Typical            float64  `json:"typical"`
	Mean               *float64 `json:"mean,omitempty"`
	Worst              float64  `json:"worst"`
	Recommended        float64  `json:"recommended"`         // worst, less the margin
	RecommendedTypical float64  `json:"recommended_typical"` // typical, less the margin: only if slow frames never cluster
}

// A FramesDrift says when the first frame is lost at exactly the RTF limit of
// the typical time, where each frame is delayed by the overhead more than the
// one before.
type FramesDrift struct {
	RTF           float64 `json:"rtf"`
	FrameInterval float64 `json:"frame_interval_s"`
	Overhead      float64 `json:"overhead_s"`
	FramesBefore  int64   `json:"frames_before_first_loss"`
	FirstLostID   int64   `json:"first_lost_id"`
	SimSeconds    float64 `json:"sim_seconds_at_first_loss"` // when that frame is published
}

// A FramesRun is what happens at one real time factor: closed forms, and a run
// frame by frame.
type FramesRun struct {
	RTF           float64 `json:"rtf"`
	Depth         int     `json:"depth"` // 0: KEEP_ALL
	FrameInterval float64 `json:"frame_interval_s"`

	// In the long run, of the typical time.
	Arrivals      float64 `json:"arrivals_per_callback"`
	ArrivalsWorst float64 `json:"arrivals_per_callback_worst"`
	Share         float64 `json:"share"`

	Verdict string `json:"verdict"`
	// Notes qualify the verdict, such as "holds at this RTF only".
	Notes       []string `json:"notes,omitempty"`
	ShareAtRTF1 *float64 `json:"share_at_rtf_1,omitempty"` // of the typical time, where the verdict holds at this RTF only
	SlowInARow  *SlowRun `json:"slow_frames_in_a_row,omitempty"`
	AgeGrowth   *float64 `json:"age_growth_s_per_s,omitempty"` // where nothing is dropped and the thread cannot keep up
	Wall        float64  `json:"wall_s"`                       // what the length takes

	Published        int      `json:"published"`
	Processed        int      `json:"processed"`
	Dropped          int      `json:"dropped"`
	ProcessedShare   float64  `json:"processed_share"`
	SteadyShare      *float64 `json:"steady_share,omitempty"` // of the steady part, where the thread falls behind and drops
	ProcessedIDs     []int64  `json:"processed_ids"`
	MissedIDs        []int64  `json:"missed_ids"`
	IDsLeftOut       bool     `json:"ids_left_out,omitempty"` // a list ends at MaxIDs
	FrameAge         Ages     `json:"frame_age_s"`            // callback start minus publication
	ResultLatency    Ages     `json:"result_latency_s"`       // callback end minus publication
	FrameAgeSim      Ages     `json:"frame_age_sim_s"`        // the same as read from the simulated clock
	ResultLatencySim Ages     `json:"result_latency_sim_s"`
	LastPublished    float64  `json:"last_published_s"`        // after the first
	Drain            float64  `json:"drain_s"`                 // from then until the last callback ends
	RoundedToNs      bool     `json:"rounded_to_ns,omitempty"` // the run is not exact: frames that come just as a callback ends may fall either way

	Drawn []Frame `json:"-"` // the first frames, or those around the first one lost
}

// Ages are taken over the processed frames of a run. The steady part comes
// after the queue has filled, where it ever does, and before the sensor stops.
type Ages struct {
	Mean      *float64 `json:"mean,omitempty"`
	Max       *float64 `json:"max,omitempty"`
	Steady    *float64 `json:"steady,omitempty"` // the mean of the steady part
	SteadyMin *float64 `json:"steady_min,omitempty"`
	SteadyMax *float64 `json:"steady_max,omitempty"`
}

// A SlowRun says how many frames of the worst time in a row the queue absorbs,
// and from how many on a frame is lost.
type SlowRun struct {
	Absorbed int64 `json:"absorbed"`
	LostFrom int64 `json:"lost_from"`
}

// A Frame is one frame of a run as it is drawn, in seconds of wall time since
// frame 0 was published.
type Frame struct {
	ID         int64
	ArrivedS   float64
	TakenS     float64 // when its callback started, unless it was dropped
	EndedS     float64 // when its callback ended, unless it was dropped
	DroppedAtS float64 // when it was overwritten, if it was dropped
	Dropped    bool
}
