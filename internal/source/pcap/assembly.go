package pcap

import (
	"cmp"
	"maps"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// An assembly is a sample of which fragments came.
type assembly struct {
	have  numbers // of fragments
	total wire.FragmentNumber
	stamp wire.Optional[clock.Wall] // source timestamp: only some fragments carry one
	whole []byte                    // the payload so far; nil: nobody wants it
}

// maxWhole is the largest fragmented sample that is put together in bytes.
const maxWhole = 1 << 20

// add takes the fragments of d, and reports how many of them had come before.
// It is false if there is no room for them, or if they are of another form than
// those before.
func (a *assembly) add(d *wire.DataFrag, stamp wire.Optional[clock.Wall]) (repeated uint64, ok bool) {
	if d.Total() != a.total {
		return 0, false
	}
	if !a.stamp.Set {
		a.stamp = stamp
	}
	last := min(d.First+wire.FragmentNumber(d.Fragments)-1, a.total)
	r := Range{wire.SequenceNumber(d.First), wire.SequenceNumber(last)}
	before := a.have.n
	if _, ok := a.have.fill(r, nil); !ok {
		return 0, false
	}
	if start := d.Start(); start < int64(len(a.whole)) {
		copy(a.whole[start:], d.Payload)
	}
	return r.Len() - (a.have.n - before), true
}

func (a *assembly) complete() bool { return a.have.n == uint64(a.total) }

// missing returns the fragments that did not come.
func (a *assembly) missing() []Range {
	all := numbers{ranges: []Range{{1, wire.SequenceNumber(a.total)}}}
	return all.without(&a.have)
}

// An Incomplete is a fragmented sample that did not come whole.
type Incomplete struct {
	Sequence wire.SequenceNumber
	Missing  []Range // of its fragments, from 1
}

// Bounds of what is kept of fragmented samples for one writer and reader.
const (
	maxAssemblies = 32  // in work
	maxIncomplete = 256 // given up, with what was missing
)

// assemblies are the fragmented samples of one writer at one place.
type assemblies struct {
	open       map[wire.SequenceNumber]*assembly
	incomplete []Incomplete
	Repeated   uint64 // fragments that had come before, of samples in work
	Refused    uint64 // messages that contradict others, or for which there is no room
	room       *room
}

// add takes fragments, and returns the sample if they complete it. Whoever
// wants its bytes, whole, gets them with it.
func (s *assemblies) add(d *wire.DataFrag, stamp wire.Optional[clock.Wall], whole bool) (done *assembly) {
	a := s.open[d.Sequence]
	if a == nil {
		a = s.begin(d, whole)
	}
	repeated, ok := a.add(d, stamp)
	s.Repeated += repeated
	if !ok {
		s.Refused++
	}
	if !a.complete() {
		return nil
	}
	s.drop(d.Sequence)
	return a
}

func (s *assemblies) begin(d *wire.DataFrag, whole bool) *assembly {
	if s.open == nil {
		s.open = map[wire.SequenceNumber]*assembly{}
	}
	if len(s.open) == maxAssemblies {
		s.giveUp(slices.Min(slices.Collect(maps.Keys(s.open))))
	}
	a := &assembly{total: d.Total(), have: numbers{room: s.room}}
	if whole && d.SampleSize <= maxWhole {
		a.whole = make([]byte, d.SampleSize)
	}
	s.open[d.Sequence] = a
	return a
}

// drop ends the work on a sample, and gives back its room.
func (s *assemblies) drop(n wire.SequenceNumber) {
	if s.room != nil {
		s.room.left += len(s.open[n].have.ranges)
	}
	delete(s.open, n)
}

func (s *assemblies) giveUp(n wire.SequenceNumber) {
	if len(s.incomplete) < maxIncomplete {
		s.incomplete = append(s.incomplete, Incomplete{n, s.open[n].missing()})
	}
	s.drop(n)
}

// Incomplete returns the samples that did not come whole, by their numbers: at
// most the first that were given up, and those still in work.
func (s *assemblies) Incomplete() []Incomplete {
	all := slices.Clone(s.incomplete)
	for n, a := range s.open {
		all = append(all, Incomplete{n, a.missing()})
	}
	slices.SortFunc(all, func(a, b Incomplete) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return all
}
