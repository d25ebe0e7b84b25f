package rtps

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// An EndpointConfig configures a writer or reader of a Participant.
type EndpointConfig struct {
	Topic, Type string // as DDS names them; not empty
	Keyed       bool   // the type has a key; one with and one without never match
	QoS         qos.Policies
	UserData    []byte // of a ROS topic never empty: its nodes would log a warning
	Limit       int    // samples that a writer with KEEP_ALL keeps; 0 means 1024
}

// A localWriter is a writer of the participant.
type localWriter struct {
	id        wire.EntityID
	c         EndpointConfig
	machine   *Writer
	announced announcement
	deadline  Deadline
	matched   []wire.GUID      // readers, in the order of their matching
	to        []netip.AddrPort // of all of them, each once
	only      wire.GUIDPrefix  // the participant of all of them; zero: there are several
	stale     bool             // to and only are to be worked out again
}

// A localReader is a reader of the participant.
type localReader struct {
	id        wire.EntityID
	c         EndpointConfig
	machine   *Reader
	announced announcement
	matched   int // writers
}

// AddWriter adds a writer and announces it.
func (p *Participant) AddWriter(now clock.Mono, c EndpointConfig) (wire.EntityID, error) {
	p.begin()
	id, err := p.newEndpoint(&c, wire.KindWriter, wire.KindKeyedWriter)
	if err != nil {
		return id, fmt.Errorf("adding a writer of %q: %w", c.Topic, err)
	}
	w := &localWriter{id: id, c: c, announced: p.newAnnouncement(id, &c)}
	if err := p.checkSize(&w.announced); err != nil {
		return wire.EntityID{}, fmt.Errorf("adding a writer of %q: %w", c.Topic, err)
	}
	w.machine = NewWriter(WriterConfig{
		GUID: w.announced.guid, History: c.QoS.History, Limit: c.Limit,
		TransientLocal: c.QoS.Durability >= qos.TransientLocal, Lifespan: lifespan(c.QoS.Lifespan),
		FragmentSize: p.c.FragmentSize, MaxDatagram: p.c.MaxDatagram,
	})
	p.writers[id] = w
	p.listed = append(p.listed, w)
	p.watchWriter(w)
	p.setLiveliness(now)
	p.publish(now, &w.announced)
	for _, e := range p.directory.Endpoints() {
		p.considerWriter(now, w, e)
	}
	return id, nil
}

// AddReader adds a reader and announces it.
func (p *Participant) AddReader(now clock.Mono, c EndpointConfig) (wire.EntityID, error) {
	p.begin()
	id, err := p.newEndpoint(&c, wire.KindReader, wire.KindKeyedReader)
	if err != nil {
		return id, fmt.Errorf("adding a reader of %q: %w", c.Topic, err)
	}
	r := &localReader{id: id, c: c, announced: p.newAnnouncement(id, &c)}
	if err := p.checkSize(&r.announced); err != nil {
		return wire.EntityID{}, fmt.Errorf("adding a reader of %q: %w", c.Topic, err)
	}
	r.machine = NewReader(ReaderConfig{
		GUID: r.announced.guid, Reliable: c.QoS.Reliability == qos.Reliable,
		TransientLocal: c.QoS.Durability >= qos.TransientLocal,
	})
	p.readers[id] = r
	p.reading = append(p.reading, r)
	if r.machine.c.Reliable {
		p.asking = append(p.asking, r)
	}
	p.publish(now, &r.announced)
	for _, e := range p.directory.Endpoints() {
		p.considerReader(now, r, e)
	}
	return id, nil
}

// lifespan returns a limit as a writer takes it: 0 is none, so no time at all
// is the shortest there is.
func lifespan(l qos.Limit) time.Duration {
	d, finite := l.Duration()
	if !finite {
		return 0
	}
	return max(d, 1)
}

// newEndpoint checks a configuration and returns the id of its endpoint.
func (p *Participant) newEndpoint(c *EndpointConfig, kind, keyed byte) (wire.EntityID, error) {
	switch {
	case p.left:
		return wire.EntityID{}, fmt.Errorf("the participant has left; make another")
	case c.Topic == "" || c.Type == "":
		return wire.EntityID{}, fmt.Errorf("topic %q and type %q must both be named", c.Topic, c.Type)
	case len(p.listed)+len(p.reading) >= maxLocal:
		return wire.EntityID{}, fmt.Errorf("the participant has %d endpoints already; remove some or make another participant", maxLocal)
	case c.QoS.Durability > qos.TransientLocal:
		return wire.EntityID{}, fmt.Errorf("durability %v needs a service that takt has not; take transient local", c.QoS.Durability)
	case c.QoS.Liveliness != qos.Automatic && kind == wire.KindWriter:
		return wire.EntityID{}, fmt.Errorf("takt's writers assert their liveliness automatically, not %v; take automatic", c.QoS.Liveliness)
	}
	if err := c.QoS.Check(); err != nil {
		return wire.EntityID{}, err
	}
	if c.Keyed {
		kind = keyed
	}
	p.last++
	return wire.EntityID{byte(p.last >> 16), byte(p.last >> 8), byte(p.last), kind}, nil
}

// checkSize refuses an announcement that does not fit in one datagram.
func (p *Participant) checkSize(a *announcement) error {
	const around = 256 // bytes of headers, more than there ever are
	if room := min(p.c.MaxDatagram, 14720) - around; len(a.payload) > room {
		return fmt.Errorf("its names, partitions and user data take %d bytes, more than the %d of a datagram; shorten them", len(a.payload), room)
	}
	return nil
}

// Remove takes a writer or reader away and says so. Of an id that is not known
// it does nothing.
func (p *Participant) Remove(now clock.Mono, id wire.EntityID) {
	p.begin()
	if w := p.writers[id]; w != nil {
		p.removeWriter(now, w)
	}
	if r := p.readers[id]; r != nil {
		p.removeReader(now, r)
	}
}

func (p *Participant) removeWriter(now clock.Mono, w *localWriter) {
	p.retract(now, &w.announced)
	delete(p.writers, w.id)
	p.listed = slices.DeleteFunc(p.listed, func(l *localWriter) bool { return l == w })
	p.unwatchWriter(w)
	p.setLiveliness(now)
	for _, g := range w.matched {
		p.dropRoute(g)
	}
}

func (p *Participant) removeReader(now clock.Mono, r *localReader) {
	p.retract(now, &r.announced)
	delete(p.readers, r.id)
	p.reading = slices.DeleteFunc(p.reading, func(l *localReader) bool { return l == r })
	p.asking = slices.DeleteFunc(p.asking, func(l *localReader) bool { return l == r })
	for g := range p.sources {
		p.dropSource(g, r)
	}
}

// Write writes a sample of a writer: payload from the encapsulation header on,
// which is copied, and when it was written. It fails, wrapping ErrFull, if
// everything is kept and there is no room: write again when Acked has become
// true or a reader has acknowledged some.
func (p *Participant) Write(now clock.Mono, source wire.Timestamp, writer wire.EntityID, payload []byte) error {
	p.begin()
	w := p.writers[writer]
	if w == nil || p.left {
		return fmt.Errorf("writing: the participant has no writer %v; add it first", writer)
	}
	if payload == nil {
		payload = []byte{}
	}
	err := p.write(now, w, Change{Source: source, Payload: payload})
	if err == nil {
		p.wrote(now, w)
	}
	return err
}

func (p *Participant) write(now clock.Mono, w *localWriter, c Change) (err error) {
	p.sends, err = w.machine.Write(now, p.sends[:0], c)
	p.send(w, p.sends)
	p.sends = p.sends[:0]
	return err
}

// Acked reports whether all reliable readers of a writer have acknowledged all
// of its samples; true if there is no such writer.
func (p *Participant) Acked(writer wire.EntityID) bool {
	w := p.writers[writer]
	return w == nil || w.machine.AllAcked()
}

// Counts returns what became of the samples of a remote writer at a reader
// here; false if the two do not match.
func (p *Participant) Counts(reader wire.EntityID, writer wire.GUID) (Counts, bool) {
	if r := p.readers[reader]; r != nil {
		return r.machine.Counts(writer)
	}
	return Counts{}, false
}
