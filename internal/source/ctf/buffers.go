package ctf

import (
	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// A buffer is the ring by which a subscription gets messages of its own process.
type buffer struct {
	places       []uint64 // what lies in each, by number of the publication
	subscription *subscription
}

// maxPlaces bounds what is remembered of one buffer.
const maxPlaces = 1 << 12

func (r *run) bufferInit(e *trace.Event) {
	p := r.process(e)
	keep(p, &p.buffers, e.Uint(0), &buffer{})
}

// bufferOf takes that a ring belongs to an intra-process buffer.
func (r *run) bufferOf(e *trace.Event) {
	p := r.process(e)
	keep(p, &p.pools, e.Uint(1), e.Uint(0))
}

// bufferFor takes which subscription an intra-process buffer is for.
func (r *run) bufferFor(e *trace.Event) {
	p := r.process(e)
	if b := p.buffers[p.pools[e.Uint(0)]]; b != nil {
		b.subscription = p.object(e.Uint(1))
	}
}

// reader returns who reads from a buffer, nil if that is not known.
func (b *buffer) reader() *reader {
	if b == nil || b.subscription == nil {
		return nil
	}
	return b.subscription.reader
}

// place returns a place of the buffer, nil if it is too far.
func (b *buffer) place(index uint64) *uint64 {
	if b == nil || index >= maxPlaces {
		return nil
	}
	for uint64(len(b.places)) <= index {
		b.places = append(b.places, 0)
	}
	return &b.places[index]
}

func (r *run) enqueue(e *trace.Event) {
	p, t := r.thread(e)
	b := p.buffers[e.Uint(0)]
	place := b.place(e.Uint(1))
	if place == nil {
		return
	}
	if old := r.published.get(*place); old != nil && e.Uint(2) != 0 && b.reader() != nil {
		dropped := at(e, timeline.SampleDropped, b.reader().id)
		dropped.Number, dropped.Cause, dropped.Value = old.number, old.cause(), int64(timeline.OverwrittenAtReader)
		r.sendJob(dropped)
	}
	*place = t.pending.seq
}

func (r *run) dequeue(e *trace.Event) {
	p, t := r.thread(e)
	b := p.buffers[e.Uint(0)]
	place := b.place(e.Uint(1))
	if place == nil || b.reader() == nil {
		return
	}
	r.took(e, t, b.reader(), *place)
	*place = 0
}

func (r *run) clearBuffer(e *trace.Event) {
	if b := r.process(e).buffers[e.Uint(0)]; b != nil {
		clear(b.places)
	}
}
