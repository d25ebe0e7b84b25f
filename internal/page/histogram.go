package page

import (
	"fmt"
	"math"
)

// A Histogram draws how many values there are of each size. The counts stand
// on a logarithmic axis, so that a single late value is seen beside thousands
// that were on time.
type Histogram struct {
	Name  string // what it shows, in words
	Unit  Unit   // of the values
	Log   bool   // the values stand on a logarithmic axis
	Bins  []Bin
	Marks []Limit // at values: quantiles, the maximum, a limit
}

// A Bin counts the values in a stretch of sizes.
type Bin struct {
	From, To float64
	Count    uint64
}

func (c *Histogram) name() string {
	text := c.Name
	for _, m := range c.Marks {
		text += fmt.Sprintf("; %s %s", m.Label, c.Unit.Write(m.Value))
	}
	return text + "."
}

// half is where the axis of counts begins, so that a count of 1 has a height.
const half = 0.5

func (c *Histogram) draw(s *svg) {
	const row = 15 // of the labels above the bars
	top := row * float64(len(c.Marks))
	s.height, s.below = plotHeight+top, 22
	var sizes, counts extent
	for _, b := range c.Bins {
		sizes.add(b.From)
		sizes.add(b.To)
		counts.add(float64(b.Count))
	}
	for _, m := range c.Marks {
		sizes.add(m.Value)
	}
	x, y := newScale(sizes.least, sizes.most, c.Log), scale{half, max(counts.most, 2), true}
	down := func(n float64) float64 { return top + plotHeight*(1-y.place(n)) }
	c.counts(s, y, down)
	s.axis(x, c.Unit)
	s.beginPaths()
	s.path("bars", c.bars(x, down))
	s.endPaths()
	for i, m := range c.Marks {
		s.line(m.class(), x.place(m.Value), row*float64(i+1)-10, x.place(m.Value), s.height)
	}
	for i, m := range c.Marks { // over all lines
		s.beside(m.class(), x.place(m.Value), row*float64(i+1), m.Label+" "+c.Unit.Write(m.Value))
	}
}

// counts draws the ticks of the counts: powers of ten.
func (c *Histogram) counts(s *svg, y scale, down func(float64) float64) {
	every := max(1, math.Ceil(math.Log10(y.to)/4))
	for e := 0.0; math.Pow(10, e) <= y.to; e += every {
		n := math.Pow(10, e)
		s.level(down(n))
		s.text("tick", atEnd, 0, -8, down(n)+4, count(n))
	}
}

// count writes a power of ten: 1, 1000, 10⁶ as 1e6.
func count(n float64) string {
	if n >= 1e5 {
		return fmt.Sprintf("1e%d", int(math.Round(math.Log10(n))))
	}
	return short(n)
}

// bars goes along the tops of all bars, and down to the bottom between them
// where there is a gap.
func (c *Histogram) bars(x scale, down func(float64) float64) *path {
	var p path
	bottom := down(half)
	end := -1.0 // of the bar before
	for _, b := range c.Bins {
		if b.Count == 0 {
			continue
		}
		from, to := x.place(b.From), x.place(b.To)
		if to-from < thinnest {
			from, to = (from+to-thinnest)/2, (from+to+thinnest)/2
		}
		if from > end+1e-9 {
			if p.points > 0 {
				p.fall(bottom)
				p.lift()
			}
			p.to(from, bottom)
		}
		p.fall(down(float64(b.Count)))
		p.across(to)
		end = to
	}
	p.fall(bottom)
	return &p
}

// thinnest is the least width of a bar.
const thinnest = 0.004
