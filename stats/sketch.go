package stats

import (
	"math"

	"github.com/DataDog/sketches-go/ddsketch"
	"github.com/DataDog/sketches-go/ddsketch/mapping"
	"github.com/DataDog/sketches-go/ddsketch/store"
)

// A sketch is a DDSketch behind a small table. Values of a series are close
// together, so most fall where another just fell; the table counts those and
// spares the sketch the logarithm.
type sketch struct {
	*ddsketch.DDSketch
	cells [64]cell
}

// A cell counts the values whose sign, exponent and first digits are key.
type cell struct{ key, count uint32 }

const (
	// coarse is how many of a float64's 52 bits of mantissa a cell ignores:
	// with 8 left, the middle of a cell is within 2^-9 of its values.
	coarse    = 52 - 8
	cellError = 1.0 / 512
)

func newSketch() *sketch {
	m, err := mapping.NewLogarithmicMapping(SketchError - cellError)
	if err != nil {
		panic(err) // the error is a constant within its range
	}
	return &sketch{DDSketch: ddsketch.NewDDSketch(m, store.NewBufferedPaginatedStore(), store.NewBufferedPaginatedStore())}
}

func (s *sketch) addAll(values []float64) {
	for _, x := range values {
		key := uint32(math.Float64bits(x) >> coarse)
		c := &s.cells[key%uint32(len(s.cells))]
		if c.key != key || c.count == math.MaxUint32 {
			s.flush(c)
			c.key = key
		}
		c.count++
	}
}

// flush hands a cell's count on to the sketch.
func (s *sketch) flush(c *cell) {
	if c.count == 0 {
		return
	}
	x := math.Float64frombits(uint64(c.key)<<coarse | 1<<(coarse-1))
	if c.key == 0 {
		x = 0 // the cell of zero holds nothing else that matters: under 1e-308
	}
	_ = s.AddWithCount(x, float64(c.count)) // fails on NaN, infinities and negative counts only
	c.count = 0
}

func (s *sketch) flushAll() {
	for i := range s.cells {
		s.flush(&s.cells[i])
	}
}

// atRank returns the value at rank r, from 0 to one less than their number.
func (s *sketch) atRank(r float64) float64 {
	s.flushAll()
	x, err := s.GetValueAtQuantile(r / max(1, s.GetCount()-1))
	if err != nil {
		return math.NaN()
	}
	return x
}

func (s *sketch) each(f func(x float64, count uint64)) {
	s.flushAll()
	s.ForEach(func(x, count float64) bool {
		f(x, uint64(math.Round(count)))
		return false
	})
}

func (s *sketch) merge(o *sketch) {
	s.flushAll()
	o.flushAll()
	_ = s.MergeWith(o.DDSketch) // fails on different mappings only
}
