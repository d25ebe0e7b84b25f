package pcap

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
)

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
		known = &Participant{Prefix: guid.Prefix, FirstSeen: at, Heard: at}
		g.participants[guid.Prefix] = known
	} else if !g.room(len(d.Payload) - known.size) {
		g.Refused++
		return
	}
	known.size = len(d.Payload)
	known.addresses = addresses(p.DefaultUnicast, p.DefaultMulticast)
	known.Lease = wire.Optional[time.Duration]{Value: p.Lease.Value.Std(), Set: p.Lease.Set}
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
		known = &Endpoint{GUID: guid, FirstSeen: at, Node: g.claimed[guid]}
		g.endpoints[guid] = known
	} else if !g.room(len(d.Payload) - known.size) {
		g.Refused++
		return
	}
	known.size = len(d.Payload)
	g.index(known, e.TopicName)
	known.describe(&e, e.Vendor.Or(m.Vendor))
}

// index makes an endpoint found by the topic that it now announces.
func (g *Graph) index(e *Endpoint, topic string) {
	g.changes++
	if e.GUID.Entity.IsWriter() || e.DDSTopic == topic {
		return
	}
	if g.readersOf == nil {
		g.readersOf = map[string][]*Endpoint{}
	}
	g.readersOf[e.DDSTopic] = slices.DeleteFunc(g.readersOf[e.DDSTopic], func(other *Endpoint) bool { return other == e })
	if len(g.readersOf[e.DDSTopic]) == 0 {
		delete(g.readersOf, e.DDSTopic)
	}
	if len(g.readersOf[topic]) == maxReaders {
		g.Refused++
		return
	}
	g.readersOf[topic] = append(g.readersOf[topic], e)
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
	p := g.participants[prefix]
	if p == nil || p.Left.Set {
		return
	}
	p.Left = wire.Some(at)
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
