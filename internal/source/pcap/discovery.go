package pcap

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// announcement notes what a DATA of SPDP or SEDP changes. The directory knows
// who is there; the records here outlive a farewell, so they have bounds of
// their own.
func (g *Graph) announcement(m *wire.Message, s wire.Submessage, data *wire.Data, d *Datagram) {
	refused := g.directory.Refused
	events, err := g.directory.Take(clock.Mono(d.At.Sub(g.first.Value)), g.events[:0], m, s, data, d.Source)
	if err != nil {
		g.Tally.Reject(err)
	}
	g.Refused += g.directory.Refused - refused
	for _, e := range events {
		switch e.Kind {
		case rtps.ParticipantFound, rtps.ParticipantChanged:
			g.participant(&e, len(data.Payload), d.At)
		case rtps.ParticipantLeft:
			if p := g.participants[e.Remote.Prefix]; p != nil && !p.Left.Set {
				p.Left = wire.Some(d.At)
			}
		case rtps.WriterFound, rtps.WriterChanged, rtps.ReaderFound, rtps.ReaderChanged:
			g.endpoint(&e, len(data.Payload), d.At)
		case rtps.WriterGone, rtps.ReaderGone:
			if known := g.endpoints[e.Remote]; known != nil && !known.Left.Set {
				known.Left = wire.Some(d.At)
			}
		}
	}
	clear(events) // they hold announcements
	g.events = events
}

// participant records what a participant announced in so many bytes.
func (g *Graph) participant(e *rtps.Event, size int, at clock.Wall) {
	known := g.participants[e.Remote.Prefix]
	if known == nil {
		if len(g.participants) == maxParticipants || !g.room(size) {
			g.Refused++
			return
		}
		if g.participants == nil {
			g.participants = map[wire.GUIDPrefix]*Participant{}
		}
		known = &Participant{Prefix: e.Remote.Prefix, FirstSeen: at, Heard: at}
		g.participants[known.Prefix] = known
	} else if !g.room(size - known.size) {
		g.Refused++
		return
	}
	p := e.Participant
	known.size = size
	known.addresses = addresses(p.DefaultUnicast, p.DefaultMulticast)
	known.Lease = wire.Optional[time.Duration]{Value: p.Lease.Value.Std(), Set: p.Lease.Set}
	known.UserData, known.Enclave = string(p.UserData), ""
	if u, err := ros.ParseUserData(p.UserData); err == nil {
		known.Enclave, _ = u.Enclave()
	}
}

// endpoint records what was announced of a writer or reader in so many bytes.
func (g *Graph) endpoint(e *rtps.Event, size int, at clock.Wall) {
	known := g.endpoints[e.Remote]
	if known == nil {
		if len(g.endpoints) == maxEndpoints || !g.room(size) {
			g.Refused++
			return
		}
		if g.endpoints == nil {
			g.endpoints = map[wire.GUID]*Endpoint{}
		}
		known = &Endpoint{GUID: e.Remote, FirstSeen: at, Node: g.claimed[e.Remote]}
		g.endpoints[known.GUID] = known
	} else if !g.room(size - known.size) {
		g.Refused++
		return
	}
	known.size = size
	g.index(known, e.Endpoint.TopicName)
	known.describe(e.Endpoint, g.directory.Endpoint(e.Remote))
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
