// Package clock has the points in time that takt speaks of. Instants of
// different clocks are different types, so that subtracting one from another
// does not compile; none converts to another by itself.
//
// All instants are integer nanoseconds. Durations are time.Duration and are
// only ever taken between two instants of one type.
package clock

import (
	"fmt"
	"math"
	"time"
)

// The instants, in nanoseconds.
type (
	// Mono is an instant on CLOCK_MONOTONIC of one host and boot.
	Mono int64
	// Wall is an instant on CLOCK_REALTIME: nanoseconds since the Unix epoch.
	Wall int64
	// Sim is an instant on a simulator's clock, as /clock carries it.
	Sim int64
)

// Add returns t moved by d. It saturates instead of wrapping around.
func (t Mono) Add(d time.Duration) Mono { return Mono(add(int64(t), int64(d))) }

// Sub returns t - u. It saturates at the extremes of time.Duration.
func (t Mono) Sub(u Mono) time.Duration { return Sub(t, u) }

// Seconds returns t in seconds; instants far from 0 lose nanoseconds.
func (t Mono) Seconds() float64 { return float64(t) / 1e9 }

// Add returns t moved by d. It saturates instead of wrapping around.
func (t Wall) Add(d time.Duration) Wall { return Wall(add(int64(t), int64(d))) }

// Sub returns t - u. It saturates at the extremes of time.Duration.
func (t Wall) Sub(u Wall) time.Duration { return Sub(t, u) }

// String returns the date in UTC, to the nanosecond.
func (t Wall) String() string {
	return time.Unix(0, int64(t)).UTC().Format("2006-01-02 15:04:05.000000000 UTC")
}

// Add returns t moved by d. It saturates instead of wrapping around.
func (t Sim) Add(d time.Duration) Sim { return Sim(add(int64(t), int64(d))) }

// Sub returns t - u. It saturates at the extremes of time.Duration.
func (t Sim) Sub(u Sim) time.Duration { return Sub(t, u) }

// Seconds returns t in seconds; instants far from 0 lose nanoseconds.
func (t Sim) Seconds() float64 { return float64(t) / 1e9 }

// String returns the instant in seconds, to the nanosecond, such as 687.785000000 s.
func (t Sim) String() string {
	sign, n := "", uint64(t)
	if t < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%09d s", sign, n/1e9, n%1e9)
}

// Sub returns t - u of two instants of one type, saturated at the extremes of
// time.Duration.
func Sub[T ~int64](t, u T) time.Duration {
	d := int64(t) - int64(u)
	switch {
	case t >= u && d < 0:
		return math.MaxInt64
	case t < u && d >= 0:
		return math.MinInt64
	}
	return time.Duration(d)
}

func add(t, d int64) int64 {
	s := t + d
	switch {
	case d > 0 && s < t:
		return math.MaxInt64
	case d < 0 && s > t:
		return math.MinInt64
	}
	return s
}
