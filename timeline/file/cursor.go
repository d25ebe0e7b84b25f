package file

import (
	"encoding/binary"
	"errors"
	"math"
)

var (
	errShort = errors.New("the batch ends within it")
	errRange = errors.New("a value is out of range")
)

// A cursor reads what binary.Append wrote, and keeps its first error.
type cursor struct {
	b   []byte // what is left
	err error
}

func (r *cursor) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

func (r *cursor) byte() byte {
	if len(r.b) == 0 {
		r.fail(errShort)
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	switch {
	case n > 0:
		r.b = r.b[n:]
	case n == 0:
		r.fail(errShort)
	default:
		r.fail(errRange)
	}
	return v
}

func (r *cursor) uvarint32() uint32 {
	v := r.uvarint()
	if v > math.MaxUint32 {
		r.fail(errRange)
	}
	return uint32(v)
}

func (r *cursor) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1) // zigzag, as binary.Varint
}

func (r *cursor) varintWithin(low, high int64) int64 {
	v := r.varint()
	if v < low || v > high {
		r.fail(errRange)
	}
	return v
}
