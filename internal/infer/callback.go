package infer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// addCallbacks writes those of a node.
func (b *builder) addCallbacks(n *node, to *model.Node) {
	for _, m := range n.members {
		c := model.Callback{Name: m.name, Kind: m.kind, Group: m.group}
		at := []string{"nodes", n.name, "callbacks", m.name}
		switch m.kind {
		case model.TimerCallback:
			c.Timer = model.Timer{Period: m.period, Phase: max(m.firstRelease().Sub(b.first), 0)}
			b.comment("the first release"+ofStart(m), append(at, "phase")...)
		default:
			c.Inputs = []model.Input{b.input(m)}
		}
		c.Publishes = b.publishes(m)
		b.comment(fmt.Sprintf("%s: %s", b.entities[m.entity].Name, quantity.Count(m.starts, "run")), at...)
		c.Execution = b.execution(n, m, append(at, "execution"))
		to.Callbacks = append(to.Callbacks, c)
	}
}

func ofStart(m *member) string {
	if m.released {
		return ""
	}
	return " is not known: this is the first start"
}

// input is what a callback listens to, with the depth if the graph has it.
func (b *builder) input(m *member) model.Input {
	in := model.Input{Topic: m.on}
	if q := b.entities[m.reader].QoS; q != nil && !q.History.Unknown {
		in.All = q.History.KeepAll
		if !in.All {
			in.Depth = max(q.History.Depth, 1)
		}
	}
	return in
}

// publishes are the topics that a callback publishes on, by name.
func (b *builder) publishes(m *member) (all []string) {
	for _, id := range m.topics() {
		name := b.entities[id].Name
		switch n := m.published[id]; {
		case !m.publishes(id):
			b.find("infer-rare-publication", name, fmt.Sprintf("%s published %s on %s in %s: the system has them as a sensor's",
				b.entities[m.entity].Name, quantity.Count(n, "message"), name, quantity.Count(m.starts, "run")), "")
			continue
		case n > m.starts+m.starts/2:
			b.find("infer-many-publications", name, fmt.Sprintf("%s published %s on %s in %s: the system has one in each run",
				b.entities[m.entity].Name, quantity.Count(n, "message"), name, quantity.Count(m.starts, "run")), "")
		}
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// publishes reports whether a callback publishes on a topic as a rule.
func (c *callback) publishes(on timeline.EntityID) bool {
	n := c.published[on]
	return n > 0 && 2*n >= c.starts
}

func (c *callback) topics() (all []timeline.EntityID) {
	for id := range c.published {
		all = append(all, id)
	}
	slices.SortFunc(all, cmp.Compare[timeline.EntityID])
	return all
}
