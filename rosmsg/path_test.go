package rosmsg

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustParse(t testing.TB, text string) *Schema {
	t.Helper()
	s, err := Parse(ROS2Msg, "pkg/msg/T", strings.ReplaceAll(text, "====", strings.Repeat("=", 80)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const branching = `string name
B[] bs
B[2] pair
uint8[3] bytes
float64 end
====
MSG: pkg/B
uint8 a
float64 b
string c
`

// branchingMsg is a message of branching: what is aligned to what is worked by hand.
func branchingMsg(t testing.TB) []byte {
	var b []byte
	put := func(align int, s string) {
		for len(b)%align != 0 {
			b = append(b, 0xee)
		}
		b = append(b, unhex(t, s)...)
	}
	put(4, "03000000 687900")
	put(4, "02000000")
	for _, e := range []struct{ a, b, c string }{
		{"01", "0000000000000040", "02000000 7800"}, {"02", "0000000000000840", "01000000 00"},
		{"03", "0000000000001040", "01000000 00"}, {"04", "0000000000001440", "01000000 00"},
	} {
		put(1, e.a)
		put(8, e.b)
		put(4, e.c)
	}
	put(1, "0a0b0c")
	put(8, "0000000000001840")
	return append([]byte{0, 1, 0, 0}, b...)
}

func TestBranchingMessage(t *testing.T) {
	msg := branchingMsg(t)
	s := mustParse(t, branching)
	for path, want := range map[string]string{
		"bs[0].a": "1", "bs[0].b": "2", "bs[1].a": "2", "bs[1].b": "3", "pair[0].a": "3", "pair[0].b": "4",
		"pair[1].a": "4", "pair[1].b": "5", "bytes[0]": "10", "bytes[2]": "12", "end": "6",
	} {
		f, err := s.Field(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Float64(msg); fmt.Sprint(got) != want || err != nil {
			t.Errorf("%s: got %v, %v, want %s", path, got, err, want)
		}
	}
	for path, want := range map[string]string{"name": "hy", "bs[0].c": "x", "bytes": "\x0a\x0b\x0c"} {
		f, err := s.Field(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Bytes(msg); string(got) != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
		}
	}
	f, err := s.Field("bs[2].a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Int64(msg); !errors.Is(err, ErrNoElement) {
		t.Errorf("bs[2]: got %v, want ErrNoElement", err)
	}
}

func TestPathErrors(t *testing.T) {
	text := `int32 x
int32[3] three
string[] names
B b
Missing missing
int32 after
====
MSG: pkg/B
float64 y
wstring w
`
	s := mustParse(t, text)
	for _, c := range []struct{ path, want string }{
		{"", "pkg/T is not a single value"},
		{"b", "pkg/B is not a single value; go on to one of its fields"},
		{"three", "int32[3] is not a single value"},
		{"b.w", "wstring is not a single value"},
		{"z", `pkg/T has no field "z"; its fields are x, three, names, b, missing, after`},
		{"b.z", `pkg/B has no field "z"; its fields are y, w`},
		{"x.y", `int32 has no field "y"`},
		{"x[0]", "int32 is not an array"},
		{"b[0]", "pkg/B is not an array"},
		{"three[3]", "has no element 3; the last is 2"},
		{"three[-1]", "is not an index"},
		{"three[1", "is not an index"},
		{"three[99999999999]", "is not an index"},
		{"names[0].x", `string has no field "x"`},
		{"b..y", `has no field ""`},
		{"missing.x", "pkg/Missing is not defined in the text"},
		{"after", "line 5: field missing: the type pkg/Missing is not defined in the text"},
	} {
		_, err := s.Field(c.path)
		var e *SchemaError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.path, err, c.want)
		}
	}
	if _, err := s.Field("b.y"); err != nil {
		t.Errorf("what comes before the missing type is readable: %v", err)
	}
}

func TestImpossibleTypesAreRefused(t *testing.T) {
	var chain strings.Builder
	chain.WriteString("T0 first\nint32 after\n")
	for i := range maxDepth + 1 {
		fmt.Fprintf(&chain, "====\nMSG: pkg/T%d\nT%d deeper\n", i, i+1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"itself":   {"T again\nint32 after", "contains itself"},
		"a cycle":  {"A a\nint32 after\n====\nMSG: pkg/A\nB[] b\n====\nMSG: pkg/B\nA[] a", "contains itself"},
		"too deep": {chain.String(), "nested more than"},
		"too big":  {"A[16777216] a\nint32 after\n====\nMSG: pkg/A\nfloat64[1000] b", "beyond the limit"},
		"a sum":    {"A a\nint32 after\n====\nMSG: pkg/A\n" + strings.Repeat("float64[8388608] x\n", 3), "more than"},
	} {
		_, err := mustParse(t, c.text).Field("after")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	s, err := Parse(ROS2IDL, "a/msg/T", "module a { typedef B A; typedef A B; struct T { A x; long after; }; };")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"x", "after"} {
		if _, err := s.Field(path); err == nil {
			t.Errorf("%s: a typedef of itself is taken", path)
		}
	}
}

// Types that share parts have few lines and very many steps; compiling takes
// each type once, and reading stops where the message does.
func TestSharedTypesAreNotMultiplied(t *testing.T) {
	doubling := func(depth int) *Schema {
		var text strings.Builder
		text.WriteString("T0 first\nint32 after\n")
		for i := range depth {
			fmt.Fprintf(&text, "====\nMSG: pkg/T%d\nT%d a\nT%d b\n", i, i+1, i+1)
		}
		fmt.Fprintf(&text, "====\nMSG: pkg/T%d\nstring s\nint32[] n\n", depth)
		return mustParse(t, text.String())
	}
	if _, err := doubling(60).Field("after"); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("2^60 strings: got %v, want it refused for its size", err)
	}
	f, err := doubling(23).Field("after")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Int64(make([]byte, 64)); err == nil {
		t.Error("a message that ends early was read")
	}
}
