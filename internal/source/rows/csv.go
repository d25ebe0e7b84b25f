package rows

import (
	"bytes"
	"encoding/csv"
	"fmt"
)

// splitCSV takes a line of CSV apart, into the memory of fields, and removes
// the space around each.
func splitCSV(line []byte, fields [][]byte) ([][]byte, error) {
	fields = fields[:0]
	if bytes.IndexByte(line, '"') >= 0 {
		return splitQuoted(line, fields)
	}
	for {
		field, rest, more := bytes.Cut(line, []byte{','})
		fields = append(fields, bytes.TrimSpace(field))
		if !more {
			return fields, nil
		}
		line = rest
	}
}

// splitQuoted takes a line apart in which something is quoted, such as a name
// with a comma.
func splitQuoted(line []byte, fields [][]byte) ([][]byte, error) {
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	texts, err := r.Read()
	if err != nil {
		return nil, &Error{
			Problem: fmt.Sprintf("%s is not CSV: a quote is not closed, or stands inside a value", shown(line)),
			Remedy:  `quote the whole value and double the quotes in it: "a ""b"" c"`,
		}
	}
	for _, t := range texts {
		fields = append(fields, bytes.TrimSpace([]byte(t)))
	}
	return fields, nil
}

// cells puts the fields of a line where the header says.
func (h header) cells(fields [][]byte, to *cells) error {
	if len(fields) != len(h) {
		return &Error{
			Problem: fmt.Sprintf("it has %s, and the first line has %d", count(len(fields), "column"), len(h)),
			Remedy:  "write every column on every row, one that is not known as nothing between two commas",
		}
	}
	for i, c := range h {
		if c != unknown {
			to[c] = fields[i]
		}
	}
	return nil
}
