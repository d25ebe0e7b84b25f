package wire

import (
	"slices"
	"testing"
)

func TestGapOfTheCollection(t *testing.T) {
	b := packet(t, "constructed/user_gap_then_data")
	g, err := ParseGap(find(t, b, IDGap, 0))
	if err != nil || g.Start != 3 || g.List.Base != 5 || g.List.NumBits() != 2 {
		t.Errorf("got %+v, %v", g, err)
	}
	if got := slices.Collect(g.Within(1, 100)); !slices.Equal(got, []SequenceNumber{3, 4, 6}) {
		t.Errorf("irrelevant: %v", got)
	}
	if d := must(ParseData(find(t, b, IDData, 0))); d.Sequence != 5 {
		t.Errorf("data %d", d.Sequence)
	}
}

func TestGapWithin(t *testing.T) {
	wide := Gap{Start: 10, List: SequenceSet{Base: MaxSequence}}
	wide.List.Add(MaxSequence + 1)
	old := Gap{Start: 5, List: SequenceSet{Base: 5}} // base = gapStart
	old.List.Add(6)
	for _, c := range []struct {
		gap         Gap
		first, last SequenceNumber
		want        []SequenceNumber
	}{
		{wide, 1, 12, []SequenceNumber{10, 11, 12}},
		{wide, 20, 21, []SequenceNumber{20, 21}},
		{wide, MaxSequence - 1, MaxSequence + 5, []SequenceNumber{MaxSequence - 1, MaxSequence + 1}},
		{old, 1, 100, []SequenceNumber{6}},
		{old, 7, 100, nil},
		{old, 3, 2, nil},
	} {
		if got := slices.Collect(c.gap.Within(c.first, c.last)); !slices.Equal(got, c.want) {
			t.Errorf("%+v within %d..%d: got %v, want %v", c.gap, c.first, c.last, got, c.want)
		}
	}
}

func TestGapRefuses(t *testing.T) {
	const ids = "00000104 00000203"
	for _, c := range []struct {
		body string
		want Problem
	}{
		{ids + "00000000", ShortBody},
		{ids + "0000000000000000 0000000000000001 00000000", BadSequenceNumber},
		{ids + "0000000000000001 0000000000000000 00000000", BadSequenceNumber},
		{ids + "0000000000000001 0000000000000002 00000001", ShortBody},
		{ids + "0000000000000001 0000000000000002 00000200", TooManyBits},
	} {
		_, err := ParseGap(Submessage{ID: IDGap, Body: unhex(t, c.body)})
		wantProblem(t, err, c.want)
	}
}
