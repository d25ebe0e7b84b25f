package sched

import (
	"errors"
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A WaitSet is a single-threaded executor on a wait set, of rclcpp or rclpy. Its
// wait ends with a snapshot of what is ready. It runs all of the snapshot in its
// Order, each callback once and with one message, before it waits again: what
// becomes ready meanwhile waits, timers too (rclcpp from Eloquent on). A Spin
// may have it otherwise. Contexts give deadlines only.
type WaitSet struct {
	inbox
	contexts []*Context
	ranks    []int32 // of callbacks
	list     list
	loop     *loop // nil if it waits
	once     bool  // one callback per wait, or per turn of the loop
	resumes  bool  // the next turn goes on with the list
	begun    bool  // a list, the end of which no turn has found
}

// A WaitSetConfig is the executor. Its zero value but for the callbacks is
// rclcpp's single-threaded executor in spin().
type WaitSetConfig struct {
	Callbacks []Callback // by registration
	Order     Order
	Spin      Spin
}

// NewWaitSet returns the executor before its first wait, or an error that says
// what in the configuration cannot be.
func NewWaitSet(c WaitSetConfig) (*WaitSet, error) {
	if err := errors.Join(c.Order.check(), c.Spin.check(c.Order)); err != nil {
		return nil, err
	}
	b, contexts, err := newPlain(c.Callbacks, "a wait set")
	if err != nil {
		return nil, err
	}
	w := &WaitSet{inbox: b, contexts: contexts, once: c.Spin.Once, list: list{entries: make([]entry, 0, len(c.Callbacks))}}
	for i := range c.Callbacks {
		if c.Callbacks[i].TakeAll {
			return nil, fmt.Errorf("callback %d takes all, but a wait set gives it one message per snapshot; leave TakeAll out", i)
		}
		w.ranks = append(w.ranks, c.Order.rank(&c.Callbacks[i]))
	}
	if c.Spin.Period > 0 {
		w.loop = newLoop(c.Spin.Period)
	}
	w.resumes = c.Order == RclpyOrder
	return w, nil
}

// newPlain makes the inbox of a stock executor, which has no gates and no order
// of its own.
func newPlain(callbacks []Callback, who string) (inbox, []*Context, error) {
	n := newNumbering()
	b, err := newInbox(callbacks, n)
	if err != nil {
		return b, nil, err
	}
	for i, c := range n.contexts {
		if c.Class != FIFO || c.Bucket != Normal || c.Budget != (Budget{}) || c.Window != (Window{}) || c.Trigger.Kind != Always || c.OnMiss == SkipRest {
			return b, nil, fmt.Errorf("context %d orders or holds back, which %s cannot; keep its deadline only", i, who)
		}
	}
	for i := range callbacks {
		if callbacks[i].Kind == Fused {
			return b, nil, fmt.Errorf("callback %d is a fused callback, which %s does not know; use a level", i, who)
		}
	}
	return b, n.contexts, n.check()
}

// Peek is Machine.Peek.
func (w *WaitSet) Peek(now clock.Mono) (wants bool, next clock.Mono) {
	if w.loop != nil {
		return w.loop.wake <= now, w.loop.wake
	}
	return !w.list.empty() || w.next <= now || w.anyData(), w.next
}

// Step is Machine.Step.
func (w *WaitSet) Step(now clock.Mono) (job *Job, next clock.Mono) {
	switch {
	case w.loop != nil:
		if !w.turn(now) {
			return nil, w.loop.wake
		}
	case w.list.empty() && !w.wait(now):
		return nil, w.next
	}
	callback := w.list.pop().callback
	s := &w.slots[callback]
	return w.start(callback, now, s.deadline(w.contexts[s.context])), now
}

// wait takes the snapshot, and reports whether there is anything in it.
func (w *WaitSet) wait(now clock.Mono) bool {
	w.list.clear()
	w.eachDue(now, func(callback int32) bool {
		w.see(callback)
		return true
	})
	for callback := range w.eachData {
		w.see(callback)
	}
	if w.list.empty() {
		return false
	}
	w.begun = true
	w.cycles++
	return true
}

// see puts a callback that is ready in the snapshot, which is no more than the
// first in order if the rest of it would be forgotten.
func (w *WaitSet) see(callback int32) {
	e := entry{rank: w.ranks[callback], callback: callback}
	switch {
	case !w.once || w.resumes || w.list.empty():
		w.list.insert(e)
	case e.before(w.list.entries[0]):
		w.list.entries[0] = e
	}
}

// Done is Machine.Done.
func (w *WaitSet) Done(now clock.Mono, _ time.Duration) (missed bool) { return w.missed(now) }
