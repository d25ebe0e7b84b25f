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

	// Delay is how long an answer to a HEARTBEAT waits for datagrams that come
	// in another order. 0 means 5 ms.
	Delay time.Duration
	// Opening is the interval of ACKNACKs until a writer's first HEARTBEAT
	// comes, doubled with each up to sixteenfold. 0 means 70 ms.
	Opening time.Duration
	// Held limits the payload kept behind holes, in bytes for each writer.
	// 0 means 4 MiB. The number of samples is limited to 256.
	Held int
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
}

// NewReader returns a reader that knows no writer.
func NewReader(c ReaderConfig) *Reader {
	c.Delay = cmp.Or(c.Delay, 5*time.Millisecond)
	c.Opening = cmp.Or(c.Opening, 70*time.Millisecond)
	c.Held = cmp.Or(c.Held, 4<<20)
	return &Reader{c: c}
}

// Match adds a writer that discovery found to match, or does nothing if it is
// there. A writer that is not reliable is read with best effort.
func (r *Reader) Match(now clock.Mono, writer wire.GUID, reliable bool) {
	if r.writer(writer) != nil {
		return
	}
	p := &writerProxy{guid: writer, reliable: r.c.Reliable && reliable, due: never}
	if p.reliable {
		p.due, p.opening = now, r.c.Opening
		p.window.room = r.c.Held
	}
	r.writers = append(r.writers, p)
}

// Unmatch forgets a writer and what was kept of it.
func (r *Reader) Unmatch(writer wire.GUID) {
	r.writers = slices.DeleteFunc(r.writers, func(p *writerProxy) bool { return p.guid == writer })
}

// Data takes a sample of the participant from, with the INFO_TS in force, and
// appends to out what can be delivered now. Samples of writers that do not
// match are ignored.
func (r *Reader) Data(now clock.Mono, out []Sample, from wire.GUIDPrefix, source wire.Optional[wire.Timestamp], d *wire.Data) []Sample {
	p := r.addressed(from, d.Writer, d.Reader)
	if p == nil {
		return out
	}
	s := Sample{Writer: p.guid, Sequence: d.Sequence, Source: source, Arrival: now, Data: *d}
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
	if !h.Final || p.missing() {
		p.due = min(p.due, now.Add(r.c.Delay))
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

// Next returns when Tick has something to do, the far future if nothing.
func (r *Reader) Next() clock.Mono {
	next := never
	for _, p := range r.writers {
		next = min(next, p.due)
	}
	return next
}

// Tick appends the ACKNACKs that are due at now.
func (r *Reader) Tick(now clock.Mono, out []Send) []Send {
	for _, p := range r.writers {
		if p.due > now {
			continue
		}
		p.due = never
		if !p.started {
			p.due = now.Add(p.opening)
			p.opening = min(2*p.opening, 16*r.c.Opening)
		}
		out = append(out, Send{To: p.guid, Kind: wire.IDAckNack, AckNack: p.ackNack(r.c.GUID.Entity)})
	}
	return out
}

// Counts returns what became of the samples of a writer; false if it does not
// match.
func (r *Reader) Counts(writer wire.GUID) (Counts, bool) {
	if p := r.writer(writer); p != nil {
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
	return r.writer(wire.GUID{Prefix: from, Entity: writer})
}

func (r *Reader) writer(g wire.GUID) *writerProxy {
	for _, p := range r.writers {
		if p.guid == g {
			return p
		}
	}
	return nil
}
