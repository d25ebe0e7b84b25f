package compile

import (
	"cmp"
	"fmt"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sched/levels"
	"github.com/takt-rt/takt/sim"
)

// levels makes a thread of each level of takt's executor.
func (b *builder) levels(executor int, made *Executor) error {
	x, a := &b.Executors[executor], b.allocations[executor]
	if x.ClockThread != nil && !*x.ClockThread {
		return b.fail(x.Line, executorField(x), "has no clock thread, which takt's executor always has", "leave clock_thread out")
	}
	if a.result == nil {
		return nil
	}
	made.Levels, made.Budgets = a.result, a.budgets
	threads := make([]*threadBuilder, len(a.result.Levels))
	levelOf := map[string]int{} // by group
	for i := range threads {
		l := &a.result.Levels[i]
		t := b.thread(x, x.Name+"/"+l.Name, len(b.built.System.Threads)+i)
		if err := t.level(l, &a.budgets[i]); err != nil {
			return err
		}
		threads[i] = t
		for _, m := range l.Members {
			levelOf[m.Group] = i
		}
	}
	err := b.members(executor, func(m member, group int) error {
		return threads[levelOf[a.names[group]]].add(m)
	})
	b.finish(made, threads...)
	return err
}

// level makes the thread that of a level, without callbacks.
func (t *threadBuilder) level(l *levels.Level, e *levels.Enforcement) error {
	authored := authoredLevel(t.executor, l)
	t.made.Priority, t.made.CPU = l.Priority, authored.CPU
	t.made.Level = sim.LevelOptions{
		GreedyCap: authored.GreedyCap, SpinPeriod: authored.SpinPeriod, CycleBudget: authored.CycleBudget, LET: authored.LET,
	}
	if authored.Greedy {
		t.made.Level.Drain = sched.Greedy
	}
	switch {
	case e.Budgeted && e.Kernel && t.platform().Kernel.Outranks:
		t.made.Reservation = sim.Reservation{Amount: e.Amount, Period: e.Period}
	case e.Budgeted && e.Kernel:
		return t.fail(authored.Line, levelField(t.executor, authored), "has a budget that the kernel enforces by "+e.Mechanism+", which is not simulated", "write enforcement: executor in the section machine")
	case e.Budgeted:
		t.made.Level.Budget = sched.Budget{Amount: e.Amount, Period: e.Period}
	}
	return nil
}

// authoredLevel returns what the file says of a level; of one that it does not
// name, that is nothing.
func authoredLevel(x *model.Executor, l *levels.Level) *model.Level {
	for i := range x.Levels {
		if l.Pinned && x.Levels[i].Name == l.Name {
			return &x.Levels[i]
		}
	}
	return &model.Level{Name: l.Name, Line: x.Line}
}

func levelField(x *model.Executor, l *model.Level) string {
	return model.Path("executors", x.Name, "levels", l.Name)
}

func (b *builder) checkLevel(x *model.Executor, l *model.Level) error {
	problem, remedy := "", ""
	switch {
	case l.CPU < 0 || l.CPU > b.cpus():
		problem, remedy = fmt.Sprintf("is pinned to CPU %d of %d", l.CPU, b.cpus()), "pin it to one that there is"
	case min(l.SpinPeriod, l.CycleBudget, l.Budget, l.BudgetPeriod) < 0 || l.GreedyCap < 0:
		problem, remedy = "has a negative duration or cap", "write 0 or more"
	case (l.Budget > 0) != (l.BudgetPeriod > 0):
		problem, remedy = "has a budget without a period, or a period without one", "write budget and budget_period"
	case l.GreedyCap > 0 && !l.Greedy:
		problem, remedy = "has a greedy cap and is not greedy", "write drain: greedy"
	case l.LET && l.Greedy:
		problem, remedy = "samples its data at the start of a cycle and is greedy", "leave one out"
	default:
		return nil
	}
	return b.fail(cmp.Or(l.Line, x.Line), levelField(x, l), problem, remedy)
}
