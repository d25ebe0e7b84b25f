package pcap

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// A sample is one that came whole.
type sample struct {
	number  wire.SequenceNumber
	at      clock.Wall                // of its last part
	sent    wire.Optional[clock.Wall] // source timestamp
	size    uint32                    // bytes; 0: it carries no data, as that which disposes of an instance
	payload []byte                    // nil if it was fragmented and nobody wanted it; good during the call
}

// An observer is told what a Graph hears, in the order of the datagrams.
type observer interface {
	// sample takes a writer's sample when the first of its copies is whole.
	sample(s *stream, m *sample)
	received(r *Reception, m *sample, asked uint32)
	dropped(r *Reception, which Range, why timeline.DropReason, at clock.Wall)
	// wanted reports whether the payload of fragmented samples is of use.
	wanted(s *stream) bool
}

func (g *Graph) sample(m *wire.Message, d *wire.Data, from *Datagram) {
	s := g.meet(m, d.Writer, d.Sequence)
	if s == nil {
		return
	}
	all := &g.heard
	*all = sample{number: d.Sequence, at: from.At, sent: stamp(m), size: uint32(len(d.Payload)), payload: d.Payload}
	if d.Key {
		all.size = 0
	}
	s.add(all.number, all.sent)
	g.whole(s, all)
	p := place{m.Destination, d.Reader, from.Destination, from.At}
	for _, r := range s.readers {
		if g.reaches(&p, r.Reader) {
			r.Messages++
			r.take(all)
		}
	}
}

func (g *Graph) fragment(m *wire.Message, d *wire.DataFrag, from *Datagram) {
	s := g.meet(m, d.Writer, d.Sequence)
	if s == nil {
		return
	}
	sent := stamp(m)
	s.add(d.Sequence, sent)
	all := &g.heard
	*all = sample{number: d.Sequence, at: from.At, size: d.SampleSize}
	if done := s.partial.add(d, sent, g.wants(s)); done != nil {
		all.sent, all.payload = done.stamp, done.whole
		g.whole(s, all)
	}
	p := place{m.Destination, d.Reader, from.Destination, from.At}
	for _, r := range s.readers {
		if !g.reaches(&p, r.Reader) {
			continue
		}
		r.Messages++
		if done := r.Fragments.add(d, sent, false); done != nil {
			all.sent, all.payload = done.stamp, nil
			r.take(all)
		}
	}
}

// meet returns the stream of a writer that sends a sample, with its readers
// looked up; nil: it is not listened to.
func (g *Graph) meet(m *wire.Message, writer wire.EntityID, n wire.SequenceNumber) *stream {
	if writer.Builtin() {
		return nil
	}
	if n > maxSequence {
		g.Refused++
		return nil
	}
	s := g.stream(wire.GUID{Prefix: m.Source, Entity: writer})
	if s != nil {
		g.match(s)
	}
	return s
}

func stamp(m *wire.Message) wire.Optional[clock.Wall] {
	if !m.Timestamp.Set {
		return wire.Optional[clock.Wall]{}
	}
	return wire.Some(m.Timestamp.Value.Wall())
}

// whole tells of a sample the first time that it is whole.
func (g *Graph) whole(s *stream, m *sample) {
	g.listenForNodes(s, m.payload)
	first, ok := s.told.add(m.number)
	if !ok {
		s.Uncounted++
	}
	if !first {
		return
	}
	if g.observer != nil {
		g.observer.sample(s, m)
	}
}

func (g *Graph) wants(s *stream) bool {
	if s.endpoint != nil && s.endpoint.DDSTopic == ros.DiscoveryTopic {
		return true
	}
	return g.observer != nil && g.observer.wanted(s)
}
