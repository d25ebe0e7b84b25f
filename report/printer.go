package report

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A style is how a piece of text looks where colour is wanted: an SGR parameter of ECMA-48.
type style string

const (
	normal style = ""
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

// A span is a piece of one line.
type span struct {
	style style
	text  string
}

// A printer lays out text for a terminal. It makes what comes from foreign
// bytes, such as names of topics, harmless: control characters are replaced.
type printer struct {
	out   bytes.Buffer
	width int // columns
	color bool
	cut   bool // lines that are too long: for a screen, on which they would take two
}

// defaultWidth is the width where none is known; maxProse is what prose is
// wrapped at on a wider terminal, for it to stay readable.
const (
	defaultWidth = 80
	maxProse     = 100
	minWidth     = 40
)

func newPrinter(o TextOptions) *printer {
	width := o.Width
	if width <= 0 {
		width = defaultWidth
	}
	return &printer{width: max(width, minWidth), color: o.Color}
}

// line prints spans and ends the line.
func (p *printer) line(spans ...span) {
	room := p.width
	for _, s := range spans {
		if p.cut {
			s.text = clip(s.text, room)
			room -= columns(s.text)
		}
		p.span(s)
	}
	p.out.WriteByte('\n')
}

func (p *printer) span(s span) {
	text := strings.Map(harmless, s.text)
	if !p.color || s.style == normal || text == "" {
		p.out.WriteString(text)
		return
	}
	p.out.WriteString("\x1b[" + string(s.style) + "m" + text + "\x1b[0m")
}

func harmless(r rune) rune {
	if unicode.IsControl(r) || !unicode.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}

// item prints prose behind a label: the label at column indent, the prose from
// column indent+hang on, wrapped between words.
func (p *printer) item(indent, hang int, label span, prose string) {
	rest := indent + hang
	lines := wrap(prose, min(p.width, maxProse)-rest)
	first := ""
	if len(lines) > 0 {
		first = lines[0]
	}
	label.text = strings.TrimRight(label.text, " ")
	if first != "" {
		label.text = pad(label.text, hang)
	}
	p.line(span{text: spaces(indent)}, label, span{text: first})
	for _, l := range lines[min(1, len(lines)):] {
		p.line(span{text: spaces(rest) + l})
	}
}

// wrap breaks prose between words into lines of at most width columns. A word
// that is longer stands alone on a line: paths and names are not cut.
func wrap(prose string, width int) []string {
	var lines []string
	line := ""
	for _, word := range words(prose) {
		switch {
		case line == "":
			line = word
		case columns(line)+1+columns(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// words splits prose into what must not be broken: words, a figure with its unit.
func words(prose string) []string {
	var list []string
	for _, w := range strings.Fields(prose) {
		if n := len(list); n > 0 && isUnit(w) && endsInDigit(list[n-1]) {
			list[n-1] += " " + w
			continue
		}
		list = append(list, w)
	}
	return list
}

func isUnit(w string) bool {
	switch strings.TrimRight(w, ".,;:)") {
	case "s", "ms", "µs", "ns", "Hz", "%":
		return true
	}
	return false
}

func endsInDigit(w string) bool { return w[len(w)-1] >= '0' && w[len(w)-1] <= '9' }

// middle shortens s to n columns by leaving out its middle.
func middle(s string, n int) string {
	r := []rune(s)
	if len(r) <= n || n < 3 {
		return s
	}
	head := (n - 1) / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

// clip cuts s off at n columns.
func clip(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	return string([]rune(s)[:max(n, 0)])
}

func columns(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, n int) string { return s + spaces(n-columns(s)) }

func padLeft(s string, n int) string { return spaces(n-columns(s)) + s }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
