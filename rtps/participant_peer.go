package rtps

import (
	"net/netip"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A peer is a participant that this one talks with.
type peer struct {
	prefix            wire.GUIDPrefix
	metatraffic, user []netip.AddrPort // one address each, or none if it cannot be reached
}

// follow does what the events of the directory from start on call for.
func (p *Participant) follow(now clock.Mono, start int) {
	for i, end := start, len(p.events); i < end; i++ {
		e := p.events[i]
		switch e.Kind {
		case ParticipantFound:
			p.greet(now, e.Remote.Prefix, e.Participant.Builtin.Value, e.Participant.BuiltinQoS.Value)
		case ParticipantChanged:
			p.addressAgain(e.Remote.Prefix)
		case ParticipantLeft, ParticipantLost:
			p.forget(e.Remote.Prefix)
		case WriterFound, WriterChanged, ReaderFound, ReaderChanged:
			p.consider(now, p.directory.Endpoint(e.Remote))
		case WriterGone, ReaderGone:
			p.unmatchAll(now, e.Remote)
		}
	}
}

// greet answers a new participant and begins SEDP with it: now SPDP went both
// ways, before which both Fast DDS and Cyclone DDS would drop it.
func (p *Participant) greet(now clock.Mono, prefix wire.GUIDPrefix, has wire.BuiltinEndpoints, quality uint32) {
	to := &peer{prefix: prefix}
	p.peers[prefix] = to
	p.order = append(p.order, to)
	p.address(to)
	p.announceTo(now, to)
	pairs := [3]struct {
		reader, writer wire.BuiltinEndpoints
		readerID       wire.EntityID
		writerID       wire.EntityID
	}{
		{wire.HasPublicationsReader, wire.HasPublicationsWriter, wire.PublicationsReader, wire.PublicationsWriter},
		{wire.HasSubscriptionsReader, wire.HasSubscriptionsWriter, wire.SubscriptionsReader, wire.SubscriptionsWriter},
		{wire.HasParticipantMessageReader, wire.HasParticipantMessageWriter, wire.ParticipantMessageReader, wire.ParticipantMessageWriter},
	}
	for i, pair := range pairs {
		reliable := i != messages || quality&1 == 0 // its message reader may be best effort
		if w := &p.builtin.writers[i]; has&pair.reader != 0 {
			w.machine.Match(now, wire.GUID{Prefix: prefix, Entity: pair.readerID}, reliable, true)
			w.matched = append(w.matched, wire.GUID{Prefix: prefix, Entity: pair.readerID})
			w.stale = true
		}
		if has&pair.writer != 0 {
			p.builtin.readers[i].machine.Match(now, wire.GUID{Prefix: prefix, Entity: pair.writerID}, true)
		}
	}
}

// forget ends all dealings with a participant; its endpoints are gone already.
func (p *Participant) forget(prefix wire.GUIDPrefix) {
	delete(p.peers, prefix)
	p.order = slices.DeleteFunc(p.order, func(o *peer) bool { return o.prefix == prefix })
	for i := range p.builtin.writers {
		w, r := &p.builtin.writers[i], &p.builtin.readers[i]
		w.machine.Unmatch(wire.GUID{Prefix: prefix, Entity: r.id})
		r.machine.Unmatch(wire.GUID{Prefix: prefix, Entity: w.id})
		w.matched = slices.DeleteFunc(w.matched, func(g wire.GUID) bool { return g.Prefix == prefix })
		w.stale = true
	}
}

// address works out where a participant is reached.
func (p *Participant) address(to *peer) {
	known := p.directory.Participant(to.prefix)
	to.metatraffic = p.pick(known.Data.MetatrafficUnicast, known.From)
	to.user = p.pick(known.Data.DefaultUnicast, known.From)
}

// addressAgain takes over the addresses of a participant that has changed.
func (p *Participant) addressAgain(prefix wire.GUIDPrefix) {
	to := p.peers[prefix]
	if to == nil {
		return
	}
	p.address(to)
	for i := range p.builtin.writers {
		p.builtin.writers[i].stale = true
	}
	for _, e := range p.directory.EndpointsOf(prefix) {
		p.reroute(e)
	}
	for _, w := range p.listed {
		w.stale = true
	}
}

// reroute works out where a matched endpoint is reached: at its own addresses
// if it has any of use, or at those of its participant.
func (p *Participant) reroute(e *RemoteEndpoint) {
	if _, matched := p.routes[e.GUID]; !matched {
		return
	}
	to, known := p.peers[e.GUID.Prefix], p.directory.Participant(e.GUID.Prefix)
	p.routes[e.GUID] = to.user
	if own := p.pick(e.Data.Unicast, known.From); own != nil {
		p.routes[e.GUID] = own
	}
}

// pick returns the address that the participant sends from, if that is among
// those it names, since the way back exists; of a host in several networks the
// others may be beyond our reach. Otherwise it is the first of use. A participant
// is sent to at one address only, so that it gets everything once.
func (p *Participant) pick(all []wire.Locator, from netip.AddrPort) (picked []netip.AddrPort) {
	source := from.Addr().Unmap()
	for _, l := range all {
		a, ok := l.AddrPort()
		if !ok || l.Kind != wire.LocatorUDPv4 || !p.reaches(a.Addr(), source) {
			continue
		}
		if a.Addr() == source {
			return []netip.AddrPort{a}
		}
		if picked == nil {
			picked = []netip.AddrPort{a}
		}
	}
	return picked
}

// reaches reports whether an address of a participant that sends from another
// can be sent to. Its loopback address is ours only if it is on this host.
func (p *Participant) reaches(a, from netip.Addr) bool {
	switch {
	case a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return false
	case a.IsLoopback():
		return p.onlyLoopback() || from.IsLoopback() || p.owns(from)
	}
	return !p.onlyLoopback()
}

func (p *Participant) onlyLoopback() bool {
	return !slices.ContainsFunc(p.c.Metatraffic, notLoopback) && !slices.ContainsFunc(p.c.UserTraffic, notLoopback)
}

func notLoopback(a netip.AddrPort) bool { return !a.Addr().Unmap().IsLoopback() }

func (p *Participant) owns(a netip.Addr) bool {
	return slices.ContainsFunc(p.c.Metatraffic, func(own netip.AddrPort) bool { return own.Addr().Unmap() == a })
}

// addressWriter works out where what a writer sends to all goes, each address
// once, and whether one participant alone is meant. The slice is another one
// each time, since a datagram begun may still need the old one.
func (p *Participant) addressWriter(w *localWriter) {
	w.to, w.only, w.stale = nil, wire.GUIDPrefix{}, false
	for i, g := range w.matched {
		w.to = append(w.to, p.route(g)...)
		if i == 0 {
			w.only = g.Prefix
		} else if w.only != g.Prefix {
			w.only = wire.GUIDPrefix{}
		}
	}
	w.to = distinct(w.to)
}
