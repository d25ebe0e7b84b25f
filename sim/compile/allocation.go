package compile

import (
	"strconv"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched/levels"
)

// An allocation is what the levels of an executor are derived from. The times
// are the file's own, also those on simulated time: levels are for the robot,
// whatever the real time factor of a run.
type allocation struct {
	*builder
	groups  []levels.Group // those that have callbacks, in the order of the file
	names   []string       // of all groups, by the numbers that members gives them
	options levels.Options
	result  *levels.Result       // nil if there are no callbacks
	budgets []levels.Enforcement // of the result's levels
}

var orders = map[model.Order]levels.Order{
	"": levels.RateMonotonic, model.RateMonotonic: levels.RateMonotonic,
	model.DeadlineMonotonic: levels.DeadlineMonotonic, model.ChainAware: levels.ChainAware,
}

// allocate derives the levels of all executors that have some.
func (b *builder) allocate() error {
	b.allocations = make([]*allocation, len(b.Executors))
	for i := range b.Executors {
		x := &b.Executors[i]
		if x.Kind != "" && x.Kind != model.LevelsExecutor {
			continue
		}
		a, err := b.allocation(i)
		if err != nil {
			return err
		}
		b.allocations[i] = a
		if len(a.groups) == 0 {
			continue
		}
		if a.result, err = levels.Assign(a.groups, a.options); err != nil {
			return b.wrap(x.Line, executorField(x), err)
		}
	}
	return nil
}

// allocation makes what the levels of one executor are derived from.
func (b *builder) allocation(executor int) (*allocation, error) {
	m := &b.Machine
	order, known := orders[m.Order]
	if !known {
		return nil, b.fail(m.Line, "machine.order", "is "+strconv.Quote(string(m.Order)), "write rate_monotonic, deadline_monotonic or chain_aware")
	}
	a := &allocation{builder: b, options: levels.Options{Order: order, MaxLevels: m.MaxLevels, Strict: m.Strict, Plan: plan(m)}}
	for _, number := range b.nodes[executor] {
		if err := a.addNode(&b.Nodes[number]); err != nil {
			return nil, err
		}
	}
	a.addChains()
	pins, err := b.pins(executor)
	a.options.Pins = pins
	return a, err
}

// addNode adds the groups of a node that have callbacks.
func (a *allocation) addNode(n *model.Node) error {
	g, err := a.builder.groups(n)
	if err != nil {
		return err
	}
	made := make([]levels.Group, len(g.all))
	for i, group := range g.all {
		made[i].Name = group.name
		a.names = append(a.names, group.name)
	}
	for i := range n.Callbacks {
		facts, err := a.facts(n, &n.Callbacks[i])
		if err != nil {
			return err
		}
		to := &made[g.of[i]]
		to.Callbacks = append(to.Callbacks, facts)
	}
	for _, group := range made {
		if len(group.Callbacks) > 0 {
			a.groups = append(a.groups, group)
		}
	}
	return nil
}

// facts returns what levels know of a callback.
func (b *builder) facts(n *model.Node, c *model.Callback) (f levels.Callback, err error) {
	f.Name = n.Name + "/" + c.Name
	f.Period = c.Timer.Period
	f.Deadline = c.Context.Deadline
	if x := b.contexts[c.ContextName]; x != nil {
		f.Deadline = x.Deadline
	}
	for _, in := range c.Inputs {
		if c.Kind != model.SubscriptionCallback && c.Kind != model.TriggerCallback {
			break // requests have no rate
		}
		if p := b.inputPeriod(in.Topic); p > 0 && (f.Period == 0 || p < f.Period) {
			f.Period = p
		}
	}
	if promised := b.loops[f.Name]; promised != nil {
		f.Period = or(f.Period, promised.Period)
		f.Deadline = or(f.Deadline, promised.Deadline)
	}
	f.Cost, err = b.worst(n, c)
	return f, err
}

// inputPeriod is that of a sensor that publishes the topic, or else promised.
func (b *builder) inputPeriod(topic string) time.Duration {
	return or(b.sensed[topic], b.promised[topic])
}

func or(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// addChains adds the chains as far as they are on the executor.
func (a *allocation) addChains() {
	if len(a.Chains) == 0 {
		return
	}
	here := map[string]bool{}
	for _, g := range a.groups {
		for _, c := range g.Callbacks {
			if a.chained[c.Name] {
				here[c.Name] = true
			}
		}
	}
	for _, chain := range a.Chains {
		made := levels.Chain{Name: chain.Name}
		for at, name := range chain.Path {
			if at == 0 {
				made.Source, made.Period = name, a.heads[name]
			}
			if here[name] {
				made.Callbacks = append(made.Callbacks, name)
			}
		}
		if len(made.Callbacks) > 0 {
			a.options.Chains = append(a.options.Chains, made)
		}
	}
}
