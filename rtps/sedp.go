package rtps

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

const (
	// maxLocal is how many endpoints a participant has at most.
	maxLocal = 1024
	// sedpDepth is how many announcements are kept for those who come late,
	// well above maxLocal so that only few must be said anew.
	sedpDepth = 4096
	// builtinHeld limits what is kept behind holes for each remote builtin
	// writer, in bytes.
	builtinHeld = 64 << 10
)

// The builtin endpoints in the order of builtins' fields.
const (
	publications = iota
	subscriptions
	messages
)

// builtins are the endpoints by which participants tell each other of theirs
// (8.5.4) and that they are alive (8.4.13): reliable and transient local.
type builtins struct {
	writers [3]localWriter
	readers [3]localReader

	lease    time.Duration // of liveliness, the shortest of the writers here; 0: all are infinite
	asserted clock.Mono    // when it is to be asserted next
}

func newBuiltins(p *Participant) builtins {
	var b builtins
	writers := [3]wire.EntityID{wire.PublicationsWriter, wire.SubscriptionsWriter, wire.ParticipantMessageWriter}
	readers := [3]wire.EntityID{wire.PublicationsReader, wire.SubscriptionsReader, wire.ParticipantMessageReader}
	depths := [3]int{sedpDepth, sedpDepth, 1}
	for i := range writers {
		b.writers[i] = localWriter{id: writers[i], machine: NewWriter(WriterConfig{
			GUID: wire.GUID{Prefix: p.c.Prefix, Entity: writers[i]}, History: qos.KeepLast(depths[i]), TransientLocal: true,
			FragmentSize: 65000, // none is cut: see checkSize
		})}
		b.readers[i] = localReader{id: readers[i], machine: NewReader(ReaderConfig{
			GUID: wire.GUID{Prefix: p.c.Prefix, Entity: readers[i]}, Reliable: true, TransientLocal: true, Held: builtinHeld,
		})}
	}
	b.asserted = never
	return b
}

func (b *builtins) next() clock.Mono {
	next := b.asserted
	for i := range b.writers {
		next = min(next, b.writers[i].machine.Next(), b.readers[i].machine.Next())
	}
	return next
}

// reader returns the reader of what a remote builtin writer says, or nil.
func (b *builtins) reader(writer wire.EntityID) *localReader {
	switch writer {
	case wire.PublicationsWriter:
		return &b.readers[publications]
	case wire.SubscriptionsWriter:
		return &b.readers[subscriptions]
	case wire.ParticipantMessageWriter:
		return &b.readers[messages]
	}
	return nil
}

// An announcement is what SEDP says of one endpoint here.
type announcement struct {
	guid     wire.GUID
	payload  []byte
	sequence wire.SequenceNumber // of the writer that said it
}

func (p *Participant) newAnnouncement(id wire.EntityID, c *EndpointConfig) announcement {
	guid := wire.GUID{Prefix: p.c.Prefix, Entity: id}
	data := wire.EndpointData{
		GUID:        wire.Some(guid),
		Participant: wire.Some(participantGUID(p.c.Prefix)),
		TopicName:   c.Topic, TypeName: c.Type,
		Version: wire.Some(p.pack.header.Version), Vendor: wire.Some(Vendor),
		QoS: announced(c.QoS),
	}
	data.QoS.UserData = c.UserData
	return announcement{guid: guid, payload: data.Append(nil, little)}
}

// sedpWriter returns the builtin writer that speaks of an endpoint.
func (p *Participant) sedpWriter(id wire.EntityID) *localWriter {
	if id.IsWriter() {
		return &p.builtin.writers[publications]
	}
	return &p.builtin.writers[subscriptions]
}

// publish says that an endpoint is there.
func (p *Participant) publish(now clock.Mono, a *announcement) {
	w := p.sedpWriter(a.guid.Entity)
	p.spare(now, w)
	p.say(now, w, a)
}

func (p *Participant) say(now clock.Mono, w *localWriter, a *announcement) {
	p.write(now, w, Change{Source: p.stamp(now), Payload: a.payload})
	_, a.sequence = w.machine.History()
}

// retract says that an endpoint is gone. Those who come later hear of it
// nothing but farewells, which mean nothing to them.
func (p *Participant) retract(now clock.Mono, a *announcement) {
	w := p.sedpWriter(a.guid.Entity)
	key := wire.EndpointData{GUID: wire.Some(a.guid)}
	bye := Change{Source: p.stamp(now), InlineQoS: goneQoS(a.guid), Payload: key.Append(nil, little), Key: true}
	if kept := w.machine.history.Get(a.sequence); kept != nil {
		kept.InlineQoS, kept.Payload, kept.Key = slices.Clone(bye.InlineQoS), slices.Clone(bye.Payload), true
	}
	a.sequence = 0
	p.spare(now, w)
	p.write(now, w, bye)
}

// spare says anew what is still true and would be the next to fall out of a
// full history.
func (p *Participant) spare(now clock.Mono, w *localWriter) {
	for w.machine.history.Len() == sedpDepth {
		a := p.announcementAt(w, w.machine.history.First())
		if a == nil {
			return
		}
		p.say(now, w, a)
	}
}

func (p *Participant) announcementAt(w *localWriter, n wire.SequenceNumber) *announcement {
	if w.id == wire.PublicationsWriter {
		for _, l := range p.listed {
			if l.announced.sequence == n {
				return &l.announced
			}
		}
		return nil
	}
	for _, l := range p.reading {
		if l.announced.sequence == n {
			return &l.announced
		}
	}
	return nil
}

// discovered takes what a remote builtin writer said.
func (p *Participant) discovered(now clock.Mono, s *Sample) error {
	if s.Data.Writer == wire.ParticipantMessageWriter {
		return p.asserts(now, s)
	}
	peer := p.directory.Participant(s.Writer.Prefix)
	if peer == nil {
		return nil
	}
	var q wire.InlineQoS
	if s.Data.InlineQoS != nil {
		var err error
		if q, err = wire.ParseInlineQoS(s.Data.InlineQoS, little, peer.Vendor); err != nil {
			return err
		}
	}
	start := len(p.events)
	var err error
	p.events, err = p.directory.takeEndpoint(now, p.events, s.Writer.Prefix, peer.Vendor, &s.Data, &q)
	p.follow(now, start)
	return err
}
