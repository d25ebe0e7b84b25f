package cdr

import (
	"encoding/binary"
	"fmt"
	"reflect"
)

// tail is how many bytes may follow the last member: RTPS pads what it carries
// to a multiple of 4, and plain CDR does not say by how much.
const tail = 3

// Unmarshal reads a message into the struct that v points to; Append tells
// what the struct looks like. The header of the message says the
// encapsulation, of those that Append writes.
//
// A slice keeps its memory where it has the capacity, a string that already
// has the right value is kept: reading sample after sample into one v settles
// at no allocation. Nothing in v refers to msg afterwards.
//
// It is an error, an *Error within, if the message ends before the last
// member, holds more elements than a bound allows, or goes on by more than the
// 3 bytes of padding: then it is of another type. After an error v holds in
// part what was read. Members that a delimited struct has beyond those of v
// are skipped; none may be missing.
//
// No message makes Unmarshal take memory out of proportion: a sequence whose
// elements cannot all be there is refused before room is made for them. What
// remains is the ratio of a Go value to its fewest bytes on the wire, at most
// 6 in messages of ROS 2 (an empty slice), and the spare room of growing slices.
func Unmarshal(msg []byte, v any) error {
	ptr := reflect.ValueOf(v)
	if ptr.Kind() != reflect.Pointer || ptr.IsNil() {
		return fmt.Errorf("cdr: cannot read a message into a %T; hand in a pointer to a struct", v)
	}
	value := ptr.Elem()
	p, err := planOf(value.Type())
	if err != nil {
		return err
	}
	d := newDecoder(msg)
	if d.err == nil {
		d.value(p, value)
		d.end()
	}
	if d.err != nil {
		return fmt.Errorf("%s%s: %w", nameOf(value.Type()), d.at, d.err)
	}
	return nil
}

// A decoder reads values by their plans. Its methods mirror the encoder's.
type decoder struct {
	Reader
	delimited bool
	at        string // the path of the member at which reading failed
}

func newDecoder(msg []byte) (d decoder) {
	if len(msg) < HeaderLen || !Encapsulation(binary.BigEndian.Uint16(msg)).ofStructs() {
		d.err = headerError(msg, "plain CDR (0x0000, 0x0001, 0x0006, 0x0007) and delimited CDR (0x0008, 0x0009) are")
		return d
	}
	e := Encapsulation(binary.BigEndian.Uint16(msg))
	d.body, d.big, d.v2, d.delimited = msg[HeaderLen:], e.bigEndian(), e.version2(), e.delimited()
	if d.v2 {
		padding := int(msg[3] & 3)
		d.body = d.body[:max(0, len(d.body)-padding)]
	}
	return d
}

// end checks that the message ends where its last member does.
func (d *decoder) end() {
	if n := d.Left(); n > tail {
		d.Fail("end of the message", fmt.Sprintf("%d bytes follow the last member; the message is of another type", n))
	}
}

func (d *decoder) value(p *plan, v reflect.Value) {
	switch p.kind {
	case reflect.Bool:
		v.SetBool(d.Bool())
	case reflect.Int8:
		v.SetInt(int64(d.Int8()))
	case reflect.Int16:
		v.SetInt(int64(d.Int16()))
	case reflect.Int32:
		v.SetInt(int64(d.Int32()))
	case reflect.Int64:
		v.SetInt(d.Int64())
	case reflect.Uint8:
		v.SetUint(uint64(d.Uint8()))
	case reflect.Uint16:
		v.SetUint(uint64(d.Uint16()))
	case reflect.Uint32:
		v.SetUint(uint64(d.Uint32()))
	case reflect.Uint64:
		v.SetUint(d.Uint64())
	case reflect.Float32:
		v.SetFloat(float64(d.Float32()))
	case reflect.Float64:
		v.SetFloat(d.Float64())
	case reflect.String:
		d.text(p, v)
	case reflect.Slice:
		d.sequence(p, v)
	case reflect.Array:
		whole := d.open(p.headed)
		d.elements(p, v, p.n)
		d.close(p.headed, whole)
	case reflect.Struct:
		d.record(p, v)
	}
}

func (d *decoder) text(p *plan, v reflect.Value) {
	s := d.String()
	if p.n > 0 && len(s) > p.n {
		d.Fail("string", fmt.Sprintf("has %d bytes, its bound is %d", len(s), p.n))
		return
	}
	if v.String() != string(s) {
		v.SetString(string(s))
	}
}

func (d *decoder) sequence(p *plan, v reflect.Value) {
	whole := d.open(p.headed)
	n := d.Len(p.elem.least)
	if p.n > 0 && n > p.n {
		d.Fail("sequence", fmt.Sprintf("has %d elements, its bound is %d", n, p.n))
		n = 0
	}
	if n > v.Cap() {
		v.Grow(n - v.Len())
	}
	v.SetLen(n)
	d.elements(p, v, n)
	d.close(p.headed, whole)
}

func (d *decoder) elements(p *plan, v reflect.Value, n int) {
	if p.elem.kind == reflect.Uint8 {
		copy(v.Bytes(), d.Bytes(n, "bytes"))
		return
	}
	for i := 0; i < n && d.err == nil; i++ {
		if d.value(p.elem, v.Index(i)); d.err != nil {
			d.at = fmt.Sprintf("[%d]%s", i, d.at)
		}
	}
}

func (d *decoder) record(p *plan, v reflect.Value) {
	whole := d.open(d.delimited)
	if len(p.fields) == 0 {
		d.Uint8()
	}
	for i := range p.fields {
		if d.value(p.fields[i].plan, v.Field(i)); d.err != nil {
			d.at = "." + p.fields[i].name + d.at
			return
		}
	}
	d.close(d.delimited, whole)
}

// open reads the length in bytes of what follows (the DHEADER of XCDR version
// 2), if that is headed, and ends the message there until close. It returns
// the whole message.
func (d *decoder) open(headed bool) (whole []byte) {
	if !headed || !d.v2 {
		return nil
	}
	n := d.Uint32()
	if uint64(n) > uint64(d.Left()) {
		d.Fail("delimiter", fmt.Sprintf("announces %d bytes, %d are left", n, d.Left()))
	}
	whole = d.body
	if d.err == nil {
		d.body = d.body[:d.off+int(n)]
	}
	return whole
}

// close skips what is left of what open began.
func (d *decoder) close(headed bool, whole []byte) {
	if headed && d.v2 && d.err == nil {
		d.body, d.off = whole, len(d.body)
	}
}
