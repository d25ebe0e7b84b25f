package cdr

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A plan is how the values of one Go type stand on the wire. It is made once
// per type of message, and refuses there what cannot be encoded, so that
// encoding and decoding meet no unknown type.
type plan struct {
	kind   reflect.Kind
	fields []member // Struct
	elem   *plan    // Array, Slice
	n      int      // Array: the elements; Slice, String: the bound, 0 for none
	least  int      // the fewest bytes of a value in any encapsulation, 1 or more
	headed bool     // Array, Slice: XCDR version 2 puts the length in bytes before it
}

type member struct {
	name string
	plan *plan
}

// sizes are the bytes of each primitive, which are also its alignment.
var sizes = [...]int{
	reflect.Bool: 1, reflect.Int8: 1, reflect.Int16: 2, reflect.Int32: 4, reflect.Int64: 8,
	reflect.Uint8: 1, reflect.Uint16: 2, reflect.Uint32: 4, reflect.Uint64: 8,
	reflect.Float32: 4, reflect.Float64: 8,
	reflect.UnsafePointer: 0, // the last kind, so that every kind is an index
}

// noForm says why a kind cannot be encoded, and what can in its place.
var noForm = map[reflect.Kind]string{
	reflect.Int:     "has no fixed size; use int32 or int64",
	reflect.Uint:    "has no fixed size; use uint32 or uint64",
	reflect.Map:     "has no CDR form; use a slice of structs",
	reflect.Pointer: "has no CDR form; use the value itself",
}

// plans holds a *planned for every type asked for, errors included.
var plans sync.Map // by reflect.Type

type planned struct {
	plan *plan
	err  error
}

// Check reports whether Append and Unmarshal know what to do with a T; the
// error names the field that they do not know. Whoever takes a type of message
// from a caller asks once, before the first message.
func Check[T any]() error {
	_, err := planOf(reflect.TypeFor[T]())
	return err
}

func planOf(t reflect.Type) (*plan, error) {
	if p, ok := plans.Load(t); ok {
		return p.(*planned).plan, p.(*planned).err
	}
	var p planned
	if t.Kind() != reflect.Struct {
		p.err = fmt.Errorf("cdr: %v is no struct; a message is one", t)
	} else {
		m := planner{at: []string{nameOf(t)}}
		p.plan, p.err = m.plan(t, "")
	}
	plans.Store(t, &p)
	return p.plan, p.err
}

// nameOf names a type of message in errors.
func nameOf(t reflect.Type) string {
	if t.Name() == "" {
		return "message"
	}
	return t.String()
}

// A planner makes the plan of one type of message.
type planner struct {
	at     []string       // the path to the field in hand
	within []reflect.Type // the structs around it
}

func (m *planner) refuse(t reflect.Type, problem string) (*plan, error) {
	return nil, fmt.Errorf("cdr: %s: %v %s", strings.Join(m.at, "."), t, problem)
}

func (m *planner) plan(t reflect.Type, tag string) (*plan, error) {
	bound, err := m.bound(t, tag)
	if err != nil {
		return nil, err
	}
	switch k := t.Kind(); {
	case sizes[k] > 0:
		return &plan{kind: k, least: sizes[k]}, nil
	case k == reflect.String:
		return &plan{kind: k, n: bound, least: 4}, nil // the length, of which some write 0
	case k == reflect.Slice:
		return m.sequence(t, bound)
	case k == reflect.Array:
		return m.array(t)
	case k == reflect.Struct:
		return m.record(t)
	}
	if problem, ok := noForm[t.Kind()]; ok {
		return m.refuse(t, problem)
	}
	return m.refuse(t, "has no CDR form")
}

// bound reads a field's tag: the most elements of a slice or bytes of a string.
func (m *planner) bound(t reflect.Type, tag string) (int, error) {
	if tag == "" {
		return 0, nil
	}
	digits, ok := strings.CutPrefix(tag, "max=")
	n, err := strconv.ParseUint(digits, 10, 31)
	if !ok || err != nil || n == 0 {
		_, err := m.refuse(t, fmt.Sprintf("has the tag cdr:%q; what can stand there is max=N, with N from 1 to %d", tag, math.MaxInt32))
		return 0, err
	}
	if k := t.Kind(); k != reflect.Slice && k != reflect.String {
		_, err := m.refuse(t, fmt.Sprintf("has the tag cdr:%q; only slices and strings have a bound", tag))
		return 0, err
	}
	return int(n), nil
}

func (m *planner) sequence(t reflect.Type, bound int) (*plan, error) {
	elem, err := m.element(t)
	if err != nil {
		return nil, err
	}
	return &plan{kind: reflect.Slice, elem: elem, n: bound, least: 4, headed: sizes[elem.kind] == 0}, nil
}

// array plans an array. Arrays of arrays are IDL's arrays of more than one
// dimension, of which the outermost alone is headed.
func (m *planner) array(t reflect.Type) (*plan, error) {
	if t.Size() == 0 {
		return m.refuse(t, "is empty; an array in a message is not")
	}
	elem, err := m.element(t)
	if err != nil {
		return nil, err
	}
	headed := elem.headed
	if elem.kind == reflect.Array {
		elem.headed = false
	} else {
		headed = sizes[elem.kind] == 0
	}
	return &plan{kind: reflect.Array, elem: elem, n: t.Len(), least: t.Len() * elem.least, headed: headed}, nil
}

func (m *planner) element(t reflect.Type) (*plan, error) {
	last := len(m.at) - 1
	name := m.at[last]
	m.at[last] = name + "[]"
	p, err := m.plan(t.Elem(), "")
	m.at[last] = name
	return p, err
}

// record plans a struct. One without fields takes the octet that stands for
// it in ROS 2, where every struct has a member.
func (m *planner) record(t reflect.Type) (*plan, error) {
	if slices.Contains(m.within, t) {
		return m.refuse(t, "contains itself; a message cannot")
	}
	m.within = append(m.within, t)
	p := &plan{kind: reflect.Struct}
	for i := range t.NumField() {
		f := t.Field(i)
		m.at = append(m.at, f.Name)
		if !f.IsExported() {
			return m.refuse(f.Type, "is not exported; every field of a message is a member of it")
		}
		field, err := m.plan(f.Type, f.Tag.Get("cdr"))
		if err != nil {
			return nil, err
		}
		m.at = m.at[:len(m.at)-1]
		p.fields = append(p.fields, member{f.Name, field})
		p.least += field.least
	}
	m.within = m.within[:len(m.within)-1]
	p.least = max(p.least, 1)
	return p, nil
}
