package analysis

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// rosTime follows the node's ROS time as its callback read it at its starts.
type rosTime struct {
	at    timeline.Instant // of the last start with a reading
	t     clock.Sim
	known bool

	ros, mono time.Duration // that passed between readings, steps back left out
	least     time.Duration // the shortest that it was seen to move; 0: it was not
	common    time.Duration // the longest of which all moves are multiples
	resets    uint64        // how often it went back
}

// step returns the ROS time passed since the last reading, unless it went back
// or was only then set.
func (r *rosTime) step(j *job) (d time.Duration, ok bool) {
	if !r.known || !j.hasROS || j.ros < r.t {
		return 0, false
	}
	d = j.ros.Sub(r.t)
	// Zero is how an unset clock reads, and what follows it a clock start.
	return d, r.t != 0 || d/startFactor <= j.at.Sub(r.at)
}

// read takes the reading of a start. It reports whether a timer on ROS time
// begins a new grid there.
func (r *rosTime) read(j *job) (restart bool) {
	if !j.hasROS {
		return false
	}
	if d, ok := r.step(j); ok {
		r.ros += d
		r.mono += j.at.Sub(r.at)
		r.moved(d)
	} else if r.known {
		restart = true
		if j.ros < r.t {
			r.resets++
		}
	}
	r.at, r.t, r.known = j.at, j.ros, true
	return restart
}

// moved takes a distance between two readings.
func (r *rosTime) moved(d time.Duration) {
	if d <= 0 {
		return
	}
	if r.least == 0 || d < r.least {
		r.least = d
	}
	for d > 0 { // Euclid's, which ends at once if d is a multiple already
		r.common, d = d, r.common%d
	}
}

// finestTick is the shortest step of a simulated clock that is taken from what
// readings have in common: steps that are rounded, such as of 1/60 s, have
// only nanoseconds in common.
const finestTick = 500 * time.Microsecond

// tick returns a bound of the clock's step: it is that or shorter. It is 0 if
// ROS time was not seen to move.
func (r *rosTime) tick() time.Duration {
	if r.common >= finestTick {
		return r.common
	}
	return r.least
}

// rtf returns ROS time passed over monotonic time passed; ok is false if no
// time passed, or no ROS time was read.
func (r *rosTime) rtf() (f float64, ok bool) {
	if r.mono <= 0 {
		return 0, false
	}
	return ratio(r.ros, r.mono), true
}
