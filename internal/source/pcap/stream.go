package pcap

import (
	"net/netip"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// What one capture may make a Graph keep of who got what.
const (
	maxReceptions = 16384
	maxReaders    = 1024      // that one writer's samples are counted for
	maxRoom       = 4 << 20   // ranges of all receptions
	maxAddresses  = 16        // of a participant or endpoint
	maxSequence   = 1<<62 - 1 // higher numbers are no counting that began at 1
)

// A pair names a reception.
type pair struct{ writer, reader wire.GUID }

// A stream is what passes of one writer.
type stream struct {
	Samples
	endpoint *Endpoint // nil until it is announced
	early    []byte    // the latest payload before that
	partial  assemblies
	told     numbers // samples that came whole, at any reader
	readers  []*Reception
	asOf     int // Graph.changes when readers were looked up
}

// stream returns what passes of a writer, or nil if there are too many.
func (g *Graph) stream(writer wire.GUID) *stream {
	if s := g.streams[writer]; s != nil {
		return s
	}
	if len(g.streams) == maxWriters {
		g.Refused++
		return nil
	}
	if g.streams == nil {
		g.streams = map[wire.GUID]*stream{}
	}
	s := &stream{Samples: Samples{Writer: writer}, asOf: -1}
	s.partial.room = g.ranges()
	s.told.room = g.ranges()
	g.streams[writer] = s
	return s
}

func (g *Graph) ranges() *room {
	if g.spare == nil {
		g.spare = &room{maxRoom}
	}
	return g.spare
}

// match looks up the readers of a writer, as often as endpoints change.
func (g *Graph) match(s *stream) {
	if s.asOf == g.changes {
		return
	}
	s.asOf, s.readers = g.changes, s.readers[:0]
	if s.endpoint = g.endpoints[s.Writer]; s.endpoint == nil {
		return
	}
	if s.early != nil {
		g.listenForNodes(s, s.early)
		s.early = nil
	}
	for _, e := range g.readersOf[s.endpoint.DDSTopic] {
		if r := g.reception(s.endpoint, e); r != nil {
			s.readers = append(s.readers, r)
		}
	}
}

// reception returns what a reader gets of a writer, or nil if it gets nothing,
// or nothing by the wire.
func (g *Graph) reception(w, e *Endpoint) *Reception {
	if r := g.receptions[pair{w.GUID, e.GUID}]; r != nil {
		return r
	}
	if w.GUID.Prefix == e.GUID.Prefix || w.DDSTopic != e.DDSTopic || w.DDSType != e.DDSType ||
		len(qos.Match(w.QoS, e.QoS)) > 0 {
		return nil
	}
	if len(g.receptions) == maxReceptions {
		g.Refused++
		return nil
	}
	if g.receptions == nil {
		g.receptions = map[pair]*Reception{}
	}
	r := &Reception{Reader: e, Writer: w, graph: g}
	for _, s := range []*numbers{&r.seen, &r.settled, &r.nacked, &r.repaired, &r.nackFragged} {
		s.room = g.ranges()
	}
	r.Fragments.room = g.ranges()
	g.receptions[pair{w.GUID, e.GUID}] = r
	return r
}

// A place is where in the graph a submessage was sent.
type place struct {
	participant wire.GUIDPrefix // zero: whoever listens at the address
	reader      wire.EntityID   // zero: all that match
	address     netip.AddrPort
	at          clock.Wall
}

// reaches reports whether what was sent to p comes to a reader.
func (g *Graph) reaches(p *place, e *Endpoint) bool {
	if p.reader != (wire.EntityID{}) && p.reader != e.GUID.Entity {
		return false
	}
	if e.Left.Set && p.at > e.Left.Value {
		return false
	}
	owner := g.participants[e.GUID.Prefix]
	if owner != nil && owner.lost(p.at) {
		return false
	}
	if p.participant != (wire.GUIDPrefix{}) {
		return p.participant == e.GUID.Prefix
	}
	return listens(e.addresses, p.address) || len(e.addresses) == 0 && owner != nil && listens(owner.addresses, p.address)
}

func listens(all []netip.AddrPort, a netip.AddrPort) bool {
	for _, own := range all {
		if own == a {
			return true
		}
	}
	return false
}

// addresses returns where locators can be reached. Other kinds than UDPv4,
// such as shared memory, are not in a capture.
func addresses(lists ...[]wire.Locator) (all []netip.AddrPort) {
	for _, list := range lists {
		for _, l := range list {
			if a, ok := l.AddrPort(); ok && len(all) < maxAddresses {
				all = append(all, a)
			}
		}
	}
	return all
}
