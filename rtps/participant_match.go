package rtps

import (
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A source is a remote writer as one reader here sees it.
type source struct {
	reader         *localReader
	writer         wire.GUID
	deadline       Deadline // of the reader
	lease          Lease    // of the writer
	liveliness     qos.Liveliness
	lost, rejected uint64 // told by events so far
}

// consider matches a remote endpoint that is new or has changed with those
// here.
func (p *Participant) consider(now clock.Mono, e *RemoteEndpoint) {
	if e == nil {
		return
	}
	p.reroute(e)
	for _, w := range p.listed {
		p.considerWriter(now, w, e)
	}
	for _, r := range p.reading {
		p.considerReader(now, r, e)
	}
}

// considerWriter matches a writer here with a remote reader, or ends it.
func (p *Participant) considerWriter(now clock.Mono, w *localWriter, e *RemoteEndpoint) {
	if !e.GUID.Entity.IsReader() {
		return
	}
	matched := slices.Contains(w.matched, e.GUID)
	fits := p.fits(now, w.id, &w.c, e, w.c.QoS, e.Policies)
	switch {
	case fits && !matched && len(w.matched) >= maxMatches:
		p.directory.Refused++
	case fits && !matched:
		p.matchWriter(now, w, e)
	case fits:
		w.stale = true
	case matched:
		p.unmatchWriter(now, w, e.GUID)
	}
}

// considerReader matches a reader here with a remote writer, or ends it.
func (p *Participant) considerReader(now clock.Mono, r *localReader, e *RemoteEndpoint) {
	if !e.GUID.Entity.IsWriter() {
		return
	}
	matched := p.source(e.GUID, r) != nil
	fits := p.fits(now, r.id, &r.c, e, e.Policies, r.c.QoS)
	switch {
	case fits && !matched && r.matched >= maxMatches:
		p.directory.Refused++
	case fits && !matched:
		p.matchReader(now, r, e)
	case !fits && matched:
		p.unmatchReader(now, r, e.GUID)
	}
}

// fits reports whether an endpoint here and a remote one match. If only their
// policies stand between them, an event says so.
func (p *Participant) fits(now clock.Mono, local wire.EntityID, c *EndpointConfig, e *RemoteEndpoint, offered, requested qos.Policies) bool {
	if c.Topic != e.Data.TopicName || c.Type != e.Data.TypeName || c.Keyed != e.GUID.Entity.Keyed() || e.Problem != nil {
		return false
	}
	if !qos.PartitionsMeet(offered.Partition, requested.Partition) {
		return false
	}
	bad := qos.Incompatible(offered, requested)
	if len(bad) > 0 {
		p.events = append(p.events, Event{Kind: Incompatible, At: now, Local: local, Remote: e.GUID, Mismatches: bad})
	}
	return len(bad) == 0
}

func (p *Participant) matchWriter(now clock.Mono, w *localWriter, e *RemoteEndpoint) {
	p.addRoute(e)
	w.matched = append(w.matched, e.GUID)
	w.stale = true
	w.machine.Match(now, e.GUID, e.Policies.Reliability == qos.Reliable, e.Policies.Durability >= qos.TransientLocal)
	p.tell(now, Matched, w.id, e.GUID)
}

func (p *Participant) unmatchWriter(now clock.Mono, w *localWriter, reader wire.GUID) {
	w.matched = slices.DeleteFunc(w.matched, func(g wire.GUID) bool { return g == reader })
	w.machine.Unmatch(reader)
	p.dropRoute(reader)
	w.stale = true
	p.tell(now, Unmatched, w.id, reader)
}

func (p *Participant) matchReader(now clock.Mono, r *localReader, e *RemoteEndpoint) {
	p.addRoute(e)
	s := &source{reader: r, writer: e.GUID}
	p.sources[e.GUID] = append(p.sources[e.GUID], s)
	p.watchSource(now, s, e.Policies, r.c.QoS)
	r.matched++
	r.machine.Match(now, e.GUID, e.Policies.Reliability == qos.Reliable)
	p.tell(now, Matched, r.id, e.GUID)
}

func (p *Participant) unmatchReader(now clock.Mono, r *localReader, writer wire.GUID) {
	p.dropSource(writer, r)
	r.machine.Unmatch(writer)
	r.matched--
	p.tell(now, Unmatched, r.id, writer)
}

// unmatchAll ends all dealings with a remote endpoint that is gone.
func (p *Participant) unmatchAll(now clock.Mono, remote wire.GUID) {
	for _, w := range p.listed {
		if slices.Contains(w.matched, remote) {
			p.unmatchWriter(now, w, remote)
		}
	}
	for _, s := range slices.Clone(p.sources[remote]) {
		p.unmatchReader(now, s.reader, remote)
	}
}

func (p *Participant) tell(now clock.Mono, kind EventKind, local wire.EntityID, remote wire.GUID) {
	p.events = append(p.events, Event{Kind: kind, At: now, Local: local, Remote: remote})
}

// source returns a remote writer as a reader here sees it, or nil.
func (p *Participant) source(writer wire.GUID, r *localReader) *source {
	for _, s := range p.sources[writer] {
		if s.reader == r {
			return s
		}
	}
	return nil
}

func (p *Participant) dropSource(writer wire.GUID, r *localReader) {
	if s := p.source(writer, r); s != nil {
		p.unwatchSource(s)
	}
	left := slices.DeleteFunc(p.sources[writer], func(s *source) bool { return s.reader == r })
	if len(left) > 0 {
		p.sources[writer] = left
		return
	}
	delete(p.sources, writer)
	p.dropRoute(writer)
}

// addRoute notes where an endpoint that matches is reached.
func (p *Participant) addRoute(e *RemoteEndpoint) {
	if _, there := p.routes[e.GUID]; !there {
		p.routes[e.GUID] = nil
		p.reroute(e)
	}
}

// dropRoute forgets where an endpoint is reached once nothing here matches it.
func (p *Participant) dropRoute(remote wire.GUID) {
	matches := func(w *localWriter) bool { return slices.Contains(w.matched, remote) }
	if len(p.sources[remote]) == 0 && !slices.ContainsFunc(p.listed, matches) {
		delete(p.routes, remote)
	}
}
