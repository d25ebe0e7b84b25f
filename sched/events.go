package sched

import (
	"fmt"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
)

// An Events is the events executor of rclcpp: one queue of entries, served
// first in, first out. Every message is an entry at its arrival and every
// release of a timer is one at its instant, whether or not the one before it
// was served, so that no release is skipped, whatever the timer's SkipRule says,
// and nothing bounds the queue. A tick of simulated time is at most one entry of
// a timer that follows it, which its SkipRule is for. An entry of a message that was overwritten in
// its history finds nothing: an empty take. Entries of one instant: timers by
// registration, then messages as they arrive. Contexts give deadlines only.
type Events struct {
	inbox
	contexts []*Context
	queue    History[event] // of messages; those of timers are in the timers' grids
	empty    []int64        // takes, of callbacks
}

// An event is an entry of a message.
type event struct {
	callback int32
	arrival  clock.Mono
}

// NewEvents returns the executor with an empty queue, or an error that says
// what in a callback cannot be.
func NewEvents(callbacks []Callback) (*Events, error) {
	callbacks = slices.Clone(callbacks)
	for i := range callbacks {
		c := &callbacks[i]
		switch {
		case c.TakeAll:
			return nil, fmt.Errorf("callback %d takes all, but an events executor gives it one message per event; leave TakeAll out", i)
		case c.Kind == TimerKind && c.Period == 0:
			return nil, fmt.Errorf("callback %d is a timer without a period, which floods the queue of an events executor; give it one", i)
		case c.Kind == TimerKind && !c.OnROS:
			c.Skip = SkipNone
		}
	}
	b, contexts, err := newPlain(callbacks, "an events executor")
	if err != nil {
		return nil, err
	}
	return &Events{inbox: b, contexts: contexts, queue: *NewHistory[event](0), empty: make([]int64, len(callbacks))}, nil
}

// EmptyTakes returns how many entries of a callback found nothing.
func (e *Events) EmptyTakes(callback int) int64 { return e.empty[callback] }

// Backlog returns how many entries of messages are in the queue.
func (e *Events) Backlog() int { return e.queue.Len() }

// Arrive is Machine.Arrive.
func (e *Events) Arrive(callback, in int, m Sample) (lost Sample, overwritten bool) {
	e.queue.Arrive(event{int32(callback), m.Arrival})
	return e.inbox.Arrive(callback, in, m)
}

// Peek is Machine.Peek. A thread with entries wants a CPU even if all of them
// turn out to be empty takes.
func (e *Events) Peek(now clock.Mono) (wants bool, next clock.Mono) {
	return e.queue.Len() > 0 || e.next <= now, e.next
}

// Step is Machine.Step.
func (e *Events) Step(now clock.Mono) (job *Job, next clock.Mono) {
	for {
		callback, ok := e.pop(now)
		if !ok {
			return nil, e.next
		}
		s := &e.slots[callback]
		if s.kind != TimerKind && !s.complete() {
			e.empty[callback]++
			continue
		}
		e.cycles++
		return e.start(callback, now, s.deadline(e.contexts[s.context])), now
	}
}

// pop takes the oldest entry out of the queue.
func (e *Events) pop(now clock.Mono) (callback int32, ok bool) {
	oldest, waits := e.queue.Oldest()
	if e.next <= now && (!waits || e.next <= oldest.arrival) {
		return e.timers[e.soonest()], true
	}
	e.queue.Take()
	return oldest.callback, waits
}

// Done is Machine.Done.
func (e *Events) Done(now clock.Mono, _ time.Duration) (missed bool) { return e.missed(now) }
