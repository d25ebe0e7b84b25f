// Package sched has the rules by which callbacks come to run: when a timer is
// due, what becomes of releases that passed meanwhile, what a history keeps.
//
// Its machines are pure. They take the instant now as an argument and read no
// clock, so that a simulation and an executor turn the same rules; all
// arithmetic is in integer nanoseconds. An instant is any type of integer
// nanoseconds, such as clock.Mono for a timer on the steady clock and
// clock.Sim for one on simulated time. They are not safe for concurrent use.
package sched

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
)

// An Instant is nanoseconds on some clock.
type Instant interface{ ~int64 }

// A SkipRule says what a timer does with a release at exactly the instant at
// which the release before it was served. Later releases wait and earlier ones
// are skipped under both rules.
type SkipRule uint8

// The rules, both from rcl_timer_call.
const (
	// SkipNow skips it: the next release is the first one after now (rcl of
	// Jazzy and later).
	SkipNow SkipRule = iota
	// KeepNow keeps it: the next release is the first one not before now (rcl
	// of Humble).
	KeepNow
)

// String says in words what the rule does.
func (r SkipRule) String() string {
	if r == KeepNow {
		return "releases before now are skipped"
	}
	return "releases at or before now are skipped"
}

// A Timer is the grid of releases of a periodic timer as rcl keeps it. A call
// moves the next release on by one period from the release it served, never
// from now, so that the phase does not drift; releases that passed meanwhile
// are skipped and never made up for.
type Timer[T Instant] struct {
	period time.Duration
	rule   SkipRule
	next   T
	called T // the last call, before it the creation
}

// NewTimer returns a timer whose first release is at first: it was created one
// period before. A period of 0 is due at all times; a negative one counts as 0.
func NewTimer[T Instant](first T, period time.Duration, rule SkipRule) *Timer[T] {
	period = max(period, 0)
	return &Timer[T]{period: period, rule: rule, next: first, called: add(first, -period)}
}

// Next returns the next release.
func (t *Timer[T]) Next() T { return t.next }

// Due reports whether the next release has come.
func (t *Timer[T]) Due(now T) bool { return t.next <= now }

// Call serves the next release at now. It returns that release and how many
// releases after it are skipped. The start of the callback is late by now less
// the release, which is negative if the timer was not due. At the end of
// representable time the grid stays there, and skipped is a lower bound.
func (t *Timer[T]) Call(now T) (release T, skipped int64) {
	release = t.next
	t.called = now
	t.next = add(release, t.period)
	if behind := clock.Sub(now, t.next); behind > 0 || behind == 0 && t.rule == SkipNow {
		skipped = t.ahead(behind)
		t.next = add(t.next, times(t.period, skipped))
		if t.period == 0 {
			t.next = now
		}
	}
	return release, skipped
}

// ahead returns how many releases to skip when the next one lies behind now.
func (t *Timer[T]) ahead(behind time.Duration) int64 {
	switch {
	case t.period == 0:
		return 0
	case t.rule == KeepNow:
		return 1 + int64((behind-1)/t.period)
	}
	return 1 + int64(min(behind, math.MaxInt64-1)/t.period)
}

// Jump tells the timer that its clock moved backward to now. If that is before
// the last call, or before the creation of a timer that was never called, the
// grid starts anew, one period after now; else nothing changes, so that the
// timer waits until its release comes again. So does rcl for a timer on ROS time.
func (t *Timer[T]) Jump(now T) {
	if now < t.called {
		t.called, t.next = now, add(now, t.period)
	}
}

// add returns t moved by d, saturated.
func add[T Instant](t T, d time.Duration) T { return T(clock.Mono(t).Add(d)) }

// times returns n periods, saturated. Neither is negative.
func times(period time.Duration, n int64) time.Duration {
	if period > 0 && n > math.MaxInt64/int64(period) {
		return math.MaxInt64
	}
	return period * time.Duration(n)
}
