package bounds

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestPublishedSnowballs(t *testing.T) {
	for _, c := range readGolden(t).Snowball.Cases {
		s := Snowball{A: rat(c.A), B: rat(c.B), RTF: rat(c.RTF)}
		interval, processing, converges := s.FixedPoint()
		if converges == c.Diverges {
			t.Errorf("RTF %v: converges %v", c.RTF, converges)
		}
		if converges {
			is(t, "fixed point", interval, c.FixedPoint)
			is(t, "processing", processing, c.Processing)
		}
		if got := s.RTFLimit(); got.Cmp(big.NewRat(2, 1)) != 0 {
			t.Errorf("limit %v, want 1/0.5 = 2", got)
		}
	}
}

// The rounds, taken one by one, come nearer to the fixed point by the factor
// each, and stay on it.
func TestRoundsSettleOnTheFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Snowball{
			A:   big.NewRat(rapid.Int64Range(1, 1000).Draw(t, "a"), 1000),
			B:   big.NewRat(rapid.Int64Range(1, 300).Draw(t, "b"), 100),
			RTF: big.NewRat(rapid.Int64Range(1, 300).Draw(t, "rtf"), 100),
		}
		round := func(interval *big.Rat) *big.Rat {
			return mul(s.RTF, new(big.Rat).Add(s.A, mul(s.B, interval)))
		}
		fixed, processing, ok := s.FixedPoint()
		if ok != (s.RTF.Cmp(s.RTFLimit()) < 0) {
			t.Fatalf("converges %v at %v, limit %v", ok, s.RTF, s.RTFLimit())
		}
		if !ok {
			return
		}
		if round(fixed).Cmp(fixed) != 0 || mul(s.RTF, processing).Cmp(fixed) != 0 {
			t.Fatalf("a round from %v gives %v", fixed, round(fixed))
		}
		start := new(big.Rat)
		before := new(big.Rat).Sub(fixed, start)
		after := new(big.Rat).Sub(fixed, round(start))
		if after.Cmp(mul(before, s.Factor())) != 0 {
			t.Fatalf("from %v to %v, factor %v", before, after, s.Factor())
		}
	})
}
