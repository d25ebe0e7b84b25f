package sim

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// An Observer is told what happens, in the order in which it does. Threads,
// callbacks of a thread and inputs of a callback are numbered from 0 as in the
// System. A job is valid during the call only.
type Observer interface {
	// Arrived is called for every sample that comes into a queue.
	Arrived(thread, callback, input int, s sched.Sample)
	// Overwritten is called, after Arrived, for the sample that it replaced.
	Overwritten(now clock.Mono, thread, callback, input int, s sched.Sample)
	Started(now clock.Mono, thread int, job *sched.Job)
	Ended(now clock.Mono, thread int, job *sched.Job, missed bool)
}

// Unobserved is the Observer that ignores everything.
type Unobserved struct{}

// Arrived does nothing.
func (Unobserved) Arrived(int, int, int, sched.Sample) {}

// Overwritten does nothing.
func (Unobserved) Overwritten(clock.Mono, int, int, int, sched.Sample) {}

// Started does nothing.
func (Unobserved) Started(clock.Mono, int, *sched.Job) {}

// Ended does nothing.
func (Unobserved) Ended(clock.Mono, int, *sched.Job, bool) {}
