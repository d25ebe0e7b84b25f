package ros

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
)

// A TypeDescription tells a ROS type and all the types that it is made of,
// directly or not (type_description_interfaces/msg/TypeDescription). Default
// values are left out: they are no part of the hash.
type TypeDescription struct {
	Type       StructType
	Referenced []StructType // in any order
}

// A StructType is one message type.
type StructType struct {
	Name   string // such as std_msgs/msg/Header
	Fields []StructField
}

// A StructField is one field of a message.
type StructField struct {
	Name string
	Type FieldType
}

// A FieldType is the type of a field.
type FieldType struct {
	Element        ElementType
	Shape          Shape
	Capacity       uint64 // elements of an Array or BoundedSequence, 0 of the others
	StringCapacity uint64 // characters of a bounded or fixed string, 0 of the others
	Nested         string // the name of a NestedType
}

// An ElementType is the type of a single value, by its number in
// type_description_interfaces/msg/FieldType.
type ElementType uint8

const (
	NestedType ElementType = iota + 1
	Int8Type
	Uint8Type
	Int16Type
	Uint16Type
	Int32Type
	Uint32Type
	Int64Type
	Uint64Type
	FloatType
	DoubleType
	LongDoubleType
	CharType
	WCharType
	BooleanType
	ByteType
	StringType
	WStringType
	FixedStringType
	FixedWStringType
	BoundedStringType
	BoundedWStringType
)

// A Shape says how many values a field has. Added to the ElementType it gives
// the number of the field's type.
type Shape uint8

const (
	Single          Shape = 0
	Array           Shape = 48
	BoundedSequence Shape = 96
	Sequence        Shape = 144
)

// dummyField is what rosidl gives a message without fields.
var dummyField = StructField{Name: "structure_needs_at_least_one_member", Type: FieldType{Element: Uint8Type}}

// Hash computes the type's RIHS01: SHA-256 over a JSON text that is the same
// to the byte wherever it is written.
func (d TypeDescription) Hash() TypeHash { return sha256.Sum256(d.appendJSON(nil)) }

func (d TypeDescription) appendJSON(b []byte) []byte {
	referenced := slices.SortedFunc(slices.Values(d.Referenced), func(x, y StructType) int { return strings.Compare(x.Name, y.Name) })
	b = append(b, `{"type_description": `...)
	b = d.Type.appendJSON(b)
	b = append(b, `, "referenced_type_descriptions": [`...)
	for i, t := range referenced {
		b = appendSeparator(b, i)
		b = t.appendJSON(b)
	}
	return append(b, "]}"...)
}

func (t StructType) appendJSON(b []byte) []byte {
	fields := t.Fields
	if len(fields) == 0 {
		fields = []StructField{dummyField}
	}
	b = append(b, `{"type_name": `...)
	b = strconv.AppendQuote(b, t.Name) // names are of letters, digits and the like, so this is JSON too
	b = append(b, `, "fields": [`...)
	for i, f := range fields {
		b = appendSeparator(b, i)
		b = f.appendJSON(b)
	}
	return append(b, "]}"...)
}

func (f StructField) appendJSON(b []byte) []byte {
	b = append(b, `{"name": `...)
	b = strconv.AppendQuote(b, f.Name)
	b = append(b, `, "type": {"type_id": `...)
	b = strconv.AppendUint(b, uint64(f.Type.Element)+uint64(f.Type.Shape), 10)
	b = append(b, `, "capacity": `...)
	b = strconv.AppendUint(b, f.Type.Capacity, 10)
	b = append(b, `, "string_capacity": `...)
	b = strconv.AppendUint(b, f.Type.StringCapacity, 10)
	b = append(b, `, "nested_type_name": `...)
	b = strconv.AppendQuote(b, f.Type.Nested)
	return append(b, "}}"...)
}

func appendSeparator(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ", "...)
	}
	return b
}
