package tap

import (
	"os"
	"slices"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/ros"
)

// Outlook returns what is known of the graph, for ros.WhyNothing.
func (n *Network) Outlook() ros.Outlook {
	o := ros.Outlook{
		Environment: n.config.Environment,
		Overrides:   ros.Overrides(os.Getenv),
		Samples:     n.samples.Load(),
		Container:   ownNetwork(os.DirFS("/")),
	}
	endpoints := n.endpoints(kernel.Now())
	o.Endpoints, o.Plain = len(endpoints), plain(endpoints)
	n.node.Graph(func(g *ros.Graph) { o.Participants = g.Participants() })
	for _, s := range n.node.Strangers() {
		if s.Tag == "" {
			o.OtherDomains = append(o.OtherDomains, s.Domain)
		} else {
			o.Tags = append(o.Tags, s.Tag)
		}
	}
	return o
}

// plain returns the topics of plain DDS that are written, each once, and none if
// there is a topic of ROS beside them.
func plain(endpoints []Endpoint) (names []string) {
	for _, e := range endpoints {
		if ros.ParseTopic(e.Topic.Name).Kind != ros.NotROS || e.Topic.isROS() {
			return nil
		}
		if e.GUID.Entity.IsWriter() && !slices.Contains(names, e.Topic.Name) {
			names = append(names, e.Topic.Name)
		}
	}
	slices.Sort(names)
	return names
}
