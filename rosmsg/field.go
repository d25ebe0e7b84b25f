package rosmsg

import (
	"fmt"
	"math"

	"github.com/takt-rt/takt/cdr"
)

// A Field reads one field of a message's type.
type Field struct {
	path  string
	steps []step
	typ   *typ
}

// Field compiles a path: names of fields joined by dots, and elements of
// arrays counted from 0, such as "transforms[0].header.stamp.sec". It ends at
// a number, a bool, a string, or an array of bytes. An error is a *SchemaError.
func (s *Schema) Field(path string) (*Field, error) {
	steps, t, err := s.locate(path)
	if err != nil {
		return nil, err
	}
	f := &Field{path, steps, t}
	if t.kind.size() == 0 && !f.isBytes() {
		p := pathCompiler{compiler: compiler{schema: s}, path: path}
		return nil, p.fault(fmt.Sprintf("%v is not a single value", t), "go on to one of its fields or elements")
	}
	return f, nil
}

// isBytes reports whether Bytes reads the field.
func (f *Field) isBytes() bool {
	switch f.typ.kind {
	case str:
		return true
	case array, sequence:
		return f.typ.elem.kind.size() == 1
	}
	return false
}

// Int64 reads a whole number or a bool.
func (f *Field) Int64(msg []byte) (int64, error) {
	v, err := f.number(msg)
	if err == nil && (v.isFloat || v.isUnsigned && v.bits > math.MaxInt64) {
		return 0, f.mismatch("an int64")
	}
	return int64(v.bits), err
}

// Uint64 reads a whole number that is not negative, or a bool.
func (f *Field) Uint64(msg []byte) (uint64, error) {
	v, err := f.number(msg)
	if err == nil && (v.isFloat || !v.isUnsigned && int64(v.bits) < 0) {
		return 0, f.mismatch("a uint64")
	}
	return v.bits, err
}

// Float64 reads any number or a bool; whole numbers beyond 2^53 are rounded.
func (f *Field) Float64(msg []byte) (float64, error) {
	v, err := f.number(msg)
	switch {
	case v.isFloat:
		return math.Float64frombits(v.bits), err
	case v.isUnsigned:
		return float64(v.bits), err
	}
	return float64(int64(v.bits)), err
}

// Bytes reads a string, without its NUL, or an array of bytes. The result is
// part of the message.
func (f *Field) Bytes(msg []byte) ([]byte, error) {
	if !f.isBytes() {
		return nil, f.mismatch("bytes")
	}
	r, err := f.seek(msg)
	if err != nil {
		return nil, err
	}
	var b []byte
	switch f.typ.kind {
	case str:
		b = r.String()
	case array:
		b = r.Bytes(f.typ.n, "array")
	case sequence:
		b = r.Bytes(r.Len(1), "sequence")
	}
	return b, r.Err()
}

// seek returns a cursor that stands before the field, its padding included.
func (f *Field) seek(msg []byte) (cdr.Reader, error) {
	r := cdr.NewReader(msg)
	if err := walk(&r, f.steps); err != nil {
		return r, err
	}
	return r, r.Err()
}

func (f *Field) mismatch(wanted string) error {
	return fmt.Errorf("rosmsg: the field %s, %v, is not %s; read it as what it is", f.path, f.typ, wanted)
}

// A number is a value read: an int64, a uint64 or the bits of a float64.
type number struct {
	bits                uint64
	isUnsigned, isFloat bool
}

func (f *Field) number(msg []byte) (v number, err error) {
	r, err := f.seek(msg)
	if err != nil {
		return v, err
	}
	switch f.typ.kind {
	case boolean:
		v = number{isUnsigned: true}
		if r.Bool() {
			v.bits = 1
		}
	case uint8Kind:
		v = number{bits: uint64(r.Uint8()), isUnsigned: true}
	case uint16Kind:
		v = number{bits: uint64(r.Uint16()), isUnsigned: true}
	case uint32Kind:
		v = number{bits: uint64(r.Uint32()), isUnsigned: true}
	case uint64Kind:
		v = number{bits: r.Uint64(), isUnsigned: true}
	case int8Kind:
		v = number{bits: uint64(r.Int8())}
	case int16Kind:
		v = number{bits: uint64(r.Int16())}
	case int32Kind:
		v = number{bits: uint64(r.Int32())}
	case int64Kind:
		v = number{bits: r.Uint64()}
	case float32Kind:
		v = number{bits: math.Float64bits(float64(r.Float32())), isFloat: true}
	case float64Kind:
		v = number{bits: r.Uint64(), isFloat: true}
	default:
		return v, f.mismatch("a number")
	}
	return v, r.Err()
}
