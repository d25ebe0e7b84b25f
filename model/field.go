package model

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// A field is one key of a section that fills a T. A section is a table of
// them; reading, writing and the test of the schema go by the table.
type field[T any] struct {
	key   string
	read  func(v value, c *T)
	write func(c *T) string // "" if there is nothing to write
}

// A codec says how a kind of quantity is written.
type codec[Q ~int64 | ~float64] struct {
	example string
	parse   func(string) (Q, error) // its errors are *UnitError
	format  func(Q) string
}

var (
	duration = codec[time.Duration]{"20ms", ParseDuration, FormatDuration}
	rate     = codec[float64]{"16Hz", ParseRate, FormatRate}
	share    = codec[float64]{"5%", parsePart, FormatShare}
	rtf      = codec[float64]{"0.95", parseNumber, formatNumber}
)

// parsePart reads a share that is less than the whole: as a tolerance or an
// allowance, 100% promises nothing.
func parsePart(text string) (float64, error) {
	x, err := ParseShare(text)
	if err == nil && x >= 1 {
		return 0, &UnitError{text, "is not below 100%", "write less, such as 5%"}
	}
	return x, err
}

// quantity is the field of a number with a unit. Zero, which in the structs
// stands for "nothing is promised", is refused: no limit of zero can hold.
func quantity[T any, Q ~int64 | ~float64](key string, c codec[Q], at func(*T) *Q) field[T] {
	read := func(v value, into *T) {
		*at(into) = 0 // not the default, if the value is wrong
		text, ok := v.text(writeOrRemove(c.example))
		if !ok {
			return
		}
		q, err := c.parse(text)
		var wrong *UnitError
		switch {
		case errors.As(err, &wrong):
			v.fail(wrong.Problem, wrong.Remedy)
		case q == 0:
			v.fail("is zero, which cannot hold", writeOrRemove("more, such as "+c.example))
		}
		*at(into) = q
	}
	write := func(from *T) string {
		if *at(from) == 0 {
			return ""
		}
		return c.format(*at(from))
	}
	return field[T]{key, read, write}
}

// choice is the field of one of a few words.
func choice[T any, S ~string](key string, at func(*T) *S, words ...S) field[T] {
	read := func(v value, into *T) { *at(into) = oneWord(v, words...) }
	return field[T]{key, read, func(from *T) string { return string(*at(from)) }}
}

// oneWord reads one of a few words; "" if it is none of them.
func oneWord[S ~string](v value, words ...S) S {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = string(w)
	}
	text, ok := v.text(writeOrRemove(oneOf(names)))
	if !ok {
		return ""
	}
	if !slices.Contains(names, text) {
		v.fail(fmt.Sprintf("is %s, which is not known", shown(text)), "write "+nearest(text, names))
		return ""
	}
	return S(text)
}

// name is the field of the name of something in ROS, taken as it is written.
func name[T any](key, example string, at func(*T) *string) field[T] {
	read := func(v value, into *T) {
		text, ok := v.text(writeOrRemove(example))
		if ok && text == "" {
			v.fail("is empty", writeOrRemove(example))
		}
		*at(into) = text
	}
	write := func(from *T) string {
		if *at(from) == "" {
			return ""
		}
		return quoted(*at(from))
	}
	return field[T]{key, read, write}
}

// writeOrRemove is the remedy for a line that may as well be absent.
func writeOrRemove(what string) string { return "write " + what + ", or remove the line" }
