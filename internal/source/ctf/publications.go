package ctf

import "github.com/takt-rt/takt/timeline"

// A publication is one sample that was published.
type publication struct {
	seq    uint64 // its number among all; 0: none
	topic  *topic
	writer *writer // nil: it was published outside of the trace
	number uint64  // among the writer's
	at     int64   // instant of the call, if there is a writer
	stamp  int64   // source timestamp on the axis, if stamped
	wall   int64   // the same on the wall clock

	stamped bool
	taken   bool // by any reader
}

// stampKey folds a topic and a source timestamp on the wall clock, by which a
// sample is known on both sides of the middleware, into one number: maps of
// numbers are twice as fast. Who finds a publication by it compares the two.
// Should two writers of a topic write in the same nanosecond, the later one is
// taken for both.
func stampKey(on *topic, wall int64) uint64 {
	const spread = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio
	return uint64(wall) + on.number*spread
}

// An addressKey is what a message is known by within its process.
type addressKey struct {
	pid     int64
	address uint64
}

const (
	maxPublications = 1 << 15 // that are remembered: older ones are not taken any more
	maxAddresses    = 1 << 16
)

// publications remembers the latest ones.
type publications struct {
	kept      []publication // a ring once it is full
	last      uint64        // seq
	stamps    map[uint64]uint64
	addresses map[addressKey]uint64
}

// add remembers a publication and returns its number.
func (ps *publications) add(p publication) uint64 {
	ps.last++
	p.seq = ps.last
	if len(ps.kept) < maxPublications {
		ps.kept = append(ps.kept, p)
		return p.seq
	}
	old := &ps.kept[(p.seq-1)%maxPublications]
	if old.stamped {
		ps.forget(old)
	}
	*old = p
	return p.seq
}

// get returns a publication, nil if it is no longer remembered.
func (ps *publications) get(seq uint64) *publication {
	if seq == 0 {
		return nil
	}
	p := &ps.kept[(seq-1)%maxPublications]
	if p.seq != seq {
		return nil
	}
	return p
}

// stamp notes the source timestamp of a publication, on the axis and the wall clock.
func (ps *publications) stamp(seq uint64, axis, wall int64) {
	p := ps.get(seq)
	if p == nil {
		return
	}
	if ps.stamps == nil {
		ps.stamps = map[uint64]uint64{}
	}
	p.stamp, p.wall, p.stamped = axis, wall, true
	ps.stamps[stampKey(p.topic, wall)] = seq
}

// forget makes room for another publication.
func (ps *publications) forget(old *publication) {
	if key := stampKey(old.topic, old.wall); ps.stamps[key] == old.seq {
		delete(ps.stamps, key)
	}
}

// stamped returns the publication on a topic of that source timestamp, 0 if
// there is none.
func (ps *publications) stamped(on *topic, wall int64) uint64 {
	p := ps.get(ps.stamps[stampKey(on, wall)])
	if p == nil || p.topic != on || p.wall != wall {
		return 0
	}
	return p.seq
}

// address notes where the message of a publication lies.
func (ps *publications) address(k addressKey, seq uint64) {
	if ps.addresses == nil || len(ps.addresses) == maxAddresses {
		ps.addresses = map[addressKey]uint64{}
	}
	ps.addresses[k] = seq
}

// first reports whether a sample is taken for the first time. Of a writer in
// the trace samples are told by number: one that a reader gets after a later
// one was taken does not count.
func (p *publication) first() bool {
	if p.writer == nil {
		first := !p.taken
		p.taken = true
		return first
	}
	if p.number <= p.writer.taken {
		return false
	}
	p.writer.taken = p.number
	return true
}

// cause names the sample, if its writer is told of.
func (p *publication) cause() timeline.Cause {
	if p.writer == nil || p.writer.id == 0 {
		return timeline.Cause{}
	}
	return timeline.Cause{Entity: p.writer.id, Number: p.number}
}
