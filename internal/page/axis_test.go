package page

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTicks(t *testing.T) {
	for _, tt := range []struct {
		scale scale
		unit  Unit
		want  []string
	}{
		{scale{from: 0, to: 29.8}, Seconds, []string{"0 s", "5 s", "10 s", "15 s", "20 s", "25 s"}},
		{scale{from: 0, to: 0.006}, Seconds, []string{"0 s", "1 ms", "2 ms", "3 ms", "4 ms", "5 ms", "6 ms"}},
		{scale{from: -0.1, to: 0}, Seconds, []string{"-100 ms", "-80 ms", "-60 ms", "-40 ms", "-20 ms", "0 s"}},
		{scale{from: 0, to: 1.07}, Factor, []string{"0", "0.2", "0.4", "0.6", "0.8", "1"}},
		{scale{from: 0.0018, to: 1.3, log: true}, Seconds, []string{"10 ms", "100 ms", "1 s"}},
		{scale{from: 0.09, to: 1.1, log: true}, Seconds, []string{"100 ms", "200 ms", "500 ms", "1 s"}},
		{scale{from: 180, to: 220}, Hertz, []string{"180 Hz", "190 Hz", "200 Hz", "210 Hz", "220 Hz"}},
	} {
		var got []string
		for _, v := range tt.scale.ticks(6) {
			got = append(got, tt.unit.tick(v))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("ticks of %+v are %q, want %q", tt.scale, got, tt.want)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		scale       scale
		value, want float64
	}{
		{scale{from: 0, to: 10}, 5, 0.5},
		{scale{from: 0, to: 10}, 11, 1},
		{scale{from: 0, to: 10}, -1, 0},
		{scale{from: 0.001, to: 10, log: true}, 0.1, 0.5}, // two decades of four
		{scale{from: 0.001, to: 10, log: true}, 0, 0},
	} {
		if got := tt.scale.place(tt.value); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%g lies at %g on %+v, want %g", tt.value, got, tt.scale, tt.want)
		}
	}
}

// Values that differ by less than a float64 can count have an axis with room about them.
func TestScaleOfNearlyEqualValues(t *testing.T) {
	for _, most := range []float64{1e6, math.Nextafter(1e6, 2e6), 1e6 + 1e-6} {
		s := newScale(1e6, most, false)
		if ticks := s.ticks(6); len(ticks) < 2 || len(ticks) > 7 || s.to-s.from < 1 {
			t.Errorf("from 1e6 to %g: ticks %v on %+v", most, ticks, s)
		}
	}
}

// Whatever is drawn lies on its scale, and the scale has a few ticks.
func TestScaleHoldsItsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-1e6, 1e6).Draw(t, "a")
		b := a + rapid.Float64Range(0, 1e6).Draw(t, "more")
		s := newScale(a, b, rapid.Bool().Draw(t, "log"))
		for _, x := range []float64{a, b} {
			if p := s.place(x); !(s.from <= x && x <= s.to && p >= 0 && p <= 1) {
				t.Fatalf("%g lies at %g on %+v", x, p, s)
			}
		}
		ticks := s.ticks(6)
		if len(ticks) > 8 || !slices.IsSorted(ticks) {
			t.Fatalf("ticks %v on %+v", ticks, s)
		}
	})
}
