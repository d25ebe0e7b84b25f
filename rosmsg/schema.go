// Package rosmsg reads the schemas of ROS 2 messages, as recordings carry
// them, and single fields of serialized messages by path, without decoding the
// rest.
//
// Parse takes a schema's text; Schema.Field compiles a path such as
// "header.stamp.sec" into a plan that skips what lies before the field, in one
// step where its size is fixed. For the stamps, transforms, service events and
// self-reported real time factors that takt looks for there are readers of
// their own: Stamper, EachTransform, ReadServiceEvent, ReadPerformanceRTF.
//
// A Schema, a Field and a Stamper do not change once made and may be used from
// several goroutines. Nothing keeps a message beyond the call.
package rosmsg

import (
	"errors"
	"fmt"
	"strings"
)

// The encodings of schema texts, as MCAP and rosbag2 name them.
const (
	ROS2Msg = "ros2msg" // .msg or .srv text, each further type after a line of "=" and "MSG: pkg/Type"
	ROS2IDL = "ros2idl" // .idl text, each type after a line of "=" and "IDL: pkg/msg/Type"
)

// A Schema is the definition of one message type and those it is made of.
type Schema struct {
	// Name of the type in short form, such as sensor_msgs/Imu.
	Name    string
	types   map[string]*message
	aliases map[string]*typ // typedefs
}

// A message is the definition of one type, by its members in order.
type message struct {
	members []member
	empty   bool // the text defines no member; members has the one that ROS 2 adds
}

type member struct {
	name string
	typ  *typ
	line int // in the schema text, from 1; 0 if takt added it
}

// A typ is the type of a member, as far as its own text tells.
type typ struct {
	kind  kind
	names []string // named: where to look the type up, in this order
	elem  *typ     // array, sequence
	n     int      // array: its length
}

type kind uint8

const (
	boolean kind = iota + 1
	int8Kind
	uint8Kind
	int16Kind
	uint16Kind
	int32Kind
	uint32Kind
	int64Kind
	uint64Kind
	float32Kind
	float64Kind
	str
	wstr
	wchar      // 2 or 4 bytes, by implementation
	longDouble // 16 bytes, of a format by implementation
	array
	sequence
	named
)

var kindNames = [...]string{
	boolean: "bool", int8Kind: "int8", uint8Kind: "uint8", int16Kind: "int16", uint16Kind: "uint16",
	int32Kind: "int32", uint32Kind: "uint32", int64Kind: "int64", uint64Kind: "uint64",
	float32Kind: "float32", float64Kind: "float64", str: "string", wstr: "wstring",
	wchar: "wchar", longDouble: "long double", array: "array", sequence: "sequence", named: "message",
}

// size returns the bytes of a primitive, which is also its alignment, or 0 of
// what is none or varies.
func (k kind) size() int {
	switch k {
	case boolean, int8Kind, uint8Kind:
		return 1
	case int16Kind, uint16Kind:
		return 2
	case int32Kind, uint32Kind, float32Kind:
		return 4
	case int64Kind, uint64Kind, float64Kind:
		return 8
	}
	return 0
}

// String names a type for an error message.
func (t *typ) String() string {
	switch t.kind {
	case array:
		return fmt.Sprintf("%v[%d]", t.elem, t.n)
	case sequence:
		return fmt.Sprintf("%v[]", t.elem)
	case named:
		return t.names[0]
	}
	return kindNames[t.kind]
}

// A SchemaError says what in a schema cannot be used.
type SchemaError struct {
	Schema  string // the name of the type
	Line    int    // in its text, from 1; 0 if it is not of one line
	Problem string
	Remedy  string
}

func (e *SchemaError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("schema of %s: %s; %s", e.Schema, e.Problem, e.Remedy)
	}
	return fmt.Sprintf("schema of %s, line %d: %s; %s", e.Schema, e.Line, e.Problem, e.Remedy)
}

// Parse reads the schema text of the type name (pkg/msg/Type or pkg/Type) in
// one of the encodings. The name of a service gives its event: the message
// that service introspection publishes.
//
// A type that the text names but does not define is an error only once a path
// needs it. An error is a *SchemaError.
func Parse(encoding, name, text string) (*Schema, error) {
	s := &Schema{Name: shortName(name), types: map[string]*message{}, aliases: map[string]*typ{}}
	var err error
	switch {
	case !isTypeName(s.Name):
		err = &SchemaError{Problem: "that is not the name of a type", Remedy: "names are like sensor_msgs/msg/Imu"}
	case encoding == ROS2Msg:
		err = parseMsg(s, text)
	case encoding == ROS2IDL:
		err = parseIDL(s, text)
	default:
		err = &SchemaError{Problem: fmt.Sprintf("the encoding is %q", encoding), Remedy: "takt reads " + ROS2Msg + " and " + ROS2IDL}
	}
	if err == nil {
		err = s.findRoot()
	}
	if e := (*SchemaError)(nil); errors.As(err, &e) {
		e.Schema = name
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// findRoot makes sure that the schema's own type is defined.
func (s *Schema) findRoot() error {
	s.deriveMessages()
	if s.types[s.Name] == nil && s.types[s.Name+"_Event"] != nil {
		s.Name += "_Event"
	}
	if s.types[s.Name] == nil {
		return &SchemaError{Problem: "the text does not define the type itself", Remedy: "check that name and text belong together"}
	}
	return nil
}

// root returns the schema's own type.
func (s *Schema) root() *message { return s.types[s.Name] }

// define adds a type. A second definition of one name is left out: recorders
// repeat types, never with a difference.
func (s *Schema) define(name string, members []member) {
	if s.types[name] != nil {
		return
	}
	m := &message{members: members}
	if len(members) == 0 {
		m.empty = true
		m.members = []member{{name: "structure_needs_at_least_one_member", typ: &typ{kind: uint8Kind}}}
	}
	s.types[name] = m
}

// shortName brings pkg/msg/Type to pkg/Type, the form of names within schemas.
// Names in the form of DDS, pkg::msg::Type, are taken too.
func shortName(name string) string {
	parts := strings.Split(strings.ReplaceAll(name, "::", "/"), "/")
	if len(parts) == 3 && (parts[1] == "msg" || parts[1] == "srv" || parts[1] == "action") {
		return parts[0] + "/" + parts[2]
	}
	return strings.Join(parts, "/")
}
