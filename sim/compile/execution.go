package compile

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// execution gives a callback its CPU time.
func (b *builder) execution(n *model.Node, c *model.Callback, to *sim.Callback) error {
	e := &c.Execution
	fail := func(problem, remedy string) error {
		return b.fail(cmp.Or(e.Line, c.Line), callbackField(n, c)+".execution", problem, remedy)
	}
	to.Cost = e.Worst
	switch {
	case len(e.Pattern) > 0:
		to.Costs = e.Pattern
	case e.Samples != "":
		s, err := b.samplesOf(e.Samples)
		if err != nil {
			return b.wrap(cmp.Or(e.Line, c.Line), callbackField(n, c)+".execution", err)
		}
		to.Costs = s
	case e.Distribution.Kind != "":
		d, problem := b.distribution(to.Name, &e.Distribution)
		if problem != "" {
			return fail(problem, "write a kind and its durations, such as uniform: {low: 1ms, high: 2ms}")
		}
		to.Draw, to.Cost = d.draw, cmp.Or(e.Worst, e.Distribution.High)
	case b.options.Typical:
		to.Costs = []time.Duration{cmp.Or(e.Typical, e.Worst)}
	default:
		to.Costs = []time.Duration{cmp.Or(e.Worst, e.Typical)}
	}
	if len(to.Costs) > 0 && (slices.Min(to.Costs) < 0 || slices.Max(to.Costs) > longest) || e.Worst < 0 {
		return fail("is negative, or longer than a year", "write 0ms or more")
	}
	return nil
}

// worst returns the longest execution time that is known of a callback; 0 is none.
func (b *builder) worst(n *model.Node, c *model.Callback) (time.Duration, error) {
	made := sim.Callback{Name: n.Name + "/" + c.Name}
	if err := b.execution(n, c, &made); err != nil || len(made.Costs) == 0 {
		return made.Cost, err
	}
	return max(made.Cost, slices.Max(made.Costs)), nil
}
