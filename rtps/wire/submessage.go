package wire

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A SubmessageID says what a submessage is.
type SubmessageID uint8

// The submessages (9.4.5.1.1). Ids from 0x80 on are vendors' own.
const (
	IDPad           SubmessageID = 0x01
	IDAckNack       SubmessageID = 0x06
	IDHeartbeat     SubmessageID = 0x07
	IDGap           SubmessageID = 0x08
	IDInfoTimestamp SubmessageID = 0x09
	IDInfoSource    SubmessageID = 0x0c
	IDInfoReplyIP4  SubmessageID = 0x0d // an old form of INFO_REPLY, named only
	IDInfoDest      SubmessageID = 0x0e
	IDInfoReply     SubmessageID = 0x0f
	IDNackFrag      SubmessageID = 0x12
	IDHeartbeatFrag SubmessageID = 0x13
	IDData          SubmessageID = 0x15
	IDDataFrag      SubmessageID = 0x16
	IDSecBody       SubmessageID = 0x30
	IDSecPrefix     SubmessageID = 0x31
	IDSecPostfix    SubmessageID = 0x32
	IDSecMsgPrefix  SubmessageID = 0x33
	IDSecMsgPostfix SubmessageID = 0x34
)

var submessageNames = map[SubmessageID]string{
	IDPad: "PAD", IDAckNack: "ACKNACK", IDHeartbeat: "HEARTBEAT", IDGap: "GAP",
	IDInfoTimestamp: "INFO_TS", IDInfoSource: "INFO_SRC", IDInfoReplyIP4: "INFO_REPLY_IP4",
	IDInfoDest: "INFO_DST", IDInfoReply: "INFO_REPLY",
	IDNackFrag: "NACK_FRAG", IDHeartbeatFrag: "HEARTBEAT_FRAG", IDData: "DATA", IDDataFrag: "DATA_FRAG",
	IDSecBody: "SEC_BODY", IDSecPrefix: "SEC_PREFIX", IDSecPostfix: "SEC_POSTFIX",
	IDSecMsgPrefix: "SRTPS_PREFIX", IDSecMsgPostfix: "SRTPS_POSTFIX",
}

// String names the submessage as the specification does.
func (id SubmessageID) String() string {
	if name, ok := submessageNames[id]; ok {
		return name
	}
	return fmt.Sprintf("submessage 0x%02x", uint8(id))
}

// Known reports a submessage that the specification defines, security included.
func (id SubmessageID) Known() bool {
	_, ok := submessageNames[id]
	return ok
}

// Security reports a submessage of DDS Security, whose contents takt cannot see.
func (id SubmessageID) Security() bool { return id >= IDSecBody && id <= IDSecMsgPostfix }

const submessageHeaderLen = 4

// flagLittleEndian is the one flag that every submessage has.
const flagLittleEndian = 0x01

// A Submessage is one part of a message, not yet looked into (9.4.5.1). On the
// wire, the length in the byte order that flag 0x01 names:
//
//	submessageId 1 | flags 1 | octetsToNextHeader 2 | body
type Submessage struct {
	ID     SubmessageID
	Flags  uint8
	Offset int    // of the header, in bytes from the start of the datagram
	Body   []byte // part of the datagram
}

// Order returns the byte order of the body.
func (s Submessage) Order() Order {
	if s.Flags&flagLittleEndian != 0 {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// Append appends the submessage as it is, whatever it is.
func (s Submessage) Append(b []byte) []byte {
	start := len(b)
	b = append(b, byte(s.ID), s.Flags, 0, 0)
	return endSubmessage(append(b, s.Body...), start, s.Order())
}

// is reports whether a flag is set.
func (s Submessage) is(flag uint8) bool { return s.Flags&flag != 0 }

// fail returns the error of a problem at a byte of the body.
func (s Submessage) fail(at int, p Problem) error {
	return &Error{s.ID.String(), s.Offset + submessageHeaderLen + at, p}
}

// beginSubmessage appends a header that endSubmessage completes.
func beginSubmessage(b []byte, id SubmessageID, flags uint8, order Order) []byte {
	return append(b, byte(id), flags|flag(littleEndian(order), flagLittleEndian), 0, 0)
}

// oneFirst is 1 in little endian. It is no local variable, because that would
// be allocated for the call through the interface.
var oneFirst = []byte{1, 0}

func littleEndian(order Order) bool { return order.Uint16(oneFirst) == 1 }

// endSubmessage pads the submessage that begins at start to a multiple of 4,
// which Cyclone DDS insists on, and fills in its length. What is longer than
// the length can say has length 0 and must be the last of its message.
func endSubmessage(b []byte, start int, order Order) []byte {
	for (len(b)-start)%4 != 0 {
		b = append(b, 0)
	}
	if n := len(b) - start - submessageHeaderLen; n <= math.MaxUint16 {
		order.PutUint16(b[start+2:], uint16(n))
	}
	return b
}

// flag returns f if it is wanted.
func flag(wanted bool, f uint8) uint8 {
	if wanted {
		return f
	}
	return 0
}

// parseSubmessage cuts the submessage at offset at out of a datagram. Length 0
// means to the end of the datagram, except where a body may be empty (9.4.5.1.3).
func parseSubmessage(datagram []byte, at int) (s Submessage, err error) {
	b := datagram[at:]
	if len(b) < submessageHeaderLen {
		return s, &Error{"submessage", at, CutHeader}
	}
	s = Submessage{ID: SubmessageID(b[0]), Flags: b[1], Offset: at}
	n := int(s.Order().Uint16(b[2:]))
	b = b[submessageHeaderLen:]
	mayBeEmpty := s.ID == IDPad || s.ID == IDInfoTimestamp && s.is(flagInvalidate)
	switch {
	case n == 0 && !mayBeEmpty:
		n = len(b)
	case n > len(b):
		return s, s.fail(0, BeyondDatagram)
	case n%4 != 0 && n != len(b):
		return s, s.fail(n, Unaligned)
	}
	// The capacity ends here too: appending to a part must not reach the next.
	s.Body = b[:n:n]
	return s, nil
}
