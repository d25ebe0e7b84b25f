package stats

import "math"

// TrackBuckets is how many buckets a Track has at most: 12 KB. It is even.
const TrackBuckets = 256

// A Track is a series over time, to be plotted: buckets of equal length, each
// with the extremes of what fell into it. Where the series goes beyond the
// last bucket, neighbours are merged and all become twice as long, so that a
// Track of any length keeps every extreme and stays small. The zero Track is
// empty and ready to use. It is not safe for concurrent use.
type Track struct {
	start   int64
	length  uint64
	buckets []Bucket
}

// A Bucket has the values of one stretch of time; all is zero if Count is.
type Bucket struct {
	Count        uint64
	Min, Max     float64
	MinAt, MaxAt int64 // of equal extremes the first that was added
	Sum          float64
}

// firstLength is how long the buckets of a Track are at first: a millisecond,
// if instants are nanoseconds.
const firstLength = 1_000_000

// Add takes the next value and the instant at which it occurred. An instant
// before the first one counts into the first bucket. NaN and infinities are
// not values: they are ignored.
func (t *Track) Add(x float64, at int64) {
	if x-x != 0 {
		return
	}
	if t.length == 0 {
		t.start, t.length = at, firstLength
	}
	i := int(t.reach(at))
	for i >= len(t.buckets) {
		t.buckets = append(t.buckets, Bucket{})
	}
	t.buckets[i].add(Bucket{Count: 1, Min: x, Max: x, MinAt: at, MaxAt: at, Sum: x})
}

// reach makes the buckets long enough for an instant, and returns its bucket.
func (t *Track) reach(at int64) uint64 {
	if at < t.start {
		return 0
	}
	after := uint64(at) - uint64(t.start) // right even where at - start is beyond an int64
	for after/t.length >= TrackBuckets {
		t.double()
	}
	return after / t.length
}

func (t *Track) double() {
	half := t.buckets[:(len(t.buckets)+1)/2]
	for i := range half {
		b := t.buckets[2*i]
		if 2*i+1 < len(t.buckets) {
			b.add(t.buckets[2*i+1])
		}
		half[i] = b
	}
	t.buckets = half
	t.length *= 2
}

func (b *Bucket) add(o Bucket) {
	switch {
	case o.Count == 0:
		return
	case b.Count == 0:
		*b = o
		return
	}
	if o.Min < b.Min {
		b.Min, b.MinAt = o.Min, o.MinAt
	}
	if o.Max > b.Max {
		b.Max, b.MaxAt = o.Max, o.MaxAt
	}
	b.Count += o.Count
	b.Sum += o.Sum
}

// Mean returns the mean of the bucket's values, NaN if there are none.
func (b *Bucket) Mean() float64 {
	if b.Count == 0 {
		return math.NaN()
	}
	return b.Sum / float64(b.Count)
}

// Each calls f with every bucket that has values, in order, and the instant at
// which it starts.
func (t *Track) Each(f func(start int64, b Bucket)) {
	for i, b := range t.buckets {
		if b.Count > 0 {
			f(t.start+int64(uint64(i)*t.length), b)
		}
	}
}

// Length returns how long each bucket is, on the axis of the instants; 0 if
// there is none.
func (t *Track) Length() uint64 { return t.length }
