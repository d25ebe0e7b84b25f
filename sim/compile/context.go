package compile

import (
	"fmt"
	"strconv"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
)

var (
	classes = map[model.Class]sched.Class{"": sched.FIFO, model.FIFO: sched.FIFO, model.EDF: sched.EDF, model.Sporadic: sched.Sporadic, model.BestEffort: sched.BestEffort}
	buckets = map[model.Bucket]sched.Bucket{"": sched.Normal, model.NormalBucket: sched.Normal, model.CriticalBucket: sched.Critical, model.BestEffortBucket: sched.Last}
	misses  = map[model.Reaction]sched.Reaction{"": sched.Ignore, model.OnMissIgnore: sched.Ignore, model.OnMissWarn: sched.Warn, model.OnMissSkip: sched.SkipRest, model.OnMissFault: sched.Fault}
)

// A fail returns the error about one thing in the file.
type fail func(problem, remedy string) error

// A trigger is one of which the callbacks are not found yet, as they may come
// later.
type trigger struct {
	of    *sched.Context
	names []string
	at    int // the thread
	fail  fail
}

// context returns the scheduling context of a callback, nil if it needs none. A
// context that callbacks share is one for each thread that they are on.
func (t *threadBuilder) context(n *model.Node, c *model.Callback) (*sched.Context, error) {
	fail := func(problem, remedy string) error { return t.fail(c.Line, callbackField(n, c), problem, remedy) }
	switch {
	case c.ContextName == "" && plain(&c.Context):
		return nil, nil
	case c.ContextName == "":
		return t.makeContext(&c.Context, fail)
	}
	if made := t.shared[c.ContextName]; made != nil {
		return made, nil
	}
	x := t.contexts[c.ContextName]
	if x == nil {
		return nil, fail("has the context "+strconv.Quote(c.ContextName)+", which there is not", "name one of the contexts")
	}
	if x.Budget > 0 {
		if other, taken := t.owners[x]; taken {
			return nil, fail("shares the budget of the context "+x.Name+" with callbacks on the thread "+other, "give each thread a context of its own")
		}
		t.owners[x] = t.made.Name
	}
	made, err := t.makeContext(x, func(problem, remedy string) error {
		return t.fail(x.Line, model.Path("contexts", x.Name), problem, remedy)
	})
	t.shared[c.ContextName] = made
	return made, err
}

// plain reports whether a context says nothing.
func plain(x *model.Context) bool {
	return x.Class == "" && x.Bucket == "" && x.Deadline == 0 && x.From == "" && x.OnMiss == "" &&
		x.Budget == 0 && x.BudgetPeriod == 0 && x.Window == (model.Window{}) && x.Trigger.AllOf == nil && x.Trigger.AnyOf == nil
}

func (t *threadBuilder) makeContext(x *model.Context, fail fail) (*sched.Context, error) {
	class, ok1 := classes[x.Class]
	bucket, ok2 := buckets[x.Bucket]
	onMiss, ok3 := misses[x.OnMiss]
	if !ok1 || !ok2 || !ok3 {
		return nil, fail(fmt.Sprintf("has a class %q, a bucket %q or a reaction %q that there is not", x.Class, x.Bucket, x.OnMiss), "write another, or leave it out")
	}
	made := &sched.Context{
		Class: class, Bucket: bucket, Deadline: x.Deadline, Inherit: x.From == model.FromOrigin, OnMiss: onMiss,
		Budget: sched.Budget{Amount: x.Budget, Period: x.BudgetPeriod}, Window: sched.Window(x.Window),
	}
	if err := t.checkContext(x, made, fail); err != nil {
		return nil, err
	}
	switch {
	case len(x.Trigger.AllOf) > 0:
		made.Trigger.Kind = sched.AllOf
		t.triggers = append(t.triggers, trigger{made, x.Trigger.AllOf, t.number, fail})
	case len(x.Trigger.AnyOf) > 0:
		made.Trigger.Kind = sched.AnyOf
		t.triggers = append(t.triggers, trigger{made, x.Trigger.AnyOf, t.number, fail})
	}
	return made, nil
}

func (t *threadBuilder) checkContext(x *model.Context, made *sched.Context, fail fail) error {
	w := &x.Window
	budgeted := x.Budget != 0 || x.BudgetPeriod != 0
	triggered := len(x.Trigger.AllOf) > 0 || len(x.Trigger.AnyOf) > 0
	switch {
	case min(x.Deadline, x.Budget, x.BudgetPeriod, w.Offset, w.Duration, w.Frame) < 0:
		return fail("has a negative duration", "write 0ms or more")
	case budgeted && (x.Budget == 0 || x.BudgetPeriod == 0 || made.Class != sched.Sporadic):
		return fail("has a budget that is not an amount per period of the class sporadic", "write budget, budget_period and class: sporadic")
	case len(x.Trigger.AllOf) > 0 && len(x.Trigger.AnyOf) > 0:
		return fail("has all_of and any_of", "leave one out")
	case !t.onLevel() && (made.Class != sched.FIFO || made.Bucket != sched.Normal || budgeted || *w != (model.Window{}) || triggered || made.OnMiss == sched.SkipRest):
		return fail(fmt.Sprintf("orders or holds back callbacks on the thread %s, of an executor that cannot (%s)", t.made.Name, t.executor.Kind), "keep the deadline only, or use an executor of kind levels")
	}
	return nil
}

// resolveTriggers finds the callbacks that triggers name.
func (b *builder) resolveTriggers() error {
	if len(b.triggers) == 0 {
		return nil
	}
	type place struct{ thread, number int }
	places := map[string]place{}
	for i := range b.built.System.Threads {
		for k := range b.built.System.Threads[i].Callbacks {
			places[b.built.System.Threads[i].Callbacks[k].Name] = place{i, k}
		}
	}
	for _, t := range b.triggers {
		for _, name := range t.names {
			p, known := places[name]
			switch {
			case !known:
				return t.fail("waits for "+strconv.Quote(name)+", which there is not", "name callbacks as NODE/CALLBACK")
			case p.thread != t.at:
				return t.fail("waits for "+name+", which is on another thread", "name callbacks of the same thread")
			case b.built.System.Threads[p.thread].Callbacks[p.number].Kind == sched.TimerKind:
				return t.fail("waits for "+name+", which is a timer", "name callbacks with inputs")
			}
			t.of.Trigger.Callbacks = append(t.of.Trigger.Callbacks, p.number)
		}
	}
	return nil
}
