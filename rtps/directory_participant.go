package rtps

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

func (d *Directory) takeParticipant(now clock.Mono, out []Event, m *wire.Message, data *wire.Data, q *wire.InlineQoS, from netip.AddrPort) ([]Event, error) {
	bye := farewell(data, q)
	known := d.participants[m.Source]
	if known != nil && !bye && bytes.Equal(known.payload, data.Payload) {
		known.From = from
		known.Heard = now
		return out, nil
	}
	p, err := wire.ParseParticipant(data.Payload)
	if err != nil && !(bye && q.KeyHash.Set) {
		return out, err
	}
	guid, ok := identity(p.GUID, p.KeyHash, q)
	switch {
	case !ok || guid.Prefix != m.Source || guid.Prefix == (wire.GUIDPrefix{}): // zero is everybody
		d.Ignored++
		return out, nil
	case bye:
		return d.remove(now, out, m.Source, ParticipantLeft), nil
	case d.Accept != nil && !d.Accept(&p):
		return out, nil
	}
	return d.keepParticipant(now, out, m, data.Payload, &p, from), nil
}

// keepParticipant notes a participant that is new or has changed.
func (d *Directory) keepParticipant(now clock.Mono, out []Event, m *wire.Message, payload []byte, data *wire.ParticipantData, from netip.AddrPort) []Event {
	lease := defaultLease
	if data.Lease.Set {
		lease = data.Lease.Value.Std()
	}
	if lease <= 0 {
		d.Ignored++
		return out
	}
	known, kind := d.participants[m.Source], ParticipantChanged
	if known == nil {
		known, kind = &RemoteParticipant{Prefix: m.Source, Found: now}, ParticipantFound
	}
	full := kind == ParticipantFound && len(d.participants) >= orLimit(d.Limits.Participants, 4096)
	if full || !d.room(len(payload)-len(known.payload)) {
		d.Refused++
		return out
	}
	next := d.Next()
	if d.participants == nil {
		d.participants = map[wire.GUIDPrefix]*RemoteParticipant{}
	}
	d.participants[m.Source] = known
	known.Vendor, known.Data, known.From, known.Lease, known.Heard = data.Vendor.Or(m.Vendor), data, from, lease, now
	known.payload = slices.Clone(payload)
	d.lease = min(next, now.Add(lease))
	return append(out, participantEvent(kind, now, known))
}

func participantEvent(kind EventKind, now clock.Mono, p *RemoteParticipant) Event {
	guid := wire.GUID{Prefix: p.Prefix, Entity: wire.ParticipantEntity}
	return Event{Kind: kind, At: now, Remote: guid, Participant: p.Data, Vendor: p.Vendor}
}

func orLimit(n, standard int) int {
	if n == 0 {
		return standard
	}
	return n
}

// Heard renews the lease of a participant, as anything it sends does.
func (d *Directory) Heard(now clock.Mono, prefix wire.GUIDPrefix) {
	if p := d.participants[prefix]; p != nil {
		p.Heard = max(p.Heard, now)
	}
}

// Next returns when to call Expire, the far future if no lease runs. It may be
// earlier than the first lease ends, since a lease is renewed often and the
// instant worked out seldom.
func (d *Directory) Next() clock.Mono {
	if len(d.participants) == 0 {
		return never
	}
	return d.lease
}

// Expire forgets the participants whose lease has run out, and their
// endpoints.
func (d *Directory) Expire(now clock.Mono, out []Event) []Event {
	if d.Next() > now {
		return out
	}
	d.lease = never
	var lost []wire.GUIDPrefix
	for prefix, p := range d.participants {
		if end := p.Heard.Add(p.Lease); end <= now {
			lost = append(lost, prefix)
		} else {
			d.lease = min(d.lease, end)
		}
	}
	slices.SortFunc(lost, func(a, b wire.GUIDPrefix) int { return bytes.Compare(a[:], b[:]) })
	for _, prefix := range lost {
		out = d.remove(now, out, prefix, ParticipantLost)
	}
	return out
}

// remove forgets a participant and its endpoints; those are told first.
func (d *Directory) remove(now clock.Mono, out []Event, prefix wire.GUIDPrefix, kind EventKind) []Event {
	for _, e := range d.EndpointsOf(prefix) {
		out = d.removeEndpoint(now, out, e)
	}
	p := d.participants[prefix]
	if p == nil {
		return out
	}
	delete(d.participants, prefix)
	d.room(-len(p.payload))
	return append(out, participantEvent(kind, now, p))
}
