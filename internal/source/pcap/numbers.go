package pcap

import (
	"slices"
	"sort"

	"github.com/takt-rt/takt/rtps/wire"
)

// A Range is the sequence numbers from First to Last, both included.
type Range struct{ First, Last wire.SequenceNumber }

// Len returns how many numbers there are in the range.
func (r Range) Len() uint64 { return uint64(r.Last-r.First) + 1 }

// maxRanges bounds the ranges kept of one set, 16 bytes each.
const maxRanges = 4096

// A room is how many ranges all sets of a capture may still take. One datagram
// may go to many readers, so a bound for each set alone would not be enough.
type room struct{ left int }

// numbers is a set of sequence numbers, as ranges: ascending, never adjacent.
//
// When there is no room for a range more, the lowest hole is forgotten: what
// was missing there counts as held, except that n stays exact.
type numbers struct {
	ranges []Range
	n      uint64
	room   *room // nil: only maxRanges counts
}

func (s *numbers) empty() bool { return len(s.ranges) == 0 }

// first and last are of a set that is not empty.
func (s *numbers) first() wire.SequenceNumber { return s.ranges[0].First }
func (s *numbers) last() wire.SequenceNumber  { return s.ranges[len(s.ranges)-1].Last }

// find returns the place of the first range that holds n, or ends behind it or
// just before it.
func (s *numbers) find(n wire.SequenceNumber) int {
	return sort.Search(len(s.ranges), func(i int) bool { return s.ranges[i].Last >= n-1 })
}

func (s *numbers) has(n wire.SequenceNumber) bool {
	i := s.find(n)
	for ; i < len(s.ranges) && s.ranges[i].First <= n; i++ {
		if s.ranges[i].Last >= n {
			return true
		}
	}
	return false
}

// add takes in n. Neither is true if there is no room for it.
func (s *numbers) add(n wire.SequenceNumber) (added, ok bool) {
	if last := len(s.ranges) - 1; last >= 0 && n-1 == s.ranges[last].Last {
		s.ranges[last].Last = n // as nearly always
		s.n++
		return true, true
	}
	if s.has(n) {
		return false, true
	}
	_, ok = s.fill(Range{n, n}, nil)
	return ok, ok
}

// fill takes in all of r, and appends to gaps what of it was not in the set. It
// is false, and nothing changes, if there is no room, which can be only below
// what is held already.
func (s *numbers) fill(r Range, gaps []Range) ([]Range, bool) {
	i := s.find(r.First)
	end, next, whole := i, r.First, r
	for ; end < len(s.ranges) && s.ranges[end].First-1 <= r.Last; end++ {
		held := s.ranges[end]
		if held.First > next {
			gaps = append(gaps, Range{next, held.First - 1})
		}
		next = max(next, held.Last+1)
		whole = Range{min(whole.First, held.First), max(whole.Last, held.Last)}
	}
	if end == i && !s.grow() {
		if i < 2 {
			return gaps, false
		}
		s.forget()
		i, end = i-1, end-1
	}
	if next <= r.Last {
		gaps = append(gaps, Range{next, r.Last})
	}
	if s.room != nil && end > i {
		s.room.left += end - i - 1
	}
	s.n += whole.Len()
	for _, held := range s.ranges[i:end] {
		s.n -= held.Len()
	}
	s.ranges = slices.Replace(s.ranges, i, end, whole)
	return gaps, true
}

// grow asks for room for one range more.
func (s *numbers) grow() bool {
	if len(s.ranges) == maxRanges || s.room != nil && s.room.left == 0 {
		return false
	}
	if s.room != nil {
		s.room.left--
	}
	return true
}

// forget joins the two lowest ranges.
func (s *numbers) forget() {
	s.ranges[1].First = s.ranges[0].First
	s.ranges = slices.Delete(s.ranges, 0, 1)
}

// holes returns what is missing between the first number and the last.
func (s *numbers) holes() []Range {
	var holes []Range
	for i := 1; i < len(s.ranges); i++ {
		holes = append(holes, Range{s.ranges[i-1].Last + 1, s.ranges[i].First - 1})
	}
	return holes
}

// without returns the numbers of s that are not in t.
func (s *numbers) without(t *numbers) []Range {
	var rest []Range
	for _, r := range s.ranges {
		i := t.find(r.First)
		next := r.First
		for ; i < len(t.ranges) && t.ranges[i].First <= r.Last; i++ {
			if held := t.ranges[i]; held.First > next {
				rest = append(rest, Range{next, held.First - 1})
			}
			next = max(next, t.ranges[i].Last+1)
		}
		if next <= r.Last {
			rest = append(rest, Range{next, r.Last})
		}
	}
	return rest
}
