package sim

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
)

func duration(ns int64) time.Duration { return time.Duration(ns) }

// newTickSim makes a run of a system of the scenario form.
func newTickSim(s *scenarioSystem) *tickSim {
	sim := &tickSim{end: int64(s.Duration), cpus: s.CPUs, inherit: s.LockProtocol != "none", topics: map[string]*tickTopic{}, locks: map[string]*tickLock{}}
	for _, t := range s.Topics {
		sim.topic(t.Name).latency = int64(t.Latency)
	}
	sim.addSources(s)
	contexts := sim.addContexts(s)
	threads := sim.addThreads(s)
	callbacks := map[string]*tickCallback{}
	for i := range s.Callbacks {
		c := sim.addCallback(s, i)
		c.thread, c.context = threads[s.Callbacks[i].Thread], contexts[s.Callbacks[i].Context]
		c.thread.callbacks = append(c.thread.callbacks, c)
		callbacks[c.name] = c
	}
	for i, x := range s.Contexts {
		for _, name := range x.Trigger.Callbacks {
			sim.contexts[i].triggers = append(sim.contexts[i].triggers, callbacks[name])
		}
	}
	return sim
}

func (s *tickSim) topic(name string) *tickTopic {
	if s.topics[name] == nil {
		s.topics[name] = &tickTopic{}
	}
	return s.topics[name]
}

func (s *tickSim) addSources(from *scenarioSystem) {
	for _, x := range from.Sources {
		source := &tickSource{topic: s.topic(x.Topic), phase: int64(x.Phase), period: int64(x.Period)}
		for _, t := range x.Times {
			source.times = append(source.times, int64(t))
		}
		s.sources = append(s.sources, source)
	}
}

func (s *tickSim) addContexts(from *scenarioSystem) map[string]*tickContext {
	byName := map[string]*tickContext{}
	for _, x := range from.Contexts {
		context := &tickContext{
			edf: x.Class == "edf", sporadic: x.Class == "sporadic",
			bucket:   map[string]int{"critical": 0, "": normalBucket, "normal": normalBucket, "best_effort": 2}[x.Bucket],
			deadline: int64(x.Deadline),
			amount:   int64(x.Budget.Amount), period: int64(x.Budget.Period), remaining: int64(x.Budget.Amount),
			offset: int64(x.Window.Offset), duration: int64(x.Window.Duration), frame: int64(x.Window.Frame), fit: x.Window.RequireFit,
			trigger: x.Trigger.Kind,
		}
		if x.Class == "best_effort" {
			context.bucket = 2 // rule 8: whatever the bucket says
		}
		s.contexts = append(s.contexts, context)
		byName[x.Name] = context
	}
	return byName
}

func (s *tickSim) addThreads(from *scenarioSystem) map[string]*tickThread {
	byName := map[string]*tickThread{}
	for i, x := range from.Threads {
		t := &tickThread{
			index: i, name: x.Name, priority: x.Priority, cpu: -1, executor: x.Executor,
			greedy: x.Drain == "greedy", cap: x.GreedyCap, spin: int64(x.SpinPeriod), budget: int64(x.CycleBudget),
			reservation: tickReservation{amount: int64(x.KernelBudget.Amount), period: int64(x.KernelBudget.Period)},
		}
		if x.CPU != nil {
			t.cpu = *x.CPU
		}
		if from.Policy == "default" {
			t.priority = 0 // rule 6
		}
		s.threads = append(s.threads, t)
		byName[x.Name] = t
	}
	return byName
}

func (s *tickSim) addCallback(from *scenarioSystem, i int) *tickCallback {
	x := &from.Callbacks[i]
	c := &tickCallback{
		registration: i, name: x.Name, kind: x.Kind, publishes: x.Publishes,
		period: int64(x.Period), next: int64(x.Phase), phase: int64(x.Phase), catchUp: x.Overrun == "catch_up",
		takeAll: x.Take == "all", any: x.Trigger == "any_of",
	}
	for _, cost := range x.Cost {
		c.costs = append(c.costs, int64(cost))
	}
	if x.Topic != "" {
		c.inputs = []tickInput{{topic: s.topic(x.Topic), depth: x.Depth}}
	}
	for _, in := range x.Inputs {
		c.inputs = append(c.inputs, tickInput{topic: s.topic(in.Topic), depth: in.Depth})
	}
	for _, name := range x.Publishes {
		s.topic(name)
	}
	if x.Lock != "" {
		if s.locks[x.Lock] == nil {
			s.locks[x.Lock] = &tickLock{}
		}
		c.lock = s.locks[x.Lock]
	}
	s.callbacks = append(s.callbacks, c)
	return c
}

// figures are what the run comes to, in the form of the files.
func (s *tickSim) figures() expected {
	e := expected{Callbacks: map[string]callbackFigures{}, Threads: map[string]threadFigures{}, Jobs: len(s.jobs), FirstJobs: s.sequence()}
	for _, c := range s.callbacks {
		f := c.figure
		if c.kind == "timer" {
			for at := c.phase; at < s.end; at += c.period {
				f.Released++
			}
			f.Pending = f.Released - f.Started - f.Skipped
		}
		for i := range c.inputs {
			f.Pending += int64(len(c.inputs[i].samples))
		}
		if f.Finished > 0 {
			mean := f.SumResponse / duration(f.Finished)
			f.MeanResponse = &mean
		}
		e.Callbacks[c.name] = f
	}
	for _, t := range s.threads {
		e.Threads[t.name] = threadFigures{Cycles: t.cycles, EventsPushed: t.pushed}
	}
	return e
}

// sequence lists the jobs in the order of their dispatch.
func (s *tickSim) sequence() (jobs []firstJob) {
	slices.SortStableFunc(s.jobs, func(a, b *tickJob) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.callback.thread.index, b.callback.thread.index))
	})
	for _, j := range s.jobs {
		jobs = append(jobs, firstJob{j.callback.name, clock.Mono(j.release), clock.Mono(j.start), clock.Mono(j.ended), j.cycle, j.sample, j.callback.thread.index})
	}
	return jobs
}
