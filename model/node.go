package model

// nodes are the section of that name.
var nodes = named[Node]{
	noun: "a node", example: "planner: {callbacks: {plan: {timer: 100ms, execution: 5ms}}}",
	one:    "callbacks: {plan: {timer: 100ms, execution: 5ms}}",
	fields: nodeFields,
	head:   func(n *Node) (*string, *int) { return &n.Name, &n.Line },
	check: func(s *section, _ *Node) {
		if len(s.given) > 0 && s.lacks("callbacks") {
			s.fail("has no callbacks", "write them, such as callbacks: {plan: {timer: 100ms, execution: 5ms}}, or remove it")
		}
	},
}

var nodeFields = []field[Node]{
	name("executor", "main", func(n *Node) *string { return &n.Executor }),
	flag("use_sim_time", func(n *Node) *bool { return &n.UseSimTime }),
	// The others are written as sections of their own.
	{
		key:   "groups",
		read:  func(v value, n *Node) { n.Groups = groups.read(v) },
		write: func(*Node) string { return "" },
	},
	{
		key:   "callbacks",
		read:  func(v value, n *Node) { n.Callbacks = readCallbacks(v) },
		write: func(*Node) string { return "" },
	},
}

// groups are the callback groups of one node.
var groups = named[Group]{
	noun: "a group", example: "slow: {kind: reentrant}", one: "kind: reentrant", bare: true,
	fields: groupFields,
	head:   func(g *Group) (*string, *int) { return &g.Name, &g.Line },
}

var groupFields = []field[Group]{
	either("kind", "mutually_exclusive", "reentrant", func(g *Group) *bool { return &g.Reentrant }),
	name("level", "control", func(g *Group) *string { return &g.Level }),
}

// defaultGroup is the callback group that each node has.
const defaultGroup = "default"
