package gantt

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// TextOptions say how a chart is written. The zero value works.
type TextOptions struct {
	Width int // characters in a line; 0 is 80, and less than 40 is 40
}

// The signs of the states. Of what falls into one character the strongest
// shows: running, then off its CPU, then waiting.
const signs = ".#-"

var strength = [...]int{Waits: 1, Runs: 3, Off: 2}

// widestName is how many characters names take at most.
const widestName = 28

// Text writes the chart as rows of characters, one for each callback of each
// thread, with a time axis from the beginning of the window.
func (c *Chart) Text(w io.Writer, o TextOptions) error {
	b := bufio.NewWriter(w)
	if o.Width == 0 {
		o.Width = 80
	}
	c.text(b, max(o.Width, 40))
	return b.Flush()
}

func (c *Chart) text(w *bufio.Writer, width int) {
	from, to := c.drawn()
	rows := c.rows()
	if len(rows) == 0 {
		fmt.Fprintln(w, "no jobs in this window")
		return
	}
	name := 0
	for _, r := range rows {
		name = max(name, utf8.RuneCountInString(plain(r.name))+4)
	}
	name = min(name, widestName, width/2)
	cell := cellOf(to.Sub(from), width-name)
	n := max(1, int((to.Sub(from)+cell-1)/cell))
	fmt.Fprintf(w, "From %s for %s, %s a character; the axis counts from there.\n# runs, . waits from release to start, - off its CPU\n\n",
		duration(from.Sub(c.first)), duration(to.Sub(from)), duration(cell))
	axis(w, name, width-name, n, cell)
	lane := ""
	for i, r := range rows {
		if i == 0 || r.lane != lane {
			lane = r.lane
			fmt.Fprintf(w, "%s\n", plain(lane))
		}
		fmt.Fprintf(w, "  %s%s\n", padded(plain(r.name), name-2), r.line(from, cell, n))
	}
	if _, left := c.Spans(); left > 0 {
		fmt.Fprintf(w, "\n%s more than the %d that are kept; choose a shorter window.\n", quantity.Count(left, "span"), c.options.Spans)
	}
}

// cellOf returns how long a character is: 1, 2 or 5 times a power of ten
// nanoseconds, so that the window takes at most n of them.
func cellOf(length time.Duration, n int) time.Duration {
	for cell := time.Duration(1); ; cell *= 10 {
		for _, m := range []time.Duration{1, 2, 5} {
			if length/(m*cell) < time.Duration(n) {
				return m * cell
			}
		}
	}
}

// axis writes instants every ten characters or, where they take more room,
// every twenty.
func axis(w *bufio.Writer, name, room, n int, cell time.Duration) {
	label := func(at int) string { return "|" + duration(time.Duration(at)*cell) }
	every := 10
	for at := 0; at < n; at += every {
		if len(label(at)) >= every {
			every = 20
		}
	}
	line := label(0)
	for at := every; at < n && at+len(label(at)) <= room; at += every {
		line = padded(line, at) + label(at)
	}
	fmt.Fprintf(w, "%s%s\n", strings.Repeat(" ", name), line)
}

// line draws the spans of a row. A span fills each character that it touches.
func (r *row) line(from timeline.Instant, cell time.Duration, n int) string {
	line, strong := []byte(strings.Repeat(" ", n)), make([]int, n)
	for _, s := range r.spans {
		first := max(0, int64(s.From.Sub(from)/cell))
		last := int64(s.To.Sub(from) / cell)
		if s.To > s.From && s.To.Sub(from)%cell == 0 {
			last-- // it ends where the next character begins
		}
		for i := first; i <= min(last, int64(n-1)); i++ {
			if k := strength[s.State]; k > strong[i] {
				line[i], strong[i] = signs[s.State], k
			}
		}
	}
	return strings.TrimRight(string(line), " ")
}

// duration writes a duration exactly, with a space before the unit.
func duration(d time.Duration) string {
	units := []struct {
		unit time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "us"}, {1, "ns"}}
	if d == 0 {
		return "0 s"
	}
	for _, u := range units {
		if d >= u.unit {
			whole, rest := d/u.unit, d%u.unit
			text := number(int64(whole))
			if rest > 0 {
				digits := len(number(int64(u.unit))) - 1
				text += "." + strings.TrimRight(fmt.Sprintf("%0*d", digits, int64(rest)), "0")
			}
			return text + " " + u.name
		}
	}
	return number(int64(d)) + " ns"
}

// padded fills a name up to a width, or shortens it from the left, where names
// are alike.
func padded(name string, width int) string {
	if n := utf8.RuneCountInString(name); n < width {
		return name + strings.Repeat(" ", width-n)
	}
	runes := []rune(name)
	return "…" + string(runes[len(runes)-width+2:]) + " "
}

// plain replaces what would disturb a terminal.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, name)
}
