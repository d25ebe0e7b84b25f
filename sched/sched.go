// Package sched has the rules by which callbacks come to run: when a timer is
// due, what becomes of releases that passed meanwhile, what a history keeps,
// and which callback a thread starts next.
//
// A Machine is one thread's rule: a Level of takt's own executor, or a stock
// executor: a WaitSet, which has an Order and a Spin, is rclcpp's single-threaded
// one, its static one, or rclpy's; an Events is rclcpp's events executor, of
// which a TimersThread may have the timers; a Worker is one thread of rclcpp's
// MultiThreaded. Its thread tells it what arrived and
// what ended, and asks with Step what to run now, or until when to wait.
//
// The order of a level, its gates and budgets follow the public design of
// nano-ros, with four of its defects left out: an EDF entry is ordered by its
// absolute deadline, a deadline is missed by the finish and not by the length
// of a run, a budget is charged CPU time and refilled on a fixed grid, and
// gates are judged before every dispatch. The stock executors follow rclcpp
// from Humble to Rolling. Every choice between readings, and every tie, is as
// in testdata/scenarios/README.md, whose cases the simulator runs.
//
// Machines are pure. They take the instant now as an argument and read no
// clock, so that a simulation and an executor turn the same rules; now never
// goes back. All arithmetic is in integer nanoseconds. An instant is any type
// of integer nanoseconds, such as clock.Mono for a timer on the steady clock
// and clock.Sim for one on simulated time. Machines are not safe for concurrent
// use, and once made they do not allocate, except for a queue that grows.
//
// Missing is rclpy's multi-threaded executor: it looks for work on a thread of its
// own, has a queue between that and its workers, and all of them share the lock of
// the interpreter.
package sched

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
)

// Never is after every other instant: where a wait ends only by an arrival, and
// the deadline of what has none.
const Never clock.Mono = math.MaxInt64

// A Machine decides what one thread does next. Callbacks are numbered from 0 in
// the order of registration.
type Machine interface {
	// Arrive puts a sample, at the instant of its arrival, in the queue of one
	// input of a callback. It returns the sample that was overwritten, if one was.
	Arrive(callback, input int, s Sample) (lost Sample, overwritten bool)

	// Peek tells whether the thread wants a CPU at now, either because a step
	// taken now would start a callback or because a cycle is not at its end; if
	// not, next is the instant at which to ask again unless something arrives
	// before. Peek changes nothing. It must not be called while a callback runs.
	Peek(now clock.Mono) (wants bool, next clock.Mono)

	// Step takes the thread, which holds a CPU and runs no callback, as far as
	// the start of the next one, and returns what to run. The job is the
	// machine's and is valid until Done. A nil job says that there is nothing to
	// run before next, unless something arrives.
	Step(now clock.Mono) (job *Job, next clock.Mono)

	// Done says that the callback which Step started has ended at now, having
	// used so much CPU time. It reports whether the deadline was missed.
	Done(now clock.Mono, cpu time.Duration) (missed bool)
}
