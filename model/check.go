package model

import (
	"fmt"
	"strings"
)

// A checker looks at a design as a whole: whether what is named is there, and
// what contradicts what. Each section by itself is checked while it is read.
type checker struct {
	*Design
	d *decoder

	executors map[string]*Executor
	contexts  map[string]*Context
	locks     map[string]bool
	sensors   map[string]*Sensor
	nodes     map[string]*Node
	callbacks map[string]where // by NODE/CALLBACK
}

// A where is a callback and what it belongs to.
type where struct {
	node *Node
	*Callback
}

// checkDesign reports what is wrong between the sections of a design.
func (d *decoder) checkDesign(design *Design) {
	c := checker{
		Design: design, d: d,
		executors: map[string]*Executor{}, contexts: map[string]*Context{}, locks: map[string]bool{},
		sensors: map[string]*Sensor{}, nodes: map[string]*Node{}, callbacks: map[string]where{},
	}
	c.index()
	c.checkNodes()
	c.checkContexts()
	c.checkSimulated()
	c.checkLevels()
	c.checkCPUs()
	c.checkChains()
}

// index makes what has a name known by it.
func (c *checker) index() {
	for i := range c.Executors {
		c.executors[c.Executors[i].Name] = &c.Executors[i]
	}
	for i := range c.Contexts {
		c.contexts[c.Contexts[i].Name] = &c.Contexts[i]
	}
	for _, l := range c.Locks {
		c.locks[l.Name] = true
	}
	for i := range c.Sensors {
		c.sensors[c.Sensors[i].Name] = &c.Sensors[i]
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		c.nodes[n.Name] = n
		for j := range n.Callbacks {
			cb := &n.Callbacks[j]
			full := n.Name + "/" + cb.Name
			if first, again := c.callbacks[full]; again {
				c.d.at("nodes", n.Name, "callbacks", cb.Name).fail(
					fmt.Sprintf("is %s, as the one in line %d is", full, first.Line), "rename one of the two")
			}
			c.callbacks[full] = where{n, cb}
		}
	}
}

// missing reports a name that nothing has, with those that it may be a slip of.
func missing(v value, what, name, section string, known []string) {
	remedy := "write one that is in " + section + ", or add it there"
	if len(known) > 0 && len(known) <= 20 { // more are too many to look through
		remedy = "write " + nearest(name, known) + ", or add it to " + section
	}
	v.fail(fmt.Sprintf("names the %s %s, which is not there", what, shown(name)), remedy)
}

// at returns the place of the keys of a callback.
func (w where) at(c *checker, keys ...string) value {
	return c.d.at(append([]string{"nodes", w.node.Name, "callbacks", w.Name}, keys...)...)
}

// executor returns what runs a node; nil if that is not known.
func (c *checker) executor(n *Node) *Executor {
	if n.Executor == "" && len(c.Executors) == 1 {
		return &c.Executors[0]
	}
	return c.executors[n.Executor]
}

// checkNodes checks what nodes and their callbacks name.
func (c *checker) checkNodes() {
	if len(c.Executors) == 0 && len(c.Nodes) > 0 {
		c.d.at("nodes").fail("has callbacks, and there is no executor to run them", "write one, such as executors: {main: {kind: single_threaded}}")
		return
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		switch {
		case n.Executor == "" && len(c.Executors) > 1:
			c.d.at("nodes", n.Name).fail("does not say which executor runs it", "write executor: "+namesOf(c.Executors, executors.head)[0])
			continue
		case n.Executor != "" && c.executors[n.Executor] == nil:
			missing(c.d.at("nodes", n.Name, "executor"), "executor", n.Executor, "executors", namesOf(c.Executors, executors.head))
			continue
		}
		c.checkGroups(n)
		for j := range n.Callbacks {
			c.checkCallback(where{n, &n.Callbacks[j]})
		}
	}
}

// namesOf returns the names of things in their order.
func namesOf[T any](all []T, head func(*T) (*string, *int)) []string {
	var names []string
	for i := range all {
		name, _ := head(&all[i])
		names = append(names, *name)
	}
	return names
}

// checkGroups checks on which levels the groups of a node are to be.
func (c *checker) checkGroups(n *Node) {
	e := c.executor(n)
	for _, g := range n.Groups {
		at := c.d.at("nodes", n.Name, "groups", g.Name, "level")
		switch {
		case g.Level == "":
		case e.Kind != LevelsExecutor:
			at.fail(fmt.Sprintf("is a level of %s, which is of the kind %s", e.Name, e.Kind), "write kind: levels there, or remove the line")
		case e.level(g.Level) == nil:
			missing(at, "level", g.Level, "executors."+quoted(e.Name)+".levels", namesOf(e.Levels, levelSections.head))
		}
	}
}

func (e *Executor) level(name string) *Level {
	for i := range e.Levels {
		if e.Levels[i].Name == name {
			return &e.Levels[i]
		}
	}
	return nil
}

// checkCallback checks what one callback names, and whether its executor can
// do what is asked.
func (c *checker) checkCallback(w where) {
	if w.Group != defaultGroup && !w.node.hasGroup(w.Group) {
		missing(w.at(c, "group"), "group", w.Group, "nodes."+quoted(w.node.Name)+".groups", namesOf(w.node.Groups, groups.head))
	}
	if w.Lock != "" && !c.locks[w.Lock] {
		missing(w.at(c, "lock"), "lock", w.Lock, "locks", namesOf(c.Locks, locks.head))
	}
	if w.ContextName != "" && c.contexts[w.ContextName] == nil {
		missing(w.at(c, "context"), "context", w.ContextName, "contexts", namesOf(c.Contexts, contexts.head))
	}
	c.checkStock(w)
}

func (n *Node) hasGroup(name string) bool {
	for _, g := range n.Groups {
		if g.Name == name {
			return true
		}
	}
	return false
}

// checkStock reports what only takt's executor has.
func (c *checker) checkStock(w where) {
	e := c.executor(w.node)
	if e.Kind == LevelsExecutor {
		return
	}
	report := func(key, problem string) {
		w.at(c, key).fail(problem+", which executors of the kind "+string(e.Kind)+" do not have", "remove it, or write kind: levels for "+quoted(e.Name))
	}
	if w.Kind == TriggerCallback {
		report("trigger", "is a condition over topics")
	}
	if w.TakeAll {
		report("take", "takes all messages in one run")
	}
	own := w.Context
	if shared := c.contexts[w.ContextName]; shared != nil {
		own = *shared
	}
	own.Name, own.Line, own.Deadline = "", 0, 0
	if flow(contextFields, &own, &contextDefaults) != "" {
		report("context", "has more of a scheduling context than a deadline")
	}
}

// checkContexts checks what holds contexts back.
func (c *checker) checkContexts() {
	check := func(x *Context, at func(key string) value) {
		for key, list := range map[string][]string{"all_of": x.Trigger.AllOf, "any_of": x.Trigger.AnyOf} {
			for _, name := range list {
				w, ok := c.callbacks[name]
				switch {
				case !ok:
					c.missingCallback(at(key), name)
				case w.Kind == TimerCallback:
					at(key).fail("names the timer "+shown(name)+", and timers are never held back", "name callbacks that wait for messages")
				}
			}
		}
	}
	for i := range c.Contexts {
		check(&c.Contexts[i], func(key string) value { return c.d.at("contexts", c.Contexts[i].Name, key) })
	}
	for _, n := range c.Nodes {
		for i := range n.Callbacks {
			w := where{&n, &n.Callbacks[i]}
			check(&w.Context, func(key string) value { return w.at(c, key) })
		}
	}
}

// missingCallback reports the name of a callback that nothing has.
func (c *checker) missingCallback(v value, name string) {
	var known []string
	for _, n := range c.Nodes {
		for _, cb := range n.Callbacks {
			known = append(known, n.Name+"/"+cb.Name)
		}
	}
	missing(v, "callback", name, "nodes, as NODE/CALLBACK", known)
}

// checkSimulated reports what follows simulated time where nobody publishes it.
func (c *checker) checkSimulated() {
	if c.Simulation != nil {
		return
	}
	const remedy = "write a section simulation, such as simulation: {step: 1ms}, or remove the line"
	for _, n := range c.Nodes {
		if n.UseSimTime {
			c.d.at("nodes", n.Name, "use_sim_time").fail("needs simulated time, which nobody publishes", remedy)
		}
	}
	for _, s := range c.Sensors {
		if s.OnSim {
			c.d.at("sensors", s.Name, "clock").fail("needs simulated time, which nobody publishes", remedy)
		}
	}
}

// cutGroup takes NODE or NODE/GROUP apart. A node's name may have slashes.
func (c *checker) cutGroup(name string) (n *Node, group string, ok bool) {
	if n := c.nodes[name]; n != nil {
		return n, defaultGroup, true
	}
	i := strings.LastIndex(name, "/")
	if i < 0 {
		return nil, "", false
	}
	n, group = c.nodes[name[:i]], name[i+1:]
	return n, group, n != nil && (group == defaultGroup || n.hasGroup(group))
}
