package plan

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A bag at ten times its speed, with --clock and no number: a 100 Hz timer
// runs 4 times per simulated second, 96 % of its releases are skipped; stamps are
// wrong by 125 ms in the mean and 250 ms at most; for 10 ms it takes --clock 1000.
func TestBagAtTenTimes(t *testing.T) {
	c := newClock(t, ClockSetup{RTF: rat(10), Source: "rosbag2", Latency: new(big.Rat), Timer: rat(100), Tolerance: rat(0.01)})
	wantNumber(t, "mean", c.MeanError, 0.125)
	wantNumber(t, "total", c.Total, 0.25)
	wantNumber(t, "per simulated second", &c.Timer.PerSimSecond, 4)
	wantNumber(t, "per wall second", &c.Timer.PerWallSecond, 40)
	wantNumber(t, "skipped", &c.Timer.Skipped, 0.96)
	wantNumber(t, "rate needed", c.ClockRateNeeded, 1000)
	if c.MaxRTFLatencyOnly != nil || c.Crossover != nil {
		t.Errorf("without a latency nothing is limited by it: %v, %v", *c.MaxRTFLatencyOnly, *c.Crossover)
	}
	wantFinding(t, c, "over-tolerance", "play with --clock 1000)")
	wantFinding(t, c, "timer-skips", "play with --clock 1000)")
	wantFinding(t, c, "clock-source", "such as --clock 100.")
}

// A /clock of 10 Hz: a 50 Hz timer runs at 10 Hz, 80 % are skipped; of the
// differences of readings at 200 Hz 95 % are zero.
func TestClockOfTenHertz(t *testing.T) {
	c := newClock(t, ClockSetup{Rate: rat(10), Timer: rat(50), Ask: rat(200)})
	wantNumber(t, "per simulated second", &c.Timer.PerSimSecond, 10)
	wantNumber(t, "skipped", &c.Timer.Skipped, 0.8)
	wantNumber(t, "equal", &c.Ask.EqualShare, 0.95)
	wantNumber(t, "readings per tick", &c.Ask.ReadingsPerTick, 20)
}

// A wall timer of 50 Hz gives 100 runs per simulated second at RTF 0.5 and 25 at RTF 2.
func TestWallTimerInSimulatedSeconds(t *testing.T) {
	for rtf, want := range map[float64]float64{0.5: 100, 2: 25} {
		c := newClock(t, ClockSetup{RTF: rat(rtf), Rate: rat(100), Ask: rat(50)})
		wantNumber(t, "per simulated second", &c.Ask.PerSimSecond, want)
	}
}

// The example of the help: at RTF 10 a latency of 5 ms alone is 50 ms, over a
// tolerance of 20 ms, so no rate suffices; at RTF 1 it takes 1/(0.02 - 0.005) Hz.
func TestRateNeededOrNone(t *testing.T) {
	s := ClockSetup{Latency: rat(0.005), Rate: rat(100), Tolerance: rat(0.02), Speed: rat(2), RTF: rat(10)}
	c := newClock(t, s)
	if c.ClockRateNeeded != nil {
		t.Errorf("%v Hz", *c.ClockRateNeeded)
	}
	wantFinding(t, c, "no-rate-suffices", "Lower the RTF to 1.33 or less with these ticks, or with more of them below 4")
	wantNumber(t, "position", c.Position, 0.1)
	wantNumber(t, "position of the tick term", c.PositionTick, 0.2)
	wantNumber(t, "position of both", c.PositionTotal, 0.3)
	wantNumber(t, "mean", c.MeanError, 0.1) // 10 x (0.005 + 1/200)
	s.RTF = rat(1)
	c = newClock(t, s)
	wantNumber(t, "rate needed", c.ClockRateNeeded, 200./3)
	if !*c.WithinTolerance || len(c.Findings) > 0 {
		t.Errorf("15 ms of 20 ms: within %v, %v", *c.WithinTolerance, c.Findings)
	}
}

// Steps of 10 ms and 5 ms of latency: (20 - 10)/5 = 2 is the largest RTF for
// 20 ms, and no RTF is low enough for 8 ms, while steps of 3 ms are at RTF 1.
func TestSteppedClockWithinTolerance(t *testing.T) {
	s := ClockSetup{Latency: rat(0.005), Step: rat(0.01), Tolerance: rat(0.02)}
	wantNumber(t, "largest RTF", newClock(t, s).MaxRTF, 2)
	s.Tolerance = rat(0.008)
	c := newClock(t, s)
	wantNumber(t, "largest RTF", c.MaxRTF, 0)
	wantNumber(t, "step needed", c.ClockStepNeeded, 0.003)
	wantNumber(t, "rate needed", c.ClockRateNeeded, 1000./3)
	wantFinding(t, c, "over-tolerance", "Tick every 3 ms of simulated time or more often.")
}

// What is unknown is absent.
func TestUnknownClockFigures(t *testing.T) {
	c := newClock(t, ClockSetup{Latency: rat(0.005)})
	if c.TickTerm != nil || c.Total != nil || c.MeanError != nil || c.Dominant != "" || c.MaxRTF != nil || c.Position != nil {
		t.Errorf("without ticks: %+v", c)
	}
	c = newClock(t, ClockSetup{Rate: rat(100), Tolerance: rat(0.02)})
	if c.LatencyTerm != nil || c.Total != nil || c.MaxRTF != nil || c.ClockRateNeeded != nil || c.WithinTolerance != nil {
		t.Errorf("without a latency: %+v", c)
	}
	wantNumber(t, "largest RTF", c.MaxRTFTickOnly, 2)
	wantNumber(t, "rate needed", c.ClockRateNeededTick, 50)
	wantFinding(t, c, "latency-unknown", "Add --latency")
}

// The sources as their code has them.
func TestClockSources(t *testing.T) {
	for name, want := range map[string]struct {
		basis           string
		tick, atRTF5, f float64 // at RTF 1 and 5, and the wall rate at RTF 5
	}{
		"rosbag2":             {"wall", 0.025, 0.125, 40},
		"gz-sim":              {"sim", 0.001, 0.001, 5000},
		"gazebo-classic":      {"sim", 0.1, 0.1, 50},
		"gazebo-classic-wall": {"wall", 0.1, 0.5, 10},
		"webots":              {"sim", 0.032, 0.032, 156.25},
	} {
		c := newClock(t, ClockSetup{Source: name})
		wantNumber(t, name, c.TickTerm, want.tick)
		c = newClock(t, ClockSetup{Source: name, RTF: rat(5)})
		wantNumber(t, name+" at RTF 5", c.TickTerm, want.atRTF5)
		wantNumber(t, name+" wall rate at RTF 5", c.Given.ClockRate, want.f)
		if c.Given.Basis != want.basis || !c.Given.Default {
			t.Errorf("%s: basis %s, default %v", name, c.Given.Basis, c.Given.Default)
		}
	}
	for _, name := range []string{"isaac", "o3de", "mujoco"} {
		c := newClock(t, ClockSetup{Source: name})
		if c.TickTerm != nil {
			t.Errorf("%s: a tick term of %v", name, *c.TickTerm)
		}
		wantFinding(t, c, "clock-rate-unknown", "Add --clock-")
	}
	wantNumber(t, "isaac with a rate", newClock(t, ClockSetup{Source: "isaac", Rate: rat(60), RTF: rat(6)}).TickTerm, 0.1)
}

func TestClockRefuses(t *testing.T) {
	for _, c := range []struct {
		setup ClockSetup
		want  string
	}{
		{ClockSetup{RTF: rat(10)}, "nothing to compute; add --latency 5ms"},
		{ClockSetup{Speed: rat(2)}, "add --latency 5ms or --clock-rate 100Hz"},
		{ClockSetup{Latency: rat(0.005), Timer: rat(100)}, "--timer runs at a tick"},
		{ClockSetup{Source: "isaac", Ask: rat(100)}, "--ask counts readings per tick"},
		{ClockSetup{Source: "gazebo"}, "write one of rosbag2, gz-sim, "},
		{ClockSetup{Source: "rosbag2", Step: rat(0.001)}, "write --clock-rate"},
		{ClockSetup{Source: "gz-sim", Rate: rat(100)}, "write --clock-step or --clock-rate-sim"},
	} {
		if _, err := NewClock(c.setup); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.setup, err, c.want)
		}
	}
}

// A timer of 10 ms at steps of 25 ms runs 40 times per simulated second, and in
// Humble twice at every second tick: 60 times. Readings in step with the ticks
// may be off by half a tick over the number of phases.
func TestFindingsOfTimersAndReadings(t *testing.T) {
	wantFinding(t, newClock(t, ClockSetup{Step: rat(0.025), Timer: rat(100)}), "fires-twice", "up to 60 times")
	wantFinding(t, newClock(t, ClockSetup{Rate: rat(100), RTF: rat(10), Ask: rat(100)}), "asks-in-step", "up to 50 ms of simulated time")
	wantFinding(t, newClock(t, ClockSetup{Rate: rat(100), RTF: rat(10), Ask: rat(200)}), "asks-in-step", "up to 25 ms of simulated time")
	for _, found := range newClock(t, ClockSetup{Rate: rat(100), Ask: rat(97)}).Findings {
		if found.ID == "asks-in-step" {
			t.Error(found.Text)
		}
	}
}

// The table has the given rate, the one needed and the limit, and its rows are
// what a plan with that rate says.
func TestClockTable(t *testing.T) {
	c := newClock(t, ClockSetup{Latency: rat(0.005), Rate: rat(50), Tolerance: rat(0.02)})
	var rates []float64
	for i, r := range c.Table {
		if r.Limit != (i == len(c.Table)-1) || r.Limit != (r.Rate == nil) {
			t.Errorf("row %d: limit %v, rate %v", i, r.Limit, r.Rate)
			continue
		}
		if r.Limit {
			wantNumber(t, "total at the limit", r.Total, 0.005)
			wantNumber(t, "largest RTF at the limit", r.MaxRTF, 4)
			continue
		}
		rates = append(rates, *r.Rate)
		if r.Given != (*r.Rate == 50) || r.Needed != (i == 3) {
			t.Errorf("%v Hz: given %v, needed %v", *r.Rate, r.Given, r.Needed)
		}
		if !r.Needed {
			there := newClock(t, ClockSetup{Latency: rat(0.005), Rate: rat(*r.Rate), Tolerance: rat(0.02)})
			wantNumber(t, "total", r.Total, *there.Total)
			wantNumber(t, "largest RTF", r.MaxRTF, *there.MaxRTF)
		}
	}
	if want := []float64{10, 40, 50, 200. / 3, 100, 200, 1000}; !slices.Equal(rates, want) {
		t.Errorf("rates %v, want %v", rates, want)
	}
}

// Advice is rounded to three digits, to the side that is safe.
func TestLimitsAreRoundedToTheSafeSide(t *testing.T) {
	for _, c := range []struct{ x, down, up string }{
		{"4/3", "1.33", "1.34"}, {"200/3", "66.6", "66.7"}, {"1000", "1000", "1000"}, {"12345", "12300", "12400"},
		{"1/3000", "0.000333", "0.000334"}, {"999.9", "999", "1000"},
	} {
		x, down, up := parseRat(c.x), parseRat(c.down), parseRat(c.up)
		if roundDown(x).Cmp(down) != 0 || roundUp(x).Cmp(up) != 0 {
			t.Errorf("%s: %v to %v", c.x, roundDown(x), roundUp(x))
		}
	}
}

func parseRat(text string) *big.Rat {
	x, _ := new(big.Rat).SetString(text)
	return x
}

// Whatever is given, an RTF or a rate that the plan names keeps within the
// tolerance, and the text fits the page.
func TestAdviceKeepsWithinTheTolerance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		milli := func(name string, from int64) *big.Rat {
			return big.NewRat(rapid.Int64Range(from, 20_000).Draw(t, name), 1000)
		}
		s := ClockSetup{RTF: milli("rtf", 1), Latency: milli("latency", 0), Tolerance: milli("tolerance", 1)}
		s.Rate, s.Ask = milli("rate", 1), milli("ask", 1)
		if rapid.Bool().Draw(t, "sim") {
			s.Step, s.Rate = s.Rate, nil
		}
		s.Timer = milli("timer", 1)
		c, err := NewClock(s)
		if err != nil {
			t.Fatal(err)
		}
		total := new(big.Rat).Mul(s.RTF, s.Latency)
		if s.Step != nil {
			total.Add(total, s.Step)
		} else {
			total.Add(total, new(big.Rat).Quo(s.RTF, s.Rate))
		}
		if within := total.Cmp(s.Tolerance) <= 0; *c.WithinTolerance != within {
			t.Fatalf("within %v, total %v of %v", *c.WithinTolerance, total, s.Tolerance)
		}
		p := newClockPlan(&s)
		if needed := p.rateNeeded(); needed != nil {
			rounded := s
			rounded.Step, rounded.Rate = nil, roundUp(needed)
			if d, _ := NewClock(rounded); !*d.WithinTolerance {
				t.Fatalf("%v Hz are not enough", rounded.Rate)
			}
		}
		if limit := p.maxRTF(); limit != nil && limit.Sign() > 0 {
			s.RTF = roundDown(limit)
			if d, _ := NewClock(s); !*d.WithinTolerance {
				t.Fatalf("RTF %v is too high", s.RTF)
			}
		}
		wantNarrow(t, c)
	})
}

func wantFinding(t *testing.T, c *Clock, id, part string) {
	t.Helper()
	for _, found := range c.Findings {
		if found.ID == id {
			if !strings.Contains(found.Text+" "+found.Remedy, part) {
				t.Errorf("%s does not say %q: %s -> %s", id, part, found.Text, found.Remedy)
			}
			return
		}
	}
	t.Errorf("no finding %s in %v", id, c.Findings)
}
