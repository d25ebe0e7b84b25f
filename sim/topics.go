package sim

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A topic is the state of a Topic.
type topic struct {
	of        *Topic
	latency   time.Duration
	published int64
	readers   []reader
}

// A reader is one input of a callback.
type reader struct{ thread, callback, input int }

// A source is the state of a Source.
type source struct {
	topic  int
	period time.Duration // 0: times
	next   clock.Mono    // the publication on the agenda
	times  []clock.Mono  // those after it

	deadline time.Duration // of its messages; 0 is none
	onSim    bool
	grid     *sched.Timer[clock.Sim] // with a period, on simulated time
}

// publish sends a message of a callback that ends now.
func (s *Sim) publish(topic int, origin, deadline clock.Mono) {
	s.agenda.message(s.now.Add(s.topics[topic].latency), topic, origin, deadline)
}

// deliver puts what arrives now in the queues.
func (s *Sim) deliver() {
	for s.agenda.next() <= s.now {
		e := s.agenda.pop()
		switch {
		case e.order == sendsTick:
			s.sendTick()
			continue
		case e.order == tickComes:
			s.tick(s.topics[e.topic].published)
		case e.order < int64(len(s.sources)):
			s.follow(int(e.order))
		}
		s.arrive(e)
	}
}

func (s *Sim) arrive(e arrival) {
	t := &s.topics[e.topic]
	m := sched.Sample{Number: t.published, Arrival: s.now, Origin: e.origin, Deadline: e.deadline}
	t.published++
	s.announceArrival(t.of, &e)
	for _, r := range t.readers {
		th := &s.threads[r.thread]
		th.stale = true
		s.observer.Arrived(r.thread, r.callback, r.input, m)
		if lost, overwritten := th.machine.Arrive(r.callback, r.input, m); overwritten {
			s.observer.Overwritten(s.now, r.thread, r.callback, r.input, lost)
		} else {
			s.waiting++
		}
		if th.events != nil && th.events.Backlog() > s.limits.waiting {
			s.failed = fmt.Errorf("at %.9f s more than %d entries wait for an events executor; publish less often, or give its callbacks less to do", s.now.Seconds(), s.limits.waiting)
		}
	}
}

// follow puts the next message of a source on the agenda.
func (s *Sim) follow(i int) {
	c := &s.sources[i]
	switch {
	case c.onSim:
		return
	case c.period > 0:
		c.next = c.next.Add(c.period)
	case len(c.times) > 0:
		c.next, c.times = c.times[0], c.times[1:]
	default:
		return
	}
	s.emit(i, c.next)
}

// emit puts a message that a source publishes at an instant on the agenda.
func (s *Sim) emit(i int, at clock.Mono) {
	c := &s.sources[i]
	e := arrival{at: at.Add(s.topics[c.topic].latency), order: int64(i), topic: c.topic, origin: at}
	if c.deadline > 0 {
		e.deadline = at.Add(c.deadline)
	}
	s.agenda.push(e)
}
