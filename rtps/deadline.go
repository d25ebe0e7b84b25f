package rtps

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Deadline counts the periods in which a sample was due and none came, of
// one writer or of what a reader gets from one writer. The first sample starts
// it: without one nothing is missed. Each sample is due at most Period after
// the last, and after a miss Period after the instant that was missed. A
// sample exactly at that instant is in time.
type Deadline struct {
	Period time.Duration // 0: there is no deadline
	due    clock.Mono
	begun  bool
}

// Sample notes a sample at now and returns how many deadlines were missed
// since the last call.
func (d *Deadline) Sample(now clock.Mono) (missed uint64) {
	missed = d.Tick(now)
	d.due, d.begun = now.Add(d.Period), true
	return missed
}

// Next returns the first instant at which a miss is certain, the far future
// if there is none.
func (d *Deadline) Next() clock.Mono {
	if d.Period <= 0 || !d.begun {
		return never
	}
	return d.due.Add(1)
}

// Tick returns how many deadlines were missed since the last call, if Next has
// come; else it does nothing.
func (d *Deadline) Tick(now clock.Mono) (missed uint64) {
	if now < d.Next() {
		return 0
	}
	n := 1 + (now.Sub(d.due)-1)/d.Period
	d.due = d.due.Add(n * d.Period)
	return uint64(n)
}
