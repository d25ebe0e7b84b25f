package wire

import (
	"encoding/binary"
	"testing"
)

const testHeader = "52545053 0203 0163 016310111213141516171819"

// walk parses a message of the header above and a body, and describes what it
// finds.
func walk(t *testing.T, body string) (parts []string, err error) {
	t.Helper()
	m := message(t, unhex(t, testHeader+body))
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		parts = append(parts, describe(s))
	}
	return parts, m.Err()
}

func TestLengthZero(t *testing.T) {
	for _, c := range []struct {
		body string
		want []string
	}{
		{"", nil},
		{"80010000 01020304 05060708", []string{"VENDOR_0x80(01,8)@20"}}, // to the end
		{"80010000", []string{"VENDOR_0x80(01,0)@20"}},
		{"01010000 80010000", []string{"PAD(01,0)@20", "VENDOR_0x80(01,0)@24"}},
		{"09030000 80010000", []string{"INFO_TS(03,0)@20", "VENDOR_0x80(01,0)@24"}},
		{"09010000 0100000000000000", []string{"INFO_TS(01,8)@20"}}, // not invalidated: to the end
		{"80010300 010203", []string{"VENDOR_0x80(01,3)@20"}},       // unaligned, but the last
		{"80000004 01020304", []string{"VENDOR_0x80(00,4)@20"}},     // big endian
	} {
		got, err := walk(t, c.body)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: got %v, %v", c.body, got, err)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: got %v, want %v", c.body, got, c.want)
			}
		}
	}
}

func TestWalkStops(t *testing.T) {
	for _, c := range []struct {
		body string
		want Error
	}{
		{"8001", Error{"submessage", 20, CutHeader}},
		{"80010000 0102", Error{}}, // to the end, whatever its length
		{"80010400 010203", Error{"submessage 0x80", 24, BeyondDatagram}},
		{"80010300 010203 80010000", Error{"submessage 0x80", 27, Unaligned}},
		{"01010000 15010400", Error{"DATA", 28, BeyondDatagram}},
		{"09010400 01020304", Error{"INFO_TS", 28, ShortBody}},
		{"0e010800 0102030405060708", Error{"INFO_DST", 32, ShortBody}},
		{"0c010400 01020304", Error{"INFO_SRC", 28, ShortBody}},
	} {
		_, err := walk(t, c.body)
		if e, ok := err.(*Error); err != nil && (!ok || *e != c.want) || err == nil && c.want != (Error{}) {
			t.Errorf("%s: got %v, want %v", c.body, err, &c.want)
		}
	}
}

// Cyclone DDS drops the rest of a datagram for a length that is not a multiple of 4.
func TestSubmessagesArePadded(t *testing.T) {
	d := Data{Writer: EntityID{0, 0, 1, 3}, Sequence: 1, Payload: []byte{0, 1, 0, 0, 7}}
	b := d.Append([]byte("x"), binary.LittleEndian)[1:]
	if len(b) != 4+20+8 || binary.LittleEndian.Uint16(b[2:]) != 28 {
		t.Errorf("got %x", b)
	}
}

// What the 16 bits of the length cannot say is said by 0: to the end.
func TestLongestSubmessage(t *testing.T) {
	for n, want := range map[int]uint16{0xfffc: 0xfffc, 0xfffd: 0, 70000: 0} {
		s := Submessage{ID: 0x80, Flags: flagLittleEndian, Body: make([]byte, n)}
		if got := binary.LittleEndian.Uint16(s.Append(nil)[2:]); got != want {
			t.Errorf("%d bytes: got length %d, want %d", n, got, want)
		}
	}
}

func TestSubmessageIDs(t *testing.T) {
	for _, c := range []struct {
		id              SubmessageID
		name            string
		known, security bool
	}{
		{IDHeartbeatFrag, "HEARTBEAT_FRAG", true, false},
		{IDSecBody, "SEC_BODY", true, true},
		{IDSecMsgPostfix, "SRTPS_POSTFIX", true, true},
		{0x80, "submessage 0x80", false, false},
		{0, "submessage 0x00", false, false},
	} {
		if c.id.String() != c.name || c.id.Known() != c.known || c.id.Security() != c.security {
			t.Errorf("0x%02x: %v, known %v, security %v", uint8(c.id), c.id, c.id.Known(), c.id.Security())
		}
	}
}

// A part of a datagram must not be able to grow into the next.
func TestBodiesEndWhereTheyEnd(t *testing.T) {
	s := find(t, packet(t, "constructed/user_data_clock"), IDData, 0)
	d := must(ParseData(s))
	if cap(s.Body) != len(s.Body) || cap(d.Payload) != len(d.Payload) {
		t.Errorf("capacities %d, %d exceed lengths %d, %d", cap(s.Body), cap(d.Payload), len(s.Body), len(d.Payload))
	}
}
