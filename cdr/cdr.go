// Package cdr reads and writes the CDR encoding that ROS 2 messages travel and
// are recorded in: a 4-byte encapsulation header, then the members in order,
// each primitive aligned to its own size (at most 8) counted from the first
// byte after the header (OMG DDSI-RTPS 2.3 section 10; XCDR version 1 of OMG
// DDS-XTypes 1.3 section 7.4.1).
//
// Append and Unmarshal take a whole message as a Go struct, whose fields are
// the members in the order of the message's definition. They also know the two
// forms of XCDR version 2 without parameter lists, which some DDS programs
// beside ROS 2 speak. A Reader is a cursor for those who want a part of a
// message, an Appender writes one value after the other; both know plain CDR
// alone.
//
// The other encapsulations lay out members differently, so they are recognised
// and refused by name. Nothing here keeps the message it reads.
package cdr

import (
	"encoding/binary"
	"fmt"
)

// HeaderLen is the length in bytes of the encapsulation header.
const HeaderLen = 4

// An Encapsulation is the identifier that a serialized message begins with;
// on the wire it is always big endian.
type Encapsulation uint16

// The encapsulations (DDSI-RTPS 2.3 table 10.3; DDS-XTypes 1.3 table 60 gives
// the identifiers of XCDR version 2).
const (
	BigEndian    Encapsulation = 0x0000 // plain CDR
	LittleEndian Encapsulation = 0x0001 // plain CDR: what ROS 2 writes

	// XCDR version 2 aligns to 4 at most. Delimited, a struct is preceded by its
	// length, so that a reader can skip members that it does not know.
	BigEndian2            Encapsulation = 0x0006
	LittleEndian2         Encapsulation = 0x0007
	DelimitedBigEndian    Encapsulation = 0x0008
	DelimitedLittleEndian Encapsulation = 0x0009
)

// bigEndian reports the byte order; the identifiers come in pairs of which the
// even one is big endian.
func (e Encapsulation) bigEndian() bool { return e&1 == 0 }

// version2 and delimited hold for encapsulations that ofStructs accepts.
func (e Encapsulation) version2() bool  { return e >= BigEndian2 }
func (e Encapsulation) delimited() bool { return e >= DelimitedBigEndian }

// ofStructs reports whether Append and Unmarshal know the encapsulation.
func (e Encapsulation) ofStructs() bool {
	return e <= LittleEndian || e >= BigEndian2 && e <= DelimitedLittleEndian
}

var encapsulationNames = map[Encapsulation]string{
	BigEndian:             "plain CDR, big endian",
	LittleEndian:          "plain CDR, little endian",
	0x0002:                "parameter list, big endian",
	0x0003:                "parameter list, little endian",
	0x0004:                "XML",
	BigEndian2:            "plain CDR version 2, big endian",
	LittleEndian2:         "plain CDR version 2, little endian",
	DelimitedBigEndian:    "delimited CDR version 2, big endian",
	DelimitedLittleEndian: "delimited CDR version 2, little endian",
	0x000a:                "parameter list version 2, big endian",
	0x000b:                "parameter list version 2, little endian",
}

// String names the encapsulation, such as "plain CDR, little endian".
func (e Encapsulation) String() string {
	if name, ok := encapsulationNames[e]; ok {
		return name
	}
	return fmt.Sprintf("unknown encapsulation 0x%04x", uint16(e))
}

// An Error says where in a message reading stopped, and why.
type Error struct {
	Offset  int    // bytes from the start of the message, its header included
	Reading string // what was being read, such as "uint32"
	Problem string
}

func (e *Error) Error() string {
	return fmt.Sprintf("cdr: %s at byte %d: %s", e.Reading, e.Offset, e.Problem)
}

// body checks the encapsulation header of msg and returns what follows it.
func body(msg []byte) (b []byte, bigEndian bool, err error) {
	if len(msg) < HeaderLen || msg[0] != 0 || msg[1] > byte(LittleEndian) {
		return nil, false, headerError(msg, "plain CDR (0x0000, 0x0001) is, which ROS 2 writes")
	}
	return msg[HeaderLen:], msg[1] == byte(BigEndian), nil
}

func headerError(msg []byte, supported string) error {
	problem := fmt.Sprintf("the message has %d bytes, the header alone needs %d", len(msg), HeaderLen)
	if len(msg) >= HeaderLen {
		e := Encapsulation(binary.BigEndian.Uint16(msg))
		problem = fmt.Sprintf("%v is not supported; %s", e, supported)
	}
	return &Error{0, "encapsulation header", problem}
}
