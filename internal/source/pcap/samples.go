package pcap

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

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

	seen numbers
}

// First returns the lowest sequence number seen.
func (s *Samples) First() wire.SequenceNumber { return s.seen.first() }

// Last returns the highest sequence number seen.
func (s *Samples) Last() wire.SequenceNumber { return s.seen.last() }

// Missing returns the holes between First and Last. What a writer sent before
// and behind them leaves none.
func (s *Samples) Missing() []Range { return s.seen.holes() }

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

// add counts a message that carries sample n or a part of it, and reports
// whether it is the first.
func (s *Samples) add(n wire.SequenceNumber, stamp wire.Optional[clock.Wall]) (first bool) {
	s.Messages++
	low, high := n, n
	if !s.seen.empty() {
		low, high = s.First(), s.Last()
	}
	first, ok := s.seen.add(n)
	if !ok {
		s.Uncounted++
		return false
	}
	if first {
		s.Seen++
	}
	// Of a fragmented sample only the first fragments may carry the stamp, and
	// they may be sent once more.
	if n < low || n == low && !s.FirstStamp.Set {
		s.FirstStamp = stamp
	}
	if n > high || n == high && !s.LastStamp.Set {
		s.LastStamp = stamp
	}
	return first
}
