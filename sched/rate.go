package sched

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// A RateRule says how a loop that sleeps between its bodies comes back to its
// rate after a body that took longer than the period.
type RateRule uint8

// The rules.
const (
	// CatchUp runs late cycles at once and shortens those after it, until the
	// grid is met again; a lag of more than a whole period starts the grid
	// anew at now (ros::Rate of ROS 1).
	CatchUp RateRule = iota
	// Reset does the same, but after such a lag counts from one period after
	// now, so that one later cycle may take two periods (rclcpp::Rate).
	Reset
	// Align runs no cycle late: it sleeps until the first instant of the grid
	// not before now (the main loop of ros2_control_node).
	Align
)

// String says in words what the rule does.
func (r RateRule) String() string {
	switch r {
	case CatchUp:
		return "late cycles run at once; a lag of more than a period begins a new grid at now"
	case Reset:
		return "late cycles run at once; a lag of more than a period begins a new grid one period after now"
	}
	return "instants of the grid that have passed are skipped"
}

// A Rate is such a loop's grid. The zero Rate is not usable: see NewRate.
type Rate[T Instant] struct {
	period time.Duration
	rule   RateRule
	last   T // where the cycle that runs was to begin
}

// NewRate returns the grid of a loop that begins its first body at start. The
// period must be above 0; a shorter one counts as 1 ns.
func NewRate[T Instant](start T, period time.Duration, rule RateRule) *Rate[T] {
	return &Rate[T]{period: max(period, 1), rule: rule, last: start}
}

// A Wake is what a loop is told at the end of a body.
type Wake[T Instant] struct {
	At      T     // when the next body begins: now if the loop does not sleep
	Release T     // when it should have begun
	Slept   bool  // whether there was time to sleep, which is what sleep() returns
	Skipped int64 // instants of the grid that no body begins at or makes up for
}

// LoggedMissed returns the "missed cycles" that ros2_control_node logs at this
// end of a body, under the rule Align: the cycle that took too long counts as
// one beside those that it skipped. It is 0 where nothing is logged.
func (w Wake[T]) LoggedMissed() int64 {
	if w.Skipped == 0 {
		return 0
	}
	return w.Skipped + 1
}

// Sleep tells when the next body begins, a body having ended at now.
func (r *Rate[T]) Sleep(now T) Wake[T] {
	next := add(r.last, r.period)
	if r.rule == Align {
		return r.align(next, now)
	}
	if now < r.last { // the clock went back, or a reset counts from later than now
		next = add(now, r.period)
	}
	if r.rule == CatchUp {
		r.last = next
	} else {
		r.last = add(r.last, r.period)
	}
	if next > now {
		return Wake[T]{At: next, Release: next, Slept: true}
	}
	w := Wake[T]{At: now, Release: next}
	if behind := clock.Sub(now, next); behind > r.period {
		// The grid is given up. The body that begins now makes up for its next
		// instant only; those after that are skipped.
		w.Skipped = int64(behind / r.period)
		r.last = now
		if r.rule == Reset {
			r.last = add(now, r.period)
		}
	}
	return w
}

func (r *Rate[T]) align(next, now T) Wake[T] {
	var skipped int64
	if behind := clock.Sub(now, next); behind > 0 {
		skipped = 1 + int64((behind-1)/r.period)
		next = add(next, times(r.period, skipped))
	}
	r.last = next
	// The grid lies before now only where time itself saturates.
	return Wake[T]{At: max(next, now), Release: next, Slept: next > now, Skipped: skipped}
}
