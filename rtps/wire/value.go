package wire

import "strings"

// The most elements of a list that are read. More of what discovery lists is
// a mistake or an attack, and what is kept of a peer must be bounded.
const (
	maxLocators = 64   // further ones are not kept
	maxElements = 1024 // of strings, properties, representations; a longer list is refused
)

// A value is a cursor over the value of one parameter. It remembers its first
// problem: after one, every read gives zero.
type value struct {
	b       []byte
	off     int // within b, also where the first problem was
	order   Order
	problem Problem
}

func (v *value) fail(p Problem) {
	if v.problem == noProblem {
		v.problem = p
	}
}

// take returns the next n bytes, or nil after a problem.
func (v *value) take(n int) []byte {
	if v.problem != noProblem || n > len(v.b)-v.off {
		v.fail(ShortParameter)
		return nil
	}
	b := v.b[v.off : v.off+n]
	v.off += n
	return b
}

// align moves to the next multiple of 4. Padding that is missing is reported
// by the read that needed it.
func (v *value) align() { v.off = min((v.off+3)&^3, len(v.b)) }

// left returns how many bytes there are still to read.
func (v *value) left() int {
	if v.problem != noProblem {
		return 0
	}
	return len(v.b) - v.off
}

func (v *value) uint8() uint8 {
	if b := v.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (v *value) bool() bool { return v.uint8() != 0 }

func (v *value) int16() int16 {
	if b := v.take(2); b != nil {
		return int16(v.order.Uint16(b))
	}
	return 0
}

func (v *value) uint32() uint32 {
	if b := v.take(4); b != nil {
		return v.order.Uint32(b)
	}
	return 0
}

func (v *value) int32() int32 { return int32(v.uint32()) }

// enum reads a uint32 from low to high.
func (v *value) enum(low, high uint32) uint32 {
	at := v.off
	n := v.uint32()
	if v.problem == noProblem && (n < low || n > high) {
		v.off = at
		v.fail(BadValue)
		return 0
	}
	return n
}

func (v *value) duration() Duration { return Duration{v.int32(), v.uint32()} }

func (v *value) sequence() SequenceNumber {
	if b := v.take(8); b != nil {
		return parseSequence(b, v.order)
	}
	return 0
}

func (v *value) hash() (h [guidLen]byte) {
	if b := v.take(guidLen); b != nil {
		h = [guidLen]byte(b)
	}
	return h
}

func (v *value) guid() GUID { return ParseGUID(v.hash()) }

func (v *value) sample() SampleIdentity { return SampleIdentity{v.guid(), v.sequence()} }

func (v *value) version() (p ProtocolVersion) {
	if b := v.take(2); b != nil {
		p = ProtocolVersion{b[0], b[1]}
	}
	return p
}

func (v *value) vendor() (id VendorID) {
	if b := v.take(2); b != nil {
		id = VendorID(b)
	}
	return id
}

// locator adds a locator to all, up to maxLocators.
func (v *value) locator(all []Locator) []Locator {
	if b := v.take(locatorLen); b != nil && len(all) < maxLocators {
		all = append(all, parseLocator(b, v.order))
	}
	return all
}

// bytes reads a copy of a sequence of octets, nil if it is empty.
func (v *value) bytes() []byte {
	n := v.uint32()
	if uint64(n) > uint64(v.left()) {
		v.fail(ShortParameter)
		return nil
	}
	return append([]byte(nil), v.take(int(n))...)
}

// rest reads a copy of all that is left, nil if that is nothing.
func (v *value) rest() []byte { return append([]byte(nil), v.take(v.left())...) }

// string reads a copy of an aligned string: its length with the NUL, the bytes
// and the NUL. Length 0 is taken as empty too.
func (v *value) string() string {
	v.align()
	n := v.uint32()
	if uint64(n) > uint64(v.left()) {
		v.fail(ShortParameter)
		return ""
	}
	s, ended := strings.CutSuffix(string(v.take(int(n))), "\x00")
	if n > 0 && !ended {
		v.fail(Unterminated)
	}
	return s
}

// length reads the number of elements of a sequence.
func (v *value) length() int {
	v.align()
	n := v.uint32()
	if n > maxElements {
		v.fail(BadValue)
		return 0
	}
	return int(n)
}

func (v *value) strings() (all []string) {
	for range v.length() {
		all = append(all, v.string())
		if v.problem != noProblem {
			return nil
		}
	}
	return all
}
