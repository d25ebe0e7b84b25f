package ros

import (
	"fmt"
	"slices"
	"strings"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A GraphNode is one node, as its participant tells.
type GraphNode struct {
	Name        string // full, with its namespace
	Participant wire.GUIDPrefix
}

// SetNodes takes a payload of ros_discovery_info that a participant wrote. It
// replaces all that the participant wrote before. An error says what is wrong
// with the payload, or is ErrGraphFull; what was known then stays.
func (g *Graph) SetNodes(now clock.Mono, from wire.GUIDPrefix, payload []byte) error {
	if len(payload) > MaxGraphBytes/16 { // a gid in memory is hardly larger than on the wire, a name is bounded
		return fmt.Errorf("%s of %v has %d bytes: more than any process of nodes; ignored", DiscoveryTopic, from, len(payload))
	}
	e, form, err := ParseEntities(payload)
	if err != nil {
		return fmt.Errorf("from participant %v: %w", from, err)
	}
	if want := (wire.GUID{Prefix: from, Entity: wire.ParticipantEntity}); e.Participant != want {
		return fmt.Errorf("%s of participant %v speaks of %v; a participant tells of itself alone", DiscoveryTopic, from, e.Participant)
	}
	p := g.participants[from]
	if p == nil {
		return ErrNotAnnounced
	}
	cost := nodesCost(e.Nodes)
	if !g.room(cost - p.nodesCost) {
		return ErrGraphFull
	}
	g.bytes -= cost - p.nodesCost // setNodes takes it
	if p.info.Form != form || !p.info.FormBySample {
		p.info.Form, p.info.FormBySample = form, true
		g.version++
	}
	g.setNodes(now, p, e.Nodes, cost)
	return nil
}

func nodesCost(nodes []NodeEntities) (cost int) {
	const perGid = 16 + 48 // itself, and its entry in the index
	for _, n := range nodes {
		cost += fixedCost + len(n.Namespace) + len(n.Name) + perGid*(len(n.Readers)+len(n.Writers))
	}
	return cost
}

func (g *Graph) setNodes(now clock.Mono, p *participant, nodes []NodeEntities, cost int) {
	g.bytes += cost - p.nodesCost
	p.nodesCost = cost
	if slices.EqualFunc(nodes, p.nodes, sameNode) {
		return
	}
	before, after := names(p.nodes), names(nodes)
	p.nodes = nodes
	p.index()
	for _, name := range without(after, before) {
		g.tell(Change{At: now, Kind: NodeAppeared, GUID: p.guid(), Name: name})
	}
	for _, name := range without(before, after) {
		g.tell(Change{At: now, Kind: NodeGone, GUID: p.guid(), Name: name})
	}
	g.version++
}

func sameNode(a, b NodeEntities) bool {
	return a.Name == b.Name && a.Namespace == b.Namespace &&
		slices.Equal(a.Readers, b.Readers) && slices.Equal(a.Writers, b.Writers)
}

// index notes which node each endpoint belongs to; of two that claim one, the
// first. What belongs to another participant is no one's to claim.
func (p *participant) index() {
	p.owner = map[wire.EntityID]int{}
	for i, n := range p.nodes {
		for _, guid := range slices.Concat(n.Readers, n.Writers) {
			if _, claimed := p.owner[guid.Entity]; !claimed && guid.Prefix == p.info.Prefix {
				p.owner[guid.Entity] = i
			}
		}
	}
}

// names returns the full names of nodes in order, each once.
func names(nodes []NodeEntities) (all []string) {
	for _, n := range nodes {
		all = append(all, n.FullName())
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// without returns what of a sorted list is not in another.
func without(list, other []string) (rest []string) {
	for _, s := range list {
		if _, found := slices.BinarySearch(other, s); !found {
			rest = append(rest, s)
		}
	}
	return rest
}

// Nodes returns all nodes by name. Two participants may have nodes of one name;
// so may, in error, one participant.
func (g *Graph) Nodes() (all []GraphNode) {
	for _, p := range g.participants {
		for _, n := range p.nodes {
			all = append(all, GraphNode{n.FullName(), p.info.Prefix})
		}
	}
	slices.SortFunc(all, func(a, b GraphNode) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return slices.Compare(a.Participant[:], b.Participant[:])
	})
	return all
}

// node returns what is shown as the node of an endpoint.
func (p *participant) node(now clock.Mono, e *Endpoint) string {
	if i, claimed := p.owner[e.GUID.Entity]; claimed {
		return p.nodes[i].FullName()
	}
	switch {
	case e.Topic.DDS() == DiscoveryTopic: // it is in no list
		return ""
	case now.Sub(e.Found) < Settle:
		return ""
	case p.info.ROS:
		return UnknownNode
	}
	return BareDDS
}
