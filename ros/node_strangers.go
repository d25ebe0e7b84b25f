package ros

import "github.com/takt-rt/takt/rtps"

// Strangers returns other domains, or domain tags, whose participants announced
// themselves to the node, which hears nothing else of them.
func (n *Node) Strangers() []rtps.Stranger { return n.participant.Strangers() }
