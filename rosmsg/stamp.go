package rosmsg

import (
	"encoding/binary"
	"errors"

	"github.com/takt-rt/takt/cdr"
)

// ErrNoStamp reports that messages of a type carry no stamp.
var ErrNoStamp = errors.New("rosmsg: messages of this type carry no stamp")

// A Stamper reads the stamp of a type's messages: the time that the publisher wrote into them.
type Stamper struct {
	source string
	steps  []step
	at     int // place of the stamp in every message, counted from its start; 0 if it varies
}

// NewStamper returns the Stamper of a type. The stamp is the first field, in
// the message's own order, that is a std_msgs/Header or a
// builtin_interfaces/Time; for a tf2_msgs/TFMessage and a
// visualization_msgs/MarkerArray it is that of the first element's header.
//
// The schema may be nil, or of an empty text as recorders write when they lack
// the definition: then the common types of ROS 2 are known by name. The error
// is ErrNoStamp if there is no such field, as far as is known, else the
// *SchemaError of a schema that does not let it be found.
func NewStamper(typeName string, schema *Schema) (*Stamper, error) {
	if schema == nil || schema.root().empty {
		text, ok := knownBeginnings()[shortName(typeName)]
		if !ok {
			return nil, ErrNoStamp
		}
		var err error
		if schema, err = Parse(ROS2Msg, typeName, text); err != nil {
			return nil, err
		}
	}
	source := schema.stampPath()
	if source == "" {
		return nil, ErrNoStamp
	}
	steps, _, err := schema.locate(source)
	if err != nil {
		return nil, err
	}
	return &Stamper{source, steps, steps.constant(4)}, nil
}

// stampPath returns the path of the stamp, or "" if there is none.
func (s *Schema) stampPath() string {
	switch s.Name {
	case tfMessage:
		return "transforms[0].header.stamp"
	case markerArray:
		return "markers[0].header.stamp"
	}
	for _, m := range s.root().members {
		if m.typ.kind != named {
			continue
		}
		switch name, _, _, _ := s.lookup(m.typ); name {
		case header:
			return m.name + ".stamp"
		case timeType:
			return m.name
		}
	}
	return ""
}

// Source returns where the stamp is read, such as "header.stamp", "stamp",
// "clock" or "transforms[0].header.stamp".
func (s *Stamper) Source() string { return s.source }

// Stamp returns the stamp of a message in nanoseconds; ok is false if the
// array that holds it is empty. The error is a *cdr.Error. No stamp overflows:
// seconds have 32 bits on the wire. It allocates only for an error.
func (s *Stamper) Stamp(msg []byte) (ns int64, ok bool, err error) {
	// Nearly every message is little endian and has its stamp in a fixed place.
	if s.at > 0 && len(msg) >= s.at+8 && cdr.Encapsulation(binary.BigEndian.Uint16(msg)) == cdr.LittleEndian {
		b := msg[s.at:]
		return nanoseconds(binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])), true, nil
	}
	r := cdr.NewReader(msg)
	if walk(&r, s.steps) == ErrNoElement {
		return 0, false, nil
	}
	ns = readTime(&r)
	if err := r.Err(); err != nil {
		return 0, false, err
	}
	return ns, true, nil
}

// readTime reads a builtin_interfaces/Time, in nanoseconds:
//
//	sec 4 (int32) | nanosec 4 (uint32)
//
// Nanoseconds of a second and more, which no conforming writer sends, are added all the same.
func readTime(r *cdr.Reader) int64 {
	r.Align(4)
	b := r.Bytes(8, "stamp")
	switch {
	case b == nil:
		return 0
	case r.BigEndian():
		return nanoseconds(binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:]))
	}
	return nanoseconds(binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]))
}

func nanoseconds(sec, nanosec uint32) int64 { return int64(int32(sec))*1e9 + int64(nanosec) }
