package pcap

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/rtps/wire"
)

// Numbers and ranges added in any order are those of a plain set.
func TestNumbersAreThoseOfASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s numbers
		plain := map[wire.SequenceNumber]bool{}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			first := wire.SequenceNumber(rapid.Int64Range(1, 50).Draw(t, "first"))
			r := Range{first, first + wire.SequenceNumber(rapid.Int64Range(0, 8).Draw(t, "more"))}
			gaps, ok := s.fill(r, nil)
			if !ok {
				t.Fatal("no room")
			}
			for _, g := range gaps {
				for n := g.First; n <= g.Last; n++ {
					if plain[n] || n < r.First || n > r.Last {
						t.Fatalf("%d is no gap of %v", n, r)
					}
					plain[n] = true
				}
			}
			for n := r.First; n <= r.Last; n++ {
				if !plain[n] {
					t.Fatalf("%d was a gap, and is not told", n)
				}
			}
		}
		for n := wire.SequenceNumber(1); n < 70; n++ {
			if s.has(n) != plain[n] {
				t.Fatalf("%d: %v, want %v", n, s.has(n), plain[n])
			}
		}
		if s.n != uint64(len(plain)) {
			t.Fatalf("%d numbers, want %d", s.n, len(plain))
		}
		for i := range s.ranges[1:] {
			if s.ranges[i].Last+1 >= s.ranges[i+1].First {
				t.Fatalf("ranges touch: %v", s.ranges)
			}
		}
	})
}

func TestNumbersWithout(t *testing.T) {
	s := numbers{ranges: []Range{{1, 10}, {20, 30}, {40, 40}}}
	u := numbers{ranges: []Range{{3, 4}, {9, 21}, {40, 50}}}
	same(t, "rest", pairs(s.without(&u)), [][2]int64{{1, 2}, {5, 8}, {22, 30}})
}

// Without room for a range more the lowest hole is forgotten, and all counts
// stay exact.
func TestNumbersForgetTheLowestHole(t *testing.T) {
	s := numbers{room: &room{3}}
	for _, n := range []wire.SequenceNumber{1, 3, 5, 7} {
		if added, ok := s.add(n); !added || !ok {
			t.Fatalf("%d: %v, %v", n, added, ok)
		}
	}
	same(t, "holes", pairs(s.holes()), [][2]int64{{4, 4}, {6, 6}})
	if s.n != 4 || s.room.left != 0 {
		t.Errorf("%d numbers, room for %d", s.n, s.room.left)
	}
	if added, ok := s.add(4); !added || !ok || s.room.left != 1 {
		t.Errorf("a hole that closes gives room back: %v, %v, %d", added, ok, s.room.left)
	}
}
