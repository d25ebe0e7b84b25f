package wire

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestParameterWalk(t *testing.T) {
	for _, c := range []struct {
		list string
		ids  []ParameterID
		end  int
		want Problem
	}{
		{"0001 0000", nil, 4, noProblem},
		{"0001 ffff 99", nil, 4, noProblem}, // the sentinel's length means nothing
		{"0000 0004 00000000 0001 0000", nil, 12, noProblem},
		{"000f 0004 00000005 8007 0000 0001 0000", []ParameterID{PIDDomainID, 0x8007}, 16, noProblem},
		{"", nil, 0, NoSentinel},
		{"000f 0004 00000005", []ParameterID{PIDDomainID}, 8, NoSentinel},
		{"000f 0004 00000005 0001", []ParameterID{PIDDomainID}, 8, NoSentinel},
		{"000f 0008 00000005", nil, 0, ShortParameter},
		{"000f 0003 00000005 0001 0000", nil, 0, UnalignedParameter},
	} {
		r := NewParameterReader(unhex(t, c.list), binary.BigEndian)
		var ids []ParameterID
		for p, ok := r.Next(); ok; p, ok = r.Next() {
			ids = append(ids, p.ID)
		}
		n, err := r.End()
		if n != c.end || len(ids) != len(c.ids) {
			t.Errorf("%s: got %v to byte %d", c.list, ids, n)
		}
		for i := range ids {
			if ids[i] != c.ids[i] {
				t.Errorf("%s: got %v, want %v", c.list, ids, c.ids)
			}
		}
		if c.want != noProblem {
			wantProblem(t, err, c.want)
		} else if err != nil {
			t.Errorf("%s: %v", c.list, err)
		}
	}
}

func TestParametersArePadded(t *testing.T) {
	got := Parameter{PIDUserData, []byte{1, 2, 3, 4, 5}}.Append([]byte("x"), binary.BigEndian)[1:]
	if want := unhex(t, "002c 0008 0102030405 000000"); !bytes.Equal(got, want) {
		t.Errorf("got %x", got)
	}
}

func TestParameterTooLongToBeSaid(t *testing.T) {
	for n, want := range map[int]int{65532: 4 + 65532, 65533: 0} {
		if got := (Parameter{PIDUserData, make([]byte, n)}).Append(nil, binary.LittleEndian); len(got) != want {
			t.Errorf("%d bytes: appended %d", n, len(got))
		}
	}
}

func TestParameterIDs(t *testing.T) {
	for _, c := range []struct {
		id           ParameterID
		name         string
		vendor, must bool
	}{
		{PIDTopicName, "PID_TOPIC_NAME", false, false},
		{PIDDomainTag, "PID_DOMAIN_TAG", false, true},
		{0x8007, "parameter 0x8007", true, false},
		{0xc006, "parameter 0xc006", true, true},
	} {
		if c.id.String() != c.name || c.id.VendorSpecific() != c.vendor || c.id.MustUnderstand() != c.must {
			t.Errorf("0x%04x: %v", uint16(c.id), c.id)
		}
	}
}

func TestListsRefused(t *testing.T) {
	for _, c := range []struct {
		payload string
		want    Problem
	}{
		{"", NotParameterList},
		{"0002 00", NotParameterList},
		{"0001 0000 01000000", NotParameterList}, // plain CDR
		{"0102 0000 00010000", NotParameterList},
		{"0002 0000", NoSentinel},
		{"0002 0000 7fff 0000 0001 0000", NotUnderstood}, // must be understood and is not
		{"0002 0000 c006 0000 0001 0000", NotUnderstood}, // of a vendor, too
		{"0002 0000 0050 0008 0102030405060708 0001 0000", ShortParameter},
		{"0002 0000 0005 0008 00000006 61620000 0001 0000", ShortParameter}, // string longer than its parameter
		{"0002 0000 0005 0004 ffffffff 0001 0000", ShortParameter},
		{"0002 0000 0005 0008 00000002 61620000 0001 0000", Unterminated},
		{"0002 0000 002c 0004 ffffffff 0001 0000", ShortParameter},
		{"0002 0000 002f 0004 00000001 0001 0000", ShortParameter}, // a locator of 4 bytes
		{"0002 0000 001a 000c 00000003 0000000000000000 0001 0000", BadValue},
		{"0002 0000 001a 000c 00000000 0000000000000000 0001 0000", BadValue},
		{"0002 0000 001d 0004 00000004 0001 0000", BadValue},
		{"0002 0000 0040 0008 00000002 00000001 0001 0000", BadValue},
		{"0002 0000 0029 0004 ffffffff 0001 0000", BadValue}, // four billion partitions
		{"0002 0000 0029 0004 00000400 0001 0000", ShortParameter},
		{"0002 0000 0073 0004 00000400 0001 0000", ShortParameter},
		{"0002 0000 0059 0004 00000400 0001 0000", ShortParameter},
	} {
		_, err := ParseEndpoint(unhex(t, c.payload))
		wantProblem(t, err, c.want)
	}
}

func TestListErrorSaysWhere(t *testing.T) {
	_, err := ParseEndpoint(unhex(t, "0003 0000 1d00 0400 00000000 1a00 0c00 03000000 0000000000000000 0100 0000"))
	const want = "rtps: PID_RELIABILITY at byte 16: the value is none of those defined"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
