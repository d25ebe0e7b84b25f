package page

// A Table is a table whose first column names the rows.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]Cell // each as long as Columns
}

// A Column is the head of one column. Neighbours of one group stand under one title.
type Column struct {
	Group, Head string
	Number      bool // aligned right
	Prose       bool // kept wide enough for words, where the table has to scroll
}

// A Cell is one cell.
type Cell struct {
	Text string
	Link string // fragment of the page that the text leads to; may be empty
	Note string // beneath the text, small
	Mark *Mark  // in place of the text
	// Drawing stands in place of the text, as high as a line.
	Drawing Drawing
}

// A group is neighbouring columns under one title.
type group struct {
	Title string
	Span  int
}

// Class is the class of the column's cells.
func (c Column) Class() string {
	switch {
	case c.Number:
		return "n"
	case c.Prose:
		return "prose"
	}
	return ""
}

// Groups returns the row of titles above the heads, nil if there are none.
func (t *Table) Groups() (all []group) {
	titled := false
	for _, c := range t.Columns {
		titled = titled || c.Group != ""
		if n := len(all); n > 0 && c.Group != "" && all[n-1].Title == c.Group {
			all[n-1].Span++
			continue
		}
		all = append(all, group{c.Group, 1})
	}
	if !titled {
		return nil
	}
	return all
}
