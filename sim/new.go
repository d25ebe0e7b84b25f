package sim

import (
	"errors"
	"fmt"
	"math"
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
		threads:  make([]thread, 0, system.workers()), // crews refer to it
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
		case t.Workers < 0 || t.Workers > sched.MaxWorkers:
			return fmt.Errorf("thread %q has %d workers; give it 1 to %d", t.Name, t.Workers, sched.MaxWorkers)
		case t.Workers > 1 && t.Executor != MultiThreaded:
			return fmt.Errorf("thread %q has %d workers and an executor for one; make it multi-threaded, or give it 1", t.Name, t.Workers)
		}
	}
	return nil
}

// workers returns how many OS threads there are.
func (s *System) workers() (n int) {
	for i := range s.Threads {
		n += s.Threads[i].workers()
	}
	return n
}

func (t *Thread) workers() int { return max(t.Workers, 1) }

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
	b.sim.topics = append(b.sim.topics, topic{of: t})
	return i, nil
}

func (b *builder) callback(thread, number int, c *Callback) (callback, error) {
	made := callback{costs: c.Costs, draw: c.Draw, client: int32(c.Client), reply: -1, faults: c.Context != nil && c.Context.OnMiss == sched.Fault}
	if err := c.check(); err != nil {
		return made, err
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
		r := reader{thread: thread, callback: number, input: i, serves: c.Reply != nil}
		if c.Kind == sched.Client {
			r.client = made.client
		}
		*readers = append(*readers, r)
	}
	for _, t := range c.Publishes {
		topic, err := b.topic(t)
		if err != nil {
			return made, err
		}
		made.publishes = append(made.publishes, topic)
	}
	if c.Reply != nil {
		topic, err := b.topic(c.Reply)
		if err != nil {
			return made, err
		}
		made.reply = topic
	}
	made.lock = b.lock(c.Lock)
	return made, nil
}

func (c *Callback) check() error {
	switch {
	case c.Draw == nil && (len(c.Costs) == 0 || slices.Min(c.Costs) < 0):
		return errors.New("a cost is missing or below 0; give one or more, of 0 or more")
	case c.Draw != nil && len(c.Costs) > 0:
		return errors.New("costs both in turn and drawn; leave one out")
	case len(c.From) != len(c.Inputs):
		return fmt.Errorf("%d inputs from %d topics; name one topic for each", len(c.Inputs), len(c.From))
	case c.Client < 0 || c.Client > math.MaxInt32:
		return fmt.Errorf("a client numbered %d; number clients from 1", c.Client)
	case c.Reply != nil && c.Kind != sched.Service:
		return fmt.Errorf("a %v that replies; make it a service", c.Kind)
	}
	return nil
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
	case c.Jitter != nil && c.Period == 0:
		return errors.New("a jitter of times; give it a period, or the times that it publishes at")
	}
	made := source{topic: topic, period: c.Period, jitter: c.Jitter, next: c.Phase.Add(-c.Period), times: c.Times, onSim: c.OnSim, deadline: c.Deadline}
	if c.OnSim && c.Period > 0 {
		made.grid = sched.NewTimer(clock.Sim(c.Phase), c.Period, sched.SkipNow)
	}
	b.sim.sources = append(b.sim.sources, made)
	return nil
}
