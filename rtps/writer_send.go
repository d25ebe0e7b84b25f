package rtps

import (
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// sample appends a new sample for all readers.
func (w *Writer) sample(out []Send, c *Change) []Send {
	if w.isCut(c) {
		return w.newFragments(out, c)
	}
	return append(out, w.data(c, wire.GUID{}))
}

func (w *Writer) data(c *Change, to wire.GUID) Send {
	return Send{To: to, Kind: wire.IDData, Source: c.Source, Data: wire.Data{
		Reader: to.Entity, Writer: w.c.GUID.Entity, Sequence: c.Sequence,
		InlineQoS: c.InlineQoS, Payload: c.Payload, Key: c.Key,
	}}
}

// heartbeatWithSample appends heartbeats behind a sample, so that a loss shows
// at once. Most require no answer; one does in each interval, or when the room
// of a writer that keeps everything is half used. The one behind the sample for
// which there was just room comes always: nothing would ask after it.
func (w *Writer) heartbeatWithSample(now clock.Mono, out []Send) []Send {
	ask := now.Sub(w.askedAt) >= w.c.Heartbeat || w.c.History.KeepAll && 2*w.history.Len() >= w.history.limit
	if now.Sub(w.sentAt) < piggyback && !w.stuck() {
		return out
	}
	w.sentAt = now
	if ask {
		w.askedAt = now
	}
	if w.allHeard() {
		h := w.newHeartbeat(w.history.First(), w.history.Last(), !ask)
		return append(out, Send{Kind: wire.IDHeartbeat, Heartbeat: h})
	}
	for _, p := range w.readers {
		if p.reliable {
			out = append(out, w.heartbeatTo(p, !ask))
		}
	}
	return out
}

// stuck reports whether the next Write will find no room.
func (w *Writer) stuck() bool {
	return w.c.History.KeepAll && w.history.full() && w.acked() < w.history.First()
}

// allHeard reports whether all reliable readers know where they start, so
// that one heartbeat is right for all of them.
func (w *Writer) allHeard() bool {
	for _, p := range w.readers {
		if p.reliable && !p.heard {
			return false
		}
	}
	return true
}

func (w *Writer) heartbeatTo(p *readerProxy, final bool) Send {
	first, last := max(w.history.First(), p.start), w.history.Last()
	if p.volatile && !p.heard {
		first, last = p.start, p.start-1
	}
	h := w.newHeartbeat(first, last, final)
	h.Reader = p.guid.Entity
	return Send{To: p.guid, Kind: wire.IDHeartbeat, Heartbeat: h}
}

func (w *Writer) newHeartbeat(first, last wire.SequenceNumber, final bool) wire.Heartbeat {
	w.count++
	return wire.Heartbeat{Writer: w.c.GUID.Entity, First: first, Last: last, Count: w.count, Final: final}
}

// burst is about how many bytes of samples go to one reader at once in answer
// to what it asked for: half of what a socket of the default size takes, as
// Fast DDS has it. The rest follows after Merge.
const burst = 100_000

// answer appends what a reader asked for: the samples, fragments of others, one
// GAP for all that are gone or were never for it, and a heartbeat that asks
// whether they came. What is more than a burst stays asked for, and the
// heartbeat waits for it: it would be lost as well, and be missed.
func (w *Writer) answer(now clock.Mono, out []Send, p *readerProxy) []Send {
	first, left := max(w.history.First(), p.start), burst
	p.fragments = slices.DeleteFunc(p.fragments, func(r fragmentRequest) bool { return p.asked.Contains(r.sequence) })
	out = w.repairSamples(out, p, first, &left)
	out = w.repairFragments(out, p, first, &left)
	p.answered, p.due = now, never
	if p.asked.Len() > 0 || len(p.fragments) > 0 {
		w.schedule(now, p)
		return out
	}
	return append(out, w.heartbeatTo(p, false))
}

// repairSamples takes what it appends from the samples asked for, and from what
// is left of the burst.
func (w *Writer) repairSamples(out []Send, p *readerProxy, first wire.SequenceNumber, left *int) []Send {
	gap, rest := false, wire.SequenceSet{Base: p.asked.Base}
	for n := range p.asked.All() {
		switch c := w.history.Get(n); {
		case n < first && !gap:
			out = append(out, w.gap(p, n, first))
			gap, p.repaired = true, 0
		case *left <= 0:
			rest.Add(n)
		case n >= first && c != nil:
			if out = w.repair(out, c, p, left); p.repaired > 0 {
				rest.Add(n)
			}
		}
	}
	p.asked = rest
	return out
}

// gap says that all from start up to and without end need not be waited for.
// It names the reader: Cyclone DDS ignores a GAP that does not.
func (w *Writer) gap(p *readerProxy, start, end wire.SequenceNumber) Send {
	return Send{To: p.guid, Kind: wire.IDGap, Gap: wire.Gap{
		Reader: p.guid.Entity, Writer: w.c.GUID.Entity, Start: start, List: wire.SequenceSet{Base: end},
	}}
}
