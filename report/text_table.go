package report

import "strings"

// A column is one column of a table. Neighbours of one group stand under one title.
type column struct {
	group, head string
	left        bool // aligned left
	spare       int  // left out on a narrow terminal, lowest first; 0: never
	cells       []string
}

// A table is columns of equally many cells; the first is the name. Notes stand
// beside a row where there is room for all of them, else beneath it.
type table struct {
	columns []column
	notes   []string
}

// narrowestName is the width that the column of names is left with at least,
// if columns can be spared for it.
const narrowestName = 16

// print lays the table out and prints it.
func (t *table) print(p *printer) {
	t.spare(p.width)
	widths := t.widths()
	room := p.width - (sum(widths) - widths[0])
	widths[0] = min(widths[0], max(room, 3))
	for i, name := range t.columns[0].cells {
		t.columns[0].cells[i] = middle(name, widths[0])
	}
	t.heads(p, widths)
	beside := longestOf(t.notes) <= p.width-sum(widths)-2
	for row := range t.columns[0].cells {
		t.row(p, row, widths, beside)
	}
}

// spare leaves out what can be spared until the names have room.
func (t *table) spare(width int) {
	for {
		widths := t.widths()
		if width-(sum(widths)-widths[0]) >= min(widths[0], narrowestName) {
			return
		}
		least := -1
		for i, c := range t.columns {
			if c.spare > 0 && (least < 0 || c.spare < t.columns[least].spare) {
				least = i
			}
		}
		if least < 0 {
			return
		}
		t.columns = append(t.columns[:least:least], t.columns[least+1:]...)
	}
}

// widths returns the width of each column with the space before it. The last
// column of a group makes room for the group's title.
func (t *table) widths() []int {
	widths := make([]int, len(t.columns))
	group := 0
	for i, c := range t.columns {
		widths[i] = max(columns(c.head), longestOf(c.cells)) + t.gap(i)
		if t.starts(i) {
			group = -t.gap(i)
		}
		group += widths[i]
		if last := i+1 == len(t.columns) || t.starts(i+1); last && group < columns(c.group) {
			widths[i] += columns(c.group) - group
		}
	}
	return widths
}

// starts reports whether a group starts at column i.
func (t *table) starts(i int) bool {
	return i == 0 || t.columns[i].group == "" || t.columns[i].group != t.columns[i-1].group
}

// gap is the space before column i: wider between groups.
func (t *table) gap(i int) int {
	switch {
	case i == 0:
		return 0
	case t.starts(i):
		return 2
	}
	return 1
}

func (t *table) heads(p *printer, widths []int) {
	groups, heads := "", ""
	at := 0
	for i, c := range t.columns {
		if c.group != "" && t.starts(i) {
			groups = pad(groups, at+t.gap(i)) + c.group
		}
		heads += t.cell(i, c.head, widths[i])
		at += widths[i]
	}
	if groups != "" {
		p.line(span{bold, groups})
	}
	p.line(span{bold, strings.TrimRight(heads, " ")})
}

func (t *table) row(p *printer, row int, widths []int, beside bool) {
	line := ""
	for i, c := range t.columns {
		line += t.cell(i, c.cells[row], widths[i])
	}
	note := t.notes[row]
	if beside && note != "" {
		line, note = pad(line, sum(widths))+"  "+note, ""
	}
	p.line(span{text: strings.TrimRight(line, " ")})
	if note != "" {
		p.item(2, 2, span{faint, "-"}, note)
	}
}

func (t *table) cell(i int, s string, width int) string {
	if t.columns[i].left {
		return spaces(t.gap(i)) + pad(s, width-t.gap(i))
	}
	return padLeft(s, width)
}

func longestOf(list []string) int {
	n := 0
	for _, s := range list {
		n = max(n, columns(s))
	}
	return n
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}
