package rtps

import (
	"net/netip"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// At the start a participant announces itself a few times quickly, since
// datagrams get lost: as often as Fast DDS does.
const (
	quickAnnouncements = 6
	quickInterval      = 100 * time.Millisecond
)

// builtinEndpoints are those a Participant has: 0x0c3f. Type lookup and topics
// are not among them, because who claims them must answer.
const builtinEndpoints = wire.HasParticipantsWriter | wire.HasParticipantsReader |
	wire.HasPublicationsWriter | wire.HasPublicationsReader |
	wire.HasSubscriptionsWriter | wire.HasSubscriptionsReader |
	wire.HasParticipantMessageWriter | wire.HasParticipantMessageReader

// An announcer says what SPDP says of a participant (8.5.3), best effort.
type announcer struct {
	payload  []byte
	quick    int // announcements to come soon
	due      clock.Mono
	interval time.Duration
}

func newAnnouncer(now clock.Mono, c *ParticipantConfig) announcer {
	data := wire.ParticipantData{
		Version:            wire.Some(wire.ProtocolVersion{Major: 2, Minor: 3}),
		Vendor:             wire.Some(Vendor),
		GUID:               wire.Some(participantGUID(c.Prefix)),
		Builtin:            wire.Some(builtinEndpoints),
		DomainID:           wire.Some(uint32(c.Domain)),
		Lease:              wire.Some(wire.DurationOf(c.Lease)),
		DefaultUnicast:     locators(c.UserTraffic),
		MetatrafficUnicast: locators(c.Metatraffic),
		EntityName:         c.Name,
		UserData:           c.UserData,
	}
	return announcer{payload: data.Append(nil, little), quick: quickAnnouncements, due: now, interval: c.Interval}
}

func participantGUID(p wire.GUIDPrefix) wire.GUID {
	return wire.GUID{Prefix: p, Entity: wire.ParticipantEntity}
}

func locators(all []netip.AddrPort) (l []wire.Locator) {
	for _, a := range all {
		l = append(l, wire.UDPv4(a))
	}
	return l
}

// announce tells all that are known or configured that the participant is
// here.
func (p *Participant) announce(now clock.Mono) {
	p.spdp.quick--
	p.spdp.due = now.Add(p.spdp.interval)
	if p.spdp.quick > 0 {
		p.spdp.due = now.Add(min(quickInterval, p.spdp.interval))
	}
	s := p.announcement(now)
	p.pack.add(&s, p.everybody())
}

// announceTo tells one participant, at once since it has just been found.
func (p *Participant) announceTo(now clock.Mono, to *peer) {
	s := p.announcement(now)
	s.To.Prefix = to.prefix
	p.pack.add(&s, to.metatraffic)
}

// announcement always has number 1, because what it says never changes: Fast
// DDS ignores a number that it has seen, which is right then.
func (p *Participant) announcement(now clock.Mono) Send {
	return Send{Kind: wire.IDData, Source: p.stamp(now), Data: wire.Data{
		Reader: wire.ParticipantsReader, Writer: wire.ParticipantsWriter, Sequence: 1, Payload: p.spdp.payload,
	}}
}

// farewell tells everybody that the participant leaves.
func (p *Participant) farewell(now clock.Mono) {
	guid := participantGUID(p.c.Prefix)
	key := wire.ParticipantData{GUID: wire.Some(guid)}
	s := Send{Kind: wire.IDData, Source: p.stamp(now), Data: wire.Data{
		Reader: wire.ParticipantsReader, Writer: wire.ParticipantsWriter, Sequence: 2,
		InlineQoS: goneQoS(guid), Payload: key.Append(nil, little), Key: true,
	}}
	p.pack.add(&s, p.everybody())
}

// goneQoS says that what has a GUID is disposed and unregistered. With it goes
// the key as payload: Cyclone DDS takes only that, Fast DDS only the hash.
func goneQoS(guid wire.GUID) []byte {
	return wire.InlineQoS{
		KeyHash: wire.Some(guid.Bytes()),
		Status:  wire.Some(wire.Disposed | wire.Unregistered),
	}.Append(nil, little)
}

// everybody returns the addresses that announcements go to, each once.
func (p *Participant) everybody() []netip.AddrPort {
	all := slices.Clone(p.c.Announce)
	for _, peer := range p.order {
		all = append(all, peer.metatraffic...)
	}
	return distinct(all)
}

// distinct keeps the first of equal addresses.
func distinct(all []netip.AddrPort) []netip.AddrPort {
	seen := make(map[netip.AddrPort]bool, len(all))
	return slices.DeleteFunc(all, func(a netip.AddrPort) bool {
		was := seen[a]
		seen[a] = true
		return was
	})
}

// accepts says whether a participant is of the same domain. Fast DDS 2 does
// not say which it is of; a tag keeps participants apart that share one.
func (p *Participant) accepts(d *wire.ParticipantData) bool {
	if d.DomainID.Or(uint32(p.c.Domain)) == uint32(p.c.Domain) && d.DomainTag == "" {
		return true
	}
	p.refuse(d)
	return false
}
