package sched

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A WaitSet is the single-threaded executor of rclcpp. Its wait ends with a
// snapshot of what is ready: timers, subscriptions, services, clients and
// waitables, each by registration. It runs all of the snapshot, each once and
// with one message, before it waits again: what becomes ready meanwhile waits,
// timers too (rclcpp from Eloquent on). Contexts give deadlines only.
type WaitSet struct {
	inbox
	contexts []*Context
	list     list
}

// NewWaitSet returns the executor before its first wait, or an error that says
// what in a callback cannot be.
func NewWaitSet(callbacks []Callback) (*WaitSet, error) {
	b, contexts, err := newPlain(callbacks, "a wait set")
	if err != nil {
		return nil, err
	}
	for i := range callbacks {
		if callbacks[i].TakeAll {
			return nil, fmt.Errorf("callback %d takes all, but a wait set gives it one message per snapshot; leave TakeAll out", i)
		}
	}
	return &WaitSet{inbox: b, contexts: contexts, list: list{entries: make([]entry, 0, len(callbacks))}}, nil
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
	return !w.list.empty() || w.next <= now || w.anyData(), w.next
}

// Step is Machine.Step.
func (w *WaitSet) Step(now clock.Mono) (job *Job, next clock.Mono) {
	if w.list.empty() && !w.wait(now) {
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
		w.list.insert(entry{rank: uint8(TimerKind), callback: callback})
		return true
	})
	for callback := range w.eachData {
		w.list.insert(entry{rank: uint8(w.slots[callback].kind), callback: callback})
	}
	if w.list.empty() {
		return false
	}
	w.cycles++
	return true
}

// Done is Machine.Done.
func (w *WaitSet) Done(now clock.Mono, _ time.Duration) (missed bool) { return w.missed(now) }
