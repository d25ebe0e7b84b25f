package rosmsg

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The property test draws a random type, writes its schema in both languages,
// draws a message of it, and encodes it with an encoder of its own that notes
// the value of every field by its path. The compiled paths must read them.

// A drawn is a random type: a primitive (by its .msg name), a string, a
// wstring, a struct, an array or a sequence.
type drawn struct {
	name   string // of the primitive or the struct
	fields []*drawn
	elem   *drawn
	n      int // array: length; sequence: -1
}

var primitives = []string{"bool", "byte", "char", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"}

func drawType(t *rapid.T, depth int, structs *[]*drawn) *drawn {
	switch rapid.IntRange(0, 9).Draw(t, "shape") {
	case 0:
		return &drawn{name: "string"}
	case 1:
		return &drawn{name: "wstring"}
	case 2, 3:
		if depth > 0 {
			return drawStruct(t, depth-1, structs)
		}
	case 4:
		if len(*structs) > 0 { // a type used twice
			return rapid.SampledFrom(*structs).Draw(t, "again")
		}
	}
	return &drawn{name: rapid.SampledFrom(primitives).Draw(t, "primitive")}
}

func drawStruct(t *rapid.T, depth int, structs *[]*drawn) *drawn {
	s := &drawn{}
	for range rapid.IntRange(1, 5).Draw(t, "fields") {
		f := drawType(t, depth, structs)
		switch rapid.IntRange(0, 3).Draw(t, "array") {
		case 0:
			f = &drawn{elem: f, n: rapid.IntRange(1, 4).Draw(t, "length")}
		case 1:
			f = &drawn{elem: f, n: -1}
		}
		s.fields = append(s.fields, f)
	}
	s.name = fmt.Sprintf("Type%d", len(*structs))
	*structs = append(*structs, s)
	return s
}

// msgText is the schema of the last of structs in the language of .msg files.
func msgText(structs []*drawn) string {
	var b strings.Builder
	for i := len(structs) - 1; i >= 0; i-- {
		if i < len(structs)-1 {
			fmt.Fprintf(&b, "%s\nMSG: pkg/%s\n", strings.Repeat("=", 80), structs[i].name)
		}
		for j, f := range structs[i].fields {
			fmt.Fprintf(&b, "%s f%d # comment\nuint8 CONSTANT%d = 3\n", msgType(f), j, j)
		}
	}
	return b.String()
}

func msgType(d *drawn) string {
	switch {
	case d.elem == nil:
		return d.name
	case d.n < 0:
		return msgType(d.elem) + "[]"
	}
	return fmt.Sprintf("%s[%d]", msgType(d.elem), d.n)
}

var idlNames = map[string]string{
	"bool": "boolean", "byte": "octet", "char": "uint8", "int16": "short", "uint16": "unsigned short",
	"int32": "long", "uint32": "unsigned long", "int64": "long long", "uint64": "unsigned long long",
	"float32": "float", "float64": "double",
}

// idlText is the same in IDL, with the typedefs of arrays that rosidl writes.
func idlText(structs []*drawn) string {
	var b strings.Builder
	for i := len(structs) - 1; i >= 0; i-- {
		s := structs[i]
		fmt.Fprintf(&b, "%s\nIDL: pkg/msg/%s\nmodule pkg {\n  module msg {\n", strings.Repeat("=", 80), s.name)
		for j, f := range s.fields {
			if f.elem != nil && f.n > 0 {
				fmt.Fprintf(&b, "    typedef %s %s__%d[%d];\n", idlType(f.elem), s.name, j, f.n)
			}
		}
		fmt.Fprintf(&b, "    @verbatim (language=\"comment\", text=\"a (very { odd\\\"\" \"\\n\" \"one\")\n    struct %s {\n", s.name)
		for j, f := range s.fields {
			name := fmt.Sprintf("%s__%d", s.name, j)
			if f.elem == nil || f.n < 0 {
				name = idlType(f)
			}
			fmt.Fprintf(&b, "      @unit (value=\"m\")\n      %s f%d; // comment\n", name, j)
		}
		b.WriteString("    };\n  };\n};\n\n")
	}
	return b.String()
}

func idlType(d *drawn) string {
	switch {
	case d.elem != nil:
		return "sequence<" + idlType(d.elem) + ">"
	case d.fields != nil:
		return "pkg::msg::" + d.name
	case idlNames[d.name] != "":
		return idlNames[d.name]
	}
	return d.name
}

// A naive encoder writes values and notes them.
type naive struct {
	t      *rapid.T
	order  binary.ByteOrder
	b      []byte // after the header
	values map[string]any
	width  int // of the units of a wstring
}

func (e *naive) put(size int, v uint64) {
	for len(e.b)%size != 0 {
		e.b = append(e.b, 0xee)
	}
	var eight [8]byte
	e.order.PutUint64(eight[:], v)
	if e.order == binary.BigEndian {
		e.b = append(e.b, eight[8-size:]...)
	} else {
		e.b = append(e.b, eight[:size]...)
	}
}

func (e *naive) value(d *drawn, path string) {
	switch {
	case d.fields != nil:
		for i, f := range d.fields {
			e.value(f, strings.TrimPrefix(fmt.Sprintf("%s.f%d", path, i), "."))
		}
	case d.elem != nil:
		n := d.n
		if n < 0 {
			n = rapid.IntRange(0, 3).Draw(e.t, "count")
			e.put(4, uint64(n))
		}
		for i := range n {
			e.value(d.elem, fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		e.leaf(d.name, path)
	}
}

func (e *naive) leaf(name, path string) {
	var v any
	switch name {
	case "string":
		s := rapid.StringMatching("[a-z]{0,9}").Draw(e.t, "string")
		e.put(4, uint64(len(s)+1))
		e.b = append(append(e.b, s...), 0)
		v = s
	case "wstring":
		n := rapid.SampledFrom([]int{0, 2, 3, 5}).Draw(e.t, "units")
		e.put(4, uint64(n))
		for range n {
			e.put(e.width, uint64(rapid.IntRange(1, 0xffff).Draw(e.t, "unit")))
		}
		return
	case "bool":
		v = rapid.Bool().Draw(e.t, "bool")
		e.put(1, map[bool]uint64{true: 1}[v.(bool)])
	case "float32":
		f := rapid.Float32().Draw(e.t, "float32")
		e.put(4, uint64(math.Float32bits(f)))
		v = float64(f)
	case "float64":
		f := rapid.Float64().Draw(e.t, "float64")
		e.put(8, math.Float64bits(f))
		v = f
	default:
		v = e.integer(name)
	}
	e.values[path] = v
}

func (e *naive) integer(name string) any {
	bits := rapid.Uint64().Draw(e.t, name)
	size := map[string]int{"16": 2, "32": 4, "64": 8}[name[max(0, len(name)-2):]]
	size = max(size, 1)
	e.put(size, bits)
	if strings.HasPrefix(name, "int") {
		return int64(bits) << (64 - 8*size) >> (64 - 8*size)
	}
	return bits << (64 - 8*size) >> (64 - 8*size)
}

func (e *naive) message() []byte {
	head := []byte{0, 0, 0, 0}
	if e.order == binary.LittleEndian {
		head[1] = 1
	}
	return append(head, e.b...)
}

func TestPathsReadWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var structs []*drawn
		root := drawStruct(t, 3, &structs)
		parsed := map[string]*Schema{}
		for encoding, text := range map[string]string{ROS2Msg: msgText(structs), ROS2IDL: idlText(structs)} {
			s, err := Parse(encoding, "pkg/msg/"+root.name, text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			parsed[encoding] = s
		}
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			e := &naive{t: t, order: order, values: map[string]any{}, width: rapid.SampledFrom([]int{2, 4}).Draw(t, "width")}
			e.value(root, "")
			for _, s := range parsed {
				checkAll(t, s, e)
			}
		}
	})
}

// checkAll reads every value by its path, from the whole message and from one that is cut.
func checkAll(t *rapid.T, s *Schema, e *naive) {
	msg := e.message()
	cut := msg[:rapid.IntRange(0, len(msg)).Draw(t, "cut")]
	for path, want := range e.values {
		f, err := s.Field(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readAny(f, msg, want); err != nil || got != want {
			t.Fatalf("%s (%v): got %v, %v, want %v", path, f.typ, got, err, want)
		}
		if got, err := readAny(f, cut, want); err == nil && got != want {
			t.Fatalf("%s (%v) of a message cut to %d bytes: got %v, want %v or an error", path, f.typ, len(cut), got, want)
		}
	}
}

func readAny(f *Field, msg []byte, like any) (any, error) {
	switch like.(type) {
	case string:
		v, err := f.Bytes(msg)
		return string(v), err
	case bool:
		v, err := f.Uint64(msg)
		return v == 1, err
	case float64:
		v, err := f.Float64(msg)
		return v, err
	case int64:
		v, err := f.Int64(msg)
		return v, err
	}
	v, err := f.Uint64(msg)
	return v, err
}
