package sched

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A TimersThread is the thread on which rclcpp's events executor runs timers if
// it is told to (execute_timers_separate_thread); the other callbacks are those
// of an Events on a thread of its own, and callback groups do not hold between
// the two. It runs the timer of the earliest release first, by registration if
// several are released at once. Here a timer is called when it runs, so that its
// SkipRule holds. Contexts give deadlines only.
type TimersThread struct {
	inbox
	contexts []*Context
}

// NewTimersThread returns the thread with nothing due, or an error that says
// what in a callback cannot be.
func NewTimersThread(callbacks []Callback) (*TimersThread, error) {
	for i := range callbacks {
		if callbacks[i].Kind != TimerKind {
			return nil, fmt.Errorf("callback %d is a %v on the timers' thread of an events executor; give it to the thread of the events", i, callbacks[i].Kind)
		}
	}
	b, contexts, err := newPlain(callbacks, "an events executor")
	if err != nil {
		return nil, err
	}
	return &TimersThread{inbox: b, contexts: contexts}, nil
}

// Peek is Machine.Peek.
func (t *TimersThread) Peek(now clock.Mono) (wants bool, next clock.Mono) {
	return t.next <= now, t.next
}

// Step is Machine.Step.
func (t *TimersThread) Step(now clock.Mono) (job *Job, next clock.Mono) {
	if t.next > now {
		return nil, t.next
	}
	callback := t.timers[t.soonest()]
	s := &t.slots[callback]
	t.cycles++
	return t.start(callback, now, s.deadline(t.contexts[s.context])), now
}

// Done is Machine.Done.
func (t *TimersThread) Done(now clock.Mono, _ time.Duration) (missed bool) { return t.missed(now) }

// Tick is SimTime.Tick.
func (t *TimersThread) Tick(now clock.Mono, sim clock.Sim) { t.tick(now, sim) }
