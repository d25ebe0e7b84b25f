package compile

import (
	"cmp"
	"slices"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched/levels"
)

// An urgency is a thread as far as budgets are concerned.
type urgency struct {
	levels.Budgeted
	priority int
	enforced *levels.Enforcement // where the answer goes; nil of a stock executor
}

// enforce says who holds each level to its budget, of all executors at once, as
// levels of one may outrank those of another. Whether a more urgent level has
// slack for a budget of the kernel is not known here: the kernel enforces none
// below a level without a budget.
func (b *builder) enforce() error {
	var all []urgency
	for i := range b.Executors {
		x, a := &b.Executors[i], b.allocations[i]
		if a == nil {
			if x.Priority > 0 && len(b.nodes[i]) > 0 {
				all = append(all, urgency{levels.Budgeted{Name: x.Name, CPU: x.CPU}, x.Priority, nil})
			}
			continue
		}
		if a.result == nil {
			continue
		}
		a.budgets = make([]levels.Enforcement, len(a.result.Levels))
		for k := range a.result.Levels {
			l := &a.result.Levels[k]
			authored := authoredLevel(x, l)
			if err := b.checkLevel(x, authored); err != nil {
				return err
			}
			all = append(all, urgency{levels.Budgeted{
				Name: l.Name, Boot: l.Boot, RealTime: !l.Ordinary, Amount: authored.Budget, Period: authored.BudgetPeriod,
				CPU: authored.CPU, Narrow: authored.CPU > 0 && b.cpus() > 1,
			}, l.Priority, &a.budgets[k]})
		}
	}
	slices.SortStableFunc(all, func(u, v urgency) int { return cmp.Compare(v.priority, u.priority) })
	budgeted := make([]levels.Budgeted, len(all))
	for i := range all {
		budgeted[i] = all[i].Budgeted
	}
	// Who may give threads priorities may also give them budgets.
	for i, e := range levels.Enforce(budgeted, b.platform().Kernel, !b.built.System.Equal, requests[b.Machine.Enforcement]) {
		if all[i].enforced != nil {
			*all[i].enforced = e
		}
	}
	return nil
}

var requests = map[model.Enforcement]levels.Request{model.ByKernel: levels.ByKernel, model.ByExecutor: levels.ByExecutor}

func (b *builder) platform() model.PlatformRule { return b.Machine.Platform.Rule() }
