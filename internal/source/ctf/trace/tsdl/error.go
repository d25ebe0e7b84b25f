package tsdl

import "fmt"

// An Error says where metadata cannot be read, and why.
type Error struct {
	Line    int // of the text, from 1; 0: before the text
	Problem string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return "metadata: " + e.Problem
	}
	return fmt.Sprintf("metadata line %d: %s", e.Line, e.Problem)
}
