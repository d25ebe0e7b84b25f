package bounds

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestPublishedFormulas(t *testing.T) {
	for _, c := range readGolden(t).Frames.Formulas {
		if c.Length != nil {
			is(t, "wall time", WallTime(rat(*c.Length), rat(*c.RTF)), c.Wall)
			continue
		}
		if c.Margin != nil {
			kept := new(big.Rat).Sub(big.NewRat(1, 1), rat(*c.Margin))
			is(t, "limit less a margin", mul(rat(*c.Limit), kept), c.RTF)
			continue
		}
		rate, p := rat(*c.Rate), rat(*c.P)
		is(t, "period", Frames{rate, big.NewRat(1, 1)}.Interval(), c.Period)
		is(t, "limit", RTFLimit(rate, p), c.Limit)
		if c.RTF == nil {
			continue
		}
		f := Frames{rate, rat(*c.RTF)}
		is(t, "arrivals", f.ArrivalsPerCallback(p), c.Arrivals)
		is(t, "share", f.Share(p), c.Share)
	}
}

func TestPublishedSteadyState(t *testing.T) {
	for _, c := range readGolden(t).Frames.SteadyState {
		from, below := Frames{rat(16), rat(c.RTF)}.SteadyAge(c.Depth)
		is(t, "age", from, &c.Age)
		if got, want := new(big.Rat).Sub(below, from), rat(0.0625); got.Cmp(want) != 0 {
			t.Errorf("depth %d: the age varies by %v s, want one interval, %v s", c.Depth, got, want)
		}
	}
}

func TestPublishedSlowFramesInARow(t *testing.T) {
	for _, c := range readGolden(t).Frames.SlowInARow {
		f := Frames{rat(16), rat(c.RTF)}
		id, ok := f.FirstLost(rat(c.Slow), 1)
		if !ok || id.Int64() != c.LostFrom || id.Int64()-1 != c.Absorbed {
			t.Errorf("RTF %v: frame %v is lost, %v; want %d, after %d absorbed", c.RTF, id, ok, c.LostFrom, c.Absorbed)
		}
		if _, ok := f.FirstLost(rat(c.Typical), 1); ok {
			t.Errorf("RTF %v: typical frames are lost", c.RTF)
		}
	}
}

func TestPublishedDrift(t *testing.T) {
	d := readGolden(t).Frames.Drift
	f := Frames{rat(16), rat(0.25)}
	is(t, "interval", f.Interval(), &d.Interval)
	id, ok := f.FirstLost(new(big.Rat).Add(rat(0.25), rat(d.Overhead)), 1)
	if !ok || id.Int64() != d.LostID || d.LostID != d.Before {
		t.Errorf("frame %v is lost, %v; want %d", id, ok, d.LostID)
	}
	is(t, "simulated seconds", new(big.Rat).Quo(new(big.Rat).SetInt(id), f.Rate), &d.SimS)
}

// A camera of 30 Hz and a callback of 100 ms: three frames come in each.
func TestFramesOfThirtyHertz(t *testing.T) {
	f, p := Frames{rat(30), rat(1)}, rat(0.1)
	if got := f.Share(p); got.Cmp(big.NewRat(1, 3)) != 0 {
		t.Errorf("share %v, want 1/3", got)
	}
	if from, below := f.SteadyAge(10); from.Cmp(big.NewRat(3, 10)) != 0 || below.Cmp(big.NewRat(1, 3)) != 0 {
		t.Errorf("age from %v to %v, want 3/10 to 1/3", from, below)
	}
	if got := f.AgeGrowth(p); got.Cmp(big.NewRat(2, 3)) != 0 {
		t.Errorf("growth %v, want 1 - (1/30)/(1/10) = 2/3", got)
	}
	if got := f.AgeGrowth(rat(0.03)); got.Sign() != 0 {
		t.Errorf("growth %v of frames that fit", got)
	}
}

// One thread, counted through: frame n starts at n p, and is overwritten when
// frame n + D comes no later.
func TestFirstLostIsTheFirstOneCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		interval := rapid.Int64Range(1, 100).Draw(t, "interval")
		p := rapid.Int64Range(1, 200).Draw(t, "processing")
		depth := rapid.Int64Range(1, 12).Draw(t, "depth")
		f := Frames{big.NewRat(1, interval), big.NewRat(1, 1)}
		got, ok := f.FirstLost(big.NewRat(p, 1), int(depth))
		if ok != (p > interval) {
			t.Fatalf("lost %v with %d in %d", ok, p, interval)
		}
		if !ok {
			return
		}
		want := int64(0)
		for want*p < (want+depth)*interval {
			want++
		}
		if got.Int64() != want {
			t.Fatalf("frame %v, want %d", got, want)
		}
	})
}

func TestArgumentsAreNotChanged(t *testing.T) {
	f, p := Frames{rat(16), rat(0.5)}, rat(0.25)
	f.Share(p)
	f.FirstLost(p, 3)
	f.SteadyAge(3)
	if f.Rate.Cmp(rat(16)) != 0 || f.RTF.Cmp(rat(0.5)) != 0 || p.Cmp(rat(0.25)) != 0 {
		t.Errorf("%v, %v, %v", f.Rate, f.RTF, p)
	}
}
