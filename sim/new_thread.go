package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/sched"
)

func (b *builder) thread(number int, t *Thread, equal bool) error {
	first := len(b.sim.threads)
	th := thread{id: OSThread{Thread: number}, priority: t.Priority, cpu: t.CPU - 1, inherits: nobody, stale: true}
	if equal {
		th.priority = 0
	}
	if err := t.checkReservation(); err != nil {
		return err
	}
	rules := make([]sched.Callback, len(t.Callbacks))
	for i := range t.Callbacks {
		c, err := b.callback(first, i, &t.Callbacks[i])
		if err != nil {
			return fmt.Errorf("callback %q: %w", t.Callbacks[i].Name, err)
		}
		th.callbacks = append(th.callbacks, c)
		rules[i] = t.Callbacks[i].Callback
		if c.draw == nil {
			rules[i].Cost = max(rules[i].Cost, slices.Max(c.costs))
		}
	}
	machines, err := t.machines(rules)
	if err != nil {
		return err
	}
	th.machine = machines[0]
	th.events, _ = th.machine.(*sched.Events)
	if err := b.follows(&th, t); err != nil {
		return err
	}
	b.workers(th, machines, t.Reservation)
	return nil
}

func (t *Thread) checkReservation() error {
	switch r := t.Reservation; {
	case r == Reservation{}:
		return nil
	case r.Amount <= 0 || r.Period < r.Amount:
		return fmt.Errorf("a reservation of %v per %v; give more than 0, and at most the period", r.Amount, r.Period)
	case t.Level.Budget != sched.Budget{}:
		return errors.New("a reservation and a budget of the level, which both hold it; leave one out")
	}
	return nil
}

// workers adds a thread, once for each of its machines.
func (b *builder) workers(th thread, machines []sched.Machine, r Reservation) {
	first := len(b.sim.threads)
	for i, m := range machines {
		th.id.Worker, th.number, th.machine = i, first+i, m
		if r != (Reservation{}) {
			th.reservation = &reservation{rule: r, deadline: -sched.Never}
		}
		b.sim.threads = append(b.sim.threads, th)
	}
	if len(machines) == 1 {
		return
	}
	for i := range machines {
		b.sim.threads[first+i].crew = b.sim.threads[first:]
	}
}

// waitSets are the executors on a wait set of one thread.
var waitSets = map[Executor]sched.Order{WaitSet: sched.RclcppOrder, Static: sched.StaticOrder, Rclpy: sched.RclpyOrder}

// machines returns the machines of all workers.
func (t *Thread) machines(callbacks []sched.Callback) ([]sched.Machine, error) {
	if t.Executor != MultiThreaded {
		m, err := t.machine(callbacks)
		return []sched.Machine{m}, err
	}
	if !t.Level.none() || t.Spin != (sched.Spin{}) {
		return nil, errors.New("options of a level, or a way to spin, for a multi-threaded executor; leave them out")
	}
	m, err := sched.NewMultiThreaded(callbacks, t.workers())
	if err != nil {
		return nil, err
	}
	all := make([]sched.Machine, t.workers())
	for i := range all {
		all[i] = m.Worker(i)
	}
	return all, nil
}

func (t *Thread) machine(callbacks []sched.Callback) (sched.Machine, error) {
	o := t.Level
	if t.Executor != Level && !o.none() {
		return nil, errors.New("options of a level for another executor; leave them out")
	}
	order, onWaitSet := waitSets[t.Executor]
	if !onWaitSet && t.Spin != (sched.Spin{}) {
		return nil, errors.New("a way to spin for an executor that is not on a wait set; leave it out")
	}
	switch t.Executor {
	case WaitSet, Static, Rclpy:
		return sched.NewWaitSet(sched.WaitSetConfig{Callbacks: callbacks, Order: order, Spin: t.Spin})
	case Events:
		return sched.NewEvents(callbacks)
	case EventsTimers:
		return sched.NewTimersThread(callbacks)
	case Level:
	default:
		return nil, fmt.Errorf("unknown executor %d; use one of the constants", t.Executor)
	}
	return sched.NewLevel(sched.LevelConfig{
		Callbacks: callbacks, Drain: o.Drain, GreedyCap: o.GreedyCap, Trigger: o.Trigger,
		SpinPeriod: o.SpinPeriod, CycleBudget: o.CycleBudget, LET: o.LET, Budget: o.Budget, CleanTime: o.CleanTime,
	})
}

func (o *LevelOptions) none() bool {
	return o.Drain == sched.Latched && o.GreedyCap == 0 && o.Trigger.Kind == sched.Always && o.SpinPeriod == 0 && o.CycleBudget == 0 && !o.LET && o.Budget == (sched.Budget{}) && o.CleanTime == 0
}
