package tap

import (
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/timeline"
)

// mismatches are those of one version of the graph: to find them means to
// compare all pairs while the participant receives nothing.
type mismatches struct {
	version  uint64
	findings []timeline.Finding
}

// Mismatches returns what does not fit in the graph, for what ROS makes of DDS,
// as findings: types, their definitions, keys and names. QoS is compared by
// package analysis.
func (n *Network) Mismatches() []timeline.Finding {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.node.Graph(func(g *ros.Graph) {
		if g.Version() == n.unfit.version {
			return
		}
		n.unfit = mismatches{version: g.Version()}
		list, _ := g.Mismatches(kernel.Now())
		for _, m := range list[:min(len(list), maxFindings)] {
			n.unfit.findings = append(n.unfit.findings, timeline.Finding{
				ID: "graph-mismatch", Severity: timeline.Warning, Subject: m.Topic.Name, Text: m.Words, Remedy: m.Remedy,
			})
		}
	})
	return n.unfit.findings
}
