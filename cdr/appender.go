package cdr

import (
	"encoding/binary"
	"math"
)

// An Appender writes a little-endian plain CDR message, as ROS 2 does on the
// machines it runs on. It serves those who make messages, such as a writer of
// synthetic recordings; the zero Appender is an empty message.
type Appender struct {
	msg  []byte
	base int  // where in msg the message begins; more than 0 only for Append
	big  bool // big endian
	v2   bool // XCDR version 2: aligned to 4 at most
}

// Message returns the message so far, its encapsulation header included. It
// shares the Appender's memory until the next Reset.
func (a *Appender) Message() []byte {
	a.begin()
	return a.msg
}

// Reset starts a new message in the memory of the last.
func (a *Appender) Reset() { a.msg = a.msg[:0] }

func (a *Appender) begin() {
	if len(a.msg) == 0 {
		a.msg = append(a.msg, 0, byte(LittleEndian), 0, 0)
	}
}

// align pads with zeros to a multiple of n after the header.
func (a *Appender) align(n int) {
	a.begin()
	if a.v2 && n > 4 {
		n = 4
	}
	for (len(a.msg)-a.base-HeaderLen)%n != 0 {
		a.msg = append(a.msg, 0)
	}
}

// Uint8 appends one byte; Bool, byte, char and octet are written by it too.
func (a *Appender) Uint8(v uint8) {
	a.begin()
	a.msg = append(a.msg, v)
}

// Uint16 appends two bytes aligned to two.
func (a *Appender) Uint16(v uint16) {
	a.align(2)
	if a.big {
		a.msg = binary.BigEndian.AppendUint16(a.msg, v)
		return
	}
	a.msg = binary.LittleEndian.AppendUint16(a.msg, v)
}

// Uint32 appends four bytes aligned to four. The length of a sequence is one.
func (a *Appender) Uint32(v uint32) {
	a.align(4)
	if a.big {
		a.msg = binary.BigEndian.AppendUint32(a.msg, v)
		return
	}
	a.msg = binary.LittleEndian.AppendUint32(a.msg, v)
}

// Uint64 appends eight bytes aligned to eight.
func (a *Appender) Uint64(v uint64) {
	a.align(8)
	if a.big {
		a.msg = binary.BigEndian.AppendUint64(a.msg, v)
		return
	}
	a.msg = binary.LittleEndian.AppendUint64(a.msg, v)
}

// Int32 appends four bytes aligned to four.
func (a *Appender) Int32(v int32) { a.Uint32(uint32(v)) }

// Int64 appends eight bytes aligned to eight.
func (a *Appender) Int64(v int64) { a.Uint64(uint64(v)) }

// Float64 appends eight bytes aligned to eight.
func (a *Appender) Float64(v float64) { a.Uint64(math.Float64bits(v)) }

// String appends the length of s with its NUL, s, and the NUL.
func (a *Appender) String(s string) {
	a.Uint32(uint32(len(s) + 1))
	a.msg = append(append(a.msg, s...), 0)
}
