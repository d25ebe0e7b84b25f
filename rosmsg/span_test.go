package rosmsg

import (
	"testing"

	"pgregory.net/rapid"
)

// A span must say what moving over the primitives one by one says.
func TestSpanIsTheSumOfItsSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 4, 8}), 1, 8).Draw(t, "sizes")
		count := rapid.IntRange(0, 9).Draw(t, "count")
		var all span
		for _, size := range sizes {
			all = all.then(primitiveSpan(size))
		}
		all = all.times(count)
		for start := range 8 {
			at := start
			for range count {
				for _, size := range sizes {
					for at%size != 0 {
						at++
					}
					at += size
				}
			}
			if all[start] != at-start {
				t.Fatalf("%d times %v from %d: %d, want %d", count, sizes, start, all[start], at-start)
			}
		}
	})
}

func TestNeighboursOfFixedSizeAreOneStep(t *testing.T) {
	s := mustParse(t, "uint8 a\nB b\nfloat64[9] c\nint32 d\nint16 wanted\n====\nMSG: pkg/B\nfloat32 x\nuint8[3] y\n")
	f, err := s.Field("wanted")
	if err != nil {
		t.Fatal(err)
	}
	// a 0..1, x 4..8, y 8..11, c 16..88, d 88..92
	if len(f.steps) != 1 || plan(f.steps).constant(2) != 4+92 {
		t.Errorf("%d steps, at %d", len(f.steps), plan(f.steps).constant(2))
	}
}
