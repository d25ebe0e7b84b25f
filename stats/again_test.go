package stats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Quantiles asked for at any time in between are those of the values until then.
func TestQuantilesAskedForMeanwhile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Summary
		var all []float64
		for range rapid.IntRange(1, 20).Draw(t, "times") {
			for range rapid.SampledFrom([]int{0, 1, 5, 40, 5000}).Draw(t, "values") {
				x := float64(rapid.IntRange(-50, 50).Draw(t, "value"))
				s.Add(x, 0)
				all = append(all, x)
			}
			slices.Sort(all)
			for i, want := range all {
				if got := s.atRank(float64(i)); got != want {
					t.Fatalf("rank %d of %d: %v, want %v", i, len(all), got, want)
				}
			}
		}
	})
}
