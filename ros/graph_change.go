package ros

import (
	"fmt"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A ChangeKind says what changed in a Graph.
type ChangeKind int

// The kinds of changes.
const (
	ParticipantAppeared ChangeKind = iota
	ParticipantGone
	NodeAppeared
	NodeGone
	EndpointAppeared
	EndpointGone
)

// A Change is something that came or went.
type Change struct {
	At   clock.Mono
	Kind ChangeKind
	GUID wire.GUID // the participant or endpoint; of a node, its participant
	Name string    // of the node, or of the endpoint's topic
}

func (c Change) String() string {
	switch c.Kind {
	case NodeAppeared:
		return c.Name + " appeared"
	case NodeGone:
		return c.Name + " is gone"
	case EndpointAppeared:
		return fmt.Sprintf("%s of %s appeared", c.role(), c.Name)
	case EndpointGone:
		return fmt.Sprintf("%s of %s is gone", c.role(), c.Name)
	case ParticipantAppeared:
		return fmt.Sprintf("participant %v appeared", c.GUID.Prefix)
	}
	return fmt.Sprintf("participant %v is gone", c.GUID.Prefix)
}

func (c Change) role() string {
	if c.GUID.Entity.IsWriter() {
		return "a publisher"
	}
	return "a subscription"
}

// maxChanges bounds the changes that nobody has asked for.
const maxChanges = 4096

func (g *Graph) tell(c Change) {
	if len(g.changes) == maxChanges {
		g.missed++
		return
	}
	g.changes = append(g.changes, c)
}

// Changes returns what came and went since it was last asked, and how much
// more there was than it could keep: then the whole graph is to be read again.
func (g *Graph) Changes() (list []Change, missed int) {
	list, missed = g.changes, g.missed
	g.changes, g.missed = nil, 0
	return list, missed
}
