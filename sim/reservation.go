package sim

import (
	"math/bits"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A reservation is the state of a Reservation, by the rules of the constant
// bandwidth server that SCHED_DEADLINE is.
type reservation struct {
	rule     Reservation
	left     time.Duration
	deadline clock.Mono
}

// wakeUp is called when the thread becomes runnable. What is left is good until
// the old deadline only if using it up by then does not exceed the bandwidth.
func (r *reservation) wakeUp(now clock.Mono) {
	if r.deadline <= now || r.exceeds(r.deadline.Sub(now)) {
		r.left, r.deadline = r.rule.Amount, now.Add(r.rule.Period)
	}
}

// exceeds reports whether left/until is more than amount/period.
func (r *reservation) exceeds(until time.Duration) bool {
	hi, lo := bits.Mul64(uint64(max(r.left, 0)), uint64(r.rule.Period))
	boundHi, boundLo := bits.Mul64(uint64(r.rule.Amount), uint64(until))
	return hi > boundHi || hi == boundHi && lo > boundLo
}

// renew is called while the thread is runnable with nothing left: at the
// deadline it has all again. It returns when that is, if it is to come.
func (r *reservation) renew(now clock.Mono) clock.Mono {
	if r.deadline > now {
		return r.deadline
	}
	r.left, r.deadline = r.rule.Amount, r.deadline.Add(r.rule.Period)
	return sched.Never
}
