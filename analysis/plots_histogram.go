package analysis

import (
	"math"

	"github.com/takt-rt/takt/stats"
)

// A Histogram counts the values of a series by size, from the least to the greatest.
type Histogram struct {
	Log  bool // the bins are equally wide on a logarithmic axis
	Bins []Bin
}

// A Bin counts the values from From up to To, which belongs to the last bin only.
type Bin struct {
	From, To float64
	Count    uint64
}

const (
	bins = 60
	// spreadForLog is how many times the least value the greatest must be for
	// a logarithmic axis: below it both tails are seen on a linear one.
	spreadForLog = 20
)

// histogram returns the histogram of a series, nil if it is empty. All values
// alike make a single bin without width.
func histogram(s *stats.Summary) *Histogram {
	if s.Count() == 0 {
		return nil
	}
	least, _ := s.Min()
	most, _ := s.Max()
	if least == most {
		return &Histogram{Bins: []Bin{{least, most, s.Count()}}}
	}
	h := &Histogram{Log: least > 0 && most > spreadForLog*least, Bins: make([]Bin, bins)}
	scale := func(x float64) float64 { return x }
	unscale := scale
	if h.Log {
		scale, unscale = math.Log, math.Exp
	}
	from, width := scale(least), (scale(most)-scale(least))/bins
	for i := range h.Bins {
		h.Bins[i].From, h.Bins[i].To = unscale(from+float64(i)*width), unscale(from+float64(i+1)*width)
	}
	h.Bins[0].From, h.Bins[bins-1].To = least, most // as they are, not as they are rounded
	s.Each(func(x float64, count uint64) {
		x = min(max(x, least), most) // a sketch's value is not exact
		h.Bins[min(max(int((scale(x)-from)/width), 0), bins-1)].Count += count
	})
	return h
}
