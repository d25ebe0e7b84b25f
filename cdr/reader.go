package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Reader is a cursor over one message. It remembers its first error: after
// one, every read gives zero, so that a run of reads needs one check at its end.
//
// It holds the message but never changes it, and does not allocate.
type Reader struct {
	body []byte // after the header; nil after an error, so that every read fails
	off  int    // within body, or up to 7 beyond its end
	big  bool
	v2   bool // XCDR version 2: aligned to 4 at most
	err  error
}

// NewReader returns a cursor before the first member of msg. A header that
// cannot be read is the cursor's first error.
func NewReader(msg []byte) Reader {
	b, big, err := body(msg)
	return Reader{body: b, big: big, err: err}
}

// Err returns the first error, an *Error, or nil.
func (r *Reader) Err() error { return r.err }

// BigEndian reports the byte order of the message.
func (r *Reader) BigEndian() bool { return r.big }

// Offset returns how many bytes after the header have been read, until an error.
func (r *Reader) Offset() int { return r.off }

// Left returns how many bytes are left, 0 after an error. The last three may
// be padding of the transport.
func (r *Reader) Left() int { return max(0, len(r.body)-r.off) }

// Fail makes the cursor fail, for a caller that finds what it read impossible.
func (r *Reader) Fail(reading, problem string) {
	if r.err == nil {
		r.err = &Error{HeaderLen + r.off, reading, problem}
	}
	r.body, r.off = nil, 0
}

// Align moves the cursor to the next multiple of n, a power of two up to 8.
// Padding that the message lacks is reported by the read that needed it.
func (r *Reader) Align(n int) {
	if r.v2 && n > 4 {
		n = 4
	}
	r.off = (r.off + n - 1) &^ (n - 1)
}

// Skip moves the cursor by n bytes, for what is called reading in an error.
func (r *Reader) Skip(n int, reading string) { r.take(n, reading) }

// take returns the next n bytes, or nil after an error.
func (r *Reader) take(n int, reading string) []byte {
	// Compared this way round, n near the largest int cannot wrap.
	if n < 0 || n > len(r.body)-r.off {
		r.short(n, reading)
		return nil
	}
	b := r.body[r.off : r.off+n]
	r.off += n
	return b
}

func (r *Reader) short(n int, reading string) {
	if r.err == nil {
		r.Fail(reading, fmt.Sprintf("needs %d bytes, %d are left", n, r.Left()))
	}
}

// Uint8 reads one byte. Bool, byte, char and octet are read by it too.
func (r *Reader) Uint8() uint8 {
	if b := r.take(1, "uint8"); b != nil {
		return b[0]
	}
	return 0
}

// Uint16 reads two bytes aligned to two.
func (r *Reader) Uint16() uint16 {
	r.Align(2)
	b := r.take(2, "uint16")
	switch {
	case b == nil:
		return 0
	case r.big:
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// Uint32 reads four bytes aligned to four.
func (r *Reader) Uint32() uint32 {
	r.Align(4)
	return r.uint32("uint32")
}

func (r *Reader) uint32(reading string) uint32 {
	b := r.take(4, reading)
	switch {
	case b == nil:
		return 0
	case r.big:
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// Uint64 reads eight bytes aligned to eight.
func (r *Reader) Uint64() uint64 {
	r.Align(8)
	b := r.take(8, "uint64")
	switch {
	case b == nil:
		return 0
	case r.big:
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// Bool reads one byte; any value but zero is true.
func (r *Reader) Bool() bool { return r.Uint8() != 0 }

// Int8 reads one byte.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Int16 reads two bytes aligned to two.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Int32 reads four bytes aligned to four.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Int64 reads eight bytes aligned to eight.
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Float32 reads four bytes aligned to four.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 reads eight bytes aligned to eight.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// Len reads the element count of a sequence whose elements take at least
// minElement bytes (one or more), and fails if the message cannot hold so many.
func (r *Reader) Len(minElement int) int {
	r.Align(4)
	n := r.uint32("sequence length")
	if uint64(n)*uint64(minElement) > uint64(r.Left()) {
		r.Fail("sequence", fmt.Sprintf("%d elements of %d bytes or more, %d bytes are left", n, minElement, r.Left()))
		return 0
	}
	return int(n)
}

// Bytes returns the next n bytes, which are part of the message.
func (r *Reader) Bytes(n int, reading string) []byte { return r.take(n, reading) }

// String reads a string and returns it without its NUL, as part of the
// message. The length on the wire counts the NUL; a length of 0, which some
// writers use for the empty string, is accepted as Fast CDR does.
func (r *Reader) String() []byte {
	r.Align(4)
	n := r.uint32("string length")
	if uint64(n) > uint64(r.Left()) {
		r.Fail("string", fmt.Sprintf("has %d bytes, %d are left", n, r.Left()))
		return nil
	}
	s := r.take(int(n), "string")
	if len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// SkipWString moves the cursor past a wide string.
//
// On the wire it is a count of UTF-16 units without a NUL, then the units, in
// 4 bytes each from Fast CDR 1 and Cyclone DDS, in 2 from Fast CDR 2; nothing
// says which. The upper half of the first 4 bytes tells: it is 0 if units have
// 4, else it holds a character. Only a little-endian string of one unit, 2
// bytes wide and followed by two zero bytes, is mistaken; they are mostly
// padding, so that what follows is found all the same.
func (r *Reader) SkipWString() {
	r.Align(4)
	n := r.uint32("wstring length")
	if n == 0 || r.err != nil {
		return
	}
	width := uint64(2)
	if ahead := *r; ahead.Left() >= 4 && ahead.uint32("wstring")>>16 == 0 {
		width = 4
	}
	if width*uint64(n) > uint64(r.Left()) {
		r.Fail("wstring", fmt.Sprintf("has %d units of %d bytes, %d bytes are left", n, width, r.Left()))
		return
	}
	r.off += int(width * uint64(n))
}
