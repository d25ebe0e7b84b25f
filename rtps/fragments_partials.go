package rtps

import (
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// maxPartials is how many samples of one writer may be incomplete at once.
const maxPartials = 64

// partials are the incomplete samples of one writer.
type partials struct {
	list []*assembly // ascending by sequence number
}

// find returns the assembly of a number, or nil, and where it is or belongs.
func (p *partials) find(n wire.SequenceNumber) (*assembly, int) {
	i, found := slices.BinarySearchFunc(p.list, n, func(a *assembly, n wire.SequenceNumber) int {
		return int(min(1, max(-1, a.sample.Sequence-n)))
	})
	if !found {
		return nil, i
	}
	return p.list[i], i
}

// remove takes an assembly out and gives its room back.
func (p *partials) remove(i int, r *room) *assembly {
	a := p.list[i]
	p.list = slices.Delete(p.list, i, i+1)
	r.give(a.charged)
	a.charged = 0
	return a
}

// dropBelow lets go of what is not waited for any longer.
func (p *partials) dropBelow(n wire.SequenceNumber, r *room) {
	for len(p.list) > 0 && p.list[0].sample.Sequence < n {
		p.remove(0, r)
	}
}

// addFragments takes fragments and returns the assembly that they complete,
// out of the list, or nil.
func (p *writerProxy) addFragments(now clock.Mono, source wire.Optional[wire.Timestamp], d *wire.DataFrag, spare *assembly) (complete *assembly, usedSpare bool) {
	a, i := p.partials.find(d.Sequence)
	if a != nil && !a.fits(d) {
		// One of the two is a lie. Keeping the first would let it block the
		// sample for good.
		p.partials.remove(i, &p.window.room)
		a = nil
	}
	if a == nil {
		for len(p.partials.list) >= maxPartials {
			if !p.evict(d.Sequence) {
				p.counts.NoRoom++
				return nil, false
			}
		}
		a, usedSpare = begin(spare, p.guid, now, d), spare != nil
		_, i = p.partials.find(d.Sequence)
		p.partials.list = slices.Insert(p.partials.list, i, a)
		for !a.charge(assemblyCost, &p.window.room) {
			if !p.evict(d.Sequence) {
				break
			}
		}
	}
	repeated, ok := a.add(now, source, d, &p.window.room)
	for !ok && a.mayReach(d) && p.evict(d.Sequence) {
		repeated, ok = a.add(now, source, d, &p.window.room)
	}
	if !ok {
		p.counts.NoRoom++
	}
	p.counts.FragmentsRepeated += uint64(repeated)
	_, i = p.partials.find(d.Sequence)
	switch {
	case a.complete():
		return p.partials.remove(i, &p.window.room), usedSpare
	case a.came == 0:
		p.partials.remove(i, &p.window.room)
	}
	return nil, usedSpare
}

// evict makes room for sample n: with best effort the oldest other incomplete
// sample goes, else the highest held or incomplete one beyond n, which will be
// asked for again. So what is to be delivered next always finds room. It is
// false if there is nothing to let go of.
func (p *writerProxy) evict(n wire.SequenceNumber) bool {
	list := p.partials.list
	if !p.reliable {
		if len(list) == 0 || list[0].sample.Sequence >= n {
			return false
		}
		p.partials.remove(0, &p.window.room)
		return true
	}
	top := p.window.highest(n, p.next)
	if k := len(list); k > 0 && list[k-1].sample.Sequence > max(n, top) {
		p.partials.remove(k-1, &p.window.room)
	} else if top > n {
		p.window.take(top)
	} else {
		return false
	}
	p.counts.NoRoom++
	return true
}
