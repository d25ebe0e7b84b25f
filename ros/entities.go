package ros

import (
	"errors"
	"fmt"

	"github.com/takt-rt/takt/cdr"
	"github.com/takt-rt/takt/rtps/wire"
)

// A GidForm is how the identifiers in ros_discovery_info are laid out. Nodes
// of one form misread the other: those of Humble take lengths from the wrong
// place, ask for gigabytes of memory and may crash (ros2/rmw_fastrtps#733).
type GidForm int

// The forms.
const (
	UnknownForm GidForm = iota
	LongForm            // 24 bytes, the last 8 of them zero: Humble
	ShortForm           // 16 bytes: Iron and later
)

func (f GidForm) String() string {
	switch f {
	case LongForm:
		return "24-byte gids (Humble)"
	case ShortForm:
		return "16-byte gids (Iron and later)"
	}
	return "gids of unknown length"
}

// Entities are what a participant writes to ros_discovery_info, whole and anew
// after every change: which of its endpoints belong to which of its nodes
// (rmw_dds_common/msg/ParticipantEntitiesInfo). Its fields are in wire order.
type Entities struct {
	Participant wire.GUID
	Nodes       []NodeEntities
}

// NodeEntities are a node and its endpoints. A client's are the reader of
// replies and the writer of requests, a service's the reverse.
type NodeEntities struct {
	Namespace        string `cdr:"max=256"` // "/" at the root
	Name             string `cdr:"max=256"`
	Readers, Writers []wire.GUID
}

// FullName returns the node's name with its namespace, such as /robot1/driver.
func (n NodeEntities) FullName() string {
	if n.Namespace == "/" {
		return "/" + n.Name
	}
	return n.Namespace + "/" + n.Name
}

// ROSType names the type of both forms.
func (Entities) ROSType() string { return "rmw_dds_common/msg/ParticipantEntitiesInfo" }

// The long form of Entities.
type (
	longGid struct {
		GUID wire.GUID
		Zero [8]uint8
	}
	longEntities struct {
		Participant longGid
		Nodes       []longNode
	}
	longNode struct {
		Namespace        string `cdr:"max=256"`
		Name             string `cdr:"max=256"`
		Readers, Writers []longGid
	}
)

// ParseEntities reads a payload of ros_discovery_info and tells its form. No
// payload has both: where the long form has zeros, the short one has the count
// of the nodes, and with a count of zero nothing may follow.
func ParseEntities(payload []byte) (e Entities, form GidForm, err error) {
	short := cdr.Unmarshal(payload, &e)
	if short == nil {
		return e, ShortForm, nil
	}
	var l longEntities
	long := cdr.Unmarshal(payload, &l)
	if long == nil {
		e, long = l.entities()
	}
	if long != nil {
		return Entities{}, UnknownForm, fmt.Errorf("%s of %d bytes has neither form: with %v: %w; with %v: %w",
			DiscoveryTopic, len(payload), ShortForm, short, LongForm, long)
	}
	return e, LongForm, nil
}

// Append appends the payload for ros_discovery_info in a form, little endian.
func (e Entities) Append(b []byte, form GidForm) ([]byte, error) {
	switch form {
	case ShortForm:
		return cdr.Append(b, cdr.LittleEndian, &e)
	case LongForm:
		l := e.long()
		return cdr.Append(b, cdr.LittleEndian, &l)
	}
	return b, errors.New("the form of gids in " + DiscoveryTopic + " must be known before it is written: the wrong one crashes nodes")
}

func (l longEntities) entities() (e Entities, err error) {
	g := gidShortener{}
	e.Participant = g.guid(l.Participant)
	for _, n := range l.Nodes {
		e.Nodes = append(e.Nodes, NodeEntities{n.Namespace, n.Name, g.guids(n.Readers), g.guids(n.Writers)})
	}
	if g.dirty {
		return Entities{}, errors.New("a gid does not end in 8 zero bytes")
	}
	return e, nil
}

// A gidShortener notes whether one of the gids was not of the long form.
type gidShortener struct{ dirty bool }

func (s *gidShortener) guid(g longGid) wire.GUID {
	s.dirty = s.dirty || g.Zero != [8]uint8{}
	return g.GUID
}

func (s *gidShortener) guids(all []longGid) (short []wire.GUID) {
	for _, g := range all {
		short = append(short, s.guid(g))
	}
	return short
}

func (e Entities) long() (l longEntities) {
	l.Participant.GUID = e.Participant
	for _, n := range e.Nodes {
		l.Nodes = append(l.Nodes, longNode{n.Namespace, n.Name, longGids(n.Readers), longGids(n.Writers)})
	}
	return l
}

func longGids(all []wire.GUID) (long []longGid) {
	for _, g := range all {
		long = append(long, longGid{GUID: g})
	}
	return long
}
