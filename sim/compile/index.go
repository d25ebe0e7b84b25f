package compile

import (
	"math"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// names find what the lists of a Design name.
type names struct {
	executors map[string]int
	nodes     [][]int // by executor
	contexts  map[string]*model.Context
	links     map[string]*model.Topic
	locks     map[string]*sim.Lock
	heard     map[string]bool          // topics that callbacks listen to
	served    map[string]bool          // services and actions that callbacks have as their input
	answered  map[string]bool          // services whose responses callbacks take
	sensed    map[string]time.Duration // the shortest period of a sensor, by topic
	promised  map[string]time.Duration // the period of a topic that has a contract
	loops     map[string]*model.LoopContract
	chained   map[string]bool          // on a chain
	heads     map[string]time.Duration // the periods of what chains begin with; 0 if it has none
}

func (b *builder) index() error {
	b.names = &names{
		executors: map[string]int{}, nodes: make([][]int, len(b.Executors)), contexts: map[string]*model.Context{},
		links: map[string]*model.Topic{}, locks: map[string]*sim.Lock{},
		heard: map[string]bool{}, served: map[string]bool{}, answered: map[string]bool{}, sensed: map[string]time.Duration{},
		promised: map[string]time.Duration{}, loops: map[string]*model.LoopContract{},
		chained: map[string]bool{}, heads: map[string]time.Duration{},
	}
	for i := range b.Executors {
		b.executors[b.Executors[i].Name] = i
	}
	for i := range b.Contexts {
		b.contexts[b.Contexts[i].Name] = &b.Contexts[i]
	}
	for i := range b.Topics {
		b.links[b.Topics[i].Name] = &b.Topics[i]
	}
	for _, l := range b.Locks {
		b.locks[l.Name] = &sim.Lock{Name: l.Name, Plain: l.Plain}
	}
	b.indexContracts()
	b.indexChains()
	for i := range b.Sensors {
		s := &b.Sensors[i]
		if _, head := b.heads[s.Name]; head {
			b.heads[s.Name] = s.Period
		}
		for _, topic := range s.Publishes {
			if p, known := b.sensed[topic]; s.Period > 0 && (!known || s.Period < p) {
				b.sensed[topic] = s.Period
			}
		}
	}
	return b.indexNodes()
}

// indexContracts finds what is promised of rates and deadlines.
func (b *builder) indexContracts() {
	for i := range b.system.Topics {
		if t := &b.system.Topics[i]; t.Rate > 0 {
			b.promised[t.Name] = time.Duration(math.Round(1e9 / t.Rate))
		}
	}
	for i := range b.system.Loops {
		b.loops[b.system.Loops[i].Name] = &b.system.Loops[i]
	}
}

func (b *builder) indexChains() {
	for i := range b.Chains {
		for at, name := range b.Chains[i].Path {
			b.chained[name] = true
			if at == 0 {
				b.heads[name] = 0
			}
		}
	}
}

// indexNodes finds the nodes of each executor, and what callbacks listen to.
func (b *builder) indexNodes() error {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		executor, known := b.executors[n.Executor]
		switch {
		case n.Executor == "" && len(b.Executors) == 1:
			executor = 0
		case n.Executor == "":
			return b.fail(n.Line, nodeField(n), "is on no executor", "name one of the executors")
		case !known:
			return b.fail(n.Line, nodeField(n), "is on the executor "+n.Executor+", which there is not", "name one of the executors")
		}
		b.nodes[executor] = append(b.nodes[executor], i)
		for k := range n.Callbacks {
			b.listen(n, &n.Callbacks[k])
		}
	}
	return nil
}

// listen notes what a callback listens to, and the period of a timer that a
// chain begins with.
func (b *builder) listen(n *model.Node, c *model.Callback) {
	if c.Kind == model.TimerCallback && len(b.heads) > 0 {
		if name := n.Name + "/" + c.Name; b.chained[name] {
			b.heads[name] = c.Timer.Period
		}
	}
	to := b.heard
	switch c.Kind {
	case model.ServiceCallback, model.ActionCallback:
		to = b.served
	case model.ClientCallback:
		to = b.answered
	}
	for i := range c.Inputs {
		to[c.Inputs[i].Topic] = true
	}
}

// The fields of the file, for errors.

func nodeField(n *model.Node) string { return model.Path("nodes", n.Name) }

func callbackField(n *model.Node, c *model.Callback) string {
	return model.Path("nodes", n.Name, "callbacks", c.Name)
}

func executorField(x *model.Executor) string { return model.Path("executors", x.Name) }
