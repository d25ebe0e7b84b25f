package page

import (
	"fmt"
	"math"
	"slices"

	"github.com/takt-rt/takt/internal/quantity"
)

// A Series draws values over time: bands from the least to the greatest value
// of each stretch, lines, limits and marked points.
type Series struct {
	Name   string  // what it shows, in words
	Unit   Unit    // of the values
	Length float64 // of the time axis, which starts at 0, seconds
	Log    bool    // a logarithmic axis, where all values are above 0
	Zero   bool    // the axis goes down to 0
	Reach  float64 // and up to this at least
	Spark  bool    // a small drawing without axes
	Bands  []Band
	Lines  []Line
	Limits []Limit
	Worst  *Point
}

// A Band is drawn from the least to the greatest value of each stretch.
type Band struct{ Stretches []Stretch }

// A Stretch is a piece of time with its extremes, and when they occurred.
type Stretch struct{ Min, Max, MinAt, MaxAt float64 }

// A Line goes through points. Lines differ in their pattern: the first is
// drawn through, the second is dashed.
type Line struct {
	Label  string
	Points []Point
}

// A Point is a value at an instant.
type Point struct{ At, Value float64 }

// A Limit is a level line with its label.
type Limit struct {
	Value  float64
	Label  string
	Strict bool // something that was promised, and not just the usual value
}

// plotHeight is how high the charts with axes are, in pixels.
const plotHeight = 150

func (c *Series) name() string {
	text := c.Name
	if c.Worst != nil {
		text += fmt.Sprintf("; worst %s at %s", c.Unit.Write(c.Worst.Value), quantity.At(c.Worst.At))
	}
	for _, l := range c.Limits {
		text += fmt.Sprintf("; %s %s", l.Label, c.Unit.Write(l.Value))
	}
	return text + "."
}

// values returns the scale on which all that is drawn lies.
func (c *Series) values() scale {
	var r extent
	for _, b := range c.Bands {
		for _, s := range b.Stretches {
			r.add(s.Min)
			r.add(s.Max)
		}
	}
	for _, l := range c.Lines {
		for _, p := range l.Points {
			r.add(p.Value)
		}
	}
	for _, l := range c.Limits {
		r.add(l.Value)
	}
	if c.Worst != nil {
		r.add(c.Worst.Value)
	}
	if c.Zero && !c.Log {
		r.add(0)
		r.add(c.Reach)
	}
	return newScale(r.least, r.most, c.Log)
}

// An extent is from the least to the most of some values.
type extent struct {
	least, most float64
	any         bool
}

func (r *extent) add(x float64) {
	if !r.any {
		r.least, r.most, r.any = x, x, true
	}
	r.least, r.most = min(r.least, x), max(r.most, x)
}

func (c *Series) draw(s *svg) {
	s.height, s.below = plotHeight, 22
	if c.Spark {
		s.height, s.below, s.spark = 20, 0, true
	}
	x, y := scale{from: 0, to: max(c.Length, 1e-9)}, c.values()
	down := func(v float64) float64 { return s.height * (1 - y.place(v)) }
	if !c.Spark {
		s.levels(y, c.Unit)
		s.axis(x, Seconds)
	}
	s.beginPaths()
	for _, b := range c.Bands {
		s.path("band", b.path(x, down))
	}
	for i, l := range c.Lines {
		s.path(fmt.Sprint("line", i%2), l.path(x, down))
	}
	s.endPaths()
	if c.Spark {
		return
	}
	s.limits(c.Limits, down)
	c.worst(s, x, down)
}

// path goes along the greatest values and back along the least.
func (b *Band) path(x scale, down func(float64) float64) *path {
	var p path
	for _, s := range b.Stretches {
		p.to(x.place(s.MaxAt), down(s.Max))
	}
	for _, s := range slices.Backward(b.Stretches) {
		p.to(x.place(s.MinAt), down(s.Min))
	}
	p.WriteByte('Z')
	return &p
}

func (l *Line) path(x scale, down func(float64) float64) *path {
	var p path
	for _, v := range l.Points {
		p.to(x.place(v.At), down(v.Value))
	}
	return &p
}

func (c *Series) worst(s *svg, x scale, down func(float64) float64) {
	if c.Worst == nil {
		return
	}
	px, py := x.place(c.Worst.At), down(c.Worst.Value)
	s.ring("worst", px, py)
	text := fmt.Sprintf("%s at %s", c.Unit.Write(c.Worst.Value), quantity.At(c.Worst.At))
	dx, dy := 0.0, -9.0
	switch inside(px) {
	case atStart:
		dx = 9
	case atEnd:
		dx = -9
	}
	if py < 20 { // no room above
		dy = 4
		if dx == 0 {
			dy = 20
		}
	}
	s.text("worst", inside(px), px, dx, py+dy, text)
}

// limits draws level lines with their labels at the right end. One that is too
// near another for its label has it at the left end.
func (s *svg) limits(list []Limit, down func(float64) float64) {
	const letters = 14 // pixels
	at := 0.0          // where the last label at the right end is
	for i, l := range list {
		y, x, a := down(l.Value), 1.0, atEnd
		if i > 0 && math.Abs(y-at) < letters {
			x, a = 0, atStart
		} else {
			at = y
		}
		s.line(l.class(), 0, y, 1, y)
		above := y - 4
		if above < 10 {
			above = y + 13
		}
		s.text(l.class(), a, x, 0, above, l.Label)
	}
}

func (l Limit) class() string {
	if l.Strict {
		return "limit"
	}
	return "usual"
}

// levels draws the ticks of the upright axis, and their lines.
func (s *svg) levels(y scale, u Unit) {
	for _, v := range y.ticks(6) {
		at := s.height * (1 - y.place(v))
		s.level(at)
		s.text("tick", atEnd, 0, -8, at+4, u.tick(v))
	}
}

// axis draws the level axis beneath the plot.
func (s *svg) axis(x scale, u Unit) {
	s.axes.stroke(0, s.height-0.5, 1, s.height-0.5)
	end := -1.0 // of the value before
	for _, v := range x.ticks(7) {
		at, a, words := x.place(v), atMiddle, u.tick(v)
		s.axes.stroke(at, s.height-5, at, s.height)
		from := at - width(words)/2
		if at > 0.95 {
			a, from = atEnd, at-width(words)
		}
		if from >= end { // else they would touch on a narrow screen
			s.text("tick", a, at, 0, s.height+17, words)
			end = from + width(words+" ")
		}
	}
}
