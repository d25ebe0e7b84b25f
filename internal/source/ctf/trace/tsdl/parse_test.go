package tsdl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const head = `/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
`

// fieldsOf parses the fields of one event, after definitions.
func fieldsOf(t *testing.T, definitions, fields string) []Field {
	t.Helper()
	m, err := Parse([]byte(head + definitions + "event { name = e; id = 0; fields := struct {" + fields + "}; };"))
	if err != nil {
		t.Fatal(err)
	}
	return m.Streams[0].Events[0].Fields.Fields
}

// Each way to spell a type, as the specification of CTF 1.8.3 gives them
// (appendix C and chapter 4).
func TestTypes(t *testing.T) {
	u8 := &Integer{Size: 8, Alignment: 8}
	u32 := &Integer{Size: 32, Alignment: 8}
	u64 := &Integer{Size: 64, Alignment: 8}
	for _, c := range []struct {
		name, definitions, fields string
		want                      Type
	}{
		{"alias", "", "uint32_t _x;", u32},
		{"alias of two words", "", "unsigned long _x;", u64},
		{"const", "", "const uint32_t _x;", u32},
		{"typedef", "typedef uint32_t count_t;", "count_t _x;", u32},
		{"bits", "", "integer { size = 5; signed = 1; } _x;", &Integer{Size: 5, Alignment: 1, Signed: true}},
		{"bytes are aligned", "", "integer { size = 16; byte_order = be; } _x;", &Integer{Size: 16, Alignment: 8, Order: BigEndian}},
		{"character", "", "integer { size = 8; encoding = UTF8; base = 10; } _x;", &Integer{Size: 8, Alignment: 8, Text: true}},
		{"hexadecimal size", "", "integer { size = 0x10; align = 010; } _x;", &Integer{Size: 16, Alignment: 8}},
		{"clock", "", "integer { size = 27; align = 1; map = clock.monotonic.value; } _x;", &Integer{Size: 27, Alignment: 1, Clock: "monotonic"}},
		{"float", "", "floating_point { exp_dig = 8; mant_dig = 24; align = 32; byte_order = le; } _x;", &Float{Size: 32, Alignment: 32, Order: LittleEndian}},
		{"double", "", "floating_point { exp_dig = 11; mant_dig = 53; } _x;", &Float{Size: 64, Alignment: 1}},
		{"string", "", "string _x;", &String{}},
		{"string with encoding", "", "string { encoding = ASCII; } _x;", &String{}},
		{"array", "", "uint8_t _x[16];", &Array{Of: u8, Length: 16}},
		{"array of arrays", "", "uint8_t _x[2][3];", &Array{Of: &Array{Of: u8, Length: 3}, Length: 2}},
		{"sequence", "", "uint8_t _x[__x_length];", &Sequence{Of: u8, Length: "_x_length"}},
		{"sequence elsewhere", "", "uint8_t _x[stream.event.context._n];", &Sequence{Of: u8, Length: "stream.event.context.n"}},
		{"struct", "", "struct { uint8_t _a; uint32_t _b; } _x;", &Struct{Fields: []Field{{"a", u8}, {"b", u32}}}},
		{"named struct", "struct pair { uint8_t _a; };", "struct pair _x;", &Struct{Fields: []Field{{"a", u8}}}},
		{"two names", "", "struct { uint8_t _a, _b[2]; } _x;", &Struct{Fields: []Field{{"a", u8}, {"b", &Array{Of: u8, Length: 2}}}}},
		{"alias within a struct", "", "struct { typealias uint8_t := byte; byte _a; } _x;", &Struct{Fields: []Field{{"a", u8}}}},
		{"enum", "", "enum : uint8_t { a, b = 5, \"c d\", _e = 10 ... 20, } _x;",
			&Enum{Of: u8, Labels: []Label{{"a", 0, 0}, {"b", 5, 5}, {"c d", 6, 6}, {"e", 10, 20}}}},
		{"enum of negative numbers", "", "enum : integer { size = 8; signed = true; } { a = -2 ... -1 } _x;",
			&Enum{Of: &Integer{Size: 8, Alignment: 8, Signed: true}, Labels: []Label{{"a", -2, -1}}}},
		{"enum of int", "typealias uint8_t := int;", "enum { a } _x;", &Enum{Of: u8, Labels: []Label{{"a", 0, 0}}}},
		{"named enum", "enum kind : uint8_t { a };", "enum kind _x;", &Enum{Of: u8, Labels: []Label{{"a", 0, 0}}}},
		{"variant", "", "variant <_tag> { uint8_t _a; string b; } _x;", &Variant{Tag: "tag", Options: []Field{{"a", u8}, {"b", &String{}}}}},
		{"named variant", "variant v { uint8_t a; };", "variant v <tag> _x;", &Variant{Tag: "tag", Options: []Field{{"a", u8}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fieldsOf(t, c.definitions, c.fields)
			opt := cmpopts.IgnoreUnexported(Struct{}, Array{}, Sequence{})
			if d := cmp.Diff([]Field{{"x", c.want}}, got, opt); d != "" {
				t.Error(d)
			}
		})
	}
}

// A struct is aligned as its most aligned field, or as it says (4.2.1).
func TestAlignment(t *testing.T) {
	f := fieldsOf(t, "", `
		struct { integer { size = 3; } _a; } _bits;
		struct { integer { size = 3; } _a; uint32_t _b; } _bytes;
		struct { integer { size = 3; } _a; } align(16) _said;
		struct { floating_point { exp_dig = 8; mant_dig = 24; align = 64; } _a[2]; } _array;`)
	for i, want := range []int{1, 8, 16, 64} {
		if got := f[i].Type.Align(); got != want {
			t.Errorf("%s is aligned to %d bits, want %d", f[i].Name, got, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	m, err := Parse([]byte(`/* CTF 1.8 */
// as lttng writes it
typealias integer { size = 32; align = 8; } := uint32_t;
trace {
	major = 1; minor = 8;
	uuid = "381b5a83-7b17-4c38-babb-28bc7a7e9a54";
	byte_order = be;
	packet.header := struct { uint32_t magic; };
};
env { domain = "ust"; tracer_major = 2; note = "a \"b\" \n"; minus = -7; };
clock {
	name = monotonic;
	uuid = "66c4dc1b-327f-4026-aa6b-72356dee622a";
	description = "Monotonic Clock";
	freq = 1000000000; /* Hz */
	offset_s = -5;
	offset = 1796171298754300643;
};
callsite { name = "x"; line = 3; };
stream {
	id = 7;
	event.header := struct { uint32_t id; };
	packet.context := struct { uint32_t content_size; };
	event.context := struct { uint32_t _vpid; };
};
event { name = "ros2:callback_start"; id = 3; stream_id = 7; loglevel = 13; context := struct { uint32_t _c; }; fields := struct { }; };
`))
	if err != nil {
		t.Fatal(err)
	}
	u32 := &Integer{Size: 32, Alignment: 8}
	one := func(name string) *Struct { return &Struct{Fields: []Field{{name, u32}}} }
	want := &Metadata{
		UUID:         [16]byte{0x38, 0x1b, 0x5a, 0x83, 0x7b, 0x17, 0x4c, 0x38, 0xba, 0xbb, 0x28, 0xbc, 0x7a, 0x7e, 0x9a, 0x54},
		ByteOrder:    BigEndian,
		PacketHeader: one("magic"),
		Env: map[string]Value{
			"domain": {Text: "ust"}, "tracer_major": {"2", 2}, "note": {Text: "a \"b\" \n"}, "minus": {"-7", -7},
		},
		Clocks: map[string]*Clock{"monotonic": {
			Name: "monotonic", Freq: 1e9, OffsetS: -5, Offset: 1796171298754300643,
			UUID: [16]byte{0x66, 0xc4, 0xdc, 0x1b, 0x32, 0x7f, 0x40, 0x26, 0xaa, 0x6b, 0x72, 0x35, 0x6d, 0xee, 0x62, 0x2a},
		}},
		Streams: map[uint64]*Stream{7: {
			ID: 7, EventHeader: one("id"), PacketContext: one("content_size"), EventContext: one("vpid"),
			Events: map[uint64]*Event{3: {ID: 3, StreamID: 7, Name: "ros2:callback_start", Context: one("c"), Fields: &Struct{}}},
		}},
	}
	if d := cmp.Diff(want, m, cmpopts.IgnoreUnexported(Struct{})); d != "" {
		t.Error(d)
	}
}

func TestWrongMetadataIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"trace {", "metadata line 1: the end stands where a name should"},
		{"\n\nstrace { };", "metadata line 3: strace stands where a block or a definition of a type should"},
		{"/* never", "metadata line 1: the comment does not end"},
		{"env { a = \"x", "metadata line 1: the string does not end on its line"},
		{"env { a = 99999999999999999999; };", "metadata line 1: 99999999999999999999 is no number of 64 bits"},
		{"env { a = @; };", "metadata line 1: '@' has no meaning here"},
		{"env { a 3; };", "metadata line 1: 3 stands where = or := should"},
		{"trace { byte_order = middle; };", "metadata line 1: byte_order = middle: a byte order is le, be, network or native"},
		{"trace { uuid = \"12\"; };", "metadata line 1: uuid = 12: not a UUID"},
		{"clock { freq = 0; };", "metadata line 1: freq = 0: a frequency is above zero"},
		{"typealias integer { size = 65; } := a;", "metadata line 1: size = 65: an integer has 1 to 64 bits"},
		{"typealias integer { align = 8; } := a;", "metadata line 1: the integer has no size"},
		{"typealias integer { size = 8; align = 3; } := a;", "metadata line 1: align = 3: an alignment is a power of two of at most 32768 bits, not 3"},
		{"typealias floating_point { exp_dig = 5; mant_dig = 11; } := a;", "metadata line 1: a floating point number has 8 and 24 or 11 and 53 bits of exponent and mantissa, not 5 and 11"},
		{"typealias nothing := a;", "metadata line 1: no type is called nothing"},
		{"struct s { string a; }; struct s { string a; };", "metadata line 1: struct s is described twice"},
		{"event { fields := struct s; };", "metadata line 1: no struct is called s"},
		{"event { fields := string; };", "metadata line 1: a struct should stand here"},
		{"event { fields := enum { a }; };", "metadata line 1: an enum is carried by an integer; if none is given, one called int must be known"},
		{"stream { id = 1; }; stream { id = 1; };", "metadata line 1: the stream's ID is taken, or there are too many streams"},
		{"stream { id = 1; }; event { name = e; stream_id = 2; };", "metadata: event e is of stream 2, which is not described"},
		{"event { name = a; id = 1; }; event { name = b; id = 1; };", "metadata: events a and b of stream 0 both have ID 1"},
	} {
		if _, err := Parse([]byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s\n\tgives %v\n\twant  %s", c.text, err, c.want)
		}
	}
}

// Metadata that would take all memory or time is refused, or is nothing special.
func TestMetadataIsBounded(t *testing.T) {
	deep := "event { fields := " + strings.Repeat("struct { ", 100) + strings.Repeat("} a; ", 100)
	if _, err := Parse([]byte(deep)); err == nil || !strings.Contains(err.Error(), "less nesting") {
		t.Errorf("100 structs within each other: %v", err)
	}
	dimensions := head + "event { fields := struct { uint8_t a" + strings.Repeat("[9]", 100) + "; }; };"
	if _, err := Parse([]byte(dimensions)); err == nil || !strings.Contains(err.Error(), "less nesting") {
		t.Errorf("100 dimensions: %v", err)
	}
	if _, err := Read(append([]byte(head), make([]byte, MaxSize)...)); err == nil || !strings.Contains(err.Error(), "more than 16 MiB") {
		t.Errorf("16 MiB: %v", err)
	}
	// Each struct holds the one before it twice: 2^60 fields, if one counted them.
	var b strings.Builder
	b.WriteString(head + "struct s00 { uint8_t a; };")
	for i := 1; i < 60; i++ {
		b.WriteString(strings.NewReplacer("N", itoa(i), "M", itoa(i-1)).Replace("struct sN { struct sM a; struct sM b; };"))
	}
	b.WriteString("event { fields := struct s59; };")
	if _, err := Parse([]byte(b.String())); err != nil {
		t.Error(err)
	}
}

func itoa(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

// The metadata of real traces, all of which LTTng writes in packets.
func TestRecordedMetadata(t *testing.T) {
	for name, want := range map[string]struct{ events, streams int }{
		"jazzy-slow-timer": {35, 1}, // as counted in its text
	} {
		b, err := os.ReadFile(filepath.Join("../../../../../testdata/recordings/ctf", name, "metadata"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Streams) != want.streams || len(m.Streams[0].Events) != want.events {
			t.Errorf("%s: %d streams, %d events", name, len(m.Streams), len(m.Streams[0].Events))
		}
		if m.Clocks["monotonic"].Offset != 1796171298754300643 || m.Env["hostname"].Text != "vm" {
			t.Errorf("%s: clock %+v, env %v", name, m.Clocks["monotonic"], m.Env)
		}
	}
}
