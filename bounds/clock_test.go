package bounds

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// What the published article computes by hand for a latency of 5 ms.
func TestClockOfTheArticle(t *testing.T) {
	latency, tolerance := big.NewRat(5, 1000), big.NewRat(20, 1000)
	for _, c := range []struct {
		hz          int64
		term, total *big.Rat // at RTF 10
		max         *big.Rat
	}{
		{40, big.NewRat(1, 4), big.NewRat(3, 10), big.NewRat(2, 3)},
		{100, big.NewRat(1, 10), big.NewRat(15, 100), big.NewRat(4, 3)},
		{1000, big.NewRat(1, 100), big.NewRat(6, 100), big.NewRat(10, 3)},
	} {
		ticks, rtf := Ticks{Every: big.NewRat(1, c.hz)}, big.NewRat(10, 1)
		same(t, "tick term", ticks.Term(rtf), c.term)
		same(t, "total", new(big.Rat).Add(LatencyTerm(rtf, latency), ticks.Term(rtf)), c.total)
		same(t, "rate", ticks.Rate(rtf), big.NewRat(c.hz, 1))
		max, ok := ticks.MaxRTF(latency, tolerance)
		if !ok {
			t.Fatalf("%d Hz: no largest RTF", c.hz)
		}
		same(t, "largest RTF", max, c.max)
	}
}

func TestTicksInSimulatedTime(t *testing.T) {
	step := Ticks{Every: big.NewRat(1, 100), Sim: true}
	same(t, "tick at RTF 1", step.Term(big.NewRat(1, 1)), big.NewRat(1, 100))
	same(t, "tick at RTF 10", step.Term(big.NewRat(10, 1)), big.NewRat(1, 100))
	same(t, "wall rate at RTF 10", step.Rate(big.NewRat(10, 1)), big.NewRat(1000, 1))
	for _, c := range []struct{ latency, tolerance, max *big.Rat }{ // nil: no largest one
		{big.NewRat(5, 1000), big.NewRat(20, 1000), big.NewRat(2, 1)}, // 10 ms left over 5 ms
		{big.NewRat(5, 1000), big.NewRat(10, 1000), new(big.Rat)},     // the step is all of it
		{big.NewRat(5, 1000), big.NewRat(5, 1000), new(big.Rat)},
		{new(big.Rat), big.NewRat(5, 1000), new(big.Rat)},
		{new(big.Rat), big.NewRat(10, 1000), nil}, // the step just fits, at any RTF
	} {
		max, ok := step.MaxRTF(c.latency, c.tolerance)
		if ok != (c.max != nil) || ok && max.Cmp(c.max) != 0 {
			t.Errorf("latency %v, tolerance %v: %v, %v", c.latency, c.tolerance, max, ok)
		}
	}
}

// Played at RTF 10, at most 10 ms of error take 1000 Hz even without a latency;
// and 5 ms of latency leave no rate that is high enough.
func TestRateNeeded(t *testing.T) {
	hz, ok := RateNeeded(big.NewRat(10, 1), new(big.Rat), big.NewRat(10, 1000))
	if !ok {
		t.Fatal("no rate")
	}
	same(t, "rate", hz, big.NewRat(1000, 1))
	if hz, ok := RateNeeded(big.NewRat(10, 1), big.NewRat(5, 1000), big.NewRat(50, 1000)); ok {
		t.Errorf("%v Hz although the latency term is all of the tolerance", hz)
	}
}

// The rate needed and the largest RTF are exactly where the total reaches the tolerance.
func TestLimitsMeetTheTolerance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		milli := func(name string, from int64) *big.Rat {
			return big.NewRat(rapid.Int64Range(from, 5000).Draw(t, name), 1000)
		}
		rtf, latency, tolerance := milli("rtf", 1), milli("latency", 0), milli("tolerance", 1)
		ticks := Ticks{milli("every", 1), rapid.Bool().Draw(t, "sim")}
		total := func(rtf *big.Rat, ticks Ticks) *big.Rat {
			return new(big.Rat).Add(LatencyTerm(rtf, latency), ticks.Term(rtf))
		}
		switch max, ok := ticks.MaxRTF(latency, tolerance); {
		case ok && max.Sign() > 0:
			if total(max, ticks).Cmp(tolerance) != 0 {
				t.Fatalf("at RTF %v the total is %v, not %v", max, total(max, ticks), tolerance)
			}
		case (total(rtf, ticks).Cmp(tolerance) <= 0) == ok:
			t.Fatalf("total %v of %v with a largest RTF of %v, %v", total(rtf, ticks), tolerance, max, ok)
		}
		hz, ok := RateNeeded(rtf, latency, tolerance)
		if ok != (LatencyTerm(rtf, latency).Cmp(tolerance) < 0) {
			t.Fatalf("%v Hz with a latency term of %v", hz, LatencyTerm(rtf, latency))
		}
		if ok && total(rtf, Ticks{Every: new(big.Rat).Inv(hz)}).Cmp(tolerance) != 0 {
			t.Fatalf("%v Hz does not meet %v", hz, tolerance)
		}
	})
}

// A clock with a whole RTF is read in the middle of every microsecond of wall
// time. The tick last published at or before the reading less the latency is
// what the node has; of the readings of one interval the mean is the closed
// form exactly, and the largest falls short of the total by half a microsecond.
func TestErrorOfAReadClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Int64Range(1, 400).Draw(t, "every")
		latency := rapid.Int64Range(0, 1000).Draw(t, "latency")
		rtf := rapid.Int64Range(1, 20).Draw(t, "rtf")
		var sum, largest int64 // in half microseconds of simulated time
		for at := 2*latency + 1; at < 2*(latency+every); at += 2 {
			tick := (at - 2*latency) / (2 * every) * 2 * every
			err := rtf * (at - tick)
			sum, largest = sum+err, max(largest, err)
		}
		half := func(n int64) *big.Rat { return big.NewRat(n, 2_000_000) }
		r, ticks := big.NewRat(rtf, 1), Ticks{Every: half(2 * every)}
		term := LatencyTerm(r, half(2*latency))
		mean := new(big.Rat).Quo(half(sum), big.NewRat(every, 1))
		if want := MeanError(term, ticks.Term(r)); mean.Cmp(want) != 0 {
			t.Fatalf("mean %v, want %v", mean, want)
		}
		short := new(big.Rat).Add(term, ticks.Term(r))
		if short.Sub(short, half(largest)).Cmp(half(rtf)) != 0 {
			t.Fatalf("the largest falls short by %v, want %v", short, half(rtf))
		}
	})
}

// same checks a value that is right, exactly.
func same(t *testing.T, what string, got, want *big.Rat) {
	t.Helper()
	if got.Cmp(want) != 0 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
