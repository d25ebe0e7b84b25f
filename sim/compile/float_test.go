package compile

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Against package math, which is right to about one unit in the last place.
func TestLogarithmAndExponential(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-300, 1e300).Draw(t, "x")
		if got, want := logarithm(x), math.Log(x); math.Abs(got-want) > 4e-16*max(math.Abs(want), 1) {
			t.Errorf("ln %v = %v, want %v", x, got, want)
		}
		y := rapid.Float64Range(-700, 700).Draw(t, "y")
		if got, want := exponential(y), math.Exp(y); math.Abs(got-want) > 1e-15*want {
			t.Errorf("e^%v = %v, want %v", y, got, want)
		}
	})
	for x, want := range map[float64]float64{0: 1, 1e9: math.Inf(1), -1e9: 0} {
		if got := exponential(x); got != want {
			t.Errorf("e^%v = %v, want %v", x, got, want)
		}
	}
	if got := logarithm(1); got != 0 {
		t.Errorf("ln 1 = %v", got)
	}
}
