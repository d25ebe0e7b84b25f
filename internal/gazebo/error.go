package gazebo

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// An Error reports what in a world file cannot be used.
type Error struct {
	File         string
	Line, Column int // from 1, the column in characters; 0 if it is about the whole file
	Problem      string
	Remedy       string
}

// Error returns the place, what is wrong there, and the remedy.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s; %s", e.File, e.Problem, e.Remedy)
	}
	return fmt.Sprintf("%s:%d:%d: %s; %s", e.File, e.Line, e.Column, e.Problem, e.Remedy)
}

// lineOf returns the line, from 1, of an offset.
func lineOf(data []byte, offset int) int { return 1 + bytes.Count(data[:offset], []byte{'\n'}) }

// columnOf returns the column, from 1, of an offset.
func columnOf(data []byte, offset int) int {
	start := 1 + bytes.LastIndexByte(data[:offset], '\n')
	return 1 + utf8.RuneCount(bytes.TrimPrefix(data[start:offset], utf8BOM))
}

// at makes an error of a place in the data.
func at(data []byte, offset int, remedy, format string, args ...any) *Error {
	return &Error{Line: lineOf(data, offset), Column: columnOf(data, offset), Problem: fmt.Sprintf(format, args...), Remedy: remedy}
}

// shown quotes foreign text for a message, shortened.
func shown(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%.*q...", most, text)
	}
	return fmt.Sprintf("%q", text)
}
