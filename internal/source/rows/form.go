package rows

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
)

// A form is how the rows of a file are written.
type form struct {
	json   bool
	header header   // of CSV; nil if the file is empty
	named  bool     // the first line of CSV is the header
	extra  []string // names in the header that are not read
}

// Is reports whether a file begins as rows do: with a line that names a column
// of instants, or with two integers.
func Is(r io.ReaderAt) bool {
	beginning := make([]byte, 4<<10)
	n, _ := r.ReadAt(beginning, 0)
	text := bytes.TrimSpace(bytes.TrimPrefix(beginning[:n], bom))
	line, _, _ := bytes.Cut(text, []byte("\n"))
	for _, c := range []column{startMono, startROS, endMono, endROS, scheduled} {
		name := c.String()
		if bytes.HasPrefix(line, []byte("{")) {
			name = strconv.Quote(name) // a key, not a word in some text
		}
		if bytes.Contains(line, []byte(name)) {
			return true
		}
	}
	fields := bytes.SplitN(bytes.TrimPrefix(line, []byte("[")), []byte(","), 3)
	return len(fields) > 1 && isInteger(fields[0]) && isInteger(fields[1])
}

func isInteger(text []byte) bool {
	_, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// formOf looks at the first line.
func formOf(r io.Reader) (form, error) {
	l := newLines(r)
	line, err := l.next()
	if err == io.EOF {
		return form{}, nil
	}
	if err != nil {
		return form{}, at(err, l.n, 0)
	}
	if line[0] == '{' || line[0] == '[' {
		return form{json: true}, nil
	}
	f, err := csvForm(line)
	return f, at(err, l.n, 0)
}

// csvForm is the form of CSV with that first line.
func csvForm(line []byte) (f form, err error) {
	fields, err := splitCSV(line, nil)
	if err != nil {
		return f, err
	}
	if f.named = !slices.ContainsFunc(fields, isInteger); !f.named {
		f.header, err = bareHeader(len(fields))
		return f, err
	}
	f.header, err = readHeader(fields)
	for i, c := range f.header {
		if c == unknown {
			f.extra = append(f.extra, string(fields[i]))
		}
	}
	return f, err
}
