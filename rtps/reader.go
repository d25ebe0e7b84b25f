package rtps

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A ReaderConfig configures a Reader. Only GUID must be set.
type ReaderConfig struct {
	GUID           wire.GUID
	Reliable       bool // asks for what is lost; else it sends nothing, ever
	TransientLocal bool // asks for what a writer kept from before; only if Reliable

	// Delay is how long an answer to a HEARTBEAT that something is missing for
	// waits for datagrams that come in another order. 0 means 5 ms.
	Delay time.Duration
	// Opening is the interval of ACKNACKs until a writer's first HEARTBEAT
	// comes, doubled with each up to sixteenfold. 0 means 70 ms.
	Opening time.Duration
	// Held limits what is kept behind holes and of incomplete samples, in bytes
	// for each writer. 0 means 64 MiB. A fragmented sample that is larger is
	// given up. The number of samples held is limited to 256, that of
	// incomplete ones to 64.
	Held int
	// HeldInAll is the same for all writers together. 0 means 128 MiB. A writer
	// makes room at its own cost, never at another's.
	HeldInAll int
}

// A Reader is the reading side of the protocol towards all writers of one
// reader (8.4.12.2). It delivers the samples of each writer in order and once.
//
// Reliable, it asks again only when a HEARTBEAT comes, as Fast DDS does: how
// long a repair takes is up to the writer's heartbeats. What a volatile reader
// gets begins behind the first HEARTBEAT of its writer; samples that come
// before are kept until then and delivered first.
type Reader struct {
	c       ReaderConfig
	writers []*writerProxy // in the order of their matching
	index   map[wire.GUID]*writerProxy
	due     clock.Mono // none of them has something to do before
	room    room       // for all of them
	lent    []*assembly
	spare   *assembly
}

// NewReader returns a reader that knows no writer.
func NewReader(c ReaderConfig) *Reader {
	c.Delay = cmp.Or(c.Delay, 5*time.Millisecond)
	c.Opening = cmp.Or(c.Opening, 70*time.Millisecond)
	c.Held = cmp.Or(c.Held, 64<<20)
	c.HeldInAll = cmp.Or(c.HeldInAll, 128<<20)
	return &Reader{c: c, index: map[wire.GUID]*writerProxy{}, due: never, room: room{left: c.HeldInAll}}
}

// Match adds a writer that discovery found to match, or does nothing if it is
// there. A writer that is not reliable is read with best effort.
func (r *Reader) Match(now clock.Mono, writer wire.GUID, reliable bool) {
	if r.index[writer] != nil {
		return
	}
	p := &writerProxy{guid: writer, reliable: r.c.Reliable && reliable, due: never}
	p.window.room = room{left: r.c.Held, all: &r.room}
	if p.reliable {
		p.opening = r.c.Opening
		r.schedule(p, now)
	}
	r.writers = append(r.writers, p)
	r.index[writer] = p
}

// Unmatch forgets a writer and what was kept of it.
func (r *Reader) Unmatch(writer wire.GUID) {
	p := r.index[writer]
	if p == nil {
		return
	}
	p.drop()
	delete(r.index, writer)
	r.writers = slices.DeleteFunc(r.writers, func(q *writerProxy) bool { return q == p })
}

// Data takes a sample of the participant from, with the INFO_TS in force, and
// appends to out what can be delivered now. Samples of writers that do not
// match are ignored.
func (r *Reader) Data(now clock.Mono, out []Sample, from wire.GUIDPrefix, source wire.Optional[wire.Timestamp], d *wire.Data) []Sample {
	p := r.addressed(from, d.Writer, d.Reader)
	if p == nil {
		return out
	}
	s := Sample{Writer: p.guid, Sequence: d.Sequence, Source: source, First: now, Arrival: now, Data: *d}
	if p.reliable {
		return p.take(out, s)
	}
	return p.takeBestEffort(out, s)
}

// Heartbeat takes a HEARTBEAT of the participant from and appends to out what
// can be delivered now that the writer gave up what was before. A best-effort
// reader notes only how much was written.
func (r *Reader) Heartbeat(now clock.Mono, out []Sample, from wire.GUIDPrefix, h *wire.Heartbeat) []Sample {
	p := r.addressed(from, h.Writer, h.Reader)
	if p == nil {
		return out
	}
	p.counts.Announced = max(p.counts.Announced, h.Last)
	if !p.reliable || !p.isNew(h.Count) {
		return out
	}
	if !p.started {
		start := h.Last + 1
		if r.c.TransientLocal {
			start = h.First
		}
		out = p.start(out, start)
	}
	p.last = max(p.last, h.Last)
	out = p.advance(out, h.First, &p.counts.Overwritten)
	switch {
	case p.missing():
		r.schedule(p, now.Add(r.c.Delay))
	case !h.Final:
		r.schedule(p, now) // a writer that waits for room must not wait for this
	}
	return out
}

// Gap takes a GAP of the participant from and appends to out what it waited
// for no longer.
func (r *Reader) Gap(out []Sample, from wire.GUIDPrefix, g *wire.Gap) []Sample {
	p := r.addressed(from, g.Writer, g.Reader)
	if p == nil || !p.reliable || !p.started {
		return out
	}
	return p.gap(out, g)
}

// Next returns when Tick may have something to do, the far future if nothing.
func (r *Reader) Next() clock.Mono { return r.due }

// Tick appends the ACKNACKs and NACK_FRAGs that are due at now.
func (r *Reader) Tick(now clock.Mono, out []Send) []Send {
	if r.due > now {
		return out
	}
	r.due = never
	for _, p := range r.writers {
		if p.due <= now {
			out = r.answer(now, out, p)
		}
		r.due = min(r.due, p.due)
	}
	return out
}

// answer asks a writer for what is missing: in the ACKNACK for whole samples,
// in NACK_FRAGs behind it for parts, the order in which Cyclone DDS does.
func (r *Reader) answer(now clock.Mono, out []Send, p *writerProxy) []Send {
	p.due = never
	if !p.started {
		p.due = now.Add(p.opening)
		p.opening = min(2*p.opening, 16*r.c.Opening)
	}
	out = append(out, Send{To: p.guid, Kind: wire.IDAckNack, AckNack: p.ackNack(r.c.GUID.Entity)})
	if p.started {
		out = p.nackFrags(now, out, &r.c)
	}
	return out
}

func (r *Reader) schedule(p *writerProxy, at clock.Mono) {
	p.due = min(p.due, at)
	r.due = min(r.due, p.due)
}

// Counts returns what became of the samples of a writer; false if it does not
// match.
func (r *Reader) Counts(writer wire.GUID) (Counts, bool) {
	if p := r.index[writer]; p != nil {
		return p.counts, true
	}
	return Counts{}, false
}

// addressed returns the writer of a submessage, or nil if it is not matched or
// speaks to another reader.
func (r *Reader) addressed(from wire.GUIDPrefix, writer, reader wire.EntityID) *writerProxy {
	if reader != (wire.EntityID{}) && reader != r.c.GUID.Entity {
		return nil
	}
	return r.index[wire.GUID{Prefix: from, Entity: writer}]
}
