package bounds

import (
	"encoding/json"
	"math/big"
	"os"
	"testing"
)

// golden is what the published article computes by hand. A value that an entry
// does not have is nil.
type golden struct {
	Frames struct {
		Formulas []struct {
			Rate     *float64 `json:"sensor_rate_hz"`
			Period   *float64 `json:"period_s"`
			P        *float64 `json:"processing_s"`
			RTF      *float64 `json:"rtf"`
			Limit    *float64 `json:"rtf_limit"`
			Arrivals *float64 `json:"arrivals_per_callback"`
			Share    *float64 `json:"share_processed"`
			Length   *float64 `json:"sim_length_s"`
			Wall     *float64 `json:"wall_s"`
			Margin   *float64 `json:"margin"`
		} `json:"formulas"`
		SteadyState []struct {
			RTF   float64 `json:"rtf"`
			Depth int     `json:"depth"`
			Age   float64 `json:"frame_age_s"`
		} `json:"steady_state"`
		SlowInARow []struct {
			RTF      float64 `json:"rtf"`
			Typical  float64 `json:"processing_s"`
			Slow     float64 `json:"slow_s"`
			Absorbed int64   `json:"absorbed"`
			LostFrom int64   `json:"lost_from"`
		} `json:"slow_frames_in_a_row"`
		Drift struct {
			Overhead float64 `json:"overhead_s"`
			Interval float64 `json:"frame_interval_s"`
			Before   int64   `json:"frames_before_first_loss"`
			LostID   int64   `json:"first_lost_id"`
			SimS     float64 `json:"sim_seconds_at_first_loss"`
		} `json:"drift"`
	} `json:"frames"`
	Snowball struct {
		Cases []struct {
			A          float64  `json:"a_s"`
			B          float64  `json:"b"`
			RTF        float64  `json:"rtf"`
			FixedPoint *float64 `json:"fixed_point_s"`
			Processing *float64 `json:"processing_at_fixed_point_s"`
			Diverges   bool     `json:"diverges"`
		} `json:"cases"`
	} `json:"snowball"`
}

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	data, err := os.ReadFile("../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &g); err != nil {
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

// is checks a value that is right, if there is one, to the last bit of a float64.
func is(t *testing.T, what string, got *big.Rat, want *float64) {
	t.Helper()
	if want == nil {
		return
	}
	if f, _ := got.Float64(); f != *want {
		t.Errorf("%s: %v, want %v", what, f, *want)
	}
}
