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
	published int64
	last      clock.Mono // the latest arrival of what callbacks published
	readers   []reader
}

// A reader is one input of a callback of a thread, of several the first.
type reader struct {
	thread, callback, input int

	client int32 // whose responses it takes; 0 is all
	serves bool  // it takes requests, and replies
}

// arrives returns when a message arrives that is sent at an instant, after one
// that arrives at last.
func (t *topic) arrives(sent, last clock.Mono) clock.Mono {
	at := sent.Add(t.of.Latency)
	if t.of.Jitter != nil {
		at = at.Add(max(t.of.Jitter(sent), 0))
	}
	return max(at, last)
}

// A source is the state of a Source.
type source struct {
	topic  int
	period time.Duration // 0: times
	jitter func(due clock.Mono) time.Duration
	next   clock.Mono   // the instant of the publication on the agenda, without jitter
	times  []clock.Mono // those after it
	last   clock.Mono   // the latest arrival

	deadline time.Duration // of its messages; 0 is none
	onSim    bool
	grid     *sched.Timer[clock.Sim] // with a period, on simulated time
}

// late returns by how much a source publishes after an instant of its grid.
func (c *source) late(due clock.Mono) time.Duration {
	if c.jitter == nil {
		return 0
	}
	return max(c.jitter(due), 0)
}

// publish sends a message of a callback that ends now.
func (s *Sim) publish(topic int, job *sched.Job, client int32) {
	t := &s.topics[topic]
	t.last = t.arrives(s.now, t.last)
	s.agenda.message(arrival{
		at: t.last, topic: int32(topic), client: client, sent: s.now, origin: job.Origin, deadline: job.Deadline,
	})
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
		if r.client != 0 && r.client != e.client {
			continue
		}
		th := &s.threads[r.thread]
		th.touch()
		s.observer.Arrived(th.id.Thread, r.callback, r.input, m)
		lost, overwritten := th.machine.Arrive(r.callback, r.input, m)
		if overwritten {
			s.observer.Overwritten(s.now, th.id.Thread, r.callback, r.input, lost)
		} else {
			s.waiting++
		}
		if r.serves {
			th.callbacks[r.callback].ask(e.client, overwritten)
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
		s.emit(i, c.next.Add(c.late(c.next)))
		return
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
	c.last = s.topics[c.topic].arrives(at, c.last)
	e := arrival{at: c.last, order: int64(i), topic: int32(c.topic), sent: at, origin: at}
	if c.deadline > 0 {
		e.deadline = at.Add(c.deadline)
	}
	s.agenda.push(e)
}
