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

	"github.com/DataDog/sketches-go/ddsketch"
	"github.com/DataDog/sketches-go/ddsketch/mapping"
	"github.com/DataDog/sketches-go/ddsketch/store"
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
type Summary struct {
	pool  *Pool
	n     uint64
	mean  float64
	m2    float64 // sum of squared distances from the mean
	min   float64
	max   float64
	minAt int64
	maxAt int64

	exact  []float64 // all values, until there is a sketch
	sorted bool
	sketch *ddsketch.DDSketch
}

// In returns an empty Summary that keeps its values in p.
func In(p *Pool) Summary { return Summary{pool: p} }

// Add takes the next value and the instant at which it occurred, on whatever
// axis the caller uses. NaN and infinities are not values: they are ignored.
func (s *Summary) Add(x float64, at int64) {
	if x-x != 0 {
		return
	}
	s.n++
	if s.n == 1 || x < s.min {
		s.min, s.minAt = x, at
	}
	if s.n == 1 || x > s.max {
		s.max, s.maxAt = x, at
	}
	// Welford's update: stable where the sum of squares is not.
	d := x - s.mean
	s.mean += d / float64(s.n)
	s.m2 += d * (x - s.mean)
	s.keep(x)
}

func (s *Summary) keep(x float64) {
	if s.sketch == nil && len(s.exact) == cap(s.exact) && !s.grow() {
		s.toSketch()
	}
	if s.sketch != nil {
		_ = s.sketch.Add(x) // fails on NaN and infinities only
		return
	}
	s.exact = append(s.exact, x)
	s.sorted = false
}

// grow doubles the room for exact values and reports whether it could.
func (s *Summary) grow() bool {
	room := min(max(32, 2*cap(s.exact)), MaxExact)
	if room == cap(s.exact) || !s.pool.take(room-cap(s.exact)) {
		return false
	}
	s.exact = append(make([]float64, 0, room), s.exact...)
	return true
}

func (s *Summary) toSketch() {
	m, err := mapping.NewLogarithmicMapping(SketchError)
	if err != nil {
		panic(err) // SketchError is a constant within its range
	}
	s.sketch = ddsketch.NewDDSketch(m, store.NewBufferedPaginatedStore(), store.NewBufferedPaginatedStore())
	for _, x := range s.exact {
		_ = s.sketch.Add(x)
	}
	if s.pool != nil {
		s.pool.left += cap(s.exact)
	}
	s.exact = nil
}

// Count returns the number of values.
func (s *Summary) Count() uint64 { return s.n }

// Mean returns the mean, NaN if there are no values.
func (s *Summary) Mean() float64 { return s.orNaN(s.mean) }

// Stddev returns the population's standard deviation (divisor n), NaN if there are no values.
func (s *Summary) Stddev() float64 { return s.orNaN(math.Sqrt(s.m2 / float64(s.n))) }

// Sum returns the sum of the values.
func (s *Summary) Sum() float64 { return s.mean * float64(s.n) }

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
		x, err := s.sketch.GetValueAtQuantile(r / float64(s.n-1))
		if err != nil {
			return math.NaN()
		}
		return min(max(x, s.min), s.max)
	}
	s.sort()
	i := int(r)
	x := s.exact[i]
	if f := r - float64(i); f > 0 {
		x += f * (s.exact[i+1] - x)
	}
	return x
}

func (s *Summary) sort() {
	if !s.sorted {
		slices.Sort(s.exact)
		s.sorted = true
	}
}

// Each calls f with every value and how often it occurred, in no particular
// order. Values from a sketch are within SketchError of the true ones.
func (s *Summary) Each(f func(x float64, count uint64)) {
	for _, x := range s.exact {
		f(x, 1)
	}
	if s.sketch != nil {
		s.sketch.ForEach(func(x, count float64) bool {
			f(x, uint64(math.Round(count)))
			return false
		})
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
	// Chan, Golub and LeVeque (1979): moments of the union of two sets.
	n, m := float64(s.n), float64(o.n)
	d := o.mean - s.mean
	s.mean += d * m / (n + m)
	s.m2 += o.m2 + d*d*n*m/(n+m)
	s.n += o.n
	if o.sketch == nil {
		for _, x := range o.exact {
			s.keep(x)
		}
		return
	}
	if s.sketch == nil {
		s.toSketch()
	}
	_ = s.sketch.MergeWith(o.sketch) // fails on different mappings only
}
