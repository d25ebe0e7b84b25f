package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An svg is a drawing being written. Positions across are shares of the width,
// 0 to 1, written in per cent, and positions down are pixels: so a drawing
// fills any width while its letters keep their size. Only paths stand in a
// coordinate system of their own, which is stretched.
type svg struct {
	out    strings.Builder
	height float64 // of the plot
	below  float64 // room for the axis beneath it
	spark  bool    // without axes, as high as a line of text
	grid   path    // level lines, and the level axis with its ticks
	axes   path
}

// across is how many units wide the coordinate system of paths is.
const across = 1000

func draw(d Drawing) template.HTML {
	var s svg
	d.draw(&s)
	class := "plot"
	if s.spark {
		class = "spark"
	}
	return template.HTML(fmt.Sprintf(`<svg class="%s" role="img" height="%s"><title>%s</title>%s</svg>`,
		class, short(s.height+s.below), template.HTMLEscapeString(d.name()), s.out.String()))
}

// percent writes a share of the width.
func percent(x float64) string { return short(100*x) + "%" }

// short writes a number with at most two decimals.
func short(x float64) string {
	if x-x != 0 {
		x = 0
	}
	t := strconv.FormatFloat(x, 'f', 2, 64)
	t = strings.TrimRight(strings.TrimRight(t, "0"), ".")
	if t == "-0" {
		return "0"
	}
	return t
}

// line draws a straight line.
func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&s.out, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, percent(x1), short(y1), percent(x2), short(y2))
}

// rect draws a bar.
func (s *svg) rect(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&s.out, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, percent(x1), short(y1), percent(max(x2-x1, 0)), short(y2-y1))
}

// ring draws a ring about a point.
func (s *svg) ring(class string, x, y float64) {
	fmt.Fprintf(&s.out, `<circle class="%s" cx="%s" cy="%s" r="5"/>`, class, percent(x), short(y))
}

// An anchor is the part of a text that lies at its position.
type anchor string

const (
	atStart  anchor = "s"
	atMiddle anchor = "m"
	atEnd    anchor = "e"
)

// inside chooses the anchor with which a text stays inside the drawing.
func inside(x float64) anchor {
	switch {
	case x < 0.3:
		return atStart
	case x > 0.7:
		return atEnd
	}
	return atMiddle
}

// text writes text; dx moves it across by pixels.
func (s *svg) text(class string, a anchor, x, dx, y float64, text string) {
	shift := ""
	if dx != 0 {
		shift = ` dx="` + short(dx) + `"`
	}
	fmt.Fprintf(&s.out, `<text class="%s %s" x="%s"%s y="%s">%s</text>`, class, a, percent(x), shift, short(y), template.HTMLEscapeString(text))
}

// narrow is how many pixels wide the plot of a chart is on a narrow screen, and
// letter how wide a letter is in it.
const narrow, letter = 250, 7

// width returns the share of a narrow plot that a text takes.
func width(text string) float64 { return float64(utf8.RuneCountInString(text)*letter) / narrow }

// beside writes text beside an upright line, on the side with more room.
func (s *svg) beside(class string, x, y float64, text string) {
	if x > 0.5 {
		s.text(class, atEnd, x, -5, y, text)
		return
	}
	s.text(class, atStart, x, 5, y, text)
}

// level puts a line of the grid at a height.
func (s *svg) level(y float64) { s.grid.stroke(0, y, 1, y) }

// beginPaths opens the coordinate system of paths: the width is across units,
// the height is pixels. The grid and the axes come first.
func (s *svg) beginPaths() {
	fmt.Fprintf(&s.out, `<svg viewBox="0 0 %d %s" preserveAspectRatio="none" width="100%%" height="%s">`, across, short(s.height), short(s.height))
	s.path("grid", &s.grid)
	s.path("axis", &s.axes)
}

func (s *svg) endPaths() { s.out.WriteString("</svg>") }

func (s *svg) path(class string, p *path) {
	if p.Len() == 0 {
		return
	}
	fmt.Fprintf(&s.out, `<path class="%s" d="%s"/>`, class, p.String())
}

// A path is a line through points, in the units of paths.
type path struct {
	strings.Builder
	points int
}

// to goes on to a point: x is a share of the width, y pixels.
func (p *path) to(x, y float64) {
	switch p.points {
	case 0:
		p.WriteByte('M')
	case 1:
		p.WriteByte('L')
	default:
		p.WriteByte(' ')
	}
	p.points++
	p.WriteString(whole(x))
	p.WriteByte(' ')
	p.WriteString(tenth(y))
}

// fall goes straight to another height, across to another place on the same one.
func (p *path) fall(y float64)   { p.WriteString("V" + tenth(y)) }
func (p *path) across(x float64) { p.WriteString("H" + whole(x)) }

// lift begins anew at the next point.
func (p *path) lift() { p.points = 0 }

// stroke draws a level or an upright line of its own.
func (p *path) stroke(x1, y1, x2, y2 float64) {
	p.lift()
	p.to(x1, y1)
	if y1 == y2 {
		p.across(x2)
	} else {
		p.fall(y2)
	}
}

// whole writes a share of the width in the units of paths, which are about a
// pixel; tenth writes pixels to a tenth.
func whole(x float64) string { return strconv.Itoa(int(math.Round(x * across))) }
func tenth(y float64) string { return short(math.Round(y*10) / 10) }
