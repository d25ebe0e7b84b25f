package wire

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
)

const second = 1_000_000_000 // ns

// A Timestamp is an instant of the sender's CLOCK_REALTIME (9.3.2): seconds
// since the Unix epoch, until 2106, and a fraction in units of 2^-32 s.
type Timestamp struct{ Seconds, Fraction uint32 }

// InvalidTimestamp is no instant.
var InvalidTimestamp = Timestamp{math.MaxUint32, math.MaxUint32}

// TimestampOf returns w. Both vendors round the fraction up and so does this:
// rounded down again it is w to the nanosecond. What is before 1970 or after
// 2106 cannot be said and is InvalidTimestamp.
func TimestampOf(w clock.Wall) Timestamp {
	s := int64(w) / second
	if w < 0 || s > math.MaxUint32 {
		return InvalidTimestamp
	}
	return Timestamp{uint32(s), fractionOf(int64(w) % second)}
}

// Wall returns the instant, rounded down to the nanosecond.
func (t Timestamp) Wall() clock.Wall {
	return clock.Wall(int64(t.Seconds)*second + nanosecondsOf(t.Fraction))
}

// A Duration is a signed span of time (9.3.2): seconds, and a fraction in
// units of 2^-32 s that is added to them.
type Duration struct {
	Seconds  int32
	Fraction uint32
}

// Infinite is the Duration that never ends.
var Infinite = Duration{math.MaxInt32, math.MaxUint32}

// DurationOf returns d to the nanosecond; what is beyond 68 years is Infinite,
// or the lowest Duration if negative.
func DurationOf(d time.Duration) Duration {
	s, ns := int64(d)/second, int64(d)%second
	if ns < 0 {
		s, ns = s-1, ns+second
	}
	switch {
	case s > math.MaxInt32:
		return Infinite
	case s < math.MinInt32:
		return Duration{math.MinInt32, 0}
	}
	return Duration{int32(s), fractionOf(ns)}
}

// Std returns the span rounded down to the nanosecond; Infinite becomes the
// longest time.Duration.
func (d Duration) Std() time.Duration {
	if d == Infinite {
		return math.MaxInt64
	}
	return time.Duration(int64(d.Seconds)*second + nanosecondsOf(d.Fraction))
}

func fractionOf(ns int64) uint32 {
	return uint32((uint64(ns)<<32 + second - 1) / second)
}

func nanosecondsOf(fraction uint32) int64 {
	return int64(uint64(fraction) * second >> 32)
}
