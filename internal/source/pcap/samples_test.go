package pcap

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// Whatever the order, repeats and holes, samples are those of a plain set.
func TestSamplesAreThoseOfASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Samples
		seen := map[wire.SequenceNumber]bool{}
		numbers := rapid.SliceOfN(rapid.Int64Range(1, 40), 1, 60).Draw(t, "numbers")
		low, high := wire.SequenceNumber(numbers[0]), wire.SequenceNumber(numbers[0])
		for _, v := range numbers {
			n := wire.SequenceNumber(v)
			s.add(n, wire.Some(clock.Wall(v*1000)))
			seen[n] = true
			low, high = min(low, n), max(high, n)
		}
		if s.First() != low || s.Last() != high || s.Seen != uint64(len(seen)) || s.Messages != uint64(len(numbers)) {
			t.Fatalf("got %d to %d, %+v", s.First(), s.Last(), s)
		}
		if s.FirstStamp.Value != clock.Wall(low*1000) || s.LastStamp.Value != clock.Wall(high*1000) {
			t.Fatalf("stamps are %v and %v", s.FirstStamp, s.LastStamp)
		}
		missing := 0
		for _, r := range s.Missing() {
			for n := r.First; n <= r.Last; n++ {
				if seen[n] {
					t.Fatalf("%d is not missing", n)
				}
				missing++
			}
		}
		if missing != int(high-low)+1-len(seen) {
			t.Fatalf("%d missing", missing)
		}
	})
}

func TestHolesOfOneWriterAreBounded(t *testing.T) {
	var s Samples
	for n := range wire.SequenceNumber(maxRanges + 10) {
		s.add(1+2*n, wire.Optional[clock.Wall]{})
	}
	if s.Seen != maxRanges+10 || s.Uncounted != 0 || len(s.Missing()) != maxRanges-1 {
		t.Errorf("%d seen, %d not counted, %d holes", s.Seen, s.Uncounted, len(s.Missing()))
	}
}
