package compile

import (
	"strconv"
	"strings"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched/levels"
)

// Priorities are those of Linux unless the file has others.
var (
	allPriorities = levels.Band{Low: 1, High: 99}
	defaultPool   = levels.Band{Low: 10, High: 49}
	defaultBands  = []levels.Reserve{
		{Name: levels.Transport, Band: levels.Band{Low: 70, High: 79}},
		{Name: "foreign", Band: levels.Band{Low: 99, High: 99}},
	}
)

// plan is the address plan of the machine.
func plan(m *model.Machine) levels.Plan {
	p := levels.Plan{Range: allPriorities, Pool: levels.Band(m.Pool), Reserved: defaultBands}
	if m.Pool == (model.Band{}) {
		p.Pool = defaultPool
	}
	if m.Reserved != nil {
		p.Reserved = nil
		for _, r := range m.Reserved {
			p.Reserved = append(p.Reserved, levels.Reserve{Name: r.Name, Band: levels.Band(r.Band)})
		}
	}
	return p
}

// pins returns the levels of an executor that the file names, with their
// groups. A group is on the level that names it, as NODE/GROUP or by its own
// key, or else on the one that names its node.
func (b *builder) pins(executor int) ([]levels.Pin, error) {
	x := &b.Executors[executor]
	p := pinning{builder: b, executor: x, levels: map[string]*model.Level{}, nodes: map[string]*model.Level{}, groups: map[string]*model.Level{}, members: map[string][]string{}}
	if err := p.read(executor); err != nil {
		return nil, err
	}
	for _, number := range b.nodes[executor] {
		if err := p.place(&b.Nodes[number]); err != nil {
			return nil, err
		}
	}
	var all []levels.Pin
	for i := range x.Levels {
		l := &x.Levels[i]
		if len(p.members[l.Name]) == 0 {
			return nil, b.fail(l.Line, levelField(x, l), "has no callbacks", "name groups of its executor that have some, or remove it")
		}
		all = append(all, levels.Pin{Name: l.Name, Groups: p.members[l.Name], Priority: l.Priority, Above: l.AboveBand})
	}
	return all, nil
}

// A pinning finds which groups are on which level.
type pinning struct {
	*builder
	executor *model.Executor
	levels   map[string]*model.Level
	nodes    map[string]*model.Level // named by a level
	groups   map[string]*model.Level // named by a level, as NODE/GROUP
	members  map[string][]string     // of a level, by its name
}

// read reads the names that levels have.
func (p *pinning) read(executor int) error {
	if len(p.executor.Levels) == 0 {
		return nil
	}
	nodes, groups := map[string]bool{}, map[string]bool{}
	for _, number := range p.builder.nodes[executor] {
		n := &p.Nodes[number]
		nodes[n.Name] = true
		groups[n.Name+"/"+defaultGroup] = true
		for _, g := range n.Groups {
			groups[n.Name+"/"+g.Name] = true
		}
	}
	for i := range p.executor.Levels {
		l := &p.executor.Levels[i]
		p.levels[l.Name] = l
		for _, name := range l.Groups {
			to := p.groups
			if nodes[name] {
				to = p.nodes
			} else if !groups[name] {
				return p.fail(l.Line, levelField(p.executor, l), "is for the group "+strconv.Quote(name)+", which nobody on its executor declares", "name it as NODE or NODE/GROUP")
			}
			if other := to[name]; other != nil && other != l {
				return p.fail(l.Line, levelField(p.executor, l), "is for "+name+", as the level "+other.Name+" is", "leave it to one of them")
			}
			to[name] = l
		}
	}
	return nil
}

// place puts the groups of a node on the levels that they are pinned to.
func (p *pinning) place(n *model.Node) error {
	g, err := p.builder.groups(n)
	if err != nil {
		return err
	}
	used := make([]bool, len(g.all))
	for _, at := range g.of {
		used[at] = true
	}
	for i, group := range g.all {
		l, err := p.levelOf(n, group)
		if err != nil {
			return err
		}
		if l != nil && used[i] {
			p.members[l.Name] = append(p.members[l.Name], group.name)
		}
	}
	return nil
}

func (p *pinning) levelOf(n *model.Node, g *group) (*model.Level, error) {
	name := g.name
	if name == n.Name {
		name += "/" + defaultGroup
	}
	l := p.groups[name]
	if d := g.declared; d != nil && d.Level != "" {
		own := p.levels[d.Level]
		field := model.Path("nodes", n.Name, "groups", strings.TrimPrefix(name, n.Name+"/"))
		switch {
		case own == nil:
			return nil, p.fail(d.Line, field, "is on the level "+strconv.Quote(d.Level)+", which the executor "+p.executor.Name+" does not have", "name one of its levels")
		case l != nil && l != own:
			return nil, p.fail(d.Line, field, "is on the level "+d.Level+", but "+l.Name+" is for it, too", "leave it to one of them")
		}
		l = own
	}
	if l == nil {
		l = p.nodes[n.Name]
	}
	return l, nil
}
