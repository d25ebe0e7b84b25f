package ros

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/takt-rt/takt/cdr"
)

// A Type is what discovery says of a message type.
type Type struct {
	Name    string // in ROS: std_msgs/msg/String
	DDSName string // std_msgs::msg::dds_::String_
	Hash    TypeHash
}

// TypeOf returns the type of a message, its hash computed from its Go fields.
// A field's name in ROS is its own in lower case with underscores between words
// (FrameID is frame_id); every struct within is a Typed too. uint8 is uint8,
// or byte with the tag `ros:"byte"`; the tag `cdr:"max=..."` bounds as in
// package cdr. An error says what of this T does not keep to, or what package
// cdr does not encode.
func TypeOf[T Typed]() (Type, error) {
	if err := cdr.Check[T](); err != nil {
		return Type{}, err
	}
	d, err := describeType(reflect.TypeFor[T]())
	if err != nil {
		return Type{}, err
	}
	dds, err := DDSType(d.Type.Name)
	if err != nil {
		return Type{}, err
	}
	return Type{d.Type.Name, dds, d.Hash()}, nil
}

func describeType(t reflect.Type) (TypeDescription, error) {
	d := typeDescriber{seen: map[reflect.Type]bool{t: true}}
	root, err := d.structure(t)
	return TypeDescription{Type: root, Referenced: d.referenced}, err
}

// A typeDescriber collects the types that a message is made of.
type typeDescriber struct {
	seen       map[reflect.Type]bool
	referenced []StructType
}

func (d *typeDescriber) structure(t reflect.Type) (s StructType, err error) {
	if s.Name, err = rosName(t); err != nil {
		return s, err
	}
	for i := range t.NumField() {
		f := t.Field(i)
		typ, err := d.field(f.Type, f.Tag)
		if err != nil {
			return s, fmt.Errorf("%s, field %s: %w", s.Name, f.Name, err)
		}
		s.Fields = append(s.Fields, StructField{snakeCase(f.Name), typ})
	}
	return s, nil
}

func rosName(t reflect.Type) (string, error) {
	m, ok := reflect.Zero(t).Interface().(Typed)
	if !ok {
		return "", fmt.Errorf("%v does not say which ROS type it is; give it a method ROSType() string", t)
	}
	return m.ROSType(), nil
}

// field describes a field's type. A bound is that of a slice, or of a string
// that stands by itself.
func (d *typeDescriber) field(t reflect.Type, tag reflect.StructTag) (f FieldType, err error) {
	most := uint64(0)
	if bound := tag.Get("cdr"); bound != "" {
		if _, err := fmt.Sscanf(bound, "max=%d", &most); err != nil {
			return f, fmt.Errorf("the tag cdr:%q is not max=N", bound)
		}
	}
	switch t.Kind() {
	case reflect.Slice:
		f.Shape, f.Capacity = Sequence, most
		if most > 0 {
			f.Shape = BoundedSequence
		}
		t, most = t.Elem(), 0
	case reflect.Array:
		f.Shape, f.Capacity = Array, uint64(t.Len())
		t = t.Elem()
	}
	return d.element(f, t, most, tag.Get("ros"))
}

var elementTypes = map[reflect.Kind]ElementType{
	reflect.Bool: BooleanType, reflect.String: StringType,
	reflect.Int8: Int8Type, reflect.Int16: Int16Type, reflect.Int32: Int32Type, reflect.Int64: Int64Type,
	reflect.Uint8: Uint8Type, reflect.Uint16: Uint16Type, reflect.Uint32: Uint32Type, reflect.Uint64: Uint64Type,
	reflect.Float32: FloatType, reflect.Float64: DoubleType,
}

func (d *typeDescriber) element(f FieldType, t reflect.Type, most uint64, tag string) (FieldType, error) {
	if t.Kind() == reflect.Struct {
		return d.nested(f, t)
	}
	var known bool
	f.Element, known = elementTypes[t.Kind()]
	switch {
	case !known:
		return f, fmt.Errorf("%v has no type in ROS; its messages have no sequences of sequences", t)
	case tag == "byte" && f.Element == Uint8Type:
		f.Element = ByteType
	case tag != "":
		return f, fmt.Errorf("the tag ros:%q means nothing there; byte is for uint8", tag)
	case most > 0:
		f.Element, f.StringCapacity = BoundedStringType, most
	}
	return f, nil
}

func (d *typeDescriber) nested(f FieldType, t reflect.Type) (FieldType, error) {
	var err error
	f.Element = NestedType
	if f.Nested, err = rosName(t); err != nil || d.seen[t] {
		return f, err
	}
	d.seen[t] = true
	s, err := d.structure(t)
	d.referenced = append(d.referenced, s)
	return f, err
}

// snakeCase writes a Go name as ROS does: FrameID is frame_id.
func snakeCase(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		begins := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
