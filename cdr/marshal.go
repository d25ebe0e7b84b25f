package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// Append appends to b the message that v holds in the encapsulation e, header
// included, and returns the extended slice; b comes back unchanged with an
// error. v is a struct or, which spares a copy, a pointer to one. Its fields
// are the members of the message in their order:
//
//	bool, int8 to int64, uint8 to uint64, float32, float64   the primitives; byte, char and octet are uint8
//	string                                                   string
//	[n]T                                                     array
//	[]T                                                      sequence; a nil slice is an empty one
//	struct                                                   nested message; without fields, the octet that ROS 2 gives it
//
// The tag `cdr:"max=10"` bounds a sequence to 10 elements or a string to 10
// bytes. All else is refused by its path; Check tells before.
//
// What ROS 2 sends is LittleEndian. In delimited CDR every struct is
// delimited, as if all of them were appendable: types that nest final structs
// in appendable ones, or the reverse, are neither written nor read, nor are
// parameter lists (mutable types). An embedded struct is a member like any
// other. Messages of version 2 are padded to a multiple of 4 bytes,
// with the number of padding bytes in the header as DDS-XTypes 1.3, 7.6.3.1.2
// has it; those of version 1 are not padded.
func Append(b []byte, e Encapsulation, v any) ([]byte, error) {
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	if value.Kind() != reflect.Struct {
		return b, fmt.Errorf("cdr: cannot write a message from a %T; hand in a struct, or a pointer to one that is not nil", v)
	}
	if !e.ofStructs() {
		return b, fmt.Errorf("cdr: cannot write %v; plain and delimited CDR can be written", e)
	}
	p, err := planOf(value.Type())
	if err != nil {
		return b, err
	}
	enc := newEncoder(b, e)
	enc.value(p, addressable(value))
	enc.end()
	if enc.problem != "" {
		return b, fmt.Errorf("cdr: %s%s: %s", nameOf(value.Type()), enc.at, enc.problem)
	}
	return enc.msg, nil
}

// addressable returns v or a copy of it whose arrays can be sliced.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// An encoder writes values by their plans. Its methods mirror the decoder's.
type encoder struct {
	Appender
	delimited bool
	problem   string // the first, "" for none
	at        string // the path of the member with the problem
}

func newEncoder(b []byte, e Encapsulation) encoder {
	base := len(b)
	b = append(b, 0, byte(e), 0, 0)
	return encoder{
		Appender:  Appender{msg: b, base: base, big: e.bigEndian(), v2: e.version2()},
		delimited: e.delimited(),
	}
}

// end pads a message of version 2, and checks its length: no length within
// overflows if that of the whole does not.
func (e *encoder) end() {
	if e.v2 {
		n := len(e.msg)
		e.align(4)
		e.msg[e.base+3] = byte(len(e.msg) - n)
	}
	if n := len(e.msg) - e.base; uint64(n) > math.MaxUint32 && e.problem == "" {
		e.problem = fmt.Sprintf("the message has %d bytes; a message has at most %d", n, uint32(math.MaxUint32))
	}
}

func (e *encoder) value(p *plan, v reflect.Value) {
	switch p.kind {
	case reflect.Bool:
		e.bool(v.Bool())
	case reflect.Int8:
		e.Uint8(uint8(v.Int()))
	case reflect.Int16:
		e.Uint16(uint16(v.Int()))
	case reflect.Int32:
		e.Uint32(uint32(v.Int()))
	case reflect.Int64:
		e.Uint64(uint64(v.Int()))
	case reflect.Uint8:
		e.Uint8(uint8(v.Uint()))
	case reflect.Uint16:
		e.Uint16(uint16(v.Uint()))
	case reflect.Uint32:
		e.Uint32(uint32(v.Uint()))
	case reflect.Uint64:
		e.Uint64(v.Uint())
	case reflect.Float32:
		e.Uint32(math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		e.Float64(v.Float())
	case reflect.String:
		e.text(p, v.String())
	case reflect.Slice:
		e.sequence(p, v)
	case reflect.Array:
		start := e.open(p.headed)
		e.elements(p, v, p.n)
		e.close(start)
	case reflect.Struct:
		e.record(p, v)
	}
}

func (e *encoder) bool(v bool) {
	if v {
		e.Uint8(1)
	} else {
		e.Uint8(0)
	}
}

func (e *encoder) text(p *plan, s string) {
	if p.n > 0 && len(s) > p.n {
		e.fail("has %d bytes, its bound is %d", len(s), p.n)
		return
	}
	e.String(s)
}

func (e *encoder) sequence(p *plan, v reflect.Value) {
	n := v.Len()
	if p.n > 0 && n > p.n {
		e.fail("has %d elements, its bound is %d", n, p.n)
		return
	}
	start := e.open(p.headed)
	e.Uint32(uint32(n))
	e.elements(p, v, n)
	e.close(start)
}

func (e *encoder) elements(p *plan, v reflect.Value, n int) {
	if p.elem.kind == reflect.Uint8 {
		e.msg = append(e.msg, v.Bytes()...)
		return
	}
	for i := 0; i < n && e.problem == ""; i++ {
		if e.value(p.elem, v.Index(i)); e.problem != "" {
			e.at = fmt.Sprintf("[%d]%s", i, e.at)
		}
	}
}

func (e *encoder) record(p *plan, v reflect.Value) {
	start := e.open(e.delimited)
	if len(p.fields) == 0 {
		e.Uint8(0)
	}
	for i := range p.fields {
		if e.value(p.fields[i].plan, v.Field(i)); e.problem != "" {
			e.at = "." + p.fields[i].name + e.at
			return
		}
	}
	e.close(start)
}

func (e *encoder) fail(format string, a ...any) { e.problem = fmt.Sprintf(format, a...) }

// open leaves room for the length in bytes of what follows (the DHEADER of
// XCDR version 2), if that is headed, and returns where it starts, else 0.
func (e *encoder) open(headed bool) (start int) {
	if !headed || !e.v2 {
		return 0
	}
	e.Uint32(0)
	return len(e.msg)
}

// close writes the length of what was written since open.
func (e *encoder) close(start int) {
	if start == 0 {
		return
	}
	n := uint32(len(e.msg) - start)
	if e.big {
		binary.BigEndian.PutUint32(e.msg[start-4:], n)
	} else {
		binary.LittleEndian.PutUint32(e.msg[start-4:], n)
	}
}
