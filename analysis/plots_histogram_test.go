package analysis

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/stats"
)

func summaryOf(values ...float64) *stats.Summary {
	var s stats.Summary
	for i, x := range values {
		s.Add(x, int64(i))
	}
	return &s
}

func TestHistogram(t *testing.T) {
	if h := histogram(summaryOf()); h != nil {
		t.Errorf("of nothing: %+v", h)
	}
	if h := histogram(summaryOf(3, 3, 3)); len(h.Bins) != 1 || h.Bins[0] != (Bin{3, 3, 3}) {
		t.Errorf("of equal values: %+v, want one bin", h)
	}
	// From 0 to 60 in 60 bins, each a unit wide; the last holds its end too.
	h := histogram(summaryOf(0, 0.5, 1, 30, 59, 60))
	if h.Log || h.Bins[0].Count != 2 || h.Bins[1].Count != 1 || h.Bins[30].Count != 1 || h.Bins[59].Count != 2 {
		t.Errorf("of 0 to 60: %+v", h)
	}
	// A spread of 1 to 1000 is logarithmic: each bin is 1000^(1/60) times the one before.
	h = histogram(summaryOf(1, 1000, 31.7))
	if !h.Log || h.Bins[30].Count != 1 || h.Bins[0].Count != 1 || h.Bins[59].Count != 1 {
		t.Errorf("of 1 to 1000: %+v", h)
	}
}

func TestHistogramLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 300).Draw(t, "values")
		h := histogram(summaryOf(values...))
		n := uint64(0)
		for i, b := range h.Bins {
			n += b.Count
			if b.From > b.To || i > 0 && b.From != h.Bins[i-1].To {
				t.Fatalf("bin %d of %+v", i, h.Bins)
			}
		}
		if n != uint64(len(values)) {
			t.Fatalf("%d values in bins, want %d", n, len(values))
		}
	})
}
