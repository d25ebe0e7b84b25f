package cdr

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "|", "", "\n", "", "\t", "").Replace(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Worked by hand; "ee" is padding, whose value means nothing.
const (
	littleEndian = `0001 0000 | 07 ee 0201 | fdff ffff | feff ffff ffff ff7f | 01 eeeeee
		03000000 6162 00 eeeeeeeeee | 0000 0000 0000 f8bf | 0000 803e | fe`
	bigEndian = `0000 0000 | 07 ee 0102 | ffff fffd | 7fff ffff ffff fffe | 01 eeeeee
		00000003 6162 00 eeeeeeeeee | bff8 0000 0000 0000 | 3e80 0000 | fe`
)

func TestReadsBothByteOrders(t *testing.T) {
	for name, text := range map[string]string{"little": littleEndian, "big": bigEndian} {
		r := NewReader(unhex(t, text))
		if v := r.Uint8(); v != 7 {
			t.Errorf("%s: uint8 %d", name, v)
		}
		if v := r.Uint16(); v != 0x0102 {
			t.Errorf("%s: uint16 %#x", name, v)
		}
		if v := r.Int32(); v != -3 {
			t.Errorf("%s: int32 %d", name, v)
		}
		if v := r.Int64(); v != math.MaxInt64-1 {
			t.Errorf("%s: int64 %d", name, v)
		}
		if !r.Bool() {
			t.Errorf("%s: bool false", name)
		}
		if s := string(r.String()); s != "ab" {
			t.Errorf("%s: string %q", name, s)
		}
		if v := r.Float64(); v != -1.5 {
			t.Errorf("%s: float64 %v", name, v)
		}
		if v := r.Float32(); v != 0.25 {
			t.Errorf("%s: float32 %v", name, v)
		}
		if v := r.Int8(); v != -2 {
			t.Errorf("%s: int8 %d", name, v)
		}
		if r.Err() != nil || r.Left() != 0 || r.BigEndian() != (name == "big") {
			t.Errorf("%s: error %v, %d bytes left, big endian %v", name, r.Err(), r.Left(), r.BigEndian())
		}
	}
}

func TestAlignmentCountsFromTheByteAfterTheHeader(t *testing.T) {
	r := NewReader(unhex(t, "0001 0000 | 0100000000000000"))
	if v := r.Uint64(); v != 1 || r.Err() != nil { // at byte 4 of the message, which is no multiple of 8
		t.Errorf("got %d, %v", v, r.Err())
	}
}

func TestOtherEncapsulationsAreRefusedByName(t *testing.T) {
	for head, want := range map[string]string{
		"0002": "parameter list, big endian", "0003": "parameter list, little endian",
		"0006": "plain CDR version 2, big endian", "0007": "plain CDR version 2, little endian",
		"0009": "delimited CDR version 2, little endian", "000b": "parameter list version 2, little endian",
		"0100": "unknown encapsulation 0x0100",
	} {
		r := NewReader(unhex(t, head+"0000 01000000"))
		if v := r.Uint32(); v != 0 || r.Err() == nil || !strings.Contains(r.Err().Error(), want) {
			t.Errorf("%s: got %d and %v, want an error naming %s", head, v, r.Err(), want)
		}
	}
	for _, short := range []string{"", "00", "000100"} {
		r := NewReader(unhex(t, short))
		if r.Err() == nil || !strings.Contains(r.Err().Error(), "header") {
			t.Errorf("%q: got %v", short, r.Err())
		}
	}
}

func TestFirstErrorStays(t *testing.T) {
	r := NewReader(unhex(t, "0001 0000 | 01020304 0506"))
	r.Uint32()
	r.Uint32() // two bytes are left
	r.Uint8()  // would have been there
	r.String()
	r.Len(1)
	r.SkipWString()
	r.Fail("test", "later")
	var e *Error
	if !errors.As(r.Err(), &e) || *e != (Error{8, "uint32", "needs 4 bytes, 2 are left"}) {
		t.Errorf("got %+v", r.Err())
	}
	if got, want := r.Err().Error(), "cdr: uint32 at byte 8: needs 4 bytes, 2 are left"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.Left() != 0 {
		t.Errorf("%d bytes are left after an error", r.Left())
	}
}

func TestPaddingMayBeMissingAtTheEnd(t *testing.T) {
	r := NewReader(unhex(t, "0001 0000 | 01"))
	r.Uint8()
	r.Align(8) // what follows is an empty sequence, say: nothing is read
	if r.Err() != nil || r.Left() != 0 {
		t.Errorf("got %v, %d bytes left", r.Err(), r.Left())
	}
	if r.Uint8(); r.Err() == nil {
		t.Error("a byte beyond the end was read")
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ name, body, want, err string }{
		{"empty", "01000000 00", "", ""},
		{"length 0, as some write the empty string", "00000000", "", ""},
		{"one letter", "02000000 6100", "a", ""},
		{"without NUL", "02000000 6162", "ab", ""},
		{"NUL within", "04000000 61006200", "a\x00b", ""},
		{"longer than the message", "05000000 61620000", "", "has 5 bytes, 4 are left"},
		{"absurdly long", "ffffffff 61620000", "", "has 4294967295 bytes, 4 are left"},
		{"no length", "0100", "", "needs 4 bytes, 2 are left"},
	} {
		r := NewReader(unhex(t, "00010000"+c.body))
		if got := string(r.String()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if (r.Err() != nil) != (c.err != "") || c.err != "" && !strings.Contains(r.Err().Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.name, r.Err(), c.err)
		}
	}
}

func TestSkipWString(t *testing.T) {
	for _, c := range []struct {
		name, msg string
		want      int // offset after it; -1 an error
	}{
		{"empty", "0001 0000 00000000 05", 4},
		{"4 bytes each", "0001 0000 02000000 61000000 62000000 05", 12},
		{"2 bytes each", "0001 0000 02000000 6100 6200 05", 8},
		{"2 bytes each, big endian", "0000 0000 00000002 0061 0062 05", 8},
		{"4 bytes each, big endian", "0000 0000 00000002 00000061 00000062 05", 12},
		{"one of 2 bytes, at the end", "0001 0000 01000000 6100", 6},
		{"beyond the end", "0001 0000 03000000 6100 6200", -1},
		{"absurdly long", "0001 0000 ffffffff 61000000", -1},
	} {
		r := NewReader(unhex(t, c.msg))
		r.SkipWString()
		if c.want < 0 {
			if r.Err() == nil {
				t.Errorf("%s: no error", c.name)
			}
		} else if r.Err() != nil || r.Offset() != c.want {
			t.Errorf("%s: at %d, %v, want %d", c.name, r.Offset(), r.Err(), c.want)
		}
	}
}

func TestSequenceLengthIsCheckedBeforeUse(t *testing.T) {
	for _, c := range []struct {
		body  string
		least int
		want  int
		ok    bool
	}{
		{"02000000 01020304", 2, 2, true},
		{"02000000 01020304", 3, 0, false},
		{"00000000", 100, 0, true},
		{"ffffffff 01020304", 1, 0, false},
		{"ffffffff 01020304", 1 << 30, 0, false},
	} {
		r := NewReader(unhex(t, "00010000"+c.body))
		if n := r.Len(c.least); n != c.want || (r.Err() == nil) != c.ok {
			t.Errorf("%s of %d: got %d, %v", c.body, c.least, n, r.Err())
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	msg := unhex(t, littleEndian)
	n := testing.AllocsPerRun(100, func() {
		r := NewReader(msg)
		r.Uint8()
		r.Uint16()
		r.Uint32()
		r.Uint64()
		r.Bool()
		r.String()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzReader lets the input say what to read, and checks that nothing reads
// beyond the message.
func FuzzReader(f *testing.F) {
	for _, s := range []string{littleEndian, bigEndian, "00030000", "0001 0000 02000000 6100 6200"} {
		f.Add(unhex(f, s), []byte{0, 1, 2, 3, 0, 4, 3, 2, 0, 5, 6, 7})
	}
	f.Fuzz(func(t *testing.T, msg, script []byte) {
		r := NewReader(msg)
		for _, op := range script {
			before := r.Offset()
			fuzzRead(&r, op)
			if r.Err() == nil && (r.Offset() < before || r.Offset() > len(msg)+3) {
				t.Fatalf("read %d from %d to %d of %d", op, before, r.Offset(), len(msg))
			}
		}
	})
}

func fuzzRead(r *Reader, op byte) {
	switch op % 8 {
	case 0:
		r.Uint8()
	case 1:
		r.Uint16()
	case 2:
		r.Uint32()
	case 3:
		r.Uint64()
	case 4:
		r.String()
	case 5:
		r.SkipWString()
	case 6:
		r.Skip(r.Len(3)*3, "elements")
	case 7:
		r.Align(8)
	}
}
