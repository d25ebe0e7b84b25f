package ros

import (
	"errors"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Graph knows the nodes and topics of a domain, from what discovery and
// ros_discovery_info told it. It is handed the time, reads no clock, and is
// not safe for concurrent use. The zero Graph is empty.
//
// What it is told may be lies. It keeps no more than MaxGraphBytes of them, and
// then refuses what is new with ErrGraphFull.
type Graph struct {
	participants map[wire.GUIDPrefix]*participant
	bytes        int // of what is kept, by cost
	version      uint64
	changes      []Change
	missed       int
}

// MaxGraphBytes bounds what a Graph keeps of others' words: enough for 10,000
// endpoints with the longest names of ROS.
const MaxGraphBytes = 16 << 20

// fixedCost is about what a participant, an endpoint or a node takes beside its
// names, in bytes.
const fixedCost = 512

// ErrNotAnnounced reports words of a participant that has not announced itself,
// or is gone already.
var ErrNotAnnounced = errors.New("the participant is not announced, or gone already; announcements repeat by themselves")

// ErrGraphFull reports that a Graph holds MaxGraphBytes. Something floods the
// domain with participants or endpoints.
var ErrGraphFull = errors.New("the graph is full and leaves out what is new; a faulty or hostile participant may be flooding the domain: set another ROS_DOMAIN_ID")

// Settle is how long after an endpoint was found its node may still be
// unknown without being so: a node is announced with incomplete lists while it
// is built.
const Settle = time.Second

// What is shown in place of a node's name, as ROS does.
const (
	UnknownNode = "_NODE_NAME_UNKNOWN_"       // a ROS participant's endpoint, which none of its nodes names
	BareDDS     = "_CREATED_BY_BARE_DDS_APP_" // an endpoint of what is no ROS participant
)

// participant is all that is known of one participant.
type participant struct {
	info      Participant
	endpoints map[wire.EntityID]*Endpoint
	nodes     []NodeEntities
	owner     map[wire.EntityID]int // of endpoints: the index of the node
	infoCost  int
	nodesCost int
}

// A Participant is one of the domain: as a rule a process.
type Participant struct {
	Prefix  wire.GUIDPrefix
	Vendor  wire.VendorID
	Found   clock.Mono
	ROS     bool   // it has an enclave; what has none is a program of plain DDS
	Enclave string // "/" without security
	Host    string // as announced; "" if not
	Process string // its name, as announced
	PID     string // as announced
	Kind    string // Fast DDS's PARTICIPANT_TYPE: SIMPLE, CLIENT, SERVER, ...; "" if not announced
	Tag     string // of its domain
	SHMOnly bool   // it announces addresses for data, but none of UDP
	Form    GidForm
	// FormBySample is set if the form was read from its ros_discovery_info, not
	// inferred from the type hashes of its endpoints.
	FormBySample bool
}

// An Endpoint is a writer or reader of a participant.
type Endpoint struct {
	GUID   wire.GUID
	Topic  Topic
	Type   string // in ROS; of what is not ROS's, the name in DDS
	Hash   TypeHash
	QoS    qos.Policies
	Vendor wire.VendorID
	Found  clock.Mono
	Node   string // full name, UnknownNode or BareDDS; "" while it may still be told, and of ros_discovery_info
	hashed bool   // its user data have a type hash, good or bad
	ofTakt bool   // they are those of EndpointUserData without a hash
	cost   int
}

// IsWriter reports a writer; what is none is a reader.
func (e Endpoint) IsWriter() bool { return e.GUID.Entity.IsWriter() }

// Version returns a number that is higher after each change.
func (g *Graph) Version() uint64 { return g.version }

// SetParticipant takes what SPDP told of a participant, the first time or again.
func (g *Graph) SetParticipant(now clock.Mono, prefix wire.GUIDPrefix, vendor wire.VendorID, d *wire.ParticipantData) error {
	p, known := g.participants[prefix]
	if !known {
		p = &participant{info: Participant{Prefix: prefix, Found: now}, endpoints: map[wire.EntityID]*Endpoint{}}
	}
	next := describeParticipant(p.info, vendor, d)
	if known && next == p.info {
		return nil
	}
	cost := fixedCost + len(next.Enclave) + len(next.Host) + len(next.Process) + len(next.PID) + len(next.Kind) + len(next.Tag)
	if !g.room(cost - p.infoCost) {
		return ErrGraphFull
	}
	p.info, p.infoCost = next, cost
	g.version++
	if !known {
		g.add(p)
		g.tell(Change{At: now, Kind: ParticipantAppeared, GUID: p.guid()})
	}
	return nil
}

func (g *Graph) add(p *participant) {
	if g.participants == nil {
		g.participants = map[wire.GUIDPrefix]*participant{}
	}
	g.participants[p.info.Prefix] = p
}

func (p *participant) guid() wire.GUID {
	return wire.GUID{Prefix: p.info.Prefix, Entity: wire.ParticipantEntity}
}

// RemoveParticipant takes that a participant left, or that its lease ran out.
func (g *Graph) RemoveParticipant(now clock.Mono, prefix wire.GUIDPrefix) {
	p := g.participants[prefix]
	if p == nil {
		return
	}
	g.setNodes(now, p, nil, 0)
	for _, e := range p.sorted() {
		g.RemoveEndpoint(now, e.GUID)
	}
	g.tell(Change{At: now, Kind: ParticipantGone, GUID: p.guid()})
	delete(g.participants, prefix)
	g.bytes -= p.infoCost
	g.version++
}

// SetEndpoint takes what SEDP told of a writer or reader, the first time or
// again; p are its policies as package rtps read them.
func (g *Graph) SetEndpoint(now clock.Mono, guid wire.GUID, vendor wire.VendorID, d *wire.EndpointData, p qos.Policies) error {
	owner := g.participants[guid.Prefix]
	if owner == nil {
		return ErrNotAnnounced
	}
	e := describeEndpoint(guid, vendor, d, p)
	old := owner.endpoints[guid.Entity]
	e.Found = now
	paid := 0
	if old != nil {
		e.Found, paid = old.Found, old.cost
	}
	if !g.room(e.cost - paid) {
		return ErrGraphFull
	}
	owner.endpoints[guid.Entity] = &e
	g.infer(owner, &e)
	if old == nil {
		g.tell(Change{At: now, Kind: EndpointAppeared, GUID: guid, Name: e.Topic.Name})
	}
	g.version++
	return nil
}

// RemoveEndpoint takes that a writer or reader is gone.
func (g *Graph) RemoveEndpoint(now clock.Mono, guid wire.GUID) {
	p := g.participants[guid.Prefix]
	if p == nil || p.endpoints[guid.Entity] == nil {
		return
	}
	e := p.endpoints[guid.Entity]
	delete(p.endpoints, guid.Entity)
	g.bytes -= e.cost
	g.tell(Change{At: now, Kind: EndpointGone, GUID: guid, Name: e.Topic.Name})
	g.version++
}

// room takes n bytes more, or gives some back if n is below zero.
func (g *Graph) room(n int) bool {
	if n > 0 && g.bytes+n > MaxGraphBytes {
		return false
	}
	g.bytes += n
	return true
}
