package cdr

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestUnmarshal(t *testing.T) {
	for _, c := range layouts {
		got := reflect.New(reflect.TypeOf(c.value))
		if err := Unmarshal(unhex(t, c.msg), got.Interface()); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !same(got.Elem().Interface(), c.value) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got.Elem(), c.value)
		}
	}
}

// same reports whether two values make the same message: an empty slice and a
// nil one do, and so do two NaNs.
func same(a, b any) bool {
	x, errX := Append(nil, BigEndian, a)
	y, errY := Append(nil, BigEndian, b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func TestUnmarshalErrors(t *testing.T) {
	type bounded struct {
		Names []struct {
			Name string `cdr:"max=3"`
		} `cdr:"max=2"`
	}
	for _, c := range []struct {
		name string
		v    any
		msg  string
		want string
	}{
		{"nothing", new(clockMsg), ``, "cdr.clockMsg: cdr: encapsulation header at byte 0: the message has 0 bytes"},
		{"parameter list", new(clockMsg), `00030000`, "parameter list, little endian is not supported; plain CDR"},
		{"cut in a member", new(clockMsg), `00010000 01000000 0200`, "cdr.clockMsg.Clock.Nanosec: cdr: uint32 at byte 8: needs 4 bytes, 2 are left"},
		{"no octet for no members", new(struct{}), `00010000`, "message: cdr: uint8 at byte 4"},
		{"cut in an element", new(jointState), `00010000 0000000000000000 01000000 00 000000 02000000 02000000 6100 0000 02000000 62`,
			"cdr.jointState.Name[1]: cdr: string"},
		{"count of elements that cannot be there", new(jointState), `00010000 0000000000000000 01000000 00 000000 ffffff0f 00000000`,
			"Name: cdr: sequence at byte 24: 268435455 elements of 4 bytes or more, 4 bytes are left"},
		{"one byte more than padding", new(clockMsg), `00010000 0100000002000000 00000000`,
			"cdr.clockMsg: cdr: end of the message at byte 12: 4 bytes follow the last member; the message is of another type"},
		{"gids of Humble read as those of Iron", new(entities),
			`00010000 016310111213141516171819000001c1 0000000000000000 00000000`, "8 bytes follow the last member"},
		{"too many elements", new(bounded), `00010000 03000000 02000000 6100 0000 02000000 6100 0000 02000000 6100`, "Names: cdr: sequence at byte 8: has 3 elements, its bound is 2"},
		{"too long a string", new(bounded), `00010000 01000000 05000000 6162636400`, "Names[0].Name: cdr: string at byte 17: has 4 bytes, its bound is 3"},
		{"delimiter beyond the end", new(clockMsg), `00090000 0d000000 08000000 01000000 02000000`, "delimiter at byte 8: announces 13 bytes, 12 are left"},
		{"delimiter within a member", new(clockMsg), `00090000 0c000000 06000000 01000000 02000000`, "Clock.Nanosec: cdr: uint32 at byte 16: needs 4 bytes, 2 are left"},
		{"more padding than bytes", new(clockMsg), `00070003 01`, "uint32 at byte 4: needs 4 bytes, 0 are left"},
	} {
		err := Unmarshal(unhex(t, c.msg), c.v)
		var e *Error
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, &e) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestUnmarshalIntoWhatIsNoMessage(t *testing.T) {
	for _, v := range []any{nil, clockMsg{}, (*clockMsg)(nil), new(int), new([]clockMsg), new(struct{ A uint })} {
		if err := Unmarshal(unhex(t, `00010000 0100000002000000`), v); err == nil {
			t.Errorf("%T was read into", v)
		}
	}
}

func TestMembersBeyondThoseKnownAreSkipped(t *testing.T) {
	// The inner struct has a member more than stamp, and the outer one too.
	msg := unhex(t, `00090000 | 18000000 | 0c000000 01000000 02000000 03000000 | 0500000000000000`)
	var got clockMsg
	if err := Unmarshal(msg, &got); err != nil || got.Clock != (stamp{1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestWhatFollowsAHeadedSequenceIsFound(t *testing.T) {
	// The sequence announces 12 bytes, of which its one string takes 10.
	msg := unhex(t, `00070002 | 0c000000 | 01000000 02000000 6100 eeee | 05 00 0000`)
	var got struct {
		Names []string
		After uint8
	}
	if err := Unmarshal(msg, &got); err != nil || len(got.Names) != 1 || got.Names[0] != "a" || got.After != 5 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestUnmarshalAcceptsTheLeniencesOfTheWire(t *testing.T) {
	var s stringMsg
	for _, c := range []struct{ name, msg, want string }{
		{"padding of RTPS", `00010000 03000000 616200 ee`, "ab"},
		{"options that some write in version 1", `00010003 01000000 00 000000`, ""},
		{"length 0 for the empty string", `00010000 00000000`, ""},
		{"a string without its NUL", `00010000 02000000 6162`, "ab"},
	} {
		s.Data = "before"
		if err := Unmarshal(unhex(t, c.msg), &s); err != nil || s.Data != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, s.Data, err, c.want)
		}
	}
}

func TestValuesKeepNothingOfTheMessage(t *testing.T) {
	msg, err := Append(nil, LittleEndian, image{Header: header{FrameID: "cam"}, Encoding: "mono8", Data: []byte("pixels")})
	if err != nil {
		t.Fatal(err)
	}
	var got image
	if err := Unmarshal(msg, &got); err != nil {
		t.Fatal(err)
	}
	clear(msg)
	if got.Header.FrameID != "cam" || got.Encoding != "mono8" || string(got.Data) != "pixels" {
		t.Errorf("changed with the message: %+v", got)
	}
}

func TestSlicesAreReused(t *testing.T) {
	long, short := unhex(t, `00010000 03000000 010203`), unhex(t, `00010000 01000000 09`)
	var got struct{ Data []byte }
	for _, c := range []struct{ msg, want []byte }{
		{long, []byte{1, 2, 3}}, {short, []byte{9}}, {long, []byte{1, 2, 3}}, {unhex(t, `00010000 00000000`), []byte{}},
	} {
		before := got.Data
		if err := Unmarshal(c.msg, &got); err != nil || !bytes.Equal(got.Data, c.want) {
			t.Fatalf("got %x, %v, want %x", got.Data, err, c.want)
		}
		if before != nil && &before[:1][0] != &got.Data[:1][0] {
			t.Errorf("%x is in new memory", got.Data)
		}
	}
}

func TestUnmarshalAllocatesNothing(t *testing.T) {
	clock, err := Append(nil, LittleEndian, &clockMsg{stamp{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	joints, err := Append(nil, DelimitedLittleEndian, newJointState())
	if err != nil {
		t.Fatal(err)
	}
	var c clockMsg
	var j jointState // the first run, which is not counted, gives it its memory
	n := testing.AllocsPerRun(100, func() {
		if err := errors.Join(Unmarshal(clock, &c), Unmarshal(joints, &j)); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
	if c.Clock != (stamp{1, 2}) || !same(j, newJointState()) {
		t.Errorf("got %v and %v", c, j)
	}
}

// FuzzUnmarshal reads foreign bytes as a struct of all kinds of members, into
// one that held another message before. What can be read is written and read
// again to the same value, in every encapsulation.
func FuzzUnmarshal(f *testing.F) {
	full, err := Append(nil, DelimitedLittleEndian, fullValue())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	for _, e := range structEncapsulations {
		b, err := Append(nil, e, everything{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		v := fullValue()
		if Unmarshal(msg, v) != nil {
			return
		}
		for _, e := range structEncapsulations {
			wantRoundTrip(t, e, v, fullValue())
		}
	})
}

type fataler interface {
	Helper()
	Fatalf(format string, a ...any)
}

// wantRoundTrip writes v and reads it into back.
func wantRoundTrip(t fataler, e Encapsulation, v, back *everything) {
	t.Helper()
	msg, err := Append(nil, e, v)
	if err != nil {
		t.Fatalf("%v: %v", e, err)
	}
	if err := Unmarshal(msg, back); err != nil {
		t.Fatalf("%v: %v\nof %x", e, err, msg)
	}
	if !same(v, back) {
		t.Fatalf("%v:\nwrote %+v\nread %+v", e, v, back)
	}
}
