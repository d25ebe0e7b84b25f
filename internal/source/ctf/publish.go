package ctf

import (
	"time"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// A pending is a message on its way down through the layers of a thread, each
// of which traces it with the same address.
type pending struct {
	message uint64
	alias   uint64 // a copy of it
	at      int64  // instant of the first layer
	writer  *writer
	seq     uint64 // of the publication, once it has a writer, if there is anyone to take it
	stage   stage
}

// A stage is a set of layers.
type stage uint8

const (
	byRclcpp stage = 1 << iota
	byIntra
	byRcl
	byRMW
)

// enter takes a message's arrival at a layer. It is a new one if its address is
// another, or if it was there already.
func (t *thread) enter(e *trace.Event, message uint64, s stage) *pending {
	p := &t.pending
	if p.message != message || p.stage&s != 0 {
		*p = pending{message: message, at: e.At}
	}
	p.stage |= s
	return p
}

func (r *run) rclcppPublish(e *trace.Event) {
	p, t := r.thread(e)
	m := t.enter(e, e.Uint(1), byRclcpp)
	if e.Class.Has[0] { // not since tracetools 5
		r.publish(e, p, t, m, e.Uint(0))
	}
}

func (r *run) intraPublish(e *trace.Event) {
	p, t := r.thread(e)
	m := t.enter(e, e.Uint(1), byIntra)
	r.publish(e, p, t, m, e.Uint(0))
	r.published.address(addressKey{p.pid, m.message}, m.seq)
}

func (r *run) rclPublish(e *trace.Event) {
	p, t := r.thread(e)
	r.publish(e, p, t, t.enter(e, e.Uint(1), byRcl), e.Uint(0))
}

// publish tells of a publication, the first time that its writer is known.
func (r *run) publish(e *trace.Event, p *process, t *thread, m *pending, handle uint64) {
	w := p.writers[handle]
	if w == nil {
		return // created before the trace: its topic is not known
	}
	if m.writer == w {
		return
	}
	if m.writer != nil {
		*m = pending{message: m.message, at: e.At, stage: m.stage}
	}
	w.count++
	m.writer = w
	if w.topic.readers > 0 {
		m.seq = r.published.add(publication{topic: w.topic, writer: w, number: w.count, at: m.at})
	}
	sent := at(e, timeline.SampleSent, w.id)
	sent.Number, sent.Sent = w.count, timeline.Instant(m.at)
	sent.Flags |= timeline.HasSent
	r.sendJob(sent)
	if w.topic.readers == 0 {
		arrived := at(e, timeline.SampleArrived, w.topic.id)
		arrived.Number, arrived.Cause = w.count, timeline.Cause{Entity: w.id, Number: w.count}
		r.sendJob(arrived)
	}
}

// maxStep is how far a source timestamp may lie from the publication: a step of
// the wall clock since the tracer read it makes it lie further.
const maxStep = int64(100 * time.Millisecond)

// rmwPublish takes the source timestamp of what the thread publishes.
func (r *run) rmwPublish(e *trace.Event) {
	_, t := r.thread(e)
	m, message := &t.pending, e.Uint(0)
	if m.message != message && m.alias != message || m.stage&byRMW != 0 {
		return // the middleware's own
	}
	m.stage |= byRMW
	wall := e.Int(1)
	if m.seq == 0 || wall == 0 {
		return
	}
	axis := wall - r.clock.WallOffset
	if d := axis - m.at; d > maxStep || d < -maxStep {
		r.found.stepped++
		axis = m.at
	}
	r.published.stamp(m.seq, axis, wall)
}

// copied takes that a message has been copied.
func (r *run) copied(e *trace.Event) {
	p, t := r.thread(e)
	from, to := e.Uint(0), e.Uint(1)
	if t.pending.message == from {
		t.pending.alias = to
	}
	if seq := r.published.addresses[addressKey{p.pid, from}]; seq != 0 {
		r.published.address(addressKey{p.pid, to}, seq)
	}
}
