package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// New returns a run of the system that has not begun, or an error that says
// what in the system cannot be. It keeps the contexts of callbacks, which must
// not change. A nil observer ignores everything.
func New(system System, observer Observer) (*Sim, error) {
	if err := system.check(); err != nil {
		return nil, err
	}
	if observer == nil {
		observer = Unobserved{}
	}
	s := &Sim{

		cpus:     max(system.CPUs, 1),
		placed:   make([]*thread, 0, max(system.CPUs, 1)),
		observer: observer,
		limits:   usual,
	}
	s.trace, _ = observer.(TraceObserver)
	b := builder{sim: s, topics: map[*Topic]int{}, locks: map[*Lock]*lock{}, owners: map[*sched.Context]int{}}
	if err := b.clock(system.Clock); err != nil {
		return nil, err
	}
	for i := range system.Threads {
		if err := b.thread(i, &system.Threads[i], system.Equal); err != nil {
			return nil, fmt.Errorf("thread %q: %w", system.Threads[i].Name, err)
		}
	}
	for i := range system.Sources {
		if err := b.source(&system.Sources[i]); err != nil {
			return nil, fmt.Errorf("source %d: %w", i, err)
		}
	}
	s.agenda.published = int64(len(s.sources))
	for i := range s.sources {
		s.follow(i)
	}
	if s.clock != nil {
		if err := s.checkTopic(); err != nil {
			return nil, err
		}
		s.clock.schedule(&s.agenda)
	}
	return s, nil
}

func (s *System) check() error {
	if s.CPUs < 0 {
		return fmt.Errorf("%d CPUs; give 1 or more", s.CPUs)
	}
	for i := range s.Threads {
		t := &s.Threads[i]
		switch {
		case t.CPU < 0 || t.CPU > max(s.CPUs, 1):
			return fmt.Errorf("thread %q is pinned to CPU %d of %d; pin it to one that there is", t.Name, t.CPU, max(s.CPUs, 1))
		case (t.CPU == 0) != (s.Threads[0].CPU == 0):
			return fmt.Errorf("threads %q and %q: one is pinned and one is not; pin all, or none", s.Threads[0].Name, t.Name)
		}
	}
	return nil
}

// A builder makes a Sim of a System.
type builder struct {
	sim    *Sim
	topics map[*Topic]int
	locks  map[*Lock]*lock
	owners map[*sched.Context]int // of budgets
}

func (b *builder) topic(t *Topic) (int, error) {
	if t == nil {
		return 0, errors.New("a topic is nil; name one")
	}
	i, known := b.topics[t]
	if known {
		return i, nil
	}
	if t.Latency < 0 {
		return 0, fmt.Errorf("topic %q has a latency of %v; give 0 or more", t.Name, t.Latency)
	}
	i = len(b.sim.topics)
	b.topics[t] = i
	b.sim.topics = append(b.sim.topics, topic{of: t, latency: t.Latency})
	return i, nil
}

func (b *builder) thread(number int, t *Thread, equal bool) error {
	th := thread{number: number, priority: t.Priority, cpu: t.CPU - 1, inherits: nobody, stale: true}
	if equal {
		th.priority = 0
	}
	if r := t.Reservation; r != (Reservation{}) {
		if r.Amount <= 0 || r.Period < r.Amount {
			return fmt.Errorf("a reservation of %v per %v; give more than 0, and at most the period", r.Amount, r.Period)
		}
		if t.Level.Budget != (sched.Budget{}) {
			return errors.New("a reservation and a budget of the level, which both hold it; leave one out")
		}
		th.reservation = &reservation{rule: r, deadline: -sched.Never}
	}
	rules := make([]sched.Callback, len(t.Callbacks))
	for i := range t.Callbacks {
		c, err := b.callback(number, i, &t.Callbacks[i])
		if err != nil {
			return fmt.Errorf("callback %q: %w", t.Callbacks[i].Name, err)
		}
		th.callbacks = append(th.callbacks, c)
		rules[i] = t.Callbacks[i].Callback
		rules[i].Cost = slices.Max(c.costs)
	}
	machine, err := t.machine(rules)
	th.machine = machine
	th.events, _ = machine.(*sched.Events)
	if err == nil {
		err = b.follows(&th, t)
	}
	b.sim.threads = append(b.sim.threads, th)
	return err
}

func (b *builder) callback(thread, number int, c *Callback) (callback, error) {
	made := callback{costs: c.Costs}
	if len(c.Costs) == 0 || slices.Min(c.Costs) < 0 {
		return made, errors.New("a cost is missing or below 0; give one or more, of 0 or more")
	}
	if len(c.From) != len(c.Inputs) {
		return made, fmt.Errorf("%d inputs from %d topics; name one topic for each", len(c.Inputs), len(c.From))
	}
	if x := c.Context; x != nil && x.Budget != (sched.Budget{}) {
		if owner, owned := b.owners[x]; owned && owner != thread {
			return made, errors.New("shares its budget with a callback of another thread; give each thread a context of its own")
		}
		b.owners[x] = thread
	}
	for i, t := range c.From {
		topic, err := b.topic(t)
		if err != nil {
			return made, err
		}
		readers := &b.sim.topics[topic].readers
		*readers = append(*readers, reader{thread, number, i})
	}
	for _, t := range c.Publishes {
		topic, err := b.topic(t)
		if err != nil {
			return made, err
		}
		made.publishes = append(made.publishes, topic)
	}
	made.lock = b.lock(c.Lock)
	return made, nil
}

func (b *builder) lock(l *Lock) *lock {
	if l == nil {
		return nil
	}
	if b.locks[l] == nil {
		b.locks[l] = &lock{plain: l.Plain}
	}
	return b.locks[l]
}

// waitSets are the executors on a wait set of one thread.
var waitSets = map[Executor]sched.Order{WaitSet: sched.RclcppOrder, Static: sched.StaticOrder, Rclpy: sched.RclpyOrder}

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

func (b *builder) source(c *Source) error {
	topic, err := b.topic(c.Topic)
	switch {
	case err != nil:
		return err
	case c.Period < 0 || (c.Period == 0) == (len(c.Times) == 0):
		return fmt.Errorf("a period of %v and %d times; give a period above 0, or times", c.Period, len(c.Times))
	case c.OnSim && b.sim.clock == nil:
		return errors.New("simulated time without a clock; give the system one")
	case c.Deadline < 0:
		return fmt.Errorf("a deadline of %v; give 0 for none, or more", c.Deadline)
	case !slices.IsSorted(c.Times):
		return errors.New("its times are not in order; sort them")
	}
	made := source{topic: topic, period: c.Period, next: c.Phase.Add(-c.Period), times: c.Times, onSim: c.OnSim, deadline: c.Deadline}
	if c.OnSim && c.Period > 0 {
		made.grid = sched.NewTimer(clock.Sim(c.Phase), c.Period, sched.SkipNow)
	}
	b.sim.sources = append(b.sim.sources, made)
	return nil
}
