package cdr

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// shape is the type of the OMG interoperability suite.
type shape struct {
	Color          string `cdr:"max=128"`
	X, Y, Size     int32
	AdditionalSize []uint8
}

// mixed shows where the encapsulations differ.
type mixed struct {
	A uint8
	B float64
	C []string
	D [2]stamp
	E []uint16
	F [2][1]string
	G uint8
}

var mixedValue = mixed{1, -1.5, []string{"ab", ""}, [2]stamp{{1, 2}, {3, 4}}, []uint16{0x0102}, [2][1]string{{"x"}, {"y"}}, 9}

// Each message was worked by hand from the rules: a primitive at a multiple of
// its size after the header, at most 4 in version 2; a string as length with
// NUL, bytes, NUL; a sequence as count and elements. In version 2 the arrays
// and sequences of what is no primitive begin with their length in bytes, and
// in delimited CDR every struct does.
var layouts = []struct {
	name  string
	value any // what a pointer to it is written and read as
	msg   string
}{
	{"Clock at 101 s 123456789 ns, as Fast DDS and Cyclone DDS sent it",
		clockMsg{stamp{101, 123456789}}, `00010000 | 65000000 15cd5b07`},
	{"Clock before 0: -0.5 s",
		clockMsg{stamp{-1, 500_000_000}}, `00010000 | ffffffff 0065cd1d`},
	{"Clock, big endian", clockMsg{stamp{101, 123456789}}, `00000000 | 00000065 075bcd15`},
	{"Header, as an rclpy node sent it",
		header{stamp{0x6b0f74bd, 0x09236fa6}, "50"}, `00010000 | bd740f6b a66f2309 | 03000000 353000`},
	{"message without members", struct{}{}, `00010000 | 00`},
	{"Trigger request of a Cyclone DDS client, as an rclpy node sent it: client, sequence number, nothing",
		struct {
			Client   uint64
			Sequence int64
			Request  struct{}
		}{0x6cf5672439daca2b, 4, struct{}{}},
		`00010000 | 2bcada392467f56c 0400000000000000 00`},
	{"Image of 2 x 1 pixels",
		image{header{stamp{1, 2}, "cam"}, 1, 2, "mono8", 0, 2, []byte{7, 8}},
		`00010000 | 01000000 02000000 | 04000000 63616d00 | 01000000 02000000 |
		 06000000 6d6f6e6f3800 | 00 00 | 02000000 | 02000000 0708`},
	{"PointCloud2 of one point with x alone",
		pointCloud2{header{stamp{1, 2}, ""}, 1, 1, []pointField{{"x", 0, 7, 1}}, false, 4, 4, []byte{0, 0, 0x80, 0x3f}, true},
		`00010000 | 01000000 02000000 | 01000000 00 000000 | 01000000 01000000 |
		 01000000 | 02000000 7800 0000 | 00000000 | 07 000000 | 01000000 |
		 00 000000 | 04000000 04000000 | 04000000 0000803f | 01`},
	{"MetricsMessage with a mean of 0.5",
		metricsMessage{"n", "message_age", "ms", stamp{1, 0}, stamp{2, 0}, []struct {
			DataType uint8
			Data     float64
		}{{1, 0.5}}},
		`00010000 | 02000000 6e00 0000 | 0c000000 6d6573736167655f61676500 | 03000000 6d7300 00 |
		 01000000 00000000 | 02000000 00000000 | 01000000 | 01 000000 000000000000e03f`},
	{"ParticipantEntitiesInfo, as an rclpy node sent it",
		entities{
			gid(unhexed("011089349fa83fbd5b530e07000001c1")),
			[]struct {
				Namespace, Name  string
				Readers, Writers []gid
			}{{"/", "trigger_client", nil, []gid{gid(unhexed("011089349fa83fbd5b530e0700000603"))}}},
		},
		`00010000 | 011089349fa83fbd5b530e07000001c1 | 01000000 | 02000000 2f00 0000 |
		 0f000000 747269676765725f636c69656e7400 00 | 00000000 | 01000000 011089349fa83fbd5b530e0700000603`},
	{"ParticipantEntitiesInfo of Humble, whose gids have 8 zero bytes more",
		longEntities{
			longGid(unhexed("016310111213141516171819000001c1 0000000000000000")),
			[]struct {
				Namespace, Name  string
				Readers, Writers []longGid
			}{{"/", "takt", []longGid{longGid(unhexed("016310111213141516171819000002040000000000000000"))}, nil}},
		},
		`00010000 | 016310111213141516171819000001c1 0000000000000000 | 01000000 | 02000000 2f00 0000 |
		 05000000 74616b7400 000000 | 01000000 01631011121314151617181900000204 0000000000000000 | 00000000`},
	{"version 1", mixedValue,
		`00010000 | 01 00000000000000 | 000000000000f8bf | 02000000 03000000 616200 00 01000000 00 000000 |
		 01000000 02000000 03000000 04000000 | 01000000 0201 0000 | 02000000 7800 0000 02000000 7900 | 09`},
	{"version 2", mixedValue, // C: count 4, strings 7 + padding 1 + 5; D: 2 x 8; F: 6 + padding 2 + 6
		`00070001 | 01 000000 | 000000000000f8bf | 11000000 02000000 03000000 616200 00 01000000 00 000000 |
		 10000000 01000000 02000000 03000000 04000000 | 01000000 0201 0000 |
		 0e000000 02000000 7800 0000 02000000 7900 | 09 00`},
	// All: A and B 4 + 8, C 4 + 17 + padding 3, D 4 + 2 x (4 + 8), E 4 + 2 + padding 2, F 4 + 14, G 1; together 91.
	{"version 2, delimited", mixedValue,
		`00090001 | 5b000000 | 01 000000 | 000000000000f8bf | 11000000 02000000 03000000 616200 00 01000000 00 000000 |
		 18000000 08000000 01000000 02000000 08000000 03000000 04000000 | 01000000 0201 0000 |
		 0e000000 02000000 7800 0000 02000000 7900 | 09 00`},
	{"version 2, delimited, big endian", clockMsg{stamp{101, 123456789}},
		`00080000 | 0000000c 00000008 00000065 075bcd15`},
	{"ShapeType, version 1", shape{"RED", 1, -2, 30, []byte{5}},
		`00010000 | 04000000 52454400 | 01000000 feffffff 1e000000 | 01000000 05`},
	{"ShapeType, appendable as its suite has it", shape{"RED", 1, -2, 30, []byte{5}},
		`00090003 | 19000000 04000000 52454400 | 01000000 feffffff 1e000000 | 01000000 05 000000`},
}

func unhexed(s string) []byte { return unhex(new(testing.T), s) }

func TestAppend(t *testing.T) {
	for _, c := range layouts {
		want := unhex(t, c.msg)
		e := Encapsulation(want[1])
		for what, v := range map[string]any{"a struct": c.value, "a pointer": pointer(c.value)} {
			got, err := Append([]byte("before"), e, v) // 6 bytes, so that alignment counts from the message
			if err != nil || !bytes.Equal(got, append([]byte("before"), want...)) {
				t.Errorf("%s from %s:\n got %x, %v\nwant %x", c.name, what, got[6:], err, want)
			}
		}
	}
}

func pointer(v any) any {
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface()
}

func TestAppendErrors(t *testing.T) {
	type bounded struct {
		Names []struct {
			Name string `cdr:"max=3"`
		} `cdr:"max=2"`
	}
	long := bounded{}
	long.Names = append(long.Names, struct {
		Name string `cdr:"max=3"`
	}{"abc"}, struct {
		Name string `cdr:"max=3"`
	}{"abcd"})
	many := bounded{Names: append(long.Names[:1:1], long.Names[0], long.Names[0])}
	for _, c := range []struct {
		e    Encapsulation
		v    any
		want string
	}{
		{LittleEndian, nil, "cannot write a message from a <nil>"},
		{LittleEndian, 7, "cannot write a message from a int"},
		{LittleEndian, (*clockMsg)(nil), "cannot write a message from a *cdr.clockMsg; hand in a struct, or a pointer to one that is not nil"},
		{0x0003, clockMsg{}, "cannot write parameter list, little endian"},
		{0x0100, clockMsg{}, "cannot write unknown encapsulation 0x0100"},
		{LittleEndian, struct{ A int }{}, "message.A: int has no fixed size"},
		{LittleEndian, long, "cdr: cdr.bounded.Names[1].Name: has 4 bytes, its bound is 3"},
		{DelimitedLittleEndian, &many, "cdr: cdr.bounded.Names: has 3 elements, its bound is 2"},
	} {
		got, err := Append([]byte{1, 2}, c.e, c.v)
		if err == nil || !strings.Contains(err.Error(), c.want) || !bytes.Equal(got, []byte{1, 2}) {
			t.Errorf("%v of %T: got %x and %v, want %s", c.e, c.v, got, err, c.want)
		}
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	clock, joints := &clockMsg{stamp{1, 2}}, newJointState()
	buf := make([]byte, 0, 4096)
	n := testing.AllocsPerRun(100, func() {
		b, err := Append(buf, LittleEndian, clock)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Append(b, DelimitedLittleEndian, joints); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func newJointState() *jointState {
	return &jointState{
		Header: header{stamp{1, 2}, "base_link"}, Name: []string{"left", "right"},
		Position: []float64{1, 2}, Velocity: []float64{3, 4}, Effort: []float64{5, 6},
	}
}
