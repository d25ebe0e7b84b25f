package rtps

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// maxNackFrags is how many NACK_FRAGs, of up to 256 fragments each, go to a
// writer at once. What more is missing is asked for when these have come.
const maxNackFrags = 8

// DataFrag takes fragments of a sample of the participant from, with the
// INFO_TS in force, and appends to out what can be delivered now. The
// fragments may come in any order and repeatedly; other samples may be
// incomplete at the same time. With best effort a sample that is complete ends
// the hope for all before it.
func (r *Reader) DataFrag(now clock.Mono, out []Sample, from wire.GUIDPrefix, source wire.Optional[wire.Timestamp], d *wire.DataFrag) []Sample {
	p := r.addressed(from, d.Writer, d.Reader)
	if p == nil || !p.wants(d) {
		return out
	}
	if int64(d.SampleSize) > int64(r.c.Held) {
		return p.giveUp(out, d.Sequence)
	}
	if p.started {
		p.last = max(p.last, d.Sequence)
	}
	a, usedSpare := p.addFragments(now, source, d, r.spare)
	if usedSpare {
		r.spare = nil
	}
	if a == nil {
		return out
	}
	r.lent = append(r.lent, a)
	return p.takeWhole(out, a)
}

// HeartbeatFrag takes a HEARTBEAT_FRAG of the participant from: what it says
// was sent and is not here will be asked for.
func (r *Reader) HeartbeatFrag(now clock.Mono, from wire.GUIDPrefix, h *wire.HeartbeatFrag) {
	p := r.addressed(from, h.Writer, h.Reader)
	if p == nil || !p.started || !p.reliable {
		return
	}
	a, _ := p.partials.find(h.Sequence)
	if a == nil {
		return
	}
	a.announced = max(a.announced, min(h.Last, a.total))
	if a.came < a.announced {
		r.schedule(p, now.Add(r.c.Delay))
	}
}

// Recycle tells the reader that the samples it has given so far are done with,
// so that the memory of fragmented ones can be used again. Who never calls it
// pays with an allocation for each of these.
func (r *Reader) Recycle() {
	for i, a := range r.lent {
		if r.spare == nil || cap(a.sample.Data.Payload) > cap(r.spare.sample.Data.Payload) {
			r.spare = a
		}
		r.lent[i] = nil
	}
	r.lent = r.lent[:0]
}

// wants reports whether fragments are of a sample that is still waited for,
// and counts those that are not.
func (p *writerProxy) wants(d *wire.DataFrag) bool {
	n := d.Sequence
	early := p.reliable && !p.started && p.next != 0
	switch {
	case p.started && n < p.next:
		p.counts.FragmentsRepeated += uint64(d.Fragments)
	case p.reliable && p.started && n-p.next >= windowLen, early && (n-p.last >= windowLen || p.next-n >= windowLen):
		p.counts.NoRoom++
	case p.reliable && p.started && p.window.state(n) != missing:
		p.counts.FragmentsRepeated += uint64(d.Fragments)
	default:
		return true
	}
	return false
}

// giveUp waits no longer for a sample that there can never be room for. With
// best effort it counts as lost when a later one comes.
func (p *writerProxy) giveUp(out []Sample, n wire.SequenceNumber) []Sample {
	if !p.reliable || !p.started {
		return out
	}
	if a, i := p.partials.find(n); a != nil {
		p.partials.remove(i, &p.window.room)
	}
	p.window.at(n).state = tooLarge
	p.last = max(p.last, n)
	return p.drain(out)
}

// takeWhole takes a sample that has become complete.
func (p *writerProxy) takeWhole(out []Sample, a *assembly) []Sample {
	s := a.sample
	s.Data.Payload = s.Data.Payload[:a.size:a.size]
	if !p.reliable {
		return p.takeBestEffort(out, s)
	}
	if p.started && a.asked > 0 && s.Sequence-p.next < windowLen {
		p.window.at(s.Sequence).asked += a.asked
	}
	return p.take(out, s)
}

func (p *writerProxy) isPartial(n wire.SequenceNumber) bool {
	a, _ := p.partials.find(n)
	return a != nil
}

// nackFrags asks for the missing fragments of incomplete samples, the oldest
// first. Those that may still be on their way are not asked for: behind the
// last that was announced, and at the end of a sample that is just coming in.
func (p *writerProxy) nackFrags(now clock.Mono, out []Send, c *ReaderConfig) []Send {
	left := maxNackFrags
	for _, a := range p.partials.list {
		last := a.announced
		if a.sample.Sequence <= p.counts.Announced {
			last = a.total
		}
		if quiet := a.sample.Arrival.Add(c.Delay); quiet > now && last > a.announced {
			last = a.announced
			p.due = min(p.due, quiet)
		}
		p.sets = a.missing(p.sets[:0], last, left)
		if len(p.sets) > 0 {
			a.asked++
		}
		for _, set := range p.sets {
			p.frags++
			left--
			out = append(out, Send{To: p.guid, Kind: wire.IDNackFrag, NackFrag: wire.NackFrag{
				Reader: c.GUID.Entity, Writer: p.guid.Entity, Sequence: a.sample.Sequence, Missing: set, Count: p.frags,
			}})
		}
		if left == 0 {
			break
		}
	}
	return out
}
