package cdr

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// A header stamped 1.5 s, in "map", then a float64: worked by hand.
func TestAppenderWritesWhatROS2Would(t *testing.T) {
	var a Appender
	for range 2 { // the second time in the same memory
		a.Reset()
		a.Int32(1)
		a.Uint32(500_000_000)
		a.String("map")
		a.Float64(0.5)
		a.Uint8(9)
		a.Uint16(0x0102)
		want := unhex(t, `0001 0000 | 01000000 | 0065cd1d | 04000000 6d617000 | 000000000000e03f | 09 00 0201`)
		if !bytes.Equal(a.Message(), want) {
			t.Errorf("got %x, want %x", a.Message(), want)
		}
	}
}

func TestEmptyAppender(t *testing.T) {
	var a Appender
	if got := a.Message(); !bytes.Equal(got, []byte{0, 1, 0, 0}) {
		t.Errorf("got %x", got)
	}
}

func TestWhatIsAppendedIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Appender
		var reads []func(r *Reader) bool
		for range rapid.IntRange(0, 20).Draw(t, "values") {
			u := rapid.Uint64().Draw(t, "value")
			switch rapid.IntRange(0, 4).Draw(t, "type") {
			case 0:
				a.Uint8(uint8(u))
				reads = append(reads, func(r *Reader) bool { return r.Uint8() == uint8(u) })
			case 1:
				a.Uint16(uint16(u))
				reads = append(reads, func(r *Reader) bool { return r.Uint16() == uint16(u) })
			case 2:
				a.Int32(int32(u))
				reads = append(reads, func(r *Reader) bool { return r.Int32() == int32(u) })
			case 3:
				a.Int64(int64(u))
				reads = append(reads, func(r *Reader) bool { return r.Int64() == int64(u) })
			case 4:
				s := rapid.String().Draw(t, "string")
				a.String(s)
				reads = append(reads, func(r *Reader) bool { return string(r.String()) == s })
			}
		}
		r := NewReader(a.Message())
		for i, read := range reads {
			if !read(&r) || r.Err() != nil {
				t.Fatalf("value %d: %v", i, r.Err())
			}
		}
		if r.Left() != 0 {
			t.Fatalf("%d bytes are left", r.Left())
		}
	})
}
