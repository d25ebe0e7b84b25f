package rosmsg

import (
	"errors"
	"strings"
	"testing"
)

func inModule(body string) string {
	return "module pkg {\n  module msg {\n" + body + "\n  };\n};\n"
}

func TestIDLMembers(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"both spellings", "struct T { short a; unsigned short b; long c; unsigned long d; long long e; unsigned long long f; int8 g; uint8 h; int16 i; uint64 j; };",
			"a int16, b uint16, c int32, d uint32, e int64, f uint64, g int8, h uint8, i int16, j uint64"},
		{"bytes and floats", "struct T { octet a; char b; boolean c; float d; double e; };", "a uint8, b uint8, c bool, d float32, e float64"},
		{"strings", "struct T { string a; string<22> b; wstring c; wstring<5> d; };", "a string, b string, c wstring, d wstring"},
		{"sequences", "struct T { sequence<double> a; sequence<string<3>, 4> b; sequence<sequence<long>> c; };", "a float64[], b string[], c int32[][]"},
		{"arrays", "struct T { double a[3], b; long c[2][3]; };", "a float64[3], b float64, c int32[3][2]"},
		{"names", "struct T { geometry_msgs::msg::Point a; ::geometry_msgs::msg::Point b; };", "a geometry_msgs/Point, b geometry_msgs/Point"},
		{"sizes by constants", "module T_Constants { const uint32 N = 4; const string S = \"};\"; const float F = 1.5; };\nstruct T { long a[T_Constants::N]; string<pkg::msg::T_Constants::N> b; };", "a int32[4], b string"},
		{"annotations", "@verbatim (language=\"comment\", text=\n \"a } b\" \"\\n\" \"it's \\\"c\\\" ) {\")\nstruct T { @default (value=\"x);\") string a; @unit(value=\"m\") @key double b; };", "a string, b float64"},
		{"comments", "/** many\n struct X { */ struct T { // one }\n long a; /* } */ };", "a int32"},
		{"preprocessor", "#include \"geometry_msgs/msg/Point.idl\"\n#ifndef X\nstruct T { long a; };\n#endif", "a int32"},
		{"no semicolons after modules", "module Inner { }\nstruct T { long a; };", "a int32"},
		{"an empty struct", "struct T { };", "structure_needs_at_least_one_member uint8"},
		{"the placeholder of rosidl", "struct T { uint8 structure_needs_at_least_one_member; };", "structure_needs_at_least_one_member uint8"},
	} {
		s, err := Parse(ROS2IDL, "pkg/msg/T", inModule(c.body))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := describe(s.root()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Values by hand: three float64 in a typedef, then an enum of 32 bits, after a sequence of one byte.
func TestIDLTypedefsAndEnums(t *testing.T) {
	s, err := Parse(ROS2IDL, "pkg/msg/T", inModule(`typedef double double__3[3];
		typedef double__3 Row;
		enum Color { RED, @default_literal GREEN };
		struct T { sequence<octet> head; Row row; Color color; string name; };`))
	if err != nil {
		t.Fatal(err)
	}
	msg := unhex(t, `00010000 01000000 07 eeeeee
		000000000000f03f 0000000000000040 0000000000000840 01000000 03000000 6f6b00`)
	for path, want := range map[string]float64{"head[0]": 7, "row[0]": 1, "row[2]": 3, "color": 1} {
		f, err := s.Field(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Float64(msg); got != want || err != nil {
			t.Errorf("%s: got %v, %v, want %v", path, got, err, want)
		}
	}
}

func TestIDLNamesAreLookedUpFromTheInside(t *testing.T) {
	s, err := Parse(ROS2IDL, "foxglove::Pose", `module foxglove { struct Vector3 { double x; }; };
		module foxglove { struct Pose { Vector3 position; other::Vector3 more; }; };
		module other { struct Vector3 { float y; }; };`)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"position.x", "more.y"} {
		if _, err := s.Field(path); err != nil {
			t.Error(err)
		}
	}
}

func TestIDLErrors(t *testing.T) {
	for _, c := range []struct {
		body, problem string
		line          int // of the text, where the body begins at 3
	}{
		{"struct T { long a }", `"}" stands where ";" is expected`, 3},
		{"struct T {\nlong a;", "the text ends", 7},
		{"struct T { long 'a'; };", `"'a'" stands where a name is expected`, 3},
		{"struct T : Base { long a; };", "inherits", 3},
		{"\nunion T switch(long) { };", `"union" does not begin a definition`, 4},
		{"struct T { @optional long a; };", "a member is optional", 3},
		{"struct T { long a[0]; };", `the size "0"`, 3},
		{"struct T { long a[N]; };", `the size "N"`, 3},
		{"struct T { long a[999999999]; };", "beyond the limit", 3},
		{"struct T { sequence<long a; };", `"a" stands where ">"`, 3},
		{"struct T { " + strings.Repeat("sequence<", 1000) + "long", "nested more than", 3},
		{strings.Repeat("module a { ", 1000), "nested more than", 3},
		{"}; }; }; struct T { long a; };", "", 3},
		{"\"never closed", "does not begin a definition", 3},
		{"@verbatim (text=\"x\"", "the text ends", 6},
	} {
		_, err := Parse(ROS2IDL, "pkg/msg/T", inModule(c.body))
		var e *SchemaError
		if !errors.As(err, &e) || !strings.Contains(e.Problem, c.problem) || e.Line != c.line || e.Remedy == "" {
			t.Errorf("%.40q: got %v, want line %d: %s", c.body, err, c.line, c.problem)
		}
	}
}

func TestFieldsBehindWhatVariesInSizeAreRefused(t *testing.T) {
	for _, varies := range []string{"wchar", "long double"} {
		s, err := Parse(ROS2IDL, "pkg/msg/T", inModule("struct T { long before; "+varies+" x; long after; };"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Field("before"); err != nil {
			t.Error(err)
		}
		if _, err := s.Field("after"); err == nil || !strings.Contains(err.Error(), "depends on who wrote the message") {
			t.Errorf("%s: got %v", varies, err)
		}
	}
}
