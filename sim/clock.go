package sim

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Clock is who publishes /clock: a tick of Step at every Interval, so that the
// real time factor is Step over Interval. A simulator that steps has its step;
// a player that publishes F times per second at a rate R has an interval of 1/F
// and a step of R/F. Ticks that arrive at an instant do so before samples.
type Clock struct {
	Topic    *Topic        // its latency is that of a tick; nil is one without latency. Nobody else publishes there
	At       clock.Mono    // when the first tick is sent
	First    clock.Sim     // its value
	Step     time.Duration // of simulated time, more than 0
	Interval time.Duration // of monotonic time, more than 0
	Changes  []ClockChange // in order
}

// A ClockChange is a jump of simulated time, or a pause of the simulator.
type ClockChange struct {
	At    clock.Mono
	To    clock.Sim     // the value of the first tick at or after At
	Pause time.Duration // instead: later ticks come so much later, and simulated time stands; 0 is a jump
}

// A ClockObserver is an Observer that is told of ticks, too.
type ClockObserver interface {
	Observer
	// TickSent is called when the clock sends a tick.
	TickSent(now clock.Mono, sim clock.Sim)
	// Ticked is called when a tick sets the clock of a thread.
	Ticked(now clock.Mono, thread int, sim clock.Sim)
}

// The places of ticks among what comes at one instant; sources have 0 and more.
const (
	sendsTick int64 = -2
	tickComes int64 = -1
)

// A ticker is the state of a Clock.
type ticker struct {
	rule     Clock
	changes  []ClockChange // to come
	topic    int32
	at       clock.Mono // of the next tick
	sent     int64
	segments []segment // since each jump
	observer ClockObserver
}

// A segment is ticks that each go on by a step.
type segment struct {
	first int64 // tick
	value clock.Sim
}

// schedule puts the sending of the next tick on the agenda.
func (c *ticker) schedule(a *agenda) {
	for len(c.changes) > 0 && c.changes[0].At <= c.at {
		change := c.changes[0]
		c.changes = c.changes[1:]
		if change.Pause > 0 {
			c.at = c.at.Add(change.Pause)
		} else {
			c.segments = append(c.segments, segment{c.sent, change.To})
		}
	}
	a.push(arrival{at: c.at, order: sendsTick, topic: c.topic})
}

// value returns the value of a tick.
func (c *ticker) value(tick int64) clock.Sim {
	i := len(c.segments) - 1
	for c.segments[i].first > tick {
		i--
	}
	steps := tick - c.segments[i].first
	return c.segments[i].value.Add(time.Duration(steps) * c.rule.Step)
}

// sendTick sends a tick; sources on simulated time publish what has come.
func (s *Sim) sendTick() {
	c := s.clock
	value := c.value(c.sent)
	if c.observer != nil {
		c.observer.TickSent(s.now, value)
	}
	t := &s.topics[c.topic]
	t.last = t.arrives(s.now, t.last)
	s.agenda.push(arrival{at: t.last, order: tickComes, topic: c.topic, sent: s.now, origin: s.now})
	for i := range s.sources {
		if s.sources[i].onSim {
			s.simulate(i, value)
		}
	}
	c.sent++
	c.at = c.at.Add(c.rule.Interval)
	c.schedule(&s.agenda)
}

// simulate lets a source on simulated time publish: of its period one message
// per tick at most, as a sensor that is looked at once per step.
func (s *Sim) simulate(i int, value clock.Sim) {
	c := &s.sources[i]
	if c.grid == nil {
		for len(c.times) > 0 && clock.Sim(c.times[0]) <= value {
			c.times = c.times[1:]
			s.emit(i, s.now)
		}
		return
	}
	switch {
	case s.clock.sent == 0:
		c.grid.Resume(value)
	case value < s.clock.value(s.clock.sent-1):
		c.grid.Jump(value)
	}
	if seen := value.Add(-c.late(clock.Mono(c.grid.Next()))); c.grid.Due(seen) {
		c.grid.Call(seen)
		s.emit(i, s.now)
	}
}

// tick lets the threads with a clock thread have a tick that has come.
func (s *Sim) tick(number int64) {
	for i := range s.threads {
		if t := &s.threads[i]; t.simTime != nil && t.clockCallback < 0 && t.id.Worker == 0 {
			s.set(t, number)
		}
	}
}

// set sets the clock of a thread, which its workers share.
func (s *Sim) set(t *thread, tick int64) {
	value := s.clock.value(tick)
	t.simTime.Tick(s.now, value)
	t.touch()
	if s.clock.observer != nil {
		s.clock.observer.Ticked(s.now, t.id.Thread, value)
	}
}
