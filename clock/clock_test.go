package clock

import (
	"math"
	"testing"
	"time"
)

func TestSubSaturates(t *testing.T) {
	for _, c := range []struct {
		t, u Wall
		want time.Duration
	}{
		{5, 3, 2},
		{3, 5, -2},
		{math.MaxInt64, -1, math.MaxInt64},
		{math.MinInt64, 1, math.MinInt64},
		{math.MaxInt64, math.MinInt64, math.MaxInt64},
		{math.MinInt64, math.MaxInt64, math.MinInt64},
		{0, math.MinInt64, math.MaxInt64},
		{-1, math.MinInt64, math.MaxInt64},
	} {
		if got := c.t.Sub(c.u); got != c.want {
			t.Errorf("%d - %d = %d, want %d", c.t, c.u, got, c.want)
		}
	}
}

func TestAddSaturates(t *testing.T) {
	for _, c := range []struct {
		t    Sim
		d    time.Duration
		want Sim
	}{
		{5, 3, 8},
		{5, -8, -3},
		{math.MaxInt64 - 1, 2, math.MaxInt64},
		{math.MinInt64 + 1, -2, math.MinInt64},
	} {
		if got := c.t.Add(c.d); got != c.want {
			t.Errorf("%d + %d = %d, want %d", c.t, c.d, got, c.want)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Sim(687785000000).String(), "687.785000000 s"},
		{Sim(-1).String(), "-0.000000001 s"},
		{Sim(math.MinInt64).String(), "-9223372036.854775808 s"},
		{Wall(1701217690319080701).String(), "2023-11-29 00:28:10.319080701 UTC"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
