package sim

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A System is what runs: threads with their callbacks, and what comes from
// outside. Topics, contexts and locks are named by pointer; what names the same
// one shares it. The zero value of every field works, but a callback needs a
// cost.
//
// Its functions draw what varies. Each must give the same for the same argument,
// so that a run can be repeated; what they give below 0 counts as 0.
type System struct {
	CPUs    int  // identical; 0 means 1
	Equal   bool // the kernel refused priorities: all threads have the same
	Threads []Thread
	Sources []Source
	Clock   *Clock // nil if nothing follows simulated time
}

// A Thread is one OS thread and its executor, or the several of a MultiThreaded.
type Thread struct {
	Name        string
	Workers     int // OS threads of a MultiThreaded, all alike; 0 means 1
	Priority    int // more is more urgent
	CPU         int // where it is pinned, from 1; 0 is not pinned. All are, or none
	Executor    Executor
	Level       LevelOptions // of the executor Level
	Spin        sched.Spin   // of WaitSet, Static and Rclpy
	Reservation Reservation  // of each worker
	Callbacks   []Callback   // by registration

	// UseSimTime gives it the Clock. Every tick sets its clock at once, as by a
	// thread of its own, which rclcpp has unless told not to; but with a
	// ClockCallback, as rclpy has it, at that callback's ends only: one on the
	// Clock's topic, from 1, which runs like any other.
	UseSimTime    bool
	ClockCallback int
}

// An Executor is a kind of sched.Machine.
type Executor uint8

// The executors.
const (
	Level         Executor = iota
	WaitSet                // rclcpp's single-threaded
	Events                 // rclcpp's
	EventsTimers           // the thread on which rclcpp's events executor runs timers if it is told to; the others are in Events
	Static                 // rclcpp's static single-threaded
	Rclpy                  // rclpy's single-threaded
	MultiThreaded          // rclcpp's, on several Workers
)

// LevelOptions are the fields of sched.LevelConfig beside its callbacks.
type LevelOptions struct {
	Drain       sched.Drain
	GreedyCap   int
	Trigger     sched.Trigger
	SpinPeriod  time.Duration
	CycleBudget time.Duration
	LET         bool
	Budget      sched.Budget // without a Reservation
	CleanTime   time.Duration
}

// A Callback is one callback and what it does when it runs.
type Callback struct {
	Name string
	sched.Callback
	From      []*Topic        // of its inputs, one each
	Costs     []time.Duration // CPU time, used in turn; sched.Callback.Cost is the largest, unless it is more
	Publishes []*Topic        // one message each, at the end, with the job's deadline
	Lock      *Lock           // held from start to end

	// Draw is the CPU time of a job, by its number from 0, instead of Costs.
	Draw func(job int64) time.Duration

	// Of services. A request is a message, on a topic that callbacks publish on.
	// Client is who asks there, from 1, such as a node: what the callback publishes
	// says so. A Service has a topic to Reply on, with one response at its end for
	// each request that it took; it goes to callbacks of the kind Client with the
	// same Client, those with 0 taking all.
	Client int
	Reply  *Topic
}

// A Topic takes its messages to every input that names it. Those of one source
// arrive in the order in which they were published, and so do those of all
// callbacks.
type Topic struct {
	Name    string
	Latency time.Duration                       // from publication to arrival, at least
	Jitter  func(sent clock.Mono) time.Duration // what comes to it, by the instant of publication; nil is nothing
}

// A Lock is a mutex. A callback starts, and then waits for the lock if another
// holds it; the holder has the priority of the most urgent that waits. A freed
// lock goes to the waiting thread of the highest priority.
type Lock struct {
	Name  string
	Plain bool // without priority inheritance
}

// A Source publishes from outside: at Phase + k * Period, or at Times, in order.
type Source struct {
	Topic  *Topic
	Phase  clock.Mono
	Period time.Duration
	Jitter func(due clock.Mono) time.Duration // later than that, by the instant of the grid, up to a Period; nil is nothing
	Times  []clock.Mono

	// OnSim has these on simulated time: a message is published when the Clock
	// sends the first tick not before it, one of a Period per tick at most.
	OnSim bool

	Deadline time.Duration // that its messages carry, from publication; 0 is none
}

// A Reservation is CPU time that the kernel guarantees a thread and limits it
// to, as SCHED_DEADLINE does. The zero Reservation is none. A thread that has
// one outranks every priority; of two, the one with the earlier deadline runs.
type Reservation struct {
	Amount, Period time.Duration // Amount is at most Period
}
