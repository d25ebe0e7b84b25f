package rows

import (
	"fmt"
	"slices"
	"strings"
)

// A column is one value of a row.
type column int8

// The columns, in the order of a row without names.
const (
	startMono column = iota
	startROS
	endMono
	endROS
	mark
	scheduled
	name
	columns        // how many there are
	unknown column = -1
)

// fewest is how many columns a row without names has at least: all but the
// scheduled instant and the name.
const fewest = int(scheduled)

var columnNames = [columns]string{
	"start_mono_ns", "start_ros_ns", "end_mono_ns", "end_ros_ns", "mark", "scheduled_ns", "name",
}

func (c column) String() string { return columnNames[c] }

// columnOf returns the column of a name, or unknown.
func columnOf[T string | []byte](name T) column {
	for i, n := range columnNames {
		if n == string(name) {
			return column(i)
		}
	}
	return unknown
}

// cells are the texts of a row, by column. An empty one was not given.
type cells [columns][]byte

// A header says which column stands where in a line of CSV.
type header []column

// readHeader takes a first line apart that has names.
func readHeader(fields [][]byte) (header, error) {
	var h header
	for _, f := range fields {
		c := columnOf(f)
		if c != unknown && slices.Contains(h, c) {
			return nil, &Error{Problem: fmt.Sprintf("the header names %s twice", c), Remedy: "leave one out"}
		}
		h = append(h, c)
	}
	for _, c := range []column{startMono, endMono} {
		if !slices.Contains(h, c) {
			return nil, &Error{
				Problem: fmt.Sprintf("the header has no column %s but %s", c, listed(fields)),
				Remedy:  "a row needs start_mono_ns and end_mono_ns, and commas between columns",
			}
		}
	}
	return h, nil
}

// bareHeader is the header of rows without names that have n columns.
func bareHeader(n int) (header, error) {
	if n < fewest || n > int(columns) {
		return nil, &Error{
			Problem: fmt.Sprintf("there is no header, and %s", count(n, "column")),
			Remedy: fmt.Sprintf("write 5 to 7 columns in the order %s, or a header that names them",
				strings.Join(columnNames[:], ", ")),
		}
	}
	h := make(header, n)
	for i := range h {
		h[i] = column(i)
	}
	return h, nil
}

// listed names the first few columns of a line.
func listed(fields [][]byte) string {
	const few = 8
	var names []string
	for i, f := range fields {
		if i == few {
			names = append(names, "...")
			break
		}
		names = append(names, shown(f))
	}
	return strings.Join(names, ", ")
}
