package sched

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
)

// An Instant is nanoseconds on some clock.
type Instant interface{ ~int64 }

// A SkipRule says what becomes of the releases of a timer that passed while its
// callback could not run.
type SkipRule uint8

// The rules; those that skip are from rcl_timer_call.
const (
	// SkipNow skips them, and also a release at exactly the instant at which the
	// one before it is served: the next release is the first one after now (rcl
	// of Jazzy and later).
	SkipNow SkipRule = iota
	// KeepNow skips them but for a release at exactly that instant: the next
	// release is the first one not before now (rcl of Humble).
	KeepNow
	// SkipNone makes up for all of them, one call each, as fast as the thread
	// gets to it. A rate that is counted in callbacks then looks healthy during
	// and after a stall.
	SkipNone
)

// String says in words what the rule does.
func (r SkipRule) String() string {
	switch r {
	case KeepNow:
		return "releases before now are skipped"
	case SkipNone:
		return "no release is skipped"
	}
	return "releases at or before now are skipped"
}

// A Timer is the grid of releases of a periodic timer as rcl keeps it. A call
// moves the next release on by one period from the release it served, never
// from now, so that the phase does not drift; what becomes of releases that
// passed meanwhile is the SkipRule's.
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

// Previous returns the release before the next.
func (t *Timer[T]) Previous() T { return add(t.next, -t.period) }

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
	if t.rule == SkipNone && t.period > 0 {
		return release, 0
	}
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

// Reset starts the grid anew, one period after now, as rcl_timer_reset does.
func (t *Timer[T]) Reset(now T) { t.next = add(now, t.period) }

// Resume tells the timer, of which nothing was seen until now, that it may have
// been called meanwhile: the next release is the last one not after now.
func (t *Timer[T]) Resume(now T) {
	if behind := clock.Sub(now, t.next); t.period > 0 && behind > 0 {
		t.next = add(t.next, times(t.period, int64(behind/t.period)))
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
