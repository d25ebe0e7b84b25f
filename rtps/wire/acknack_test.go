package wire

import (
	"slices"
	"testing"
)

func TestAckNacksOfPeers(t *testing.T) {
	for _, c := range []struct {
		name        string
		base        SequenceNumber
		bits        int
		first, last SequenceNumber // missing, all between them too
		count       int32
		final       bool
	}{
		{"fastdds-2.9.1/discovery_acknack_request", 1, 1, 1, 1, 1, false},
		{"fastdds-2.9.1/acknack_user_tl_request", 4, 10, 4, 13, 1, false},
		{"cyclonedds-0.10.2/acknack_user_tl_request", 3, 10, 3, 12, 1, true},
	} {
		a, err := ParseAckNack(find(t, packet(t, c.name), IDAckNack, 0))
		if err != nil || a.Missing.Base != c.base || a.Missing.NumBits() != c.bits || a.Count != c.count || a.Final != c.final {
			t.Errorf("%s: got %+v, %v", c.name, a, err)
		}
		want := []SequenceNumber{}
		for n := c.first; n <= c.last; n++ {
			want = append(want, n)
		}
		if got := slices.Collect(a.Missing.All()); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
	a, err := ParseAckNack(find(t, packet(t, "fastdds-2.9.1/discovery_acknack_nothing_missing"), IDAckNack, 0))
	if err != nil || a.Missing != (SequenceSet{Base: 1}) || !a.Final {
		t.Errorf("nothing missing: got %+v, %v", a, err)
	}
}

func TestAckNackOfBaseZero(t *testing.T) {
	a, err := ParseAckNack(Submessage{ID: IDAckNack, Body: unhex(t, "00000104 00000203 0000000000000000 00000000 00000001")})
	if err != nil || a.Missing.Base != 0 || a.Missing.Len() != 0 || a.Final {
		t.Errorf("the first of Fast DDS: %+v, %v", a, err)
	}
}

func TestAckNackRefuses(t *testing.T) {
	const ids = "00000104 00000203"
	for _, c := range []struct {
		body string
		want Problem
	}{
		{"00000104", ShortBody},
		{ids, ShortBody},
		{ids + "0000000000000001 00000000", ShortBody},          // no count
		{ids + "0000000000000001 00000021 80000000", ShortBody}, // one word of two
		{ids + "0000000000000001 00000101 80000000", TooManyBits},
		{ids + "ffffffffffffffff 00000000 00000001", BadSequenceNumber},
	} {
		_, err := ParseAckNack(Submessage{ID: IDAckNack, Body: unhex(t, c.body)})
		wantProblem(t, err, c.want)
	}
}
