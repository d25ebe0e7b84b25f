package page

import "fmt"

// Lanes draws what threads do, a lane for each callback: a bar where it runs, a
// line where it waits to, dashes where it has begun and is off its CPU.
type Lanes struct {
	Name     string
	From, To float64 // seconds
	Lanes    []Lane
}

// A Lane is a row of the drawing.
type Lane struct {
	Group string // a heading over the lanes of the same group that follow each other
	Name  string
	Spans []Span
}

// A Span is what a lane does for a while. Instants are seconds on the axis.
type Span struct {
	From, To float64
	State    State
}

// A State is what a Span says.
type State uint8

// The states.
const (
	Waiting State = iota
	Running
	OffCPU
)

// Places within a lane, in pixels from its top: its name stands over its bars,
// as names are long.
const (
	laneName, laneTop, laneBottom, lanePitch = 11, 15, 27, 32
	groupHeight                              = 22
)

func (c *Lanes) name() string {
	var n int
	for _, l := range c.Lanes {
		for _, s := range l.Spans {
			if s.State == Running {
				n++
			}
		}
	}
	return fmt.Sprintf("%s: %d lanes, %d bars.", c.Name, len(c.Lanes), n)
}

func (c *Lanes) draw(s *svg) {
	x := scale{from: c.From, to: max(c.To, c.From+1e-9)}
	y, group := 0.0, ""
	tops := make([]float64, len(c.Lanes))
	for i, l := range c.Lanes {
		if i == 0 || l.Group != group {
			group = l.Group
			s.text("lane", atStart, 0, 0, y+groupHeight-6, group)
			y += groupHeight
		}
		tops[i] = y
		y += lanePitch
	}
	s.height, s.below = y+6, 22
	s.axis(x, Seconds)
	s.beginPaths()
	s.endPaths()
	for i := range c.Lanes {
		c.Lanes[i].draw(s, x, tops[i])
	}
}

func (l *Lane) draw(s *svg, x scale, top float64) {
	s.text("tick", atStart, 0, 0, top+laneName, l.Name)
	for _, p := range l.Spans {
		if p.To < x.from || p.From > x.to {
			continue
		}
		from, to := x.place(p.From), x.place(p.To)
		middle := top + (laneTop+laneBottom)/2
		switch p.State {
		case Running:
			s.rect("run", from, top+laneTop, to, top+laneBottom)
			s.line("run", from, top+laneTop, from, top+laneBottom) // for what took no time to be seen
		case OffCPU:
			s.line("wait gone", from, middle, to, middle)
		case Waiting:
			s.line("wait", from, top+laneBottom, to, top+laneBottom)
		}
	}
}
