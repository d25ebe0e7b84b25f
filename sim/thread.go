package sim

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A thread is one OS thread and what it is doing.
type thread struct {
	number int // of all OS threads

	job  *sched.Job    // nil if it runs no callback
	left time.Duration // CPU time that the callback still uses
	wake clock.Mono    // if it runs none and wants no CPU: when to ask again

	runnable bool
	placed   bool       // it has a CPU
	stale    bool       // something happened since it was asked
	wants    bool       // it runs none, but would start one, or is within a cycle
	blocked  bool       // it waits for the callback's lock
	since    clock.Mono // when it became runnable

	priority    int
	inherits    int // the priority of the most urgent thread that waits for its lock
	cpu         int // where it is pinned, from 0; -1 if it is not
	reservation *reservation

	machine   sched.Machine
	events    *sched.Events // the same, if it is one
	simTime   sched.SimTime // the same, if it follows simulated time
	callbacks []callback
	running   *callback

	clockCallback int           // the one that takes /clock; -1 is none
	cost          time.Duration // CPU time of this run
	asked         []int32       // the clients of the requests that this run has, if it replies

	id   OSThread
	crew []thread // the workers of its executor, if there are others
}

// A callback is what a thread needs to run one.
type callback struct {
	costs     []time.Duration
	turn      int // the next of costs
	draw      func(job int64) time.Duration
	drawn     int64
	publishes []int
	lock      *lock

	faults bool // a deadline that it misses ends the run
	client int32
	reply  int          // a topic; -1 is none
	asked  queue[int32] // the clients of the requests in its queue
}

// takes returns the CPU time of the next job.
func (c *callback) takes() time.Duration {
	if c.draw != nil {
		c.drawn++
		return max(c.draw(c.drawn-1), 0)
	}
	cost := c.costs[c.turn]
	if c.turn++; c.turn == len(c.costs) {
		c.turn = 0
	}
	return cost
}

// ask notes who sent the request that arrived, which may have overwritten the
// oldest.
func (c *callback) ask(client int32, overwritten bool) {
	c.asked.push(client)
	if overwritten {
		c.asked.pop()
	}
}

// touch has the thread asked again, and those that share its machine.
func (t *thread) touch() {
	t.stale = true
	for i := range t.crew {
		t.crew[i].stale = true
	}
}

// nobody is the priority that is inherited where no thread waits.
const nobody = math.MinInt

// begin begins to run a callback.
func (t *thread) begin(job *sched.Job) {
	c := &t.callbacks[job.Callback]
	t.job, t.running = job, c
	t.cost = c.takes()
	t.left = t.cost
	t.asked = t.asked[:0]
	if c.reply >= 0 {
		for range job.Taken {
			t.asked = append(t.asked, c.asked.pop())
		}
	}
}

// use uses CPU time.
func (t *thread) use(cpu time.Duration) {
	t.left -= cpu
	if t.reservation != nil {
		t.reservation.left -= cpu
	}
}

// lasts returns how long the thread, which has a CPU and runs a callback, goes
// on by itself.
func (t *thread) lasts() time.Duration {
	if t.reservation != nil {
		return min(t.left, t.reservation.left)
	}
	return t.left
}

// refresh looks anew at whether the thread is runnable, where that may have
// changed. It returns when to look again by itself.
func (t *thread) refresh(now clock.Mono) clock.Mono {
	if t.job == nil {
		if t.stale || t.wants || t.wake <= now {
			t.wants, t.wake = t.machine.Peek(now)
			t.turn(t.wants, now)
		}
	} else if t.stale {
		t.turn(!t.blocked, now)
	}
	t.stale = false
	switch {
	case t.runnable && t.exhausted():
		return t.reservation.renew(now)
	case t.job != nil, t.runnable && t.wake <= now:
		return sched.Never
	}
	return t.wake
}

// turn makes the thread runnable, or not.
func (t *thread) turn(runnable bool, now clock.Mono) {
	if runnable && !t.runnable {
		t.since = now
		if t.reservation != nil {
			t.reservation.wakeUp(now)
		}
	}
	t.runnable = runnable
}

// exhausted reports whether the thread is off the CPU although it is runnable.
func (t *thread) exhausted() bool { return t.reservation != nil && t.reservation.left <= 0 }

// before reports whether t goes before u, which has the higher number.
func (t *thread) before(u *thread) bool {
	if t.reservation != nil || u.reservation != nil {
		return u.reservation == nil || t.reservation != nil && t.reservation.deadline <= u.reservation.deadline
	}
	if p, q := max(t.priority, t.inherits), max(u.priority, u.inherits); p != q {
		return p > q
	}
	return t.since <= u.since
}
