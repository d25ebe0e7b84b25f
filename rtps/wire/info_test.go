package wire

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"reflect"
	"testing"
)

func TestInfoOnTheWire(t *testing.T) {
	ts := InfoTimestamp{Some(Timestamp{0x01020304, 0x05060708})}
	dst := InfoDest{GUIDPrefix{0: 1, 11: 12}}
	src := InfoSource{ProtocolVersion{2, 1}, CycloneDDS, GUIDPrefix{0: 1, 11: 12}}
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{ts.Append(nil, binary.LittleEndian), "09010800 04030201 08070605"},
		{ts.Append(nil, binary.BigEndian), "09000008 01020304 05060708"},
		{InfoTimestamp{}.Append(nil, binary.LittleEndian), "09030000"},
		{dst.Append(nil, binary.LittleEndian), "0e010c00 01000000000000000000000c"},
		{src.Append(nil, binary.BigEndian), "0c000014 00000000 0201 0110 01000000000000000000000c"},
	} {
		if !bytes.Equal(c.got, unhex(t, c.want)) {
			t.Errorf("got %x, want %s", c.got, c.want)
		}
	}
}

func TestInfoReply(t *testing.T) {
	a := UDPv4(netip.MustParseAddrPort("10.0.0.1:7410"))
	m := UDPv4(netip.MustParseAddrPort("239.255.0.1:7400"))
	for _, want := range []InfoReply{{}, {Unicast: []Locator{a, a}}, {Unicast: []Locator{a}, Multicast: []Locator{m}}} {
		b := want.Append(unhex(t, testHeader), binary.BigEndian)
		got, err := ParseInfoReply(find(t, b, IDInfoReply, 0))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
	for _, body := range []string{"", "0000", "00000001", "ffffffff 00000000"} {
		_, err := ParseInfoReply(Submessage{ID: IDInfoReply, Body: unhex(t, body)})
		wantProblem(t, err, ShortBody)
	}
	_, err := ParseInfoReply(Submessage{ID: IDInfoReply, Flags: flagMulticast, Body: unhex(t, "00000000")})
	wantProblem(t, err, ShortBody)
}
