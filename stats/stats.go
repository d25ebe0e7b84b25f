// Package stats has summaries of series of values that are read once and may
// be long: count, mean, spread, extremes with the instant they occurred, and
// quantiles.
//
// Quantiles are exact up to MaxExact values; after that they come from a
// DDSketch (Masson, Rim and Lee, VLDB 2019), whose relative error is
// SketchError. A Pool bounds what many summaries together keep exactly.
package stats

import (
	"math"
	"slices"
)

const (
	// MaxExact is how many values of one series are kept to give exact quantiles.
	MaxExact = 100_000
	// SketchError bounds the relative error of a quantile from a sketch.
	SketchError = 0.005
)

// A Pool is a number of values that several summaries may keep among them. A
// summary that the pool refuses changes to a sketch early. It is not safe for
// concurrent use.
type Pool struct{ left int }

// NewPool returns a pool of n values, 8 bytes each.
func NewPool(n int) *Pool { return &Pool{left: n} }

func (p *Pool) take(n int) bool {
	if p == nil {
		return true
	}
	if n > p.left {
		return false
	}
	p.left -= n
	return true
}

// A Summary summarizes a series. The zero Summary is empty and ready to use.
// It is not safe for concurrent use.
//
// Add only remembers a value and compares it with the extremes. The rest is
// done for many values at once, when room runs out or a figure is asked for.
type Summary struct {
	pool  *Pool
	n     uint64
	min   float64
	max   float64
	minAt int64
	maxAt int64

	// The values in blocks, so that growing copies nothing: full ones, and the
	// one being filled. With a sketch there is only the latter, of those to come.
	full   [][]float64
	fill   []float64
	begun  bool // the first block of full is sorted
	sorted bool // and is all there is
	sketch *sketch

	moments moments // of all but fill[folded:]
	folded  int
}

// In returns an empty Summary that keeps its values in p.
func In(p *Pool) Summary { return Summary{pool: p} }

// Add takes the next value and the instant at which it occurred, on whatever
// axis the caller uses. NaN and infinities are not values: they are ignored.
func (s *Summary) Add(x float64, at int64) {
	if x-x != 0 {
		return
	}
	s.keep(x)
	if s.n == 0 || x < s.min {
		s.min, s.minAt = x, at
	}
	if s.n == 0 || x > s.max {
		s.max, s.maxAt = x, at
	}
	s.n++
}

func (s *Summary) keep(x float64) {
	if len(s.fill) == cap(s.fill) {
		s.makeRoom()
	}
	s.fill = append(s.fill, x)
	s.sorted = false
}

// makeRoom makes room in fill.
func (s *Summary) makeRoom() {
	s.fold()
	if s.sketch == nil && !s.nextBlock() {
		s.toSketch()
	}
}

// fold brings the moments, and the sketch if there is one, up to date.
func (s *Summary) fold() {
	s.moments.addAll(s.fill[s.folded:])
	s.folded = len(s.fill)
	if s.sketch != nil {
		s.sketch.addAll(s.fill)
		s.fill, s.folded = s.fill[:0], 0
	}
}

// block is the largest number of values in a block; the first are smaller,
// since most series are short.
const block = 4096

// nextBlock puts an empty block in the place of the full one and reports whether it may.
func (s *Summary) nextBlock() bool {
	if cap(s.fill) > 0 {
		s.full = append(s.full, s.fill)
	}
	kept := 0
	for _, b := range s.full {
		kept += len(b)
	}
	room := min(max(32, kept), block, MaxExact-kept)
	if room == 0 || !s.pool.take(room) {
		s.fill, s.folded = nil, 0
		return false
	}
	s.fill, s.folded = make([]float64, 0, room), 0
	return true
}

// toSketch gives the exact values up for a sketch. They are all in full.
func (s *Summary) toSketch() {
	s.sketch = newSketch()
	for _, b := range s.full {
		s.sketch.addAll(b)
		if s.pool != nil {
			s.pool.left += len(b)
		}
	}
	s.full = nil
	s.fill, s.folded = make([]float64, 0, batch), 0
}

// batch is how many values a sketch takes at once.
const batch = 64

// Count returns the number of values.
func (s *Summary) Count() uint64 { return s.n }

// Mean returns the mean, NaN if there are no values.
func (s *Summary) Mean() float64 {
	s.fold()
	return s.orNaN(s.moments.mean)
}

// Stddev returns the population's standard deviation (divisor n), NaN if there are no values.
func (s *Summary) Stddev() float64 {
	s.fold()
	return s.orNaN(math.Sqrt(s.moments.m2 / s.moments.n))
}

// Sum returns the sum of the values.
func (s *Summary) Sum() float64 {
	s.fold()
	return s.moments.mean * s.moments.n
}

// Min returns the least value and the first instant at which it occurred, NaN if there are no values.
func (s *Summary) Min() (x float64, at int64) { return s.orNaN(s.min), s.minAt }

// Max returns the greatest value and the first instant at which it occurred, NaN if there are no values.
func (s *Summary) Max() (x float64, at int64) { return s.orNaN(s.max), s.maxAt }

func (s *Summary) orNaN(x float64) float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return x
}

// Exact reports whether quantiles are exact.
func (s *Summary) Exact() bool { return s.sketch == nil }

// Quantile returns the value at rank (n-1)q for q from 0 to 1, interpolated
// linearly between neighbours; NaN if there are no values.
func (s *Summary) Quantile(q float64) float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return s.atRank(float64(s.n-1) * q)
}

// NearestRank returns the value at the rank nearest to (n-1)q for q from 0 to
// 1, that of the even rank if two are as near; NaN if there are no values.
func (s *Summary) NearestRank(q float64) float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return s.atRank(math.RoundToEven(float64(s.n-1) * q))
}

// QuantileCI returns a 95 % confidence interval of the quantile q that holds
// whatever the distribution, for independent values: the order statistics at
// ranks nq -+ 1.96 sqrt(nq(1-q)) (David and Nagaraja, Order Statistics, 7.1).
func (s *Summary) QuantileCI(q float64) (lo, hi float64) {
	if s.n == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(s.n)
	half := 1.96 * math.Sqrt(n*q*(1-q))
	last := n - 1
	lo = s.atRank(min(max(math.Floor(n*q-half)-1, 0), last))
	hi = s.atRank(min(max(math.Ceil(n*q+half)-1, 0), last))
	return lo, hi
}

// atRank returns the value at rank r, from 0 to n-1.
func (s *Summary) atRank(r float64) float64 {
	if s.sketch != nil {
		s.fold()
		return min(max(s.sketch.atRank(r), s.min), s.max)
	}
	s.sort()
	i := int(r)
	x := s.full[0][i]
	if f := r - float64(i); f > 0 {
		x += f * (s.full[0][i+1] - x)
	}
	return x
}

// sort makes one sorted block of all values, from what was sorted before and
// the rest.
func (s *Summary) sort() {
	if s.sorted {
		return
	}
	s.fold()
	var first []float64
	rest := append(s.full, s.fill)
	if s.begun {
		first, rest = rest[0], rest[1:]
	}
	last := slices.Concat(rest...)
	slices.Sort(last)
	all := merge(first, last)
	if s.pool != nil {
		s.pool.left += cap(s.fill) - len(s.fill)
	}
	s.full, s.fill, s.folded, s.begun, s.sorted = [][]float64{all}, nil, 0, true, true
}

// merge returns the values of two sorted blocks in one, in the memory of the
// first if that has room: who asks again and again pays for what is new.
func merge(a, b []float64) []float64 {
	i, j := len(a)-1, len(b)-1
	a = slices.Grow(a, len(b))[:len(a)+len(b)]
	for k := len(a) - 1; j >= 0; k-- {
		if i >= 0 && a[i] > b[j] {
			a[k] = a[i]
			i--
		} else {
			a[k] = b[j]
			j--
		}
	}
	return a
}

// Each calls f with every value and how often it occurred, in no particular
// order. Values from a sketch are within SketchError of the true ones.
func (s *Summary) Each(f func(x float64, count uint64)) {
	if s.sketch != nil {
		s.fold()
		s.sketch.each(f)
		return
	}
	for _, b := range append(s.full[:len(s.full):len(s.full)], s.fill) {
		for _, x := range b {
			f(x, 1)
		}
	}
}

// Merge adds the values of o to s, which keeps the earlier of two equal extremes.
func (s *Summary) Merge(o *Summary) {
	if o.n == 0 {
		return
	}
	if s.n == 0 || o.min < s.min || o.min == s.min && o.minAt < s.minAt {
		s.min, s.minAt = o.min, o.minAt
	}
	if s.n == 0 || o.max > s.max || o.max == s.max && o.maxAt < s.maxAt {
		s.max, s.maxAt = o.max, o.maxAt
	}
	s.n += o.n
	if o.sketch == nil {
		o.Each(func(x float64, _ uint64) { s.keep(x) })
		return
	}
	s.fold()
	o.fold()
	if s.sketch == nil {
		s.sort() // brings all values into full
		s.toSketch()
	}
	s.moments.add(o.moments)
	s.sketch.merge(o.sketch)
}

// moments are the count, mean and sum of squared distances from the mean.
type moments struct{ n, mean, m2 float64 }

// addAll adds values in two passes: what one pass over squares would cancel
// out, the distances from the batch's own mean keep.
func (m *moments) addAll(values []float64) {
	if len(values) == 0 {
		return
	}
	b := moments{n: float64(len(values))}
	for _, x := range values {
		b.mean += x
	}
	b.mean /= b.n
	for _, x := range values {
		d := x - b.mean
		b.m2 += d * d
	}
	m.add(b)
}

// add gives the moments of the union of two sets (Chan, Golub and LeVeque 1979).
func (m *moments) add(o moments) {
	n, d := m.n+o.n, o.mean-m.mean
	m.mean += d * o.n / n
	m.m2 += o.m2 + d*d*m.n*o.n/n
	m.n = n
}
