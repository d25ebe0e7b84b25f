package model

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A decoder collects what is wrong with one file while it is walked.
type decoder struct {
	file    string
	errs    []*FieldError
	foreign bool // the file is of another version: nothing more is said of it

	values map[string]value // all that have a key, by their paths
}

// at returns what stands at a path of keys; if nothing does, the nearest above it.
func (d *decoder) at(keys ...string) value {
	for n := len(keys); n > 0; n-- {
		if v, ok := d.values[Path(keys[:n]...)]; ok {
			return v
		}
	}
	return value{d: d, at: place{line: 1}}
}

// A place is a position in the file, from 1; the zero place is the file as a whole.
type place struct{ line, column int }

func placeOf(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, t.Position.Column}
}

func (d *decoder) report(at place, field, problem, remedy string) {
	if d.foreign {
		return
	}
	d.errs = append(d.errs, &FieldError{
		File: d.file, Line: at.line, Column: at.column,
		Field: field, Problem: problem, Remedy: remedy,
	})
}

// A value is what stands behind one key, with the place of the key.
type value struct {
	d    *decoder
	at   place
	path string
	node ast.Node
}

func (v value) fail(problem, remedy string) { v.d.report(v.at, v.path, problem, remedy) }

// text returns a scalar as it is written in the file, without its quotes:
// what it means is decided by the field, not by YAML's guess of a type. If
// there is none, that is reported with the remedy.
func (v value) text(remedy string) (string, bool) {
	switch v.node.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return v.node.GetToken().Value, true
	case *ast.NullNode, nil:
		v.fail("has no value", remedy)
	default:
		v.fail("is not a single value", remedy)
	}
	return "", false
}

// An entry is a key of a mapping and its value.
type entry struct {
	key string
	value
}

// entries returns the keys and values of a mapping in the order of the file,
// each key once; keys that come again are reported.
func (v value) entries(example string) []entry {
	mapping, ok := v.node.(ast.MapNode)
	if !ok {
		v.failEmpty(example)
		return nil
	}
	var entries []entry
	first := map[string]place{}
	for it := mapping.MapRange(); it.Next(); {
		t := it.Key().GetToken()
		e := entry{t.Value, value{v.d, placeOf(t), join(v.path, t.Value), it.Value()}}
		if at, again := first[e.key]; again {
			e.fail(fmt.Sprintf("is already in line %d", at.line), "remove one of the two")
			continue
		}
		first[e.key] = e.at
		v.d.values[e.path] = e.value
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		v.failEmpty(example)
	}
	return entries
}

func (v value) failEmpty(example string) {
	v.fail("has no keys and values below it", "write lines such as "+example+", or remove it")
}

// join returns the path of a key below another path, the key as Format writes it.
func join(path, key string) string {
	if path == "" {
		return quoted(key)
	}
	return path + "." + quoted(key)
}

// A section is a mapping with a fixed set of keys, after it has been read.
type section struct {
	value
	given   map[string]value // what stands in the file, whether or not it is right
	strange bool             // there are unknown keys too, which may be misspelt known ones
}

// has reports whether one of the keys is in the section.
func (s *section) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { _, ok := s.given[key]; return ok })
}

// lacks reports whether none of the keys is in the section, or meant by an unknown one.
func (s *section) lacks(keys ...string) bool { return !s.strange && !s.has(keys...) }

// readSection reads a mapping into c, which holds the defaults. Unknown keys
// are reported, with the nearest known one. The example is for an empty one.
func readSection[T any](v value, example string, fields []field[T], c *T) *section {
	s := &section{value: v, given: map[string]value{}}
	for _, e := range v.entries(example) {
		i := slices.IndexFunc(fields, func(f field[T]) bool { return f.key == e.key })
		if i < 0 {
			s.strange = true
			e.fail("is not known", "write "+nearest(e.key, keysOf(fields)))
			continue
		}
		s.given[e.key] = e.value
		fields[i].read(e.value, c)
	}
	return s
}

func keysOf[T any](fields []field[T]) []string {
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	return keys
}
