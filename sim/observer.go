package sim

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// An Observer is told what happens, in the order in which it does. Threads,
// callbacks of a thread and inputs of a callback are numbered from 0 as in the
// System, and a job's Worker says which of a thread's workers runs it. A job is
// valid during the call only.
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

// A TraceObserver is an Observer that is told of messages and CPUs, too.
type TraceObserver interface {
	Observer
	// Published is called when a callback publishes, before its Ended.
	Published(now clock.Mono, thread int, job *sched.Job, to *Topic)
	// Delivered is called when a message of a topic arrives, before Arrived is for
	// each input: one that a source published, numbered as in the System, or with
	// -1 the oldest under way of those that callbacks, or the Clock, published.
	Delivered(now clock.Mono, of *Topic, source int, sent clock.Mono)
	// Placed is called when the CPUs have been handed out, with the threads that
	// have one, in order, if they are others than before. It is valid during the
	// call only.
	Placed(now clock.Mono, threads []OSThread)
}

// An OSThread is a thread, numbered as in the System, or one of its workers.
type OSThread struct{ Thread, Worker int }
