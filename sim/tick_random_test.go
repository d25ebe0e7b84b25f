package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A tickDraw draws a small system of any kind. Its times are a few
// nanoseconds and often multiples of each other, so that ends, releases,
// refills and openings meet at one instant.
type tickDraw struct {
	*rand.Rand
	s *scenarioSystem
}

func randomSystem(seed uint64) *scenarioSystem {
	d := &tickDraw{rand.New(rand.NewPCG(seed, 1)), &scenarioSystem{}}
	d.s.Duration = clock.Mono(100 + d.IntN(200))
	d.s.CPUs = 1
	if d.likely(30) {
		d.s.CPUs = 2
	}
	if d.likely(15) {
		d.s.Policy = "default"
	}
	d.threads()
	d.contexts()
	d.topics()
	for range 2 + d.IntN(6) {
		d.callback()
	}
	d.triggers()
	if d.likely(20) {
		d.locks()
	}
	return d.s
}

func (d *tickDraw) likely(percent int) bool { return d.IntN(100) < percent }

func oneOf[T any](d *tickDraw, values ...T) T { return values[d.IntN(len(values))] }

func (d *tickDraw) span(least, most int) time.Duration {
	return time.Duration(least + d.IntN(most-least+1))
}

func (d *tickDraw) period() time.Duration {
	return oneOf[time.Duration](d, 3, 4, 5, 6, 7, 8, 10, 12, 12, 15, 16, 20, 20, 24, 30, 40)
}

func (d *tickDraw) threads() {
	equal, pinned := d.likely(25), d.likely(30)
	d.s.Threads = slices.Grow(d.s.Threads, 4)
	for i := range 1 + d.IntN(4) {
		d.s.Threads = append(d.s.Threads, zero(d.s.Threads))
		t := &d.s.Threads[i]
		t.Name = fmt.Sprintf("t%d", i)
		t.Executor = oneOf(d, "level", "level", "level", "level", "wait_set", "events")
		t.Priority = 10 - i
		if equal {
			t.Priority = oneOf(d, 1, 1, 2)
		}
		if pinned {
			cpu := d.IntN(d.s.CPUs)
			t.CPU = &cpu
		}
	}
	d.Shuffle(len(d.s.Threads), func(i, j int) {
		t := d.s.Threads
		t[i].Priority, t[j].Priority = t[j].Priority, t[i].Priority
	})
	if d.likely(12) {
		d.reservations()
	}
	for i := range d.s.Threads {
		d.levelOptions(i)
	}
}

func (d *tickDraw) levelOptions(i int) {
	t := &d.s.Threads[i]
	if t.Executor != "level" {
		return
	}
	if d.likely(35) {
		t.Drain = "greedy"
		if d.likely(40) {
			t.GreedyCap = 1 + d.IntN(3)
		}
	}
	if d.likely(30) {
		t.CycleBudget = d.span(1, 8)
	}
	if d.likely(40) && d.mostUrgent(i) {
		t.SpinPeriod = oneOf[time.Duration](d, 2, 4, 5, 6, 10)
	}
}

// mostUrgent reports whether no other thread can keep this one from a CPU:
// rule 17 keeps spin periods to such a thread.
func (d *tickDraw) mostUrgent(i int) bool {
	if d.s.Threads[i].KernelBudget.Amount > 0 {
		return false
	}
	for k, t := range d.s.Threads {
		if k != i && (d.s.Policy == "default" || t.KernelBudget.Amount > 0 || t.Priority >= d.s.Threads[i].Priority) {
			return false
		}
	}
	return true
}

func (d *tickDraw) reservations() {
	for i := range d.s.Threads {
		if d.likely(50) {
			period := d.period()
			d.s.Threads[i].KernelBudget = scenarioBudget{d.span(1, int(period)), period}
		}
	}
}

func (d *tickDraw) contexts() {
	for i := range d.IntN(5) {
		d.s.Contexts = append(d.s.Contexts, zero(d.s.Contexts))
		x := &d.s.Contexts[i]
		x.Name = fmt.Sprintf("x%d", i)
		x.Policy = oneOf(d, "", "released", "activated")
		if d.likely(80) {
			x.Deadline = d.span(2, 30)
		}
		if d.likely(30) {
			continue // the deadline only, for any executor
		}
		x.Class = oneOf(d, "fifo", "edf", "edf", "edf", "sporadic", "sporadic", "best_effort")
		x.Bucket = oneOf(d, "", "normal", "critical", "best_effort")
		if x.Class == "sporadic" {
			x.Budget = scenarioBudget{d.span(1, 5), d.period()}
		}
		if d.likely(25) {
			x.Window.Frame = d.period()
			x.Window.Duration = d.span(1, int(x.Window.Frame))
			x.Window.Offset = d.span(0, int(x.Window.Frame))
			x.Window.RequireFit = d.likely(40)
		}
	}
}

func (d *tickDraw) topics() {
	for i := range 1 + d.IntN(4) {
		d.s.Topics = append(d.s.Topics, zero(d.s.Topics))
		x := &d.s.Topics[i]
		x.Name = fmt.Sprintf("topic%d", i)
		if d.likely(50) {
			x.Latency = d.span(1, 6)
		}
	}
	for i := range d.IntN(4) {
		d.s.Sources = append(d.s.Sources, zero(d.s.Sources))
		x := &d.s.Sources[i]
		x.Topic = d.topic()
		if d.likely(75) {
			x.Period, x.Phase = d.period(), clock.Mono(d.span(0, 20))
			continue
		}
		for range 1 + d.IntN(6) {
			x.Times = append(x.Times, clock.Mono(d.IntN(int(d.s.Duration))))
		}
		slices.Sort(x.Times)
	}
}

func (d *tickDraw) topic() string { return d.s.Topics[d.IntN(len(d.s.Topics))].Name }

func (d *tickDraw) callback() {
	d.s.Callbacks = append(d.s.Callbacks, zero(d.s.Callbacks))
	c := &d.s.Callbacks[len(d.s.Callbacks)-1]
	c.Name = fmt.Sprintf("c%d", len(d.s.Callbacks)-1)
	t := d.s.Threads[d.IntN(len(d.s.Threads))]
	c.Thread = t.Name
	c.Context = d.contextOn(t.Name)
	for range oneOf(d, 1, 1, 1, 2, 3) {
		c.Cost = append(c.Cost, oneOf[time.Duration](d, 1, 1, 1, 2, 2, 3, 4, 8))
	}
	for range oneOf(d, 0, 0, 1, 1, 2) {
		c.Publishes = append(c.Publishes, d.topic())
	}
	kinds := []string{"timer", "timer", "subscription", "subscription", "service"}
	if t.Executor == "level" && len(d.s.Topics) > 1 {
		kinds = append(kinds, "fused")
	}
	switch c.Kind = oneOf(d, kinds...); c.Kind {
	case "timer":
		c.Period, c.Phase = d.period(), clock.Mono(oneOf(d, 0, 0, d.IntN(20)))
		c.Overrun = oneOf(d, "", "skip", "catch_up")
	case "fused":
		c.Trigger = oneOf(d, "", "all_of", "any_of")
		for _, k := range d.Perm(len(d.s.Topics))[:2+d.IntN(len(d.s.Topics)-1)] {
			c.Inputs = append(c.Inputs, struct {
				Topic string
				Depth int
			}{d.s.Topics[k].Name, d.IntN(4)})
		}
	default:
		c.Topic, c.Depth = d.topic(), d.IntN(4)
		if t.Executor == "level" && d.likely(25) {
			c.Take = "all"
		}
	}
}

// contextOn draws a context. A budget belongs to callbacks of one thread, and
// on plain executors a context carries a deadline only.
func (d *tickDraw) contextOn(thread string) string {
	if len(d.s.Contexts) == 0 || d.likely(25) {
		return ""
	}
	x := &d.s.Contexts[d.IntN(len(d.s.Contexts))]
	for _, c := range d.s.Callbacks {
		if c.Context == x.Name && c.Thread != thread && x.Budget.Amount > 0 {
			return ""
		}
	}
	for _, t := range d.s.Threads {
		if t.Name == thread && t.Executor != "level" && (x.Class != "" || x.Bucket != "" || x.Window.Frame > 0) {
			return ""
		}
	}
	return x.Name
}

// triggers gives contexts of latched levels a trigger (rule 14).
func (d *tickDraw) triggers() {
	for i := range d.s.Contexts {
		x := &d.s.Contexts[i]
		thread := d.onlyThreadOf(x.Name)
		if !d.latched(thread) || !d.likely(35) {
			continue
		}
		for _, c := range d.s.Callbacks {
			if c.Thread == thread && c.Kind != "timer" && (c.Context == x.Name && d.likely(80) || d.likely(20)) {
				x.Trigger.Callbacks = append(x.Trigger.Callbacks, c.Name)
			}
		}
		if len(x.Trigger.Callbacks) > 0 {
			x.Trigger.Kind = oneOf(d, "all_of", "any_of")
		}
	}
}

// onlyThreadOf is where the callbacks of a context run; empty if they run on several threads.
func (d *tickDraw) onlyThreadOf(context string) (thread string) {
	for _, c := range d.s.Callbacks {
		switch {
		case c.Context != context:
		case thread == "":
			thread = c.Thread
		case thread != c.Thread:
			return ""
		}
	}
	return thread
}

func (d *tickDraw) latched(thread string) bool {
	for _, t := range d.s.Threads {
		if t.Name == thread {
			return t.Executor == "level" && t.Drain != "greedy"
		}
	}
	return false
}

func (d *tickDraw) locks() {
	d.s.LockProtocol = oneOf(d, "", "inherit", "none")
	for i := range d.s.Callbacks {
		if d.likely(60) {
			d.s.Callbacks[i].Lock = oneOf(d, "m", "m", "n")
		}
	}
}

// zero is the zero value of a list's elements.
func zero[T any]([]T) (v T) { return v }
