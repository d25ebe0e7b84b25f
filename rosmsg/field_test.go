package rosmsg

import (
	"fmt"
	"strings"
	"testing"
)

func TestNumbersOfAllTypes(t *testing.T) {
	s := mustParse(t, "bool t\nint8 i8\nuint8 u8\nint16 i16\nuint16 u16\nint32 i32\nuint32 u32\nint64 i64\nuint64 u64\nfloat32 f32\nfloat64 f64\nstring s\nbyte[2] b\nint8[] c")
	msg := unhex(t, `00010000 01 ff ff 00 feff ffff fdffffff ffffffff
		fcffffffffffffff ffffffffffffffff 0000c03f 00000000 000000000000f8bf 02000000 7a00 0708 01000000 09`)
	for _, c := range []struct {
		path, asInt, asUint, asFloat string // values, or "" where the type does not allow it
	}{
		{"t", "1", "1", "1"},
		{"i8", "-1", "", "-1"},
		{"u8", "255", "255", "255"},
		{"i16", "-2", "", "-2"},
		{"u16", "65535", "65535", "65535"},
		{"i32", "-3", "", "-3"},
		{"u32", "4294967295", "4294967295", "4.294967295e+09"},
		{"i64", "-4", "", "-4"},
		{"u64", "", "18446744073709551615", "1.8446744073709552e+19"},
		{"f32", "", "", "1.5"},
		{"f64", "", "", "-1.5"},
		{"s", "", "", ""},
	} {
		f, err := s.Field(c.path)
		if err != nil {
			t.Fatal(err)
		}
		i, errI := f.Int64(msg)
		wantOne(t, c.path+" as int64", i, errI, c.asInt)
		u, errU := f.Uint64(msg)
		wantOne(t, c.path+" as uint64", u, errU, c.asUint)
		x, errX := f.Float64(msg)
		wantOne(t, c.path+" as float64", x, errX, c.asFloat)
	}
	for path, want := range map[string]string{"s": "z", "b": "\x07\x08", "c": "\x09"} {
		f, err := s.Field(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Bytes(msg); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
		}
	}
	f, err := s.Field("i32")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Bytes(msg); err == nil || !strings.Contains(err.Error(), "the field i32, int32, is not bytes") {
		t.Errorf("bytes of an int32: %v", err)
	}
}

func wantOne(t *testing.T, what string, got any, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err == nil:
		t.Errorf("%s: got %v, want an error", what, got)
	case want != "" && (err != nil || fmt.Sprint(got) != want):
		t.Errorf("%s: got %v, %v, want %s", what, got, err, want)
	}
}

func BenchmarkField(b *testing.B) {
	for _, c := range []struct{ schema, typeName, path string }{
		{"sensor_msgs_msg_Imu.ros2msg", "sensor_msgs/msg/Imu", "header.stamp.sec"},
		{"sensor_msgs_msg_Imu.ros2msg", "sensor_msgs/msg/Imu", "linear_acceleration.z"},
		{"sensor_msgs_msg_JointState.ros2msg", "sensor_msgs/msg/JointState", "effort[0]"},
	} {
		b.Run("path="+c.typeName+"/"+c.path, func(b *testing.B) {
			r := recorded{Schema: c.schema, Type: c.typeName}
			f, err := r.schema(b).Field(c.path)
			if err != nil {
				b.Fatal(err)
			}
			msg := recordedMsg(b, c.typeName)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Float64(msg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
