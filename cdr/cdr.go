// Package cdr reads the CDR encoding that ROS 2 messages travel and are
// recorded in: a 4-byte encapsulation header, then the members in order, each
// primitive aligned to its own size (at most 8) counted from the first byte
// after the header (OMG DDSI-RTPS 2.3 section 10; XCDR version 1 of OMG
// DDS-XTypes 1.3 section 7.4.1).
//
// Plain CDR is read in both byte orders. The other encapsulations lay out
// members differently, so they are recognised and refused by name. Nothing
// here keeps or copies the message, and reading allocates only for an error.
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
)

var encapsulationNames = map[Encapsulation]string{
	BigEndian:    "plain CDR, big endian",
	LittleEndian: "plain CDR, little endian",
	0x0002:       "parameter list, big endian",
	0x0003:       "parameter list, little endian",
	0x0004:       "XML",
	0x0006:       "plain CDR version 2, big endian",
	0x0007:       "plain CDR version 2, little endian",
	0x0008:       "delimited CDR version 2, big endian",
	0x0009:       "delimited CDR version 2, little endian",
	0x000a:       "parameter list version 2, big endian",
	0x000b:       "parameter list version 2, little endian",
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
		return nil, false, headerError(msg)
	}
	return msg[HeaderLen:], msg[1] == byte(BigEndian), nil
}

func headerError(msg []byte) error {
	problem := fmt.Sprintf("the message has %d bytes, the header alone needs %d", len(msg), HeaderLen)
	if len(msg) >= HeaderLen {
		e := Encapsulation(binary.BigEndian.Uint16(msg))
		problem = fmt.Sprintf("%v is not supported; plain CDR (0x0000, 0x0001) is, which ROS 2 writes", e)
	}
	return &Error{0, "encapsulation header", problem}
}
