package tap

import (
	"os"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/ros"
)

// Outlook returns what is known of the graph, for ros.WhyNothing.
func (n *Network) Outlook() ros.Outlook {
	o := ros.Outlook{
		Environment: n.config.Environment,
		Overrides:   ros.Overrides(os.Getenv),
		Samples:     n.samples.Load(),
		Endpoints:   len(n.endpoints(kernel.Now())),
		Container:   ownNetwork(os.DirFS("/")),
	}
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
