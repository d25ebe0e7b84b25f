package pcap

import (
	"github.com/takt-rt/takt/rtps/wire"
)

// Take listens to one datagram. What a cut one still holds whole counts.
func (g *Graph) Take(d Datagram) {
	if !g.first.Set {
		g.first = wire.Some(d.At)
	}
	m, err := wire.ParseMessage(d.Payload)
	if err != nil {
		g.Tally.Reject(err)
		return
	}
	g.last = max(g.last, d.At)
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		g.Tally.Count(s.ID)
		if p := g.participants[m.Source]; p != nil {
			p.Heard = max(p.Heard, d.At)
		}
		if err := g.submessage(&m, s, &d); err != nil {
			g.Tally.Reject(err)
		}
	}
	if err := m.Err(); err != nil {
		g.Tally.Reject(err)
	}
}

func (g *Graph) submessage(m *wire.Message, s wire.Submessage, d *Datagram) error {
	switch s.ID {
	case wire.IDData:
		data, err := wire.ParseData(s)
		if err == nil {
			g.data(m, s, &data, d)
		}
		return err
	case wire.IDDataFrag:
		frag, err := wire.ParseDataFrag(s)
		if err == nil {
			g.fragment(m, &frag, d)
		}
		return err
	case wire.IDHeartbeat:
		h, err := wire.ParseHeartbeat(s)
		if err == nil {
			g.fromWriter(m, h.Writer, h.Reader, d, func(r *Reception) { r.heartbeat(h, d.At) })
		}
		return err
	case wire.IDGap:
		gap, err := wire.ParseGap(s)
		if err == nil {
			g.fromWriter(m, gap.Writer, gap.Reader, d, func(r *Reception) { r.gap(&gap, d.At) })
		}
		return err
	case wire.IDAckNack:
		a, err := wire.ParseAckNack(s)
		if r := g.fromReader(m, a.Reader, a.Writer); err == nil && r != nil {
			r.ackNack(&a, d.At)
		}
		return err
	case wire.IDNackFrag:
		n, err := wire.ParseNackFrag(s)
		if r := g.fromReader(m, n.Reader, n.Writer); err == nil && r != nil {
			r.nackFrag(&n)
		}
		return err
	}
	return nil
}

// fromWriter calls f for every reader that a writer's submessage reaches.
func (g *Graph) fromWriter(m *wire.Message, writer, reader wire.EntityID, d *Datagram, f func(*Reception)) {
	s := g.streams[wire.GUID{Prefix: m.Source, Entity: writer}]
	if s == nil {
		return // it has sent nothing that could be missing
	}
	g.match(s)
	p := place{m.Destination, reader, d.Destination, d.At}
	for _, r := range s.readers {
		if g.reaches(&p, r.Reader) {
			f(r)
		}
	}
}

// fromReader returns what a reader gets of the writer that it speaks to.
func (g *Graph) fromReader(m *wire.Message, reader, writer wire.EntityID) *Reception {
	e := g.endpoints[wire.GUID{Prefix: m.Source, Entity: reader}]
	w := g.endpoints[wire.GUID{Prefix: m.Destination, Entity: writer}]
	if e == nil || w == nil {
		return nil
	}
	return g.reception(w, e)
}

func (g *Graph) data(m *wire.Message, s wire.Submessage, data *wire.Data, d *Datagram) {
	switch {
	case data.Writer == wire.ParticipantsWriter, data.Writer == wire.PublicationsWriter, data.Writer == wire.SubscriptionsWriter:
		g.announcement(m, s, data, d)
	case !data.Writer.Builtin():
		g.sample(m, data, d)
	}
}
