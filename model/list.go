package model

import (
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// items returns the entries of a list, each at its own place. A single value
// is a list of one.
func (v value) items(example string) []value {
	switch node := v.node.(type) {
	case *ast.SequenceNode:
		var items []value
		for i, n := range node.Values {
			items = append(items, value{v.d, placeOf(n.GetToken()), fmt.Sprintf("%s[%d]", v.path, i), n})
		}
		if len(items) == 0 {
			v.fail("is an empty list", writeOrRemove(example))
		}
		return items
	case *ast.NullNode, nil:
		v.fail("has no value", writeOrRemove(example))
		return nil
	}
	return []value{v}
}

// names is the field of a list of names.
func names[T any](key, example string, at func(*T) *[]string) field[T] {
	read := func(v value, into *T) {
		*at(into) = nil
		for _, item := range v.items(example) {
			if name, ok := item.name(example); ok {
				*at(into) = append(*at(into), name)
			}
		}
	}
	write := func(from *T) string { return listed(*at(from), quoted) }
	return field[T]{key: key, read: read, write: write}
}

// name reads a name, which is not empty.
func (v value) name(example string) (string, bool) {
	text, ok := v.text(writeOrRemove(example))
	if ok && text == "" {
		v.fail("is empty", writeOrRemove(example))
		return "", false
	}
	return text, ok
}

// times is the field of a list of durations, which may be zero.
func times[T any](key, example string, at func(*T) *[]time.Duration) field[T] {
	read := func(v value, into *T) {
		*at(into) = nil
		for _, item := range v.items(example) {
			d, _ := item.duration(writeOrRemove(example))
			*at(into) = append(*at(into), d)
		}
	}
	write := func(from *T) string { return listed(*at(from), FormatDuration) }
	return field[T]{key: key, read: read, write: write}
}

// listed writes a list on one line; nothing if it is empty.
func listed[E any](list []E, text func(E) string) string {
	if len(list) == 0 {
		return ""
	}
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = text(e)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// within makes the fields of a part of T fields of T itself.
func within[T, U any](fields []field[U], at func(*T) *U) []field[T] {
	var all []field[T]
	for _, f := range fields {
		all = append(all, field[T]{
			key:   f.key,
			read:  func(v value, into *T) { f.read(v, at(into)) },
			write: func(from *T) string { return f.write(at(from)) },
		})
	}
	return all
}

// flow writes fields that say more than the defaults as a mapping on one line;
// nothing if none does.
func flow[T any](fields []field[T], c, defaults *T) string {
	var parts []string
	for _, f := range fields {
		if text := f.write(c); text != "" && text != f.write(defaults) {
			parts = append(parts, f.key+": "+text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
