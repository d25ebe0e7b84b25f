package gazebo

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func rat(t testing.TB, text string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return x
}

// k = ceil(P/step), rate 1/(k step), each worked out by hand.
func TestGate(t *testing.T) {
	for _, c := range []struct {
		step, rate string
		steps      int64
		gated      string
	}{
		{"1/60", "50", 2, "30"},                          // 20 ms take two steps of 16.67 ms
		{"0.004", "100", 3, "250/3"},                     // 10 ms take three steps: 83.33 Hz
		{"0.001", "100", 10, "100"},                      //
		{"0.001", "1000", 1, "1000"},                     //
		{"0.001", "2000", 1, "1000"},                     // no faster than the steps
		{"0.01", "30", 4, "25"},                          // 33.33 ms take four steps
		{"0.001", "60", 17, "1000/17"},                   // 16.67 ms take 17 steps
		{"0.016666667", "60", 1, "1000000000/16666667"},  // 16666666 ns in a step of 16666667
		{"0.016666666", "60", 1, "1000000000/16666666"},  // both cut to 16666666 ns
		{"0.016666", "60", 2, "30001200048/1000000000"},  // 16666000 ns are too short: half the rate
		{"0.00104", "961.53846154", 1, "961.5384615385"}, // 0.00104 s is 1039999 ns there, the period 1039999
	} {
		g := NewGate(rat(t, c.step), rat(t, c.rate))
		if g.Steps != c.steps || float(g.Rate) < float(rat(t, c.gated))*(1-1e-9) || float(g.Rate) > float(rat(t, c.gated))*(1+1e-9) {
			t.Errorf("%s Hz in steps of %s s: %d steps, %s Hz, want %d, %s", c.rate, c.step, g.Steps, g.Rate, c.steps, c.gated)
		}
	}
	if g := NewGate(rat(t, "1/60"), rat(t, "50")); g.Rate.Cmp(rat(t, "30")) != 0 {
		t.Errorf("exactly %s Hz, want 30", g.Rate)
	}
}

// A controller that is stepped as gz_ros2_control does it: at the end of each
// step it runs if the time since its last run is at least its period.
func TestGateIsWhatSteppingGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.Int64Range(100_000, 50_000_000).Draw(t, "step") // ns
		rate := rapid.Int64Range(1, 2000).Draw(t, "rate")             // Hz
		period := 1_000_000_000 / rate
		s := big.NewRat(step, 1_000_000_000)
		if stepNS(s) != step {
			t.Skip("gz-sim does not keep this step")
		}
		var now, last, steps int64
		for {
			now += step
			steps++
			if now-last >= period {
				break
			}
		}
		if g := NewGate(s, big.NewRat(rate, 1)); g.Steps != steps {
			t.Fatalf("%d Hz in steps of %d ns: %d steps, stepping takes %d", rate, step, g.Steps, steps)
		}
	})
}

func TestStepFor(t *testing.T) {
	for _, c := range []struct{ step, rate, want string }{
		{"0.004", "100", "0.0025"},     // a third of 10 ms is no whole nanosecond, a quarter is
		{"1/60", "50", "0.01"},         // half of 20 ms
		{"0.01", "1000", "0.001"},      // the period itself
		{"0.004", "60", "0.003333334"}, // 16666666 ns in five steps, rounded up
	} {
		if got := stepFor(rat(t, c.step), rat(t, c.rate)); got.Cmp(rat(t, c.want)) != 0 {
			t.Errorf("%s Hz, steps up to %s s: %s, want %s", c.rate, c.step, decimal(got), c.want)
		}
	}
}

// What is offered gives the rate, to 0.1 %, and is no longer than what is there.
func TestStepForGivesTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := big.NewRat(rapid.Int64Range(1000, 50_000).Draw(t, "step"), 1_000_000)
		rate := big.NewRat(rapid.Int64Range(1, 2000).Draw(t, "rate"), 1)
		s := stepFor(step, rate)
		if s.Cmp(step) > 0 || NewGate(s, rate).misses(rate) {
			t.Fatalf("%s Hz in steps of %s s: offers %s s, which gives %s Hz", rate, decimal(step), decimal(s), decimal(NewGate(s, rate).Rate))
		}
	})
}

// The decimal 0.00104 is a double just below it: 1039999.9999999999 ns, cut.
func TestStepIsCutAsGazeboDoes(t *testing.T) {
	for text, want := range map[string]int64{"0.001": 1_000_000, "0.004": 4_000_000, "0.00104": 1_039_999, "0.0166667": 16_666_700, "1e-10": 0} {
		if got := stepNS(rat(t, text)); got != want {
			t.Errorf("%s s: %d ns, want %d", text, got, want)
		}
	}
}
