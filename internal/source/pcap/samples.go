package pcap

import (
	"slices"
	"sort"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Range is the sequence numbers from First to Last, both included.
type Range struct{ First, Last wire.SequenceNumber }

// maxRanges bounds the ranges kept of one writer, 16 bytes each.
const maxRanges = 4096

// Samples are those of one writer that are in the capture, over all readers
// together: whole, or at least one fragment of them.
type Samples struct {
	Writer    wire.GUID
	Seen      uint64 // different sequence numbers
	Messages  uint64 // DATA and DATA_FRAG, repeats and copies to several readers included
	Uncounted uint64 // messages not looked at, since the holes were too many to keep
	// FirstStamp and LastStamp are the source timestamps of the lowest and the
	// highest sequence number, where they had one.
	FirstStamp, LastStamp wire.Optional[clock.Wall]

	ranges []Range // ascending, never adjacent
}

// First returns the lowest sequence number seen.
func (s *Samples) First() wire.SequenceNumber { return s.ranges[0].First }

// Last returns the highest sequence number seen.
func (s *Samples) Last() wire.SequenceNumber { return s.ranges[len(s.ranges)-1].Last }

// Missing returns the holes between First and Last. What a writer sent before
// and behind them leaves none.
func (s *Samples) Missing() []Range {
	var holes []Range
	for i, r := range s.ranges[1:] {
		holes = append(holes, Range{s.ranges[i].Last + 1, r.First - 1})
	}
	return holes
}

// RateHz returns the writer's mean rate by its own timestamps, whatever was
// lost: (Last - First) / (LastStamp - FirstStamp). It is false without two
// stamps in ascending order.
func (s *Samples) RateHz() (hz float64, ok bool) {
	span := s.LastStamp.Value.Sub(s.FirstStamp.Value)
	if !s.FirstStamp.Set || !s.LastStamp.Set || span <= 0 {
		return 0, false
	}
	return float64(s.Last()-s.First()) / span.Seconds(), true
}

func (s *Samples) add(n wire.SequenceNumber, stamp wire.Optional[clock.Wall]) {
	s.Messages++
	first, last := n, n
	if len(s.ranges) > 0 {
		first, last = s.First(), s.Last()
	}
	if !s.insert(n) {
		s.Uncounted++
		return
	}
	// Of a fragmented sample only the first fragments may carry the stamp, and
	// they may be sent once more.
	if n < first || n == first && !s.FirstStamp.Set {
		s.FirstStamp = stamp
	}
	if n > last || n == last && !s.LastStamp.Set {
		s.LastStamp = stamp
	}
}

// insert notes n as seen; false: there is no room.
func (s *Samples) insert(n wire.SequenceNumber) bool {
	// The first range that may hold n, or end just before it.
	i := sort.Search(len(s.ranges), func(i int) bool { return s.ranges[i].Last+1 >= n })
	switch {
	case i == len(s.ranges) || n+1 < s.ranges[i].First:
		if len(s.ranges) == maxRanges {
			return false
		}
		s.ranges = slices.Insert(s.ranges, i, Range{n, n})
	case n+1 == s.ranges[i].First:
		s.ranges[i].First = n
	case n == s.ranges[i].Last+1:
		s.ranges[i].Last = n
		if i+1 < len(s.ranges) && s.ranges[i+1].First == n+1 {
			s.ranges[i].Last = s.ranges[i+1].Last
			s.ranges = slices.Delete(s.ranges, i+1, i+2)
		}
	default:
		return true // seen before
	}
	s.Seen++
	return true
}
