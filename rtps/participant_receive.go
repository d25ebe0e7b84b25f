package rtps

import (
	"encoding/binary"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// Receive takes a datagram that came to any of the participant's addresses.
// The payload must not change until the next Receive.
func (p *Participant) Receive(now clock.Mono, d Datagram) {
	p.begin()
	if p.left {
		return
	}
	p.recycle()
	m, err := wire.ParseMessage(d.Payload)
	if err != nil {
		p.tally.Reject(err)
		return
	}
	r := received{now: now, arrival: d.Arrival, d: &d, m: &m}
	if r.arrival == 0 {
		r.arrival = now
	}
	var heard wire.GUIDPrefix
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		p.tally.Count(s.ID)
		if m.Source == p.c.Prefix || !m.For(p.c.Prefix) {
			continue // what multicast brings back, and what is for others
		}
		if m.Source != heard {
			heard = m.Source
			p.directory.Heard(now, heard)
		}
		if err := p.submessage(&r, s); err != nil {
			p.tally.Reject(err)
		}
	}
	if m.Err() != nil {
		p.tally.Reject(m.Err())
	}
}

// recycle lets the readers use the memory of samples that were asked for again.
func (p *Participant) recycle() {
	if !p.lent {
		return
	}
	for _, r := range p.lenders {
		r.Recycle()
	}
	clear(p.lenders)
	p.lenders = p.lenders[:0]
	p.lent = false
}

// A received is a datagram on its way through Receive.
type received struct {
	now, arrival clock.Mono
	d            *Datagram
	m            *wire.Message
}

// from returns the GUID of an entity of the participant that speaks.
func (r *received) from(e wire.EntityID) wire.GUID { return wire.GUID{Prefix: r.m.Source, Entity: e} }

func (p *Participant) submessage(r *received, s wire.Submessage) error {
	switch s.ID {
	case wire.IDData:
		d, err := wire.ParseData(s)
		if err != nil {
			return err
		}
		return p.data(r, s, &d)
	case wire.IDHeartbeat:
		h, err := wire.ParseHeartbeat(s)
		if err != nil {
			return err
		}
		return p.heartbeat(r, &h)
	case wire.IDGap:
		g, err := wire.ParseGap(s)
		if err != nil {
			return err
		}
		return p.gap(r, &g)
	case wire.IDDataFrag:
		d, err := wire.ParseDataFrag(s)
		if err != nil {
			return err
		}
		return p.dataFrag(r, s, &d)
	case wire.IDHeartbeatFrag:
		h, err := wire.ParseHeartbeatFrag(s)
		if err != nil {
			return err
		}
		p.heartbeatFrag(r, &h)
	case wire.IDAckNack:
		a, err := wire.ParseAckNack(s)
		if err != nil {
			return err
		}
		if w := p.writer(a.Writer); w != nil {
			w.machine.AckNack(r.now, r.m.Source, &a)
		}
	case wire.IDNackFrag:
		n, err := wire.ParseNackFrag(s)
		if err != nil {
			return err
		}
		if w := p.writer(n.Writer); w != nil {
			w.machine.NackFrag(r.now, r.m.Source, &n)
		}
	}
	return nil
}

func (p *Participant) data(r *received, s wire.Submessage, d *wire.Data) error {
	if d.Writer == wire.ParticipantsWriter {
		return p.announcedBy(r, s, d)
	}
	var err error
	if d.InlineQoS, err = p.littleQoS(r.m, s, d.InlineQoS); err != nil {
		return err
	}
	if b := p.builtin.reader(d.Writer); b != nil {
		p.samples = b.machine.Data(r.arrival, p.samples[:0], r.m.Source, r.m.Timestamp, d)
		return p.allDiscovered(r)
	}
	for _, src := range p.sources[r.from(d.Writer)] {
		if d.Reader == src.reader.id || d.Reader == (wire.EntityID{}) {
			p.samples = src.reader.machine.Data(r.arrival, p.samples[:0], r.m.Source, r.m.Timestamp, d)
			p.refresh(r.now, src)
			p.deliver(r, src, d.Writer)
		}
	}
	return nil
}

func (p *Participant) dataFrag(r *received, s wire.Submessage, d *wire.DataFrag) (err error) {
	if d.InlineQoS, err = p.littleQoS(r.m, s, d.InlineQoS); err != nil {
		return err
	}
	if b := p.builtin.reader(d.Writer); b != nil {
		p.samples = b.machine.DataFrag(r.arrival, p.samples[:0], r.m.Source, r.m.Timestamp, d)
		err = p.allDiscovered(r)
		b.machine.Recycle()
		return err
	}
	for _, src := range p.sources[r.from(d.Writer)] {
		m := src.reader.machine
		p.samples = m.DataFrag(r.arrival, p.samples[:0], r.m.Source, r.m.Timestamp, d)
		if len(m.lent) > 0 && !slices.Contains(p.lenders, m) {
			p.lenders = append(p.lenders, m)
		}
		p.refresh(r.now, src)
		p.deliver(r, src, d.Writer)
	}
	return nil
}

func (p *Participant) heartbeatFrag(r *received, h *wire.HeartbeatFrag) {
	if b := p.builtin.reader(h.Writer); b != nil {
		b.machine.HeartbeatFrag(r.now, r.m.Source, h)
	}
	for _, src := range p.sources[r.from(h.Writer)] {
		src.reader.machine.HeartbeatFrag(r.now, r.m.Source, h)
	}
}

// announcedBy takes an announcement of SPDP.
func (p *Participant) announcedBy(r *received, s wire.Submessage, d *wire.Data) (err error) {
	start := len(p.events)
	p.events, err = p.directory.Take(r.now, p.events, r.m, s, d, r.d.From)
	p.follow(r.now, start)
	return err
}

func (p *Participant) heartbeat(r *received, h *wire.Heartbeat) error {
	if b := p.builtin.reader(h.Writer); b != nil {
		p.samples = b.machine.Heartbeat(r.now, p.samples[:0], r.m.Source, h)
		return p.allDiscovered(r)
	}
	for _, src := range p.sources[r.from(h.Writer)] {
		p.samples = src.reader.machine.Heartbeat(r.now, p.samples[:0], r.m.Source, h)
		if h.Liveliness {
			p.refresh(r.now, src)
		}
		p.deliver(r, src, h.Writer)
	}
	return nil
}

func (p *Participant) gap(r *received, g *wire.Gap) error {
	if b := p.builtin.reader(g.Writer); b != nil {
		p.samples = b.machine.Gap(p.samples[:0], r.m.Source, g)
		return p.allDiscovered(r)
	}
	for _, src := range p.sources[r.from(g.Writer)] {
		p.samples = src.reader.machine.Gap(p.samples[:0], r.m.Source, g)
		p.deliver(r, src, g.Writer)
	}
	return nil
}

// writer returns a writer here, of users or builtin, or nil.
func (p *Participant) writer(id wire.EntityID) *localWriter {
	for i := range p.builtin.writers {
		if w := &p.builtin.writers[i]; w.id == id {
			return w
		}
	}
	return p.writers[id]
}

// allDiscovered takes the samples of a builtin writer.
func (p *Participant) allDiscovered(r *received) (err error) {
	for i := range p.samples {
		if e := p.discovered(r.now, &p.samples[i]); e != nil {
			err = e
		}
	}
	return err
}

// deliver hands samples on and tells what else became of a writer's samples.
func (p *Participant) deliver(r *received, src *source, writer wire.EntityID) {
	for i := range p.samples {
		p.deliveries = append(p.deliveries, Delivery{src.reader.id, p.samples[i]})
		p.sampled(p.samples[i].Arrival, src)
	}
	c, _ := src.reader.machine.Counts(r.from(writer))
	if lost := c.Lost + c.Overwritten + c.TooLarge; lost > src.lost {
		p.count(r, SampleLost, src, writer, lost-src.lost)
		src.lost = lost
	}
	if c.NoRoom > src.rejected {
		p.count(r, SampleRejected, src, writer, c.NoRoom-src.rejected)
		src.rejected = c.NoRoom
	}
}

func (p *Participant) count(r *received, kind EventKind, src *source, writer wire.EntityID, n uint64) {
	p.events = append(p.events, Event{Kind: kind, At: r.now, Local: src.reader.id, Remote: r.from(writer), Count: n})
}

// littleQoS returns an inline QoS in little endian, as the machines keep it.
func (p *Participant) littleQoS(m *wire.Message, s wire.Submessage, list []byte) ([]byte, error) {
	if list == nil || s.Order() == binary.LittleEndian {
		return list, nil
	}
	q, err := wire.ParseInlineQoS(list, s.Order(), m.Vendor)
	if err != nil {
		return nil, err
	}
	p.inline = q.Append(p.inline[:0], binary.LittleEndian)
	return p.inline, nil
}
