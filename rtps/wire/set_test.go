package wire

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The bit of the first number is the most significant of the first word as a
// value, so its byte comes last in little endian (RTPS 9.4.2.6).
func TestSetOnTheWire(t *testing.T) {
	s := SequenceSet{Base: 1}
	s.Add(1)
	for order, want := range map[Order]string{
		binary.LittleEndian: "00000000 01000000 | 01000000 | 00000080",
		binary.BigEndian:    "00000000 00000001 | 00000001 | 80000000",
	} {
		if got := appendSequenceSet(nil, &s, order); !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%v: got %x, want %s", order, got, want)
		}
	}
}

// The example of RTPS 9.4.2.6: 1234/12:00110 is the set of 1236 and 1237, of
// the twelve numbers from 1234 on.
func TestSetOfTheSpecification(t *testing.T) {
	b := unhex(t, "00000000 000004d2 0000000c 30000000")
	s, n, p := parseSequenceSet(b, binary.BigEndian)
	if p != noProblem || n != len(b) || s.NumBits() != 12 {
		t.Errorf("got %v, %d, %v", s, n, p)
	}
	if got := slices.Collect(s.All()); !slices.Equal(got, []SequenceNumber{1236, 1237}) {
		t.Errorf("got %v", got)
	}
	if got := appendSequenceSet(nil, &s, binary.BigEndian); !bytes.Equal(got, b) {
		t.Errorf("got %x", got)
	}
}

func TestSetRefusesWhatItCannotHold(t *testing.T) {
	s := SequenceSet{Base: 10}
	if s.Add(9) || s.Add(266) || s.Add(-1<<62) || s.Len() != 0 {
		t.Errorf("took a number out of reach: %v", s)
	}
	if !s.Add(265) || s.NumBits() != 256 || !s.Contains(265) || s.Contains(266) || s.Contains(9) {
		t.Errorf("the last number: %v", s)
	}
}

func TestSetParseRefuses(t *testing.T) {
	for _, c := range []struct {
		b    string
		want Problem
	}{
		{"00000000", ShortBody},
		{"00000000 01000000", ShortBody},
		{"00000000 01000000 01000000", ShortBody},
		{"00000000 01000000 01010000 00", TooManyBits},
		{"00000000 01000000 ffffffff 00", TooManyBits},
		{"ffffffff 00000000 00000000", BadSequenceNumber},
		{"ffffff7f 00000000 00000000", BadSequenceNumber},
	} {
		if _, _, got := parseSequenceSet(unhex(t, c.b), binary.LittleEndian); got != c.want {
			t.Errorf("%s: got %v, want %v", c.b, got, c.want)
		}
	}
	for _, base := range []string{"00000000", "ffffffff"} {
		if _, _, got := parseFragmentSet(unhex(t, base+"00000000"), binary.LittleEndian); got != BadFragment {
			t.Errorf("fragment base %s: got %v", base, got)
		}
	}
}

// Bits beyond numBits are nobody's.
func TestSetIgnoresBitsBeyondItsLength(t *testing.T) {
	s, n, p := parseFragmentSet(unhex(t, "00000001 00000002 ffffffff 99"), binary.BigEndian)
	if p != noProblem || n != 12 || s.Len() != 2 {
		t.Errorf("got %v, %d, %v", s, n, p)
	}
}

func TestSetSurvivesTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := SequenceNumber(rapid.Int64Range(0, int64(MaxSequence)).Draw(t, "base"))
		want := rapid.SliceOfDistinct(rapid.IntRange(0, 255), func(i int) int { return i }).Draw(t, "members")
		slices.Sort(want)
		s := SequenceSet{Base: base}
		for _, i := range want {
			s.Add(base + SequenceNumber(i))
		}
		for _, order := range []Order{binary.LittleEndian, binary.BigEndian} {
			b := appendSequenceSet(nil, &s, order)
			got, n, p := parseSequenceSet(b, order)
			if p != noProblem || n != len(b) || got != s {
				t.Fatalf("got %v, %d of %d, %v", got, n, len(b), p)
			}
		}
		var got []int
		for n := range s.All() {
			got = append(got, int(n-base))
		}
		if !slices.Equal(got, want) || s.Len() != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
