package pcap

import (
	"cmp"
	"maps"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
)

// What one capture may make a Graph keep. Real graphs stay far below.
const (
	maxParticipants = 4096
	maxEndpoints    = 65536
	maxWriters      = 4096     // with samples, each at most maxRanges
	maxDescription  = 64 << 20 // bytes of announcements, all together
)

// A Graph listens to datagrams: to discovery, and to how many samples of each
// writer pass. It knows only what was said while the capture ran. Endpoints of
// the protocol itself are not part of it.
//
// The zero Graph is ready for use.
type Graph struct {
	Tally wire.Tally // submessages, and what of them was refused
	// Refused counts announcements and samples beyond the bounds of memory.
	Refused uint64

	participants map[wire.GUIDPrefix]*Participant
	endpoints    map[wire.GUID]*Endpoint
	samples      map[wire.GUID]*Samples
	described    int // bytes of the announcements that participants and endpoints are known by
}

// Participants returns all that were announced, by prefix.
func (g *Graph) Participants() []*Participant {
	return slices.SortedFunc(maps.Values(g.participants), func(a, b *Participant) int {
		return slices.Compare(a.Prefix[:], b.Prefix[:])
	})
}

// Endpoints returns all writers and readers that were announced, by GUID.
func (g *Graph) Endpoints() []*Endpoint {
	return slices.SortedFunc(maps.Values(g.endpoints), func(a, b *Endpoint) int {
		return compareGUID(a.GUID, b.GUID)
	})
}

// Samples returns what passed of each writer, announced or not, by GUID.
func (g *Graph) Samples() []*Samples {
	return slices.SortedFunc(maps.Values(g.samples), func(a, b *Samples) int {
		return compareGUID(a.Writer, b.Writer)
	})
}

func compareGUID(a, b wire.GUID) int {
	return cmp.Or(slices.Compare(a.Prefix[:], b.Prefix[:]), slices.Compare(a.Entity[:], b.Entity[:]))
}

// Take listens to one datagram. What a cut one still holds whole counts.
func (g *Graph) Take(d Datagram) {
	m, err := wire.ParseMessage(d.Payload)
	if err != nil {
		g.Tally.Reject(err)
		return
	}
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		g.Tally.Count(s.ID)
		switch s.ID {
		case wire.IDData:
			data, err := wire.ParseData(s)
			g.Tally.Reject(err)
			if err == nil {
				g.data(&m, s, &data, d.At)
			}
		case wire.IDDataFrag:
			frag, err := wire.ParseDataFrag(s)
			g.Tally.Reject(err)
			if err == nil {
				g.sample(&m, frag.Writer, frag.Sequence)
			}
		}
	}
	g.Tally.Reject(m.Err())
}

func (g *Graph) data(m *wire.Message, s wire.Submessage, d *wire.Data, at clock.Wall) {
	switch d.Writer {
	case wire.ParticipantsWriter, wire.PublicationsWriter, wire.SubscriptionsWriter:
		g.announcement(m, s, d, at)
	default:
		g.sample(m, d.Writer, d.Sequence)
	}
}

func (g *Graph) announcement(m *wire.Message, s wire.Submessage, d *wire.Data, at clock.Wall) {
	var q wire.InlineQoS
	if d.InlineQoS != nil {
		var err error
		if q, err = wire.ParseInlineQoS(d.InlineQoS, s.Order(), m.Vendor); err != nil {
			g.Tally.Reject(err)
			return
		}
	}
	if d.Writer == wire.ParticipantsWriter {
		g.participant(d, &q, at)
		return
	}
	g.endpoint(m, d, &q, at)
}

func (g *Graph) sample(m *wire.Message, writer wire.EntityID, n wire.SequenceNumber) {
	if writer.Builtin() {
		return
	}
	guid := wire.GUID{Prefix: m.Source, Entity: writer}
	s := g.samples[guid]
	if s == nil {
		if len(g.samples) == maxWriters {
			g.Refused++
			return
		}
		if g.samples == nil {
			g.samples = map[wire.GUID]*Samples{}
		}
		s = &Samples{Writer: guid}
		g.samples[guid] = s
	}
	var stamp wire.Optional[clock.Wall]
	if m.Timestamp.Set {
		stamp = wire.Some(m.Timestamp.Value.Wall())
	}
	s.add(n, stamp)
}

func (g *Graph) participant(d *wire.Data, q *wire.InlineQoS, at clock.Wall) {
	p, err := wire.ParseParticipant(d.Payload)
	if err != nil && !(farewell(d, q) && q.KeyHash.Set) {
		g.Tally.Reject(err)
		return
	}
	guid, ok := identity(p.GUID, p.KeyHash, q)
	if !ok {
		return
	}
	if farewell(d, q) {
		g.leave(guid.Prefix, at)
		return
	}
	known := g.participants[guid.Prefix]
	if known == nil {
		if len(g.participants) == maxParticipants || !g.room(len(d.Payload)) {
			g.Refused++
			return
		}
		if g.participants == nil {
			g.participants = map[wire.GUIDPrefix]*Participant{}
		}
		known = &Participant{Prefix: guid.Prefix, FirstSeen: at}
		g.participants[guid.Prefix] = known
	} else if !g.room(len(d.Payload) - known.size) {
		g.Refused++
		return
	}
	known.size = len(d.Payload)
	known.UserData, known.Enclave = string(p.UserData), ""
	if u, err := ros.ParseUserData(p.UserData); err == nil {
		known.Enclave, _ = u.Enclave()
	}
}

func (g *Graph) endpoint(m *wire.Message, d *wire.Data, q *wire.InlineQoS, at clock.Wall) {
	e, err := wire.ParseEndpoint(d.Payload)
	if err != nil && !(farewell(d, q) && q.KeyHash.Set) {
		g.Tally.Reject(err)
		return
	}
	guid, ok := identity(e.GUID, e.KeyHash, q)
	if !ok || guid.Entity.Builtin() {
		return
	}
	known := g.endpoints[guid]
	if farewell(d, q) {
		if known != nil && !known.Left.Set {
			known.Left = wire.Some(at)
		}
		return
	}
	if known == nil {
		if len(g.endpoints) == maxEndpoints || !g.room(len(d.Payload)) {
			g.Refused++
			return
		}
		if g.endpoints == nil {
			g.endpoints = map[wire.GUID]*Endpoint{}
		}
		known = &Endpoint{GUID: guid, FirstSeen: at}
		g.endpoints[guid] = known
	} else if !g.room(len(d.Payload) - known.size) {
		g.Refused++
		return
	}
	known.size = len(d.Payload)
	known.describe(&e, e.Vendor.Or(m.Vendor))
}

// room takes n bytes of those that announcements may fill, or gives back -n.
func (g *Graph) room(n int) bool {
	if g.described+n > maxDescription {
		return false
	}
	g.described += n
	return true
}

// leave notes the first farewell of a participant, which is that of all its
// endpoints.
func (g *Graph) leave(prefix wire.GUIDPrefix, at clock.Wall) {
	if p := g.participants[prefix]; p != nil && !p.Left.Set {
		p.Left = wire.Some(at)
	}
	for guid, e := range g.endpoints {
		if guid.Prefix == prefix && !e.Left.Set {
			e.Left = wire.Some(at)
		}
	}
}

// farewell reports that what d speaks of is disposed or unregistered.
func farewell(d *wire.Data, q *wire.InlineQoS) bool {
	return d.Key || q.Status.Value&(wire.Disposed|wire.Unregistered) != 0
}

// identity returns whom an announcement is about: by its GUID, or where that is
// absent by the key hash within or beside it.
func identity(guid wire.Optional[wire.GUID], hash wire.Optional[[16]byte], q *wire.InlineQoS) (wire.GUID, bool) {
	switch {
	case guid.Set:
		return guid.Value, true
	case hash.Set:
		return wire.ParseGUID(hash.Value), true
	case q.KeyHash.Set:
		return wire.ParseGUID(q.KeyHash.Value), true
	}
	return wire.GUID{}, false
}
