package rows

import (
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"
)

// How many different names a file may have, and how long one may be, in bytes.
const (
	mostNames   = 10_000
	longestName = 256
)

// mostOther is how many names that are not read are remembered.
const mostOther = 8

// A reader reads the rows of a file one after the other.
type reader struct {
	lines  *lines
	form   form
	file   string
	unsaid string // the name of a callback that is given none
	skip   bool   // the next line is the header

	n      int // of the row last read, from 1
	fields [][]byte
	cells  cells
	ids    map[string]uint32
	names  []string
	other  []string // keys of JSON that are not read
}

func newReader(in io.Reader, f form, file, unsaid string) *reader {
	return &reader{
		lines: newLines(in), form: f, file: file, unsaid: unsaid, skip: f.named,
		ids: map[string]uint32{}, other: f.extra,
	}
}

// next returns the next row. The error is io.EOF after the last, an *Error
// with its place, or that of the file.
func (r *reader) next() (row, error) {
	line, err := r.lines.next()
	if err == nil && r.skip {
		line, err = r.lines.next()
	}
	r.skip = false
	if err == io.EOF {
		return row{}, err
	}
	r.n++
	var got row
	if err == nil {
		got, err = r.parse(line)
	}
	return got, r.here(err)
}

// here says where an error that is of the rows occurred.
func (r *reader) here(err error) error {
	if e, ok := err.(*Error); ok {
		e.File = r.file
	}
	return at(err, r.lines.n, r.n)
}

func (r *reader) parse(line []byte) (row, error) {
	r.cells = cells{}
	if err := r.split(line); err != nil {
		return row{}, err
	}
	var got row
	if err := got.read(&r.cells); err != nil {
		return row{}, err
	}
	var err error
	got.callback, err = r.id(r.cells[name])
	return got, err
}

func (r *reader) split(line []byte) (err error) {
	if r.form.json {
		return splitJSON(line, &r.cells, r.noteOther)
	}
	if r.fields, err = splitCSV(line, r.fields); err != nil {
		return err
	}
	return r.form.header.cells(r.fields, &r.cells)
}

// noteOther remembers a name that is not read.
func (r *reader) noteOther(key []byte) {
	if len(r.other) < mostOther && !slices.Contains(r.other, string(key)) {
		r.other = append(r.other, string(key))
	}
}

// id returns the number of a callback's name.
func (r *reader) id(text []byte) (uint32, error) {
	if len(text) == 0 {
		text = []byte(r.unsaid)
	}
	if id, known := r.ids[string(text)]; known {
		return id, nil
	}
	if err := checkName(text, len(r.names)); err != nil {
		return 0, err
	}
	id := uint32(len(r.names))
	r.names = append(r.names, string(text))
	r.ids[r.names[id]] = id
	return id, nil
}

// checkName reports what is wrong with a name that is new after n others.
func checkName(text []byte, n int) error {
	switch {
	case n == mostNames:
		return &Error{
			Problem: fmt.Sprintf("the file has more than %d names", mostNames),
			Remedy:  "name the callback, the same on all of its rows",
		}
	case len(text) > longestName:
		return &Error{Problem: fmt.Sprintf("name %s has more than %d bytes", shown(text), longestName), Remedy: "write a short name"}
	case !utf8.Valid(text) || slices.ContainsFunc([]rune(string(text)), unicode.IsControl):
		return &Error{Problem: fmt.Sprintf("name %s is not plain text", shown(text)), Remedy: "write it in UTF-8 without control characters"}
	}
	return nil
}
