package wire

import "fmt"

// A Problem is why something was refused. There are few, so that they can be
// counted by an array whatever a peer sends.
type Problem uint8

// The problems.
const (
	noProblem Problem = iota
	ShortDatagram
	NotRTPS
	UnsupportedVersion
	CutHeader
	BeyondDatagram
	Unaligned
	ShortBody
	BadSequenceNumber
	BadRange
	TooManyBits
	BadFlags
	BadInlineQoSOffset
	BadFragment
	NotParameterList
	NotPlainCDR
	ShortParameter
	UnalignedParameter
	NoSentinel
	NotUnderstood
	BadValue
	Unterminated
	problems // how many there are
)

var problemTexts = [problems]string{
	noProblem:          "nothing is wrong",
	ShortDatagram:      "the datagram is shorter than the 20 bytes of an RTPS header",
	NotRTPS:            "the datagram does not begin with RTPS",
	UnsupportedVersion: "the major protocol version is not 2",
	CutHeader:          "the datagram ends within a submessage header",
	BeyondDatagram:     "the submessage runs beyond the datagram: it was cut short, or its length is wrong",
	Unaligned:          "the length is not a multiple of 4 and the submessage is not the last",
	ShortBody:          "the body ends before its last field",
	BadSequenceNumber:  "the sequence number is out of range",
	BadRange:           "the last number is lower than the one before the first",
	TooManyBits:        "a set has more than 256 bits",
	BadFlags:           "the flags exclude each other",
	BadInlineQoSOffset: "octetsToInlineQos points outside of the body",
	BadFragment:        "the fragment numbers, sizes and the bytes present do not agree",
	NotParameterList:   "the payload is not a parameter list (encapsulation 0x0002 or 0x0003)",
	NotPlainCDR:        "the payload is not plain CDR (encapsulation 0x0000 or 0x0001)",
	ShortParameter:     "the parameter ends before its last field, or runs beyond the list",
	UnalignedParameter: "the parameter's length is not a multiple of 4",
	NoSentinel:         "the parameter list ends without a sentinel",
	NotUnderstood:      "the parameter must be understood and is not known",
	BadValue:           "the value is none of those defined",
	Unterminated:       "the string does not end with a NUL",
}

// String describes the problem.
func (p Problem) String() string {
	if p < problems {
		return problemTexts[p]
	}
	return fmt.Sprintf("problem %d", uint8(p))
}

// An Error says what was refused, where, and why.
type Error struct {
	Item    string // such as "HEARTBEAT" or "PID_TOPIC_NAME"
	Offset  int    // bytes from the start of the datagram, or of the parameter list parsed by itself
	Problem Problem
}

func (e *Error) Error() string {
	return fmt.Sprintf("rtps: %s at byte %d: %v", e.Item, e.Offset, e.Problem)
}
