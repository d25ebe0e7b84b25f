package rtps

import (
	"cmp"
	"encoding/binary"
	"net/netip"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// Vendor is what takt says in place of a vendor: an id that the OMG gave to
// nobody. Fast DDS and Cyclone DDS treat their own and each other's ids
// specially, so no other may be claimed.
var Vendor = wire.VendorID{0x01, 0x63}

// What a joined participant keeps of others at most. A participant and what it
// makes the builtin readers hold cost up to 300 KiB each.
const (
	maxPeers         = 512
	maxRemote        = 16384    // writers and readers, of all participants
	maxAnnouncements = 32 << 20 // bytes
	maxMatches       = 2048     // of one writer or reader here
)

// A ParticipantConfig configures a Participant. Prefix must be set.
type ParticipantConfig struct {
	Prefix   wire.GUIDPrefix // another one at each start, or peers may ignore the second
	Domain   int             // 0 to 232
	Name     string
	UserData []byte

	// Metatraffic and UserTraffic are the unicast addresses at which the
	// participant is reached, the best first. If all are loopback addresses,
	// it sends to none but loopback addresses.
	Metatraffic, UserTraffic []netip.AddrPort
	// Announce is whom SPDP goes to besides participants already known: the
	// multicast group and the metatraffic ports of static peers.
	Announce []netip.AddrPort

	Lease    time.Duration // after this long without a word others take it for lost; 0 means 20 s
	Interval time.Duration // of SPDP; 0 means 3 s
	// FragmentSize is the length in bytes from which on samples are cut.
	// 0 means 1344, as Cyclone DDS does.
	FragmentSize int
	MaxDatagram  int // bytes; 0 means 14720, as Cyclone DDS does; up to 65507

	// Wall is CLOCK_REALTIME at the instant of NewParticipant, from which the
	// time stamps of discovery are counted; 0 counts them from 1970 on.
	Wall clock.Wall
}

// A Datagram is a datagram received.
type Datagram struct {
	Payload []byte
	Arrival clock.Mono // as the kernel saw it; 0: when Receive was called
	From    netip.AddrPort
}

// A Delivery is a sample for a reader.
type Delivery struct {
	Reader wire.EntityID
	Sample
}

// A Participant is one participant of a domain: it finds others and is found
// by them (SPDP), tells them of its endpoints and learns of theirs (SEDP),
// matches them, and carries samples between them.
//
// It is a machine as Writer and Reader are: handed the instant now and what
// arrived, it gathers what is to be sent, what was delivered and what
// happened, until it is asked. So after each call ask Packets, Deliveries and
// Events; and call Tick when Next has come.
//
// Without DDS Security anyone who can send to its ports can pretend to be any
// participant, end it and its endpoints and write in their name. What such a
// liar can not do is to make it use memory beyond its bounds, stop, or forget
// others than those in whose name it speaks; filling the bounds keeps later
// participants out.
type Participant struct {
	c     ParticipantConfig
	tally wire.Tally
	began clock.Mono
	left  bool

	directory Directory
	peers     map[wire.GUIDPrefix]*peer
	order     []*peer // as they came
	routes    map[wire.GUID][]netip.AddrPort

	strangers []Stranger // see there

	spdp    announcer
	builtin builtins

	writers map[wire.EntityID]*localWriter
	readers map[wire.EntityID]*localReader
	listed  []*localWriter // as they were added
	reading []*localReader
	asking  []*localReader          // the reliable ones of these: the others send nothing, ever
	sources map[wire.GUID][]*source // by remote writer: who reads it here
	last    uint32                  // key of the last endpoint added

	watch watch

	pack       packer
	deliveries []Delivery
	lent       bool      // the memory of samples may be used again at the next Receive
	lenders    []*Reader // of memory for fragmented samples, since it was used again
	events     []Event
	asked      struct{ packets, deliveries, events bool }
	sends      []Send   // scratch
	samples    []Sample // scratch
	inline     []byte   // scratch
}

// NewParticipant returns a participant that says its first word at now.
func NewParticipant(now clock.Mono, c ParticipantConfig) *Participant {
	c.Lease = cmp.Or(c.Lease, 20*time.Second)
	c.Interval = cmp.Or(c.Interval, 3*time.Second)
	c.FragmentSize = cmp.Or(c.FragmentSize, 1344)
	c.MaxDatagram = min(cmp.Or(c.MaxDatagram, 14720), 65507)
	p := &Participant{
		c: c, began: now,
		directory: Directory{Limits: Limits{Participants: maxPeers, Endpoints: maxRemote, Bytes: maxAnnouncements}},
		peers:     map[wire.GUIDPrefix]*peer{},
		routes:    map[wire.GUID][]netip.AddrPort{},
		writers:   map[wire.EntityID]*localWriter{},
		readers:   map[wire.EntityID]*localReader{},
		sources:   map[wire.GUID][]*source{},
	}
	p.directory.Accept = p.accepts
	p.pack = packer{max: c.MaxDatagram, header: wire.Header{
		Version: wire.ProtocolVersion{Major: 2, Minor: 3}, Vendor: Vendor, Prefix: c.Prefix,
	}}
	p.watch.due = never
	p.spdp = newAnnouncer(now, &p.c)
	p.builtin = newBuiltins(p)
	return p
}

// Directory returns what is known of others: to be read, not to be changed.
func (p *Participant) Directory() *Directory { return &p.directory }

// Tally returns what was received and what of it was refused: to be read.
func (p *Participant) Tally() *wire.Tally { return &p.tally }

// Packets returns what is to be sent since it was last asked. It is good until
// the next call of any method but Packets, Deliveries and Events. Samples that
// were written one after the other before it was asked share datagrams.
func (p *Participant) Packets() []Packet {
	if p.asked.packets {
		return nil
	}
	p.asked.packets = true
	p.pack.flush()
	return p.pack.packets
}

// Deliveries returns the samples that came since it was last asked, those of
// one writer to one reader in order. They are good for as long as what Packets
// returns, their payloads until the next Receive.
func (p *Participant) Deliveries() []Delivery {
	if p.asked.deliveries {
		return nil
	}
	p.asked.deliveries = true
	return p.deliveries
}

// Events returns what happened since it was last asked. It is good for as long
// as what Packets returns.
func (p *Participant) Events() []Event {
	if p.asked.events {
		return nil
	}
	p.asked.events = true
	return p.events
}

// begin lets go of what was asked for.
func (p *Participant) begin() {
	if p.asked.packets {
		p.pack.reset()
	}
	if p.asked.deliveries {
		p.lent = p.lent || len(p.deliveries) > 0
		clear(p.deliveries)
		p.deliveries = p.deliveries[:0]
	}
	if p.asked.events {
		clear(p.events)
		p.events = p.events[:0]
	}
	p.asked.packets, p.asked.deliveries, p.asked.events = false, false, false
}

// Next returns when Tick has something to do, the far future after Leave.
func (p *Participant) Next() clock.Mono {
	if p.left {
		return never
	}
	next := min(p.spdp.due, p.directory.Next(), p.builtin.next(), p.watch.due)
	for _, w := range p.listed {
		next = min(next, w.machine.Next())
	}
	for _, r := range p.asking {
		next = min(next, r.machine.Next())
	}
	return next
}

// Tick does what is due at now.
func (p *Participant) Tick(now clock.Mono) {
	p.begin()
	if p.left {
		return
	}
	if p.spdp.due <= now {
		p.announce(now)
	}
	start := len(p.events)
	p.events = p.directory.Expire(now, p.events)
	p.follow(now, start)
	p.tickWatch(now)
	p.tickEndpoints(now)
}

func (p *Participant) tickEndpoints(now clock.Mono) {
	p.assertLiveliness(now)
	for i := range p.builtin.writers {
		p.tickWriter(now, &p.builtin.writers[i])
	}
	for i := range p.builtin.readers {
		p.tickReader(now, p.builtin.readers[i].machine)
	}
	p.sendGathered()
	for _, w := range p.listed {
		p.tickWriter(now, w)
	}
	for _, r := range p.asking {
		p.tickReader(now, r.machine)
	}
	p.sendGathered()
}

// tickWriter gathers what a writer has to say to single readers; what is for
// all of them is packed at once.
func (p *Participant) tickWriter(now clock.Mono, w *localWriter) {
	if w.machine.Next() > now {
		return
	}
	start := len(p.sends)
	p.sends = w.machine.Tick(now, p.sends)
	if slices.ContainsFunc(p.sends[start:], func(s Send) bool { return s.To == wire.GUID{} }) {
		p.send(w, p.sends[start:])
		p.sends = p.sends[:start]
	}
}

func (p *Participant) tickReader(now clock.Mono, r *Reader) {
	if r.Next() <= now {
		p.sends = r.Tick(now, p.sends)
	}
}

// sendGathered packs what is for single readers and writers, that for one
// participant together.
func (p *Participant) sendGathered() {
	slices.SortStableFunc(p.sends, func(a, b Send) int { return slices.Compare(a.To.Prefix[:], b.To.Prefix[:]) })
	p.send(nil, p.sends)
	p.sends = p.sends[:0]
}

// send packs Sends; those to all that match are from w.
func (p *Participant) send(w *localWriter, all []Send) {
	if w != nil && w.stale {
		p.addressWriter(w)
	}
	for i := range all {
		s := &all[i]
		if s.To != (wire.GUID{}) {
			p.pack.add(s, p.route(s.To))
			continue
		}
		s.To.Prefix = w.only
		p.pack.add(s, w.to)
	}
}

// route returns the address of a reader or writer, none if it cannot be
// reached.
func (p *Participant) route(g wire.GUID) []netip.AddrPort {
	if !g.Entity.Builtin() {
		return p.routes[g]
	}
	if peer := p.peers[g.Prefix]; peer != nil {
		return peer.metatraffic
	}
	return nil
}

// stamp returns the time stamp of what discovery says at now.
func (p *Participant) stamp(now clock.Mono) wire.Timestamp {
	return wire.TimestampOf(p.c.Wall.Add(now.Sub(p.began)))
}

// Leave tells everybody that the participant and its endpoints are gone. It
// does nothing after that.
func (p *Participant) Leave(now clock.Mono) {
	p.begin()
	if p.left {
		return
	}
	for _, w := range p.listed {
		p.retract(now, &w.announced)
	}
	for _, r := range p.reading {
		p.retract(now, &r.announced)
	}
	p.farewell(now)
	p.left = true
}

var little = binary.LittleEndian
