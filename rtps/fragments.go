package rtps

import (
	"math/bits"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// Memory for an incomplete sample follows what came of it, since the size that
// its writer claims may be a lie: it is taken at once up to claimed bytes, and
// beyond that up to ahead times what has come. A fragment further ahead is not
// kept and will be asked for again.
const (
	claimed = 256 << 10
	ahead   = 4
	// assemblyCost is what an incomplete sample is charged besides its bytes.
	assemblyCost = 256
)

// An assembly is a sample of which some fragments have come (8.4.14.1).
type assembly struct {
	sample   Sample // as the fragments describe it; its Payload reaches as far as was needed
	size     uint32 // of the whole
	fragment uint16 // size of all fragments but the last
	total    wire.FragmentNumber

	have      []uint64 // bit k of word w: fragment 64 w + k + 1 is here
	came      wire.FragmentNumber
	bytes     int64               // of the fragments that are here
	announced wire.FragmentNumber // those up to it have been sent
	asked     int                 // how often fragments were asked for
	charged   int                 // taken from the room
}

// begin makes an empty assembly of the sample that d is a part of, in the
// memory of old, which may be nil.
func begin(old *assembly, writer wire.GUID, now clock.Mono, d *wire.DataFrag) *assembly {
	a := old
	if a == nil {
		a = &assembly{}
	}
	*a = assembly{
		size: d.SampleSize, fragment: d.Size, total: d.Total(), have: a.have[:0],
		sample: Sample{Writer: writer, Sequence: d.Sequence, First: now, Data: wire.Data{
			Reader: d.Reader, Writer: d.Writer, Sequence: d.Sequence, Key: d.Key, NonStandard: d.NonStandard,
			Payload: a.sample.Data.Payload[:0],
		}},
	}
	return a
}

// fits reports whether d is a part of this sample in the same form.
func (a *assembly) fits(d *wire.DataFrag) bool { return a.size == d.SampleSize && a.fragment == d.Size }

// add takes over the fragments of d and reports how many were here already. It
// is false, and nothing is changed, if there is no memory for them.
func (a *assembly) add(now clock.Mono, source wire.Optional[wire.Timestamp], d *wire.DataFrag, r *room) (repeated int, ok bool) {
	end := d.Start() + int64(len(d.Payload))
	if end > int64(len(a.sample.Data.Payload)) && !(a.mayReach(d) && a.reach(end, r)) {
		return 0, false
	}
	if d.InlineQoS != nil && a.sample.Data.InlineQoS == nil && a.charge(len(d.InlineQoS), r) {
		a.sample.Data.InlineQoS = replace(nil, d.InlineQoS)
	}
	if !a.sample.Source.Set {
		a.sample.Source = source
	}
	a.sample.Arrival = now
	copy(a.sample.Data.Payload[d.Start():], d.Payload)
	for k := d.First - 1; k < d.First-1+wire.FragmentNumber(d.Fragments); k++ {
		repeated += a.mark(k)
	}
	a.announced = max(a.announced, d.First-1+wire.FragmentNumber(d.Fragments))
	return repeated, true
}

// mark notes that fragment k + 1 is here, and returns 1 if it was already.
func (a *assembly) mark(k wire.FragmentNumber) int {
	bit := uint64(1) << (k % 64)
	if a.have[k/64]&bit != 0 {
		return 1
	}
	a.have[k/64] |= bit
	a.came++
	a.bytes += min(int64(a.fragment), int64(a.size)-int64(k)*int64(a.fragment))
	return 0
}

func (a *assembly) complete() bool { return a.came == a.total }

// reach takes memory up to byte end of the sample: twice what there is, or
// the whole of a small sample, if there is room for it.
func (a *assembly) reach(end int64, r *room) bool {
	size, have := int64(a.size), int64(len(a.sample.Data.Payload))
	return a.grow(min(size, max(2*have, end, claimed)), r) || a.grow(end, r)
}

// mayReach reports whether only a lack of room can keep d out.
func (a *assembly) mayReach(d *wire.DataFrag) bool {
	end, n := d.Start()+int64(len(d.Payload)), int64(len(d.Payload))
	return end <= claimed || end <= ahead*(a.bytes+n)
}

func (a *assembly) grow(to int64, r *room) bool {
	fragments := (to + int64(a.fragment) - 1) / int64(a.fragment)
	words := int((fragments + 63) / 64)
	if !a.charge(int(to)-len(a.sample.Data.Payload)+8*max(0, words-len(a.have)), r) {
		return false
	}
	a.sample.Data.Payload = longer(a.sample.Data.Payload, int(to))
	was := len(a.have)
	a.have = longer(a.have, words)
	clear(a.have[was:])
	return true
}

// longer returns s with n elements, the new ones of any value.
func longer[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:max(n, len(s))]
	}
	l := make([]T, n)
	copy(l, s)
	return l
}

func (a *assembly) charge(n int, r *room) bool {
	if !r.take(n) {
		return false
	}
	a.charged += n
	return true
}

// missing appends to sets the fragments up to last that are not here, in at
// most n sets.
func (a *assembly) missing(sets []wire.FragmentSet, last wire.FragmentNumber, n int) []wire.FragmentSet {
	for k := wire.FragmentNumber(0); k < min(last, a.total); k++ {
		word := uint64(0)
		if int(k/64) < len(a.have) {
			word = a.have[k/64]
		}
		if skip := bits.TrailingZeros64(^word >> (k % 64)); skip > 0 {
			k += wire.FragmentNumber(min(skip, int(64-k%64))) - 1
			continue
		}
		if len(sets) > 0 && sets[len(sets)-1].Add(k+1) {
			continue
		}
		if len(sets) == n {
			return sets
		}
		sets = append(sets, wire.FragmentSet{Base: k + 1})
		sets[len(sets)-1].Add(k + 1)
	}
	return sets
}
