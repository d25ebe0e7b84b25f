package sched

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Worker is one thread of a MultiThreaded, and its Machine.
type Worker struct {
	*MultiThreaded
	number int
	job    Job // that it runs
}

// Step is Machine.Step.
func (w *Worker) Step(now clock.Mono) (job *Job, next clock.Mono) {
	callback, ok := w.choose(now)
	if !ok {
		return nil, w.nextFree()
	}
	if g := w.groupOf(callback); !g.reentrant {
		g.busy = true
		w.busy++
	}
	s := &w.slots[callback]
	w.job = *w.start(callback, now, s.deadline(w.contexts[s.context]))
	w.job.Worker = w.number
	return &w.job, now
}

// Done is Machine.Done.
func (w *Worker) Done(now clock.Mono, _ time.Duration) (missed bool) {
	if g := w.groupOf(int32(w.job.Callback)); !g.reentrant {
		g.busy = false
		w.busy--
		w.wake()
	}
	return now > w.job.Deadline
}

// Tick is SimTime.Tick.
func (m *MultiThreaded) Tick(now clock.Mono, sim clock.Sim) {
	if m.tick(now, sim) {
		m.list.dropUndue(&m.inbox)
	}
}

// Cancel is Timers.Cancel.
func (m *MultiThreaded) Cancel(callback int) {
	m.inbox.Cancel(callback)
	m.list.drop(int32(callback))
}

// Reset is Timers.Reset.
func (m *MultiThreaded) Reset(callback int, now clock.Mono) {
	m.inbox.Reset(callback, now)
	m.list.drop(int32(callback))
}
