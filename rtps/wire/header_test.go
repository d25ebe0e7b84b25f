package wire

import (
	"bytes"
	"testing"
)

func TestHeader(t *testing.T) {
	b := unhex(t, "52545053 0203 010f | 010f7f015652af5000000000")
	want := Header{ProtocolVersion{2, 3}, FastDDS, GUIDPrefix(b[8:])}
	if got, err := ParseHeader(b); err != nil || got != want {
		t.Errorf("got %v, %v", got, err)
	}
	if got := want.Append(nil); !bytes.Equal(got, b) {
		t.Errorf("got %x", got)
	}
	if s := want.Vendor.String() + " " + want.Version.String(); s != "Fast DDS 2.3" {
		t.Error(s)
	}
	if s := (VendorID{1, 0x63}).String(); s != "vendor 01.63" {
		t.Error(s)
	}
}

func TestHeaderRefuses(t *testing.T) {
	for _, c := range []struct {
		b    string
		want Problem
	}{
		{"", ShortDatagram},
		{"00", ShortDatagram}, // with which Cyclone DDS wakes its own threads
		{"52545053 0203 010f 010f7f015652af50000000", ShortDatagram},
		{"52545058 0203 010f 010f7f015652af5000000000", NotRTPS},
		{"52545053 0303 010f 010f7f015652af5000000000", UnsupportedVersion},
		{"52545053 0103 010f 010f7f015652af5000000000", UnsupportedVersion},
	} {
		_, err := ParseHeader(unhex(t, c.b))
		wantProblem(t, err, c.want)
	}
}

// Both vendors accept minor versions they do not know.
func TestHeaderTakesAnyMinorVersion(t *testing.T) {
	for _, minor := range []byte{0, 1, 5, 200} {
		b := unhex(t, "52545053 0203 010f 010f7f015652af5000000000")
		b[5] = minor
		if h, err := ParseHeader(b); err != nil || h.Version.Minor != minor {
			t.Errorf("2.%d: %v, %v", minor, h.Version, err)
		}
	}
}
