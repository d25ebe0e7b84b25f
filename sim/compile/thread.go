package compile

import (
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// A threadBuilder makes one thread of an executor.
type threadBuilder struct {
	*builder
	executor *model.Executor
	number   int // of the thread
	made     sim.Thread
	from     []*model.Callback         // the callbacks, where they come from
	shared   map[string]*sched.Context // of the callbacks, by name
	asks     bool                      // takes /clock by a callback of its own
}

func (b *builder) thread(x *model.Executor, name string, number int) *threadBuilder {
	return &threadBuilder{
		builder: b, executor: x, number: number, made: sim.Thread{Name: name},
		shared: map[string]*sched.Context{},
	}
}

func (t *threadBuilder) onLevel() bool { return t.made.Executor == sim.Level }

// finish puts threads into the system, which come by their numbers.
func (b *builder) finish(executor *Executor, threads ...*threadBuilder) {
	for _, t := range threads {
		b.built.System.Threads = append(b.built.System.Threads, t.made)
		b.built.Callbacks = append(b.built.Callbacks, t.from)
		executor.Threads = append(executor.Threads, t.number)
	}
}

// A member is a callback of a thread.
type member struct {
	*model.Callback
	node   *model.Node
	number int          // of the node
	within int          // of the node within its executor
	group  *sched.Group // nil is the default of its node
}

// add puts a callback on the thread.
func (t *threadBuilder) add(m member) error {
	if m.node.UseSimTime {
		if err := t.follow(m); err != nil {
			return err
		}
	}
	c, err := t.callback(m)
	if err != nil {
		return err
	}
	t.made.Callbacks = append(t.made.Callbacks, c)
	t.from = append(t.from, m.Callback)
	return nil
}

// follow has the thread follow simulated time, as a node of it does.
func (t *threadBuilder) follow(m member) error {
	switch {
	case t.Simulation == nil:
		return t.fail(m.node.Line, nodeField(m.node), "follows simulated time, which nobody publishes", "add the section simulation")
	case t.made.UseSimTime:
		return nil
	}
	t.made.UseSimTime = true
	if !t.asks {
		return nil
	}
	c := sim.Callback{Name: m.node.Name + "/time source", From: []*sim.Topic{t.built.System.Clock.Topic}}
	c.Kind, c.Inputs, c.Node, c.Costs = sched.Subscription, []sched.Input{{Depth: 1}}, m.within, []time.Duration{0}
	t.made.Callbacks = append(t.made.Callbacks, c)
	t.from = append(t.from, nil)
	t.made.ClockCallback = len(t.made.Callbacks)
	return nil
}
