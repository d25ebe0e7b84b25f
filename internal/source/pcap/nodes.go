package pcap

import (
	"slices"

	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
)

// Bounds of what is kept to know the nodes.
const (
	maxNodes = 1024 // of one participant
	maxEarly = 4096 // bytes of the latest payload of a writer not yet announced
)

// listenForNodes looks at the payload of a sample. The first may come before
// the writer is announced, so the latest of an unknown writer is kept.
func (g *Graph) listenForNodes(s *stream, payload []byte) {
	switch {
	case payload == nil:
	case s.endpoint != nil && s.endpoint.DDSTopic == ros.DiscoveryTopic:
		g.nodes(s.Writer.Prefix, payload)
	case s.endpoint == nil && len(payload) <= maxEarly:
		s.early = append(s.early[:0], payload...)
	}
}

// nodes takes over what a participant says about its nodes. A node grows by one
// endpoint from message to message and shrinks again when it ends, so a claim
// once made stays.
func (g *Graph) nodes(prefix wire.GUIDPrefix, payload []byte) {
	p := g.participants[prefix]
	if p == nil {
		return
	}
	all, _, err := ros.ParseEntities(payload)
	if err != nil || all.Participant.Prefix != prefix {
		g.BadNodes++
		return
	}
	for _, n := range all.Nodes {
		if g.node(p, n.FullName()) {
			g.claim(p, n)
		}
	}
}

// node notes a node of a participant. It is false if there is no room for it.
func (g *Graph) node(p *Participant, name string) bool {
	if slices.Contains(p.Nodes, name) {
		return true
	}
	if len(p.Nodes) == maxNodes || !g.room(len(name)) {
		g.Refused++
		return false
	}
	p.Nodes = append(p.Nodes, name)
	return true
}

// claim notes that endpoints of a participant belong to a node.
func (g *Graph) claim(p *Participant, n ros.NodeEntities) {
	for _, guid := range slices.Concat(n.Readers, n.Writers) {
		if guid.Prefix != p.Prefix {
			continue
		}
		if e := g.endpoints[guid]; e != nil {
			e.Node = n.FullName()
			continue
		}
		if g.claimed == nil {
			g.claimed = map[wire.GUID]string{}
		}
		if len(g.claimed) < maxEndpoints {
			g.claimed[guid] = n.FullName()
		}
	}
}
