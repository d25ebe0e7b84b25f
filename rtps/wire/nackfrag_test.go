package wire

import (
	"slices"
	"testing"
)

func TestNackFragsOfPeers(t *testing.T) {
	for _, c := range []struct {
		name        string
		sequence    SequenceNumber
		first, last FragmentNumber // missing, all between them too
	}{
		{"cyclonedds-0.10.2/acknack_nackfrag", 3, 3, 4},
		{"fastdds-2.9.1/nackfrag_acknack", 2, 121, 149},
	} {
		n, err := ParseNackFrag(find(t, packet(t, c.name), IDNackFrag, 0))
		if err != nil || n.Sequence != c.sequence || n.Missing.Base != c.first || n.Count != 1 {
			t.Errorf("%s: got %+v, %v", c.name, n, err)
		}
		want := []FragmentNumber{}
		for f := c.first; f <= c.last; f++ {
			want = append(want, f)
		}
		if got := slices.Collect(n.Missing.All()); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

func TestNackFragRefuses(t *testing.T) {
	const ids = "00000104 00000203"
	for _, c := range []struct {
		body string
		want Problem
	}{
		{ids, ShortBody},
		{ids + "0000000000000000 00000001 00000001 80000000 00000001", BadSequenceNumber},
		{ids + "0000000000000001 00000000 00000001 80000000 00000001", BadFragment},
		{ids + "0000000000000001 00000001 00000101 80000000 00000001", TooManyBits},
		{ids + "0000000000000001 00000001 00000001 80000000", ShortBody},
	} {
		_, err := ParseNackFrag(Submessage{ID: IDNackFrag, Body: unhex(t, c.body)})
		wantProblem(t, err, c.want)
	}
}
