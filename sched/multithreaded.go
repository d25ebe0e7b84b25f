package sched

import (
	"fmt"

	"github.com/takt-rt/takt/clock"
)

// A MultiThreaded is rclcpp's multi-threaded executor, as it is from Jazzy to
// Rolling (rclcpp 28 and later): several workers, a Group for every callback, and
// one wait set. One worker at a time takes one callback out of what the last wait
// saw, in RclcppOrder, and then runs it beside the others. If nothing is left
// whose group is free, it forgets what the wait saw and waits anew.
//
// So a callback that waits for its group does not keep its place. If a worker has
// nothing else to do meanwhile, then at the end of the callback that keeps the
// group busy all of the group is looked at anew, and what is ready again goes
// before what is later in the order: of two timers in one group that each use the
// whole of their period, one never runs. Nothing bounds how long a callback of a
// mutually exclusive group waits behind another.
//
// The end of a callback of a mutually exclusive group ends the wait, but only the
// wait after that one is on a wait set that is built anew, which then lacks the
// groups that are busy at that instant. If all workers were busy, the group that
// became free is therefore left out once more, and others go before it, whatever
// the order. Of callbacks that are passed over because their group is busy, timers
// stay in what the wait saw, and the others are forgotten.
//
// It differs from rclcpp in this: To choose takes no time, and no CPU time where
// rclcpp turns in its wait as long as something of a busy group is ready. A message
// is taken as its callback is chosen, so that two workers never go for the same
// one. What is alike is served by registration, where rclcpp has the order of a
// hash table. No wakeup is lost, and no group is added or removed.
//
// Up to Iron every wait lacks the groups that are busy at its beginning, and all
// that is passed over stays; that is not here.
//
// With one worker it is a WaitSet. Contexts give deadlines only.
type MultiThreaded struct {
	inbox
	contexts []*Context
	ranks    []int32 // of callbacks
	groups   []groupState
	group    []int32 // of callbacks
	busy     int     // groups
	workers  []Worker

	list    list // what the last wait saw
	woken   bool // something ends the next wait, or the one under way, and has the wait set built anew for the one after
	rebuild bool // the wait set is to be built anew for the next wait
}

// MaxWorkers is far beyond the threads of any executor.
const MaxWorkers = 10_000

// NewMultiThreaded returns the executor, with so many workers, before its first
// wait, or an error that says what in it cannot be.
func NewMultiThreaded(callbacks []Callback, workers int) (*MultiThreaded, error) {
	if workers < 1 || workers > MaxWorkers {
		return nil, fmt.Errorf("an executor with %d threads; give it 1 to %d", workers, MaxWorkers)
	}
	b, contexts, err := newPlain(callbacks, "a multi-threaded executor")
	if err != nil {
		return nil, err
	}
	m := &MultiThreaded{
		inbox: b, contexts: contexts, workers: make([]Worker, workers),
		list: list{entries: make([]entry, 0, len(callbacks))},
	}
	m.groups, m.group = grouping(callbacks)
	m.wake() // so does adding a node
	for i := range callbacks {
		if callbacks[i].TakeAll {
			return nil, fmt.Errorf("callback %d takes all, but a multi-threaded executor gives it one message at a time; leave TakeAll out", i)
		}
		m.ranks = append(m.ranks, RclcppOrder.rank(&callbacks[i]))
	}
	for i := range m.workers {
		m.workers[i] = Worker{MultiThreaded: m, number: i}
	}
	return m, nil
}

// Worker returns the machine of one of the threads, from 0. What arrives is told
// to one of them.
func (m *MultiThreaded) Worker(number int) *Worker { return &m.workers[number] }

// wake ends the wait. One worker alone finds every group free.
func (m *MultiThreaded) wake() { m.woken = len(m.workers) > 1 }

// Peek is Machine.Peek. A worker also wants a CPU where it has to wait anew.
func (m *MultiThreaded) Peek(now clock.Mono) (wants bool, next clock.Mono) {
	if m.busy == 0 {
		return !m.list.empty() || m.woken || m.rebuild || m.next <= now || m.anyData(), m.next
	}
	wants = !m.list.empty() || m.woken || m.rebuild
	m.eachAwaited(now, func(callback int32) bool {
		wants = wants || !m.groupOf(callback).busy
		return !wants
	})
	return wants, m.nextFree()
}

// nextFree returns the next release of a timer whose group is free.
func (m *MultiThreaded) nextFree() clock.Mono {
	if m.busy == 0 {
		return m.next
	}
	next := Never
	for i, callback := range m.timers {
		if !m.groupOf(callback).busy {
			next = min(next, m.due[i])
		}
	}
	return next
}

func (m *MultiThreaded) groupOf(callback int32) *groupState { return &m.groups[m.group[callback]] }

// choose returns the callback to run, if there is one; if not, a wait is under
// way that nothing has ended yet.
func (m *MultiThreaded) choose(now clock.Mono) (callback int32, ok bool) {
	callback, ok = m.take()
	for !ok && m.wait(now) {
		if callback, ok = m.take(); ok {
			m.cycles++
		}
	}
	return callback, ok
}

// take takes the first callback whose group is free out of what the last wait
// saw. Of those before it the timers stay.
func (m *MultiThreaded) take() (callback int32, ok bool) {
	l := &m.list
	kept := l.popped
	for i := l.popped; i < len(l.entries); i++ {
		e := l.entries[i]
		switch {
		case !m.groupOf(e.callback).busy:
			first := i + 1 - (kept - l.popped)
			copy(l.entries[first:], l.entries[l.popped:kept])
			l.popped = first
			return e.callback, true
		case m.slots[e.callback].kind == TimerKind:
			l.entries[kept] = e
			kept++
		}
	}
	l.entries = l.entries[:kept]
	return 0, false
}

// wait waits, and reports whether that is over already.
func (m *MultiThreaded) wait(now clock.Mono) (over bool) {
	m.list.clear()
	if m.rebuild {
		for i := range m.groups {
			m.groups[i].awaited = !m.groups[i].busy
		}
	}
	over, m.rebuild, m.woken = m.woken, m.woken, false
	m.eachAwaited(now, func(callback int32) bool {
		m.list.insert(entry{rank: m.ranks[callback], callback: callback})
		over = over || !m.groupOf(callback).busy
		return true
	})
	if !over {
		m.list.clear() // the wait goes on
	}
	return over
}

// eachAwaited yields what is ready of the groups in the wait set.
func (m *MultiThreaded) eachAwaited(now clock.Mono, yield func(int32) bool) {
	more := true
	m.eachDue(now, func(callback int32) bool {
		more = !m.groupOf(callback).awaited || yield(callback)
		return more
	})
	if !more {
		return
	}
	for callback := range m.eachData {
		if m.groupOf(callback).awaited && !yield(callback) {
			return
		}
	}
}
