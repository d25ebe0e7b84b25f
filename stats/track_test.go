package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

const ms = 1_000_000

func TestTrackKeepsExtremesPerBucket(t *testing.T) {
	var tr Track
	tr.Add(5, 0)
	tr.Add(3, 0.2*ms)
	tr.Add(9, 0.9*ms)
	tr.Add(4, 2*ms) // two buckets on: the one between stays empty
	var got []Bucket
	var starts []int64
	tr.Each(func(start int64, b Bucket) { starts, got = append(starts, start), append(got, b) })
	want := []Bucket{
		{Count: 3, Min: 3, Max: 9, MinAt: 0.2 * ms, MaxAt: 0.9 * ms, Sum: 17},
		{Count: 1, Min: 4, Max: 4, MinAt: 2 * ms, MaxAt: 2 * ms, Sum: 4},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("buckets %+v, want %+v", got, want)
	}
	if len(starts) != 2 || starts[0] != 0 || starts[1] != 2*ms {
		t.Errorf("starts %v, want 0 and 2 ms", starts)
	}
}

// 256 buckets of 1 ms hold instants below 256 ms; 256 ms makes them 2 ms long,
// and it falls into the 129th.
func TestTrackDoublesWhenFull(t *testing.T) {
	var tr Track
	for i := range int64(256) {
		tr.Add(float64(i), i*ms)
	}
	if tr.Length() != 1*ms || len(tr.buckets) != 256 {
		t.Fatalf("%d buckets of %d ns, want 256 of 1 ms", len(tr.buckets), tr.Length())
	}
	tr.Add(256, 256*ms)
	if tr.Length() != 2*ms || len(tr.buckets) != 129 {
		t.Fatalf("%d buckets of %d ns, want 129 of 2 ms", len(tr.buckets), tr.Length())
	}
	if b := tr.buckets[3]; b.Min != 6 || b.Max != 7 || b.Count != 2 || b.MaxAt != 7*ms {
		t.Errorf("bucket 3 is %+v, want 6 and 7", b)
	}
}

func TestTrackOfExtremeInstants(t *testing.T) {
	var tr Track
	tr.Add(1, math.MinInt64)
	tr.Add(2, math.MaxInt64)
	tr.Add(3, 0)
	tr.Add(math.NaN(), 7)
	tr.Add(math.Inf(1), 7)
	n := uint64(0)
	tr.Each(func(_ int64, b Bucket) { n += b.Count })
	if n != 3 || len(tr.buckets) > TrackBuckets {
		t.Errorf("%d values in %d buckets, want 3 in at most %d", n, len(tr.buckets), TrackBuckets)
	}
}

func TestTrackLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 400).Draw(t, "values")
		var tr Track
		var all Summary
		at := rapid.Int64Range(-1e18, 1e18).Draw(t, "start")
		for _, x := range values {
			tr.Add(x, at)
			all.Add(x, at)
			at += rapid.Int64Range(-1e6, 1e9).Draw(t, "step")
		}
		var got Bucket
		last := int64(math.MinInt64)
		tr.Each(func(start int64, b Bucket) {
			if start <= last {
				t.Fatalf("bucket at %d comes after %d", start, last)
			}
			last = start
			if b.Min > b.Max || b.Mean() < b.Min-1e-6 || b.Mean() > b.Max+1e-6 {
				t.Fatalf("bucket %+v", b)
			}
			got.add(b)
		})
		least, _ := all.Min()
		most, _ := all.Max()
		if got.Count != all.Count() || got.Min != least || got.Max != most {
			t.Fatalf("%d values from %g to %g, want %d from %g to %g", got.Count, got.Min, got.Max, all.Count(), least, most)
		}
		if len(tr.buckets) > TrackBuckets {
			t.Fatalf("%d buckets", len(tr.buckets))
		}
	})
}

func BenchmarkTrackAdd(b *testing.B) {
	var tr Track
	for i := int64(0); b.Loop(); i++ {
		tr.Add(float64(i&1023), i*ms)
	}
}
