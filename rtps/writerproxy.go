package rtps

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A writerProxy is what a reader knows of one writer. Its memory is bounded by
// its window and its room whatever the writer sends.
type writerProxy struct {
	guid     wire.GUID
	reliable bool

	started bool                // next is known
	next    wire.SequenceNumber // the number to be delivered next; not started: the lowest held
	last    wire.SequenceNumber // the highest number known to be written
	window  window              // of the numbers from next on
	counts  Counts

	partials partials // not yet whole, from next on
	frags    int32    // NACK_FRAGs sent
	sets     []wire.FragmentSet

	heartbeat int32 // count of the last HEARTBEAT
	counted   bool
	acks      int32 // ACKNACKs sent
	due       clock.Mono
	opening   time.Duration // to the ACKNACK after the next, if not started
}

// isNew reports whether a HEARTBEAT is newer than the last one, and notes it.
func (p *writerProxy) isNew(count int32) bool {
	if p.counted && count-p.heartbeat <= 0 {
		return false
	}
	p.heartbeat, p.counted = count, true
	return true
}

// takeBestEffort delivers what is newer than all before. The first number seen
// is arbitrary: writers count while nobody listens.
func (p *writerProxy) takeBestEffort(out []Sample, s Sample) []Sample {
	if p.started && s.Sequence < p.next {
		p.counts.Repeated++
		return out
	}
	if p.started {
		p.counts.Lost += uint64(s.Sequence - p.next)
	}
	p.started, p.next = true, s.Sequence+1
	p.partials.dropBelow(p.next, &p.window.room)
	p.counts.Delivered++
	return append(out, s)
}

// take delivers a sample and what was held behind it, or holds it.
func (p *writerProxy) take(out []Sample, s Sample) []Sample {
	if a, i := p.partials.find(s.Sequence); a != nil {
		p.partials.remove(i, &p.window.room)
	}
	if !p.started {
		p.holdEarly(s)
		return out
	}
	switch {
	case s.Sequence < p.next:
		p.counts.Repeated++
	case s.Sequence == p.next:
		out = p.deliver(out, s, p.window.take(p.next).asked)
		p.next++
		p.last = max(p.last, s.Sequence)
		if p.window.slots == nil {
			return out
		}
		return p.drain(out)
	default:
		p.hold(s)
	}
	return out
}

func (p *writerProxy) hold(s Sample) {
	switch {
	case s.Sequence-p.next >= windowLen:
		p.counts.NoRoom++
	case p.window.state(s.Sequence) != missing:
		p.counts.Repeated++
	case !p.holdInRoom(s):
		p.counts.NoRoom++
	default:
		p.last = max(p.last, s.Sequence)
	}
}

// holdInRoom holds a sample, if need be in place of higher ones.
func (p *writerProxy) holdInRoom(s Sample) bool {
	for !p.window.hold(s) {
		if !p.evict(s.Sequence) {
			return false
		}
	}
	return true
}

// holdEarly holds a sample that came before the first HEARTBEAT, as long as
// all held are within one window.
func (p *writerProxy) holdEarly(s Sample) {
	switch {
	case p.next == 0:
		p.next = s.Sequence
	case s.Sequence < p.next && p.last-s.Sequence < windowLen:
		p.next = s.Sequence
	case s.Sequence < p.next:
		p.counts.NoRoom++
		return
	}
	p.hold(s)
}

// start sets the number to begin with. What is held from before it is
// delivered, in order; the holes in it are nobody's loss.
func (p *writerProxy) start(out []Sample, start wire.SequenceNumber) []Sample {
	early := p.next
	p.started = true
	if early == 0 || early > start {
		p.dropBeyond(start, early)
		p.next = start
		p.partials.dropBelow(p.next, &p.window.room)
		return p.drain(out)
	}
	var uncounted uint64
	return p.advance(out, start, &uncounted)
}

// dropBeyond lets go of what is held too far ahead of a start; they are asked
// for again.
func (p *writerProxy) dropBeyond(start, early wire.SequenceNumber) {
	for n := early; early != 0 && n <= p.last; n++ {
		if n-start >= windowLen {
			p.window.take(n)
		}
	}
}

// advance gives up waiting for numbers below to. It delivers those held, and
// counts the others in reason.
func (p *writerProxy) advance(out []Sample, to wire.SequenceNumber, reason *uint64) []Sample {
	for end := min(to, p.next+windowLen); p.next < end; p.next++ {
		switch s := p.window.take(p.next); s.state {
		case held:
			out = p.deliver(out, *s.sample, s.asked)
		case irrelevant:
			p.counts.Irrelevant++
		case tooLarge:
			p.counts.TooLarge++
		case missing:
			*reason++
		}
	}
	if p.next < to {
		*reason += uint64(to - p.next)
		p.next = to
	}
	p.partials.dropBelow(p.next, &p.window.room)
	return p.drain(out)
}

// gap notes what need not be waited for. Of what lies beyond the window
// nothing is noted: the writer will say so again when asked.
func (p *writerProxy) gap(out []Sample, g *wire.Gap) []Sample {
	if g.Start <= p.next && p.next < g.List.Base {
		out = p.advance(out, g.List.Base, &p.counts.Irrelevant)
	}
	for n := range g.Within(p.next, p.next+windowLen-1) {
		if at := p.window.at(n); at.state == missing {
			at.state = irrelevant
			if a, i := p.partials.find(n); a != nil {
				p.partials.remove(i, &p.window.room)
			}
		}
	}
	return p.drain(out)
}

// drain delivers what no hole is in front of any more.
func (p *writerProxy) drain(out []Sample) []Sample {
	for ; ; p.next++ {
		switch p.window.state(p.next) {
		case missing:
			return out
		case held:
			s := p.window.take(p.next)
			out = p.deliver(out, *s.sample, s.asked)
		case irrelevant:
			p.window.take(p.next)
			p.counts.Irrelevant++
		case tooLarge:
			p.window.take(p.next)
			p.counts.TooLarge++
		}
	}
}

// drop lets go of all that is kept.
func (p *writerProxy) drop() {
	p.window.drop()
	p.partials.dropBelow(wire.MaxSequence+1, &p.window.room)
}

func (p *writerProxy) deliver(out []Sample, s Sample, asked int) []Sample {
	s.Repairs = asked
	p.counts.Delivered++
	if asked > 0 {
		p.counts.Repaired++
	}
	return append(out, s)
}

// missing reports whether a sample known to be written is neither here nor
// irrelevant: the one at next would not be next otherwise.
func (p *writerProxy) missing() bool { return p.next <= p.last }

// ackNack says what is here and asks for what is missing. Before the first
// HEARTBEAT it says nothing and asks for one. Base is never 0, which Cyclone
// DDS would refuse.
func (p *writerProxy) ackNack(reader wire.EntityID) wire.AckNack {
	p.acks++
	a := wire.AckNack{Reader: reader, Writer: p.guid.Entity, Missing: wire.SequenceSet{Base: 1}, Count: p.acks}
	if !p.started {
		return a
	}
	a.Missing.Base = p.next
	for n := p.next; n <= min(p.last, p.next+windowLen-1); n++ {
		if at := p.window.at(n); at.state == missing && !p.isPartial(n) {
			if !a.Missing.Add(n) {
				break // no more fit; the rest is asked for next
			}
			at.asked++
		}
	}
	a.Final = a.Missing.Len() == 0
	return a
}
