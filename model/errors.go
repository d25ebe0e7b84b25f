package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A FieldError reports one thing in a system file that cannot be used.
type FieldError struct {
	File         string
	Line, Column int    // from 1; 0 if the file as a whole is meant
	Field        string // the path of the field, such as topics./imu.max_age; "" if it is not about one
	Problem      string // what is wrong, as a predicate of Field if there is one
	Remedy       string // what to do about it
	Err          error  // the cause, if another package reported it
}

// Error returns FILE:LINE: FIELD PROBLEM; REMEDY, on one line.
func (e *FieldError) Error() string {
	text := e.File
	if e.Line > 0 {
		text += fmt.Sprintf(":%d", e.Line)
	}
	text += ": "
	if e.Field != "" {
		text += e.Field + " "
	}
	return text + e.Problem + "; " + e.Remedy
}

// Unwrap returns the cause.
func (e *FieldError) Unwrap() error { return e.Err }

// A FileError is everything that is wrong with a system file, in the order of
// its lines. Parse and Load return no other type of error.
type FileError struct {
	File   string
	Errors []*FieldError // at least one
}

// maxShown is how many errors a message lists: nobody corrects more in one go.
const maxShown = 50

// Error returns one line for each error; of very many, the first ones and how
// many are left.
func (e *FileError) Error() string {
	var lines []string
	for _, err := range e.Errors[:min(len(e.Errors), maxShown)] {
		lines = append(lines, err.Error())
	}
	if more := len(e.Errors) - maxShown; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: %d more errors", e.File, more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors, for errors.As and errors.Is.
func (e *FileError) Unwrap() []error {
	errs := make([]error, len(e.Errors))
	for i, err := range e.Errors {
		errs[i] = err
	}
	return errs
}

// sort puts the errors in the order in which a reader of the file meets them.
func (e *FileError) sort() {
	slices.SortStableFunc(e.Errors, func(a, b *FieldError) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
}

// shown returns a piece of foreign text for a message: quoted, and not long.
func shown(text string) string { return strconv.Quote(cut(text, 40)) }

// cut returns text, or its first runes if it has more than most.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
