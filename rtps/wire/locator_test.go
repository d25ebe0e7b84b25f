package wire

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"
)

func TestLocator(t *testing.T) {
	b := unhex(t, "01000000 8c2d0000 000000000000000000000000 7f000001")
	l := parseLocator(b, binary.LittleEndian)
	want := netip.MustParseAddrPort("127.0.0.1:11660")
	if a, ok := l.AddrPort(); !ok || a != want || l.String() != "127.0.0.1:11660" {
		t.Errorf("got %v", l)
	}
	if got := UDPv4(want); got != l {
		t.Errorf("got %v", got)
	}
	if got := UDPv4(netip.MustParseAddrPort("[::ffff:127.0.0.1]:11660")); got != l {
		t.Errorf("mapped: got %v", got)
	}
	if got := l.append(nil, binary.LittleEndian); !bytes.Equal(got, b) {
		t.Errorf("got %x", got)
	}
}

func TestLocatorsOfNoUse(t *testing.T) {
	localhost := [16]byte{12: 127, 15: 1}
	for _, l := range []Locator{
		{},
		{Kind: LocatorInvalid},
		{Kind: LocatorSHM, Port: 11660, Address: [16]byte{'U', 0x7f, 1}},
		{Kind: LocatorTCPv4, Port: 7400, Address: localhost},
		{Kind: LocatorUDPv4, Port: 0, Address: localhost},
		{Kind: LocatorUDPv4, Port: 65536, Address: localhost},
		{Kind: LocatorUDPv4, Port: 7400},
		{Kind: LocatorUDPv6, Port: 7400},
	} {
		if a, ok := l.AddrPort(); ok {
			t.Errorf("%+v gives %v", l, a)
		}
	}
	if l := UDPv4(netip.MustParseAddrPort("[::1]:7400")); l.Kind != LocatorInvalid {
		t.Errorf("got %v", l)
	}
	l := Locator{Kind: LocatorUDPv6, Port: 7400, Address: [16]byte{15: 1}}
	if l.String() != "[::1]:7400" {
		t.Errorf("got %v", l)
	}
}
