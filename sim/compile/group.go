package compile

import (
	"strconv"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
)

// defaultGroup is the name of the callback group that every node has.
const defaultGroup = "default"

// A group is a callback group of a node.
type group struct {
	name     string       // NODE, or NODE/GROUP
	declared *model.Group // nil of a default that nobody declares
	made     *sched.Group // the same
}

// groups are those of a node: the default first, then as declared.
type groups struct {
	all []*group
	of  []int // of each callback
}

func (b *builder) groups(n *model.Node) (g groups, err error) {
	g.all = append(g.all, &group{name: n.Name})
	byName := map[string]int{"": 0, defaultGroup: 0}
	for i := range n.Groups {
		d := &n.Groups[i]
		at := len(g.all)
		if d.Name == defaultGroup {
			at = 0
		} else {
			g.all = append(g.all, &group{name: n.Name + "/" + d.Name})
		}
		byName[d.Name] = at
		g.all[at].declared, g.all[at].made = d, &sched.Group{Reentrant: d.Reentrant}
	}
	for i := range n.Callbacks {
		c := &n.Callbacks[i]
		at, known := byName[c.Group]
		if !known {
			return g, b.fail(c.Line, callbackField(n, c), "is in the group "+strconv.Quote(c.Group)+", which its node does not declare", "declare it among the groups of the node")
		}
		g.of = append(g.of, at)
	}
	return g, nil
}
