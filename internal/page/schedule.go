package page

import (
	"fmt"
	"strings"
)

// A Schedule draws work that becomes due, waits and runs, or is lost: the jobs
// of a timer, or the frames of a camera. What is due stands as ticks in the
// upper lane, what runs as bars in the lane below, with a line from the one to
// the other; what is lost ends as a cross in a lane of its own.
type Schedule struct {
	Name            string
	Due, Runs, Lost string // the names of the lanes
	Work            []Work // by Due
	Deadline        *Deadline
}

// A Work is one piece of work. Instants are seconds on one axis.
type Work struct {
	Label      string // short, such as its number
	Due        float64
	Start, End float64 // if it ran
	Lost       bool    // it never ran
	LostAt     float64 // if it is lost
	Late       bool    // it ended after its deadline
	Chosen     bool    // the one that the drawing is about
}

// A Deadline is an instant that is marked, with its label.
type Deadline struct {
	At    float64
	Label string
}

// Places of the lanes, in pixels from the top.
const (
	dueTop, dueBottom = 14, 32
	runsTop           = 58
	runHeight         = 20
	runPitch          = runHeight + 4
	maxRows           = 4
	laneGap           = 16
)

func (c *Schedule) name() string {
	var ran, late, lost int
	for _, w := range c.Work {
		switch {
		case w.Lost:
			lost++
		case w.Late:
			late++
			ran++
		default:
			ran++
		}
	}
	parts := []string{fmt.Sprintf("%d ran", ran)}
	if late > 0 {
		parts = append(parts, fmt.Sprintf("%d of them after the deadline", late))
	}
	if lost > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", lost, c.Lost))
	}
	return c.Name + ": " + strings.Join(parts, ", ") + "."
}

// span returns the time axis, which starts at the first instant drawn.
func (c *Schedule) span() scale {
	var r extent
	for _, w := range c.Work {
		r.add(w.Due)
		if w.Lost {
			r.add(w.LostAt)
		} else {
			r.add(w.Start)
			r.add(w.End)
		}
	}
	if c.Deadline != nil {
		r.add(c.Deadline.At)
	}
	room := max(r.most-r.least, 1e-9) / 50
	return scale{from: r.least - room, to: r.most + room}
}

func (c *Schedule) draw(s *svg) {
	x := c.span()
	rows, n := c.rows()
	runsBottom := runsTop + float64(n*runPitch)
	lostY := runsBottom + laneGap
	s.height, s.below = runsBottom+6, 22
	if c.loses() {
		s.height = lostY + 14
	}
	s.text("lane", atEnd, 0, -8, dueBottom-6, c.Due)
	s.text("lane", atEnd, 0, -8, runsTop+14, c.Runs)
	if c.loses() {
		s.text("lane", atEnd, 0, -8, lostY+4, c.Lost)
	}
	s.axes.stroke(0, dueBottom, 1, dueBottom)
	s.axis(x, Seconds)
	s.beginPaths()
	s.endPaths()
	if d := c.Deadline; d != nil {
		s.line("limit", x.place(d.At), dueTop-14, x.place(d.At), s.height)
	}
	every := (len(c.Work) + 9) / 10
	for i, w := range c.Work {
		s.work(w, x, rows[i], lostY, i%every == 0)
	}
	if d := c.Deadline; d != nil {
		s.beside("limit", x.place(d.At), runsTop-10, d.Label)
	}
}

func (c *Schedule) loses() bool {
	for _, w := range c.Work {
		if w.Lost {
			return true
		}
	}
	return false
}

// rows puts work that runs at the same time into rows beneath each other.
func (c *Schedule) rows() (rows []int, n int) {
	rows = make([]int, len(c.Work))
	var busy [maxRows]float64 // until when
	n = 1
	for i, w := range c.Work {
		if w.Lost {
			continue
		}
		row := 0
		for row < maxRows-1 && busy[row] > w.Start && i > 0 {
			row++
		}
		rows[i], busy[row] = row, w.End
		n = max(n, row+1)
	}
	return rows, n
}

// work draws one piece of work.
func (s *svg) work(w Work, x scale, row int, lostY float64, labelled bool) {
	due := x.place(w.Due)
	if labelled {
		s.text("tick", atMiddle, due, 0, dueTop-3, w.Label)
	}
	if w.Lost {
		at := x.place(w.LostAt)
		s.line("due gone", due, dueTop, due, dueBottom)
		s.line("wait gone", due, dueBottom, at, lostY-6)
		s.text("cross", atMiddle, at, 0, lostY+5, "✗")
		return
	}
	top := float64(runsTop + row*runPitch)
	start, end := x.place(w.Start), x.place(w.End)
	s.line("due", due, dueTop, due, dueBottom)
	s.line("wait", due, dueBottom, start, top)
	class := "run"
	if w.Late {
		class = "run late"
		s.text("sign", atMiddle, (start+end)/2, 0, top-4, "!")
	}
	if w.Chosen {
		class += " chosen"
	}
	s.rect(class, start, top, end, top+runHeight)
	s.line(class, start, top, start, top+runHeight) // for what took no time to be seen
}
