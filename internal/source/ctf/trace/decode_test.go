package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tsdl"
)

const ints = `/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 16; align = 8; } := u16;
typealias integer { size = 32; align = 32; } := aligned;
typealias integer { size = 64; align = 1; } := long_;
typealias integer { size = 3; align = 1; } := u3;
typealias integer { size = 3; align = 1; signed = true; } := s3;
typealias integer { size = 13; align = 1; } := u13;
typealias integer { size = 8; align = 8; encoding = UTF8; } := char;
`

// decode reads one event of those fields, all of which are wanted.
func decode(t *testing.T, order, definitions, fields string, b []byte) (*decoder, *tsdl.Struct, status) {
	t.Helper()
	text := ints + definitions + "trace { byte_order = " + order + "; }; event { name = e; fields := struct {" + fields + "}; };"
	m, err := tsdl.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := m.Streams[0].Events[0].Fields
	var wishes []wish
	for i, f := range s.Fields {
		wishes = append(wishes, wish{f.Name, int16(slotWanted + i)})
	}
	p, err := (&Domain{meta: m}).planner().top([]*tsdl.Struct{s}, [][]wish{wishes})
	if err != nil {
		t.Fatal(err)
	}
	d := &decoder{buf: append(b, make([]byte, spare)...), limit: uint64(len(b)) * 8, end: uint64(len(b)) * 8}
	return d, s, d.run(p)
}

// What bytes mean in either byte order: in little endian the first bits of a
// number are the low ones of a byte, in big endian the high ones (CTF 1.8.3,
// 4.1.3 to 4.1.6). The values were worked out by hand.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		name, order, definitions, fields string
		bytes                            string
		want                             string // of each field: number, text, or - if it is neither
	}{
		{"bytes", "le", "", "u8 a; u16 b;", "\x01\x02\x03", "1 770"},
		{"bytes", "be", "", "u8 a; u16 b;", "\x01\x02\x03", "1 515"},
		{"own byte order", "le", "", "integer { size = 16; byte_order = be; } a; u16 b;", "\x02\x03\x02\x03", "515 770"},
		// 0b10_110_101 0b11111111: the low three bits are 5, then 6, then -2 and what is left.
		{"bits", "le", "", "u3 a; u3 b; s3 c;", "\xb5\xff", "5 6 -2"},
		// 0b101_101_0 1: high bits first, 5, 5, then 0b1 of this and 0b11 of the next byte.
		{"bits", "be", "", "u3 a; u3 b; s3 c;", "\xb5\xff", "5 5 3"},
		{"thirteen bits over two bytes", "le", "", "u3 a; u13 b;", "\xff\xff", "7 8191"},
		{"thirteen bits over two bytes", "be", "", "u3 a; u13 b;", "\x20\x05", "1 5"},
		// 64 bits that begin three bits in: nine bytes.
		{"nine bytes", "le", "", "u3 a; long_ b;", "\x08\x00\x00\x00\x00\x00\x00\x00\x04", "0 9223372036854775809"},
		{"nine bytes", "be", "", "u3 a; long_ b;", "\x10\x00\x00\x00\x00\x00\x00\x00\x20", "0 9223372036854775809"},
		{"alignment", "le", "", "u8 a; aligned b;", "\x01\xee\xee\xee\x02\x00\x00\x00", "1 2"},
		{"text", "le", "", "string a; char b[4]; u8 n; char c[n]; u8 d;", "abc\x00de\x00f\x02xyz", "abc de 2 xy 122"},
		{"struct", "le", "", "struct { u8 x; aligned y; } a; u8 b;", "\x01\xee\xee\xee\x02\x00\x00\x00\x03", "- 3"},
		{"array of structs", "le", "", "struct { u8 x; string y; } a[2]; u8 b;", "\x01ab\x00\x02\x00\x09", "- 9"},
		{"array of arrays", "le", "", "u16 a[2][1]; u8 b;", "\x01\x00\x02\x00\x09", "- 9"},
		{"sequence of structs", "le", "", "u8 n; struct { string y; } a[n]; u8 b;", "\x02ab\x00\x00\x09", "2 - 9"},
		{"length within a struct", "le", "", "struct { u8 n; } h; u16 a[h.n]; u8 b;", "\x02\x01\x00\x02\x00\x09", "- - 9"},
		{"length by an absolute path", "le", "", "u8 n; u16 a[event.fields.n]; u8 b;", "\x01\x01\x00\x09", "1 - 9"},
		{"inner lengths", "le", "", "struct { u8 n; u8 of[n]; } a[2]; u8 b;", "\x01\xaa\x02\xbb\xcc\x09", "- 9"},
		{"variant", "le", "", "enum : u8 { x = 0, y = 5 ... 9 } t; variant <t> { u8 x; string y; } v; u8 b;", "\x07ab\x00\x09", "7 - 9"},
		{"variant", "le", "", "enum : u8 { x = 0, y = 5 ... 9 } t; variant <t> { u8 x; string y; } v; u8 b;", "\x00a\x09", "0 - 9"},
		{"negative tag", "le", "typealias integer { size = 8; signed = true; } := s8;",
			"enum : s8 { x = -3 ... -1, y = 0 } t; variant <t> { u16 x; u8 y; } v; u8 b;", "\xfe\x01\x02\x09", "-2 - 9"},
		{"empty structs", "le", "", "struct { } a[1000000]; u8 b;", "\x09", "- 9"},
		{"empty sequence", "le", "", "u8 n; struct { struct { } a[4000000]; } s[n]; u8 b;", "\xff\x09", "255 - 9"},
	} {
		t.Run(c.name+" "+c.order, func(t *testing.T) {
			d, s, st := decode(t, c.order, c.definitions, c.fields, []byte(c.bytes))
			if st != ok || (d.pos+7)/8 != d.end/8 {
				t.Fatalf("status %d at bit %d of %d", st, d.pos, d.end)
			}
			var got []string
			for i, f := range s.Fields {
				got = append(got, shown(d, i, f.Type))
			}
			if all := strings.Join(got, " "); all != c.want {
				t.Errorf("got %s, want %s", all, c.want)
			}
		})
	}
}

func shown(d *decoder, i int, typ tsdl.Type) string {
	n := d.ints[slotWanted+i]
	switch typ := typ.(type) {
	case *tsdl.Integer:
		if typ.Signed {
			return fmt.Sprint(int64(n))
		}
		return fmt.Sprint(n)
	case *tsdl.Enum:
		return shown(d, i, typ.Of)
	case *tsdl.String:
		return string(d.texts[slotWanted+i])
	}
	if b := d.texts[slotWanted+i]; b != nil {
		return string(cut(b))
	}
	return "-"
}

func TestValuesThatDoNotFit(t *testing.T) {
	for _, c := range []struct{ fields, bytes string }{
		{"u16 a;", "\x01"},
		{"string a;", "abc"},
		{"string a;", ""},
		{"u8 n; char a[n];", "\x05abc"},
		{"long_ n; u16 a[n];", "\xff\xff\xff\xff\xff\xff\xff\xff"},
		{"long_ n; char a[n];", "\xff\xff\xff\xff\xff\xff\xff\xff"},
		{"long_ n; struct { u8 x; string y; } a[n];", "\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
		{"enum : u8 { x } t; variant <t> { u8 x; } v;", "\x01\x02"},
		{"u8 a[1000000000000];", "\x01"},
	} {
		if _, _, st := decode(t, "le", "", c.fields, []byte(c.bytes)); st != wrong {
			t.Errorf("%s of %q: status %d, want %d", c.fields, c.bytes, st, wrong)
		}
	}
}

func TestPlansThatCannotBeMade(t *testing.T) {
	huge := "struct s00 { u8 a; string b; };"
	for i := 1; i < 40; i++ {
		huge += fmt.Sprintf("struct s%02d { struct s%02d a; struct s%02d b; };", i, i-1, i-1)
	}
	for _, c := range []struct{ definitions, fields, want string }{
		{"", "u8 a[n];", `depends on "n"`},
		{"", "string n; u8 a[n];", `depends on "n"`},
		{"", "u8 n; variant <n> { u8 x; } v;", "no enum"},
		{"", "u8 a[9223372036854775807];", "no packet holds"},
		{huge, "struct s39 a;", "steps"},
	} {
		m, err := tsdl.Parse([]byte(ints + c.definitions + "event { fields := struct {" + c.fields + "}; };"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&Domain{meta: m}).planner().top([]*tsdl.Struct{m.Streams[0].Events[0].Fields}, [][]wish{nil})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.fields, err, c.want)
		}
	}
}

// A clock of 27 bits counts on when its low bits begin anew, which they do
// every 2^27 ns = 0.134 s.
func TestClockCountsOn(t *testing.T) {
	o := op{code: opClock, slot: noSlot, align: 1, size: 27}
	d := &decoder{clock: 1<<40 + 1<<27 - 10}
	for _, step := range []struct{ low, want uint64 }{
		{1<<27 - 5, 1<<40 + 1<<27 - 5},
		{1<<27 - 5, 1<<40 + 1<<27 - 5}, // at the same instant
		{3, 1<<40 + 1<<27 + 3},
		{2, 1<<40 + 2<<27 + 2},
	} {
		b := []byte{byte(step.low), byte(step.low >> 8), byte(step.low >> 16), byte(step.low >> 24)}
		d.buf, d.pos, d.limit = append(b, make([]byte, spare)...), 0, 32
		if s := d.tick(&o); s != ok || d.clock != step.want {
			t.Errorf("low bits %d: clock %d, want %d", step.low, d.clock, step.want)
		}
	}
}
