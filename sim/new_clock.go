package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/sched"
)

func (c *Clock) check() error {
	switch {
	case c.Step <= 0 || c.Interval <= 0:
		return fmt.Errorf("a clock with a step of %v every %v; give both more than 0", c.Step, c.Interval)
	case !slices.IsSortedFunc(c.Changes, func(a, b ClockChange) int { return cmp.Compare(a.At, b.At) }):
		return errors.New("changes of the clock are not in order; sort them")
	}
	for _, change := range c.Changes {
		if change.Pause < 0 {
			return fmt.Errorf("a pause of the clock of %v; give 0 for a jump, or more", change.Pause)
		}
	}
	return nil
}

func (b *builder) clock(c *Clock) error {
	if c == nil {
		return nil
	}
	if err := c.check(); err != nil {
		return err
	}
	name := c.Topic
	if name == nil {
		name = &Topic{Name: "/clock"}
	}
	topic, err := b.topic(name)
	if err != nil {
		return err
	}
	t := &ticker{rule: *c, changes: c.Changes, topic: int32(topic), at: c.At, segments: []segment{{0, c.First}}}
	t.observer, _ = b.sim.observer.(ClockObserver)
	b.sim.clock = t
	return nil
}

// checkTopic makes sure that only the clock publishes on its topic.
func (s *Sim) checkTopic() error {
	published := func(topic int) bool { return topic == int(s.clock.topic) }
	for i := range s.sources {
		if published(s.sources[i].topic) {
			return fmt.Errorf("source %d publishes on the topic of the clock; give it another", i)
		}
	}
	for i := range s.threads {
		for k := range s.threads[i].callbacks {
			c := &s.threads[i].callbacks[k]
			if slices.ContainsFunc(c.publishes, published) || published(c.reply) {
				return fmt.Errorf("callback %d of thread %d publishes on the topic of the clock; give it another", k, s.threads[i].id.Thread)
			}
		}
	}
	return nil
}

// follows gives the thread simulated time.
func (b *builder) follows(th *thread, t *Thread) error {
	th.clockCallback = t.ClockCallback - 1
	onROS := slices.ContainsFunc(t.Callbacks, func(c Callback) bool { return c.OnROS })
	switch {
	case !t.UseSimTime && (onROS || t.ClockCallback != 0):
		return errors.New("a timer on simulated time, or a callback that takes it, without UseSimTime; set it")
	case !t.UseSimTime:
		return nil
	case b.sim.clock == nil:
		return errors.New("simulated time without a clock; give the system one")
	case t.ClockCallback < 0 || t.ClockCallback > len(t.Callbacks):
		return fmt.Errorf("callback %d is to take the clock, of %d; give one from 1, or 0 for a thread of its own", t.ClockCallback, len(t.Callbacks))
	case t.ClockCallback > 0 && !takesClock(&t.Callbacks[th.clockCallback], b.sim.clock.rule.Topic):
		return errors.New("the callback that is to take the clock has another topic; subscribe it to that of the clock")
	}
	simTime, ok := th.machine.(sched.SimTime)
	if !ok {
		return errors.New("its executor does not know simulated time; use another")
	}
	th.simTime = simTime
	return nil
}

func takesClock(c *Callback, topic *Topic) bool {
	return c.Kind == sched.Subscription && len(c.From) == 1 && c.From[0] == topic
}
