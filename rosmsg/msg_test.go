package rosmsg

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// describe writes a type's members as "name type, ...", for comparison.
func describe(m *message) string {
	var all []string
	for _, member := range m.members {
		all = append(all, fmt.Sprintf("%s %v", member.name, member.typ))
	}
	return strings.Join(all, ", ")
}

func TestMsgLines(t *testing.T) {
	const dummy = "structure_needs_at_least_one_member uint8"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", dummy},
		{"comments only", "# a\n   # b\n\t\n", dummy},
		{"constants only", "uint8 A=1\nstring S=\"x # y\"\nint32 B = -3\nfloat64 PI= 3.14 # comment", dummy},
		{"a field", "int32 x", "x int32"},
		{"blanks and carriage returns", "  int32 \t x\t# comment\r\n\r\nuint8 y\r\n", "x int32, y uint8"},
		{"comment without blank", "int32 x#comment", "x int32"},
		{"defaults", "float64 w 1\nstring s \"a=b\"\nint32[] a [1, 2]\nbool b true", "w float64, s string, a int32[], b bool"},
		{"bytes", "byte a\nchar b\nuint8 c\nint8 d", "a uint8, b uint8, c uint8, d int8"},
		{"bounded strings", "string<=22 a\nwstring<=5 b\nstring<=3[<=4] c\nwstring d", "a string, b wstring, c string[], d wstring"},
		{"arrays", "float64[9] a\nint32[] b\nuint8[<=16] c", "a float64[9], b int32[], c uint8[]"},
		{"names of types", "Point a\ngeometry_msgs/Point b\ngeometry_msgs/msg/Point[2] c", "a pkg/Point, b geometry_msgs/Point, c geometry_msgs/Point[2]"},
	} {
		s, err := Parse(ROS2Msg, "pkg/msg/T", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := describe(s.root()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMsgErrors(t *testing.T) {
	const separator = "\n========================================\n"
	for _, c := range []struct {
		text, problem string
		line          int
	}{
		{"int32 x\nint32", `"int32" has no name`, 2},
		{"int32 x y=\nint32 =3", `"=3" is not the name of a field`, 2},
		{"int32 x-y", `"x-y" is not the name of a field`, 1},
		{"in/t/3/2 x", `"in/t/3/2" is not the name of a type`, 1},
		{"@optional int32 x", `"@optional" is not the name of a type`, 1},
		{"int32[ x", `lacks the closing bracket`, 1},
		{"int32[0] x", `the size "0"`, 1},
		{"int32[-1] x", `the size "-1"`, 1},
		{"int32[x] x", `the size "x"`, 1},
		{"int32[99999999] x", "beyond the limit", 1},
		{"int32[99999999999999999999] x", "is not a whole number", 1},
		{"int32<=3 x", "has a bound", 1},
		{"string<=x x", `the size "x"`, 1},
		{"int32 a\n---\nint32 b\n---\nint32 c\n---\nint32 d", "3 lines of ---", 1},
		{"int32 x" + separator + "int32 y", "is not followed by", 3},
		{"int32 x" + separator, "is not followed by", 3},
		{"int32 x" + separator + "MSG: pkg/A\nint32 y\nint32 ?", `"?" is not the name of a field`, 5},
	} {
		_, err := Parse(ROS2Msg, "pkg/msg/T", c.text)
		var e *SchemaError
		if !errors.As(err, &e) || !strings.Contains(e.Problem, c.problem) || e.Line != c.line || e.Remedy == "" || e.Schema != "pkg/msg/T" {
			t.Errorf("%q: got %v, want line %d: %s", c.text, err, c.line, c.problem)
		}
	}
}

func TestParseChecksNameAndEncoding(t *testing.T) {
	for _, c := range []struct{ encoding, name, text, want string }{
		{"protobuf", "a/msg/B", "int32 x", `the encoding is "protobuf"; takt reads ros2msg and ros2idl`},
		{ROS2Msg, "a b", "int32 x", "not the name of a type"},
		{ROS2Msg, "", "int32 x", "not the name of a type"},
		{ROS2IDL, "a/msg/B", "module a { module msg { struct C { long x; }; }; };", "does not define the type itself"},
	} {
		if _, err := Parse(c.encoding, c.name, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: got %v, want %s", c.encoding, c.name, err, c.want)
		}
	}
}

func TestMsgBlocks(t *testing.T) {
	text := strings.Join([]string{
		"A a", "other/B b",
		strings.Repeat("=", 80), "MSG: pkg/A", "int32 x",
		strings.Repeat("=", 80), "MSG: other/msg/B", "C c", // C is other/C
		strings.Repeat("=", 80), "MSG: other/C", "float32 y",
		strings.Repeat("=", 80), "MSG: pkg/A", "string repeated_and_left_out",
	}, "\r\n")
	s, err := Parse(ROS2Msg, "pkg/msg/T", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"a.x", "b.c.y"} {
		if _, err := s.Field(path); err != nil {
			t.Error(err)
		}
	}
}

// The text of a service is recorded for its event, under one name or the other.
func TestServiceTextGivesItsEvent(t *testing.T) {
	const text = "int64 a\nint64 b\n---\nint64 sum\n"
	for _, name := range []string{"pkg/srv/Add", "pkg/srv/Add_Event"} {
		s, err := Parse(ROS2Msg, name, text)
		if err != nil {
			t.Fatal(err)
		}
		want := "info service_msgs/ServiceEventInfo, request pkg/Add_Request[], response pkg/Add_Response[]"
		if got := describe(s.root()); got != want || s.Name != "pkg/Add_Event" {
			t.Errorf("%s: got %s: %s", name, s.Name, got)
		}
	}
	s, err := Parse(ROS2Msg, "pkg/srv/Add_Response", text)
	if err != nil || describe(s.root()) != "sum int64" {
		t.Errorf("got %v, %v", s, err)
	}
	idl := "module pkg { module srv { struct Add_Request { long long a; }; struct Add_Response { long long sum; }; }; };"
	s, err = Parse(ROS2IDL, "pkg/srv/Add", idl)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Field("response[0].sum"); err != nil {
		t.Error(err)
	}
}

func TestActionText(t *testing.T) {
	const text = "int32 order\n---\nint32[] sequence\n---\nfloat32 progress"
	for name, path := range map[string]string{
		"pkg/action/Do_FeedbackMessage":    "feedback.progress",
		"pkg/action/Do_SendGoal_Event":     "request[0].goal.order",
		"pkg/action/Do_GetResult_Event":    "response[0].result.sequence[0]",
		"pkg/action/Do_GetResult_Response": "status",
	} {
		s, err := Parse(ROS2Msg, name, text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Field(path); err != nil {
			t.Error(err)
		}
	}
}

func TestServiceMayBeNamedLikeAnActionsOwn(t *testing.T) {
	s, err := Parse(ROS2Msg, "pkg/srv/X_GetResult_Event", "int8 a\n---\nint8 b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Field("request[0].a"); err != nil {
		t.Error(err)
	}
}

func TestOddNamesOfServices(t *testing.T) {
	for _, name := range []string{"_Event", "a/_Event", "X_Event", "a/b/c_Event", "a/_Request_Event", "a/srv/_FeedbackMessage"} {
		for _, text := range []string{"", "int8 a\n---\nint8 b", "int8 a\n---\nint8 b\n---\nint8 c"} {
			if s, err := Parse(ROS2Msg, name, text); err == nil {
				s.Field("x")
			}
		}
	}
}
