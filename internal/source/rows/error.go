package rows

import "fmt"

// An Error reports a row that cannot be used.
type Error struct {
	File            string
	Line            int // in the file, from 1
	Row             int // from 1, the header not counted; 0 if it is the header
	Problem, Remedy string
}

// Error returns the place, what is wrong there, and the remedy.
func (e *Error) Error() string {
	place := fmt.Sprintf("%s:%d: ", e.File, e.Line)
	if e.Row > 0 {
		place += fmt.Sprintf("row %d: ", e.Row)
	}
	return place + e.Problem + "; " + e.Remedy
}

// at says where an error that is of the rows occurred.
func at(err error, line, row int) error {
	if e, ok := err.(*Error); ok {
		e.Line, e.Row = line, row
	}
	return err
}

// shown quotes a text from the file, the beginning of a long one.
func shown(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q...", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// count says how many there are of something.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
