package ctf

import (
	"time"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// A take is a sample that a thread took for the callback that follows.
type take struct {
	reader  *reader
	seq     uint64 // of the publication; 0: not known
	of      timeline.Cause
	sent    int64
	hasSent bool
}

// cause gives the start of a callback the sample that it was called with.
func (k *take) cause(c *callback, e *timeline.Event) {
	d := c.reader()
	if k.reader == nil || d == nil || d.topic != k.reader.topic {
		return
	}
	e.Cause = k.of
	if k.hasSent {
		e.Sent, e.Flags = timeline.Instant(k.sent), e.Flags|timeline.HasSent
	}
}

func (r *run) rmwTake(e *trace.Event) {
	if e.Class.Has[2] && e.Uint(2) == 0 {
		return // there was nothing
	}
	p, t := r.thread(e)
	if d := p.rmwReaders[e.Uint(0)]; d != nil {
		r.took(e, t, d, r.byStamp(d.topic, e))
	}
}

// dispatch is CARET's event between take and callback.
func (r *run) dispatch(e *trace.Event) {
	p, t := r.thread(e)
	d := p.callback(e.Uint(0)).reader()
	if d == nil {
		return
	}
	seq := r.byStamp(d.topic, e)
	if t.taken.reader == d && t.taken.seq == seq {
		return // rmw_take was traced too
	}
	r.took(e, t, d, seq)
}

func (r *run) dispatchIntra(e *trace.Event) {
	p, t := r.thread(e)
	if d := p.callback(e.Uint(0)).reader(); d != nil {
		r.took(e, t, d, r.byAddress(d.topic, addressKey{p.pid, e.Uint(1)}))
	}
}

// byStamp returns the publication of the source timestamp in field 1, which it
// makes known if it came from outside of the trace; 0: there is none.
func (r *run) byStamp(on *topic, e *trace.Event) (seq uint64) {
	wall := e.Int(1)
	if wall == 0 {
		return 0
	}
	if seq = r.published.stamped(on, wall); seq != 0 {
		return seq
	}
	seq = r.published.add(publication{topic: on})
	r.published.stamp(seq, wall-r.clock.WallOffset, wall)
	return seq
}

// byAddress returns the latest publication of a topic whose message lay there.
func (r *run) byAddress(on *topic, k addressKey) uint64 {
	if p := r.published.get(r.published.addresses[k]); p != nil && p.topic == on {
		return p.seq
	}
	return 0
}

// maxSkew is the largest difference of source timestamp and take that is
// believed to be one of two clocks that are meant to agree.
const maxSkew = int64(time.Hour)

// took tells that a reader took a sample.
func (r *run) took(e *trace.Event, t *thread, d *reader, seq uint64) {
	k := take{reader: d, seq: seq}
	p := r.published.get(seq)
	if p != nil {
		k.of = p.cause()
		k.sent, k.hasSent = p.sent()
	}
	if skew := e.At - k.sent; k.hasSent && (skew > maxSkew || skew < -maxSkew) {
		k.hasSent = false
		r.found.farStamps++
	}
	t.taken = k
	r.sendSample(e, timeline.SampleTaken, d.id, &k)
	r.sendSample(e, timeline.SampleArrived, d.id, &k)
	if p == nil || p.first() {
		r.sendSample(e, timeline.SampleArrived, d.topic.id, &k)
	}
}

func (r *run) sendSample(e *trace.Event, kind timeline.Kind, entity timeline.EntityID, k *take) {
	s := at(e, kind, entity)
	s.Cause, s.Number = k.of, k.of.Number
	if k.hasSent {
		s.Sent, s.Flags = timeline.Instant(k.sent), s.Flags|timeline.HasSent
	}
	r.sendJob(s)
}

// sent returns when a sample was published, on the axis.
func (p *publication) sent() (at int64, ok bool) {
	switch {
	case p.stamped:
		return p.stamp, true
	case p.writer != nil:
		return p.at, true
	}
	return 0, false
}
