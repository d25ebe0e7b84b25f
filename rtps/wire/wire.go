// Package wire reads and writes the messages of RTPS, the protocol under
// ROS 2's DDS middleware (OMG DDSI-RTPS 2.3; clauses in comments are its own),
// as Fast DDS and Cyclone DDS send them.
//
// A datagram is a header and submessages, which a Message walks. Each type of
// submessage has a Parse function and an Append method that mirror each other:
// what one reads the other writes, in either byte order. The contents of the
// builtin topics are ParticipantData, EndpointData and ParticipantMessage.
//
// Parsing takes bytes of anyone on the network: it never panics, checks every
// length before use, and its errors, all *Error, say where it stopped. Slices
// in a Submessage, Data, DataFrag and Parameter are parts of the datagram and
// live as long as it does; everything else is a copy. Parsing a message and
// its submessages allocates nothing, except for errors and INFO_REPLY.
//
// The package holds no state beyond one message, reads no clock and knows no
// socket. Submessages of DDS Security (SEC_*) are named, not read.
package wire

import "encoding/binary"

// An Order is the byte order of a submessage: binary.LittleEndian or
// binary.BigEndian.
type Order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// An Optional is a value that may be absent, which is never the same as zero.
type Optional[T any] struct {
	Value T
	Set   bool
}

// Some returns v as a value that is there.
func Some[T any](v T) Optional[T] { return Optional[T]{v, true} }

// Or returns the value, or absent if there is none.
func (o Optional[T]) Or(absent T) T {
	if o.Set {
		return o.Value
	}
	return absent
}
