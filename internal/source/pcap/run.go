package pcap

import (
	"strings"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rosmsg"
	"github.com/takt-rt/takt/timeline"
)

// maxTold bounds the dropped samples of a capture that are told one by one.
const maxTold = 1 << 20

// A run is one reading of a capture: the graph's observer, and what makes a
// timeline of what it hears.
type run struct {
	name     string
	opt      Options
	graph    Graph
	entities entities
	order    order
	contents map[*stream]*content
	end      clock.Wall // the last sample that was not about a node itself

	told         uint64 // dropped samples, one by one
	untold       uint64
	badPayload   uint64
	foreignCalls uint64 // of other vendors than Cyclone DDS
	otherClock   uint64 // source timestamps further than maxSkew from the capture
}

func newRun(name string, opt Options, sink timeline.Sink) *run {
	sink.Start(timeline.Origin{Kind: "capture", Path: name, Base: timeline.Base{Clock: timeline.WallClock}})
	r := &run{name: name, opt: opt, contents: map[*stream]*content{}}
	r.entities.init(sink, opt)
	r.order.sink, r.order.entity = sink, r.place
	r.graph.observer = r
	return r
}

func (r *run) take(d Datagram) { r.graph.Take(d) }

// finish settles what is open, and describes what became of everyone.
func (r *run) finish() {
	r.graph.End()
	r.order.flush()
	r.entities.describeAll(&r.graph, r.end)
}

// place fills in the entities that were left open.
func (r *run) place(h *held) bool {
	if h.of == nil {
		return h.Entity != 0
	}
	h.Entity = r.entities.topic(h.of)
	h.Cause.Entity = r.entities.writer(h.of)
	return h.Entity != 0
}

// maxSkew is the largest difference of source timestamp and capture that is
// believed to be one of two clocks that are meant to agree.
const maxSkew = time.Hour

// event begins an event about a sample.
func (r *run) event(kind timeline.Kind, m *sample) timeline.Event {
	e := timeline.Event{
		At: timeline.Instant(m.at), Kind: kind, Size: m.size,
		Number: uint64(m.number), Cause: timeline.Cause{Number: uint64(m.number)},
	}
	if !m.sent.Set {
		return e
	}
	if skew := m.at.Sub(m.sent.Value); skew > maxSkew || skew < -maxSkew {
		r.otherClock++
		return e
	}
	e.Sent, e.Flags = timeline.Instant(m.sent.Value), timeline.HasSent
	return e
}

// wanted is of the observer.
func (r *run) wanted(s *stream) bool { return r.content(s).whole }

// sample is of the observer.
func (r *run) sample(s *stream, m *sample) {
	if m.size == 0 {
		return
	}
	if e := s.endpoint; e != nil {
		switch {
		case !r.entities.listed(e):
			return
		case e.service():
			r.call(s, m)
			return
		case e.Topic.Name != "/rosout" && e.Topic.Name != "/parameter_events":
			r.end = max(r.end, m.at)
		}
	}
	h := held{Event: r.event(timeline.SampleArrived, m), of: s}
	if m.payload == nil || r.opt.TimesOnly {
		r.order.push(h)
		return
	}
	r.content(s).read(r, s, m, &h)
}

// received is of the observer.
func (r *run) received(c *Reception, m *sample, asked uint32) {
	if m.size == 0 || !r.entities.shown(c.Reader) {
		return
	}
	e := r.event(timeline.SampleArrived, m)
	e.Value = int64(asked)
	e.Entity, e.Cause.Entity = r.entities.endpoint(c.Reader), r.entities.endpoint(c.Writer)
	r.order.push(held{Event: e})
}

// dropped is of the observer.
func (r *run) dropped(c *Reception, all Range, why timeline.DropReason, at clock.Wall) {
	if !r.entities.shown(c.Reader) {
		return
	}
	reader, writer := r.entities.endpoint(c.Reader), r.entities.endpoint(c.Writer)
	for n := all.First; n <= all.Last; n++ {
		if r.told == maxTold {
			r.untold += Range{n, all.Last}.Len()
			return
		}
		r.told++
		r.order.push(held{Event: timeline.Event{
			At: timeline.Instant(at), Kind: timeline.SampleDropped, Entity: reader, Number: uint64(n),
			Cause: timeline.Cause{Entity: writer, Number: uint64(n)}, Value: int64(why),
		}})
	}
}

// What is known of types by name.
const (
	clockType      = "rosgraph_msgs/msg/Clock"
	transformsType = "tf2_msgs/msg/TFMessage"
)

// A content says what is read from the payloads of one writer.
type content struct {
	stamper    *rosmsg.Stamper // nil: no stamp is known
	ticks      bool
	transforms bool
	whole      bool // fragmented samples are put together for it
}

// opaque is the content of a writer whose type is not known.
var opaque content

func (r *run) content(s *stream) *content {
	if c := r.contents[s]; c != nil {
		return c
	}
	if s.endpoint == nil {
		return &opaque
	}
	c := &content{}
	if s.endpoint.Topic.Kind == ros.Message && !r.opt.TimesOnly {
		c.stamper, _ = rosmsg.NewStamper(s.endpoint.Type, nil)
		c.ticks = s.endpoint.Type == clockType
		c.transforms = s.endpoint.Type == transformsType
		c.whole = c.stamper != nil
	}
	r.contents[s] = c
	return c
}

// read pushes the event with what the payload tells, and those that it leads to.
func (c *content) read(r *run, s *stream, m *sample, h *held) {
	if c.stamper == nil {
		r.order.push(*h)
		return
	}
	ns, ok, err := c.stamper.Stamp(m.payload)
	if err != nil {
		r.badPayload++
	}
	switch {
	case c.ticks && !ok:
		return // without its value a tick tells nothing
	case c.ticks:
		h.Kind, h.Value = timeline.TickArrived, ns
	case ok:
		h.Stamp, h.Flags = timeline.Stamp(ns), h.Flags|timeline.HasStamp
	}
	r.order.push(*h)
	if c.transforms {
		r.transforms(s, m, h)
	}
}

// transforms pushes an arrival of each transform of a message.
func (r *run) transforms(s *stream, m *sample, h *held) {
	topic := r.entities.topic(s)
	_ = rosmsg.EachTransform(m.payload, func(t rosmsg.Transform) {
		name := strings.ToValidUTF8(string(t.Parent)+" -> "+string(t.Child), "\uFFFD")
		e := h.Event
		e.Entity = r.entities.transform(topic, name)
		e.Size, e.Stamp, e.Flags = 0, timeline.Stamp(t.Stamp), e.Flags|timeline.HasStamp
		r.order.push(held{Event: e})
	})
}
