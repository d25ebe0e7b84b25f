package plan

import (
	"math/big"
	"math/bits"
)

// A frameTally counts what becomes of the frames of a run.
type frameTally struct {
	last   int64 // when the last frame is published
	behind bool  // the thread cannot keep up, so that the steady part begins when the queue is full

	processedIDs, missedIDs []int64 // the first MaxIDs of each
	count, missed           int64
	firstLost               int64 // the frame; -1: none is
	end                     int64 // of the last callback

	age, latency, steadyAge, steadyLatency extent
	steadyFrom, steadyTo                   int64 // starts of the first and the last callback of the steady part
}

func newFrameTally(last int64, behind bool) frameTally {
	return frameTally{last: last, behind: behind, firstLost: -1, processedIDs: []int64{}, missedIDs: []int64{}}
}

// lost counts a frame that was overwritten.
func (t *frameTally) lost(id int64) {
	if t.missed == 0 {
		t.firstLost = id
	}
	t.missed++
	t.missedIDs = appendBounded(t.missedIDs, id)
}

// processed counts a frame whose callback ran from start to end.
func (t *frameTally) processed(id, arrived, start, end int64) {
	t.count++
	t.processedIDs = appendBounded(t.processedIDs, id)
	t.age.add(start - arrived)
	t.latency.add(end - arrived)
	if t.steady(start) {
		if t.steadyAge.n == 0 {
			t.steadyFrom = start
		}
		t.steadyTo = start
		t.steadyAge.add(start - arrived)
		t.steadyLatency.add(end - arrived)
	}
	t.end = end
}

// steady reports whether a callback that starts then belongs to the steady
// part: after the queue has filled, where it ever does, and before the sensor
// stops and the queue drains.
func (t *frameTally) steady(start int64) bool {
	return start <= t.last && (!t.behind || t.missed > 0)
}

// steadyShare returns the share of the frames that is processed in the steady
// part: callbacks started over frames that came meanwhile. It is nil where
// the thread keeps up, and where too few callbacks tell.
func (t *frameTally) steadyShare(interval int64) *big.Rat {
	if !t.behind || t.steadyAge.n < 2 {
		return nil
	}
	came := big.NewRat(t.steadyTo-t.steadyFrom, interval)
	return came.Quo(big.NewRat(t.steadyAge.n-1, 1), came)
}

func appendBounded(ids []int64, id int64) []int64 {
	if len(ids) == MaxIDs {
		return ids
	}
	return append(ids, id)
}

// An extent is the sum and the extremes of values that are not negative. The
// sum has 128 bits, so that it is exact.
type extent struct {
	n, min, max int64
	hi, lo      uint64
}

func (e *extent) add(v int64) {
	if e.n == 0 || v < e.min {
		e.min = v
	}
	e.max = max(e.max, v)
	e.n++
	var carry uint64
	e.lo, carry = bits.Add64(e.lo, uint64(v), 0)
	e.hi += carry
}

// mean returns the exact mean; there must be a value.
func (e *extent) mean() *big.Rat {
	sum := new(big.Int).SetUint64(e.hi)
	sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(e.lo))
	return new(big.Rat).SetFrac(sum, big.NewInt(e.n))
}

// ages returns extents of ticks as seconds, each multiplied by scale.
func ages(all, steady extent, tick, scale *big.Rat) Ages {
	in := func(ticks *big.Rat) *float64 {
		x := new(big.Rat).Mul(ticks, tick)
		return float(x.Mul(x, scale))
	}
	var a Ages
	if all.n > 0 {
		a.Mean, a.Max = in(all.mean()), in(big.NewRat(all.max, 1))
	}
	if steady.n > 0 {
		a.Steady = in(steady.mean())
		a.SteadyMin, a.SteadyMax = in(big.NewRat(steady.min, 1)), in(big.NewRat(steady.max, 1))
	}
	return a
}
