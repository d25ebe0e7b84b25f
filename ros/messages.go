package ros

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Typed is a message: a Go struct that tells which ROS type it is. Its fields are
// those of the type, in their order, as package cdr encodes them; TypeOf says
// how they get their names in ROS.
type Typed interface {
	ROSType() string // such as std_msgs/msg/Header
}

// A Time is an instant: seconds since the epoch of a clock, and the
// nanoseconds that are added to them, 0 to 999,999,999 also before the epoch.
type Time struct {
	Sec     int32
	Nanosec uint32
}

// A Duration is a span of time, in the parts of a Time.
type Duration struct {
	Sec     int32
	Nanosec uint32
}

// TimeOf returns an instant of simulated time as messages carry it. Their
// seconds have 32 bits: what is beyond, 68 years from the epoch, becomes the
// first or the last instant they can tell.
func TimeOf(t clock.Sim) Time {
	sec, nanosec := split(int64(t))
	return Time{sec, nanosec}
}

// Sim returns the instant on a simulated clock; nanoseconds of a second and
// more, which no conforming writer sends, are added all the same.
func (t Time) Sim() clock.Sim { return clock.Sim(join(t.Sec, t.Nanosec)) }

// Wall returns the instant on the wall clock.
func (t Time) Wall() clock.Wall { return clock.Wall(join(t.Sec, t.Nanosec)) }

// DurationOf returns a span as messages carry it, within the limits of TimeOf.
func DurationOf(d time.Duration) Duration {
	sec, nanosec := split(int64(d))
	return Duration{sec, nanosec}
}

// Std returns the span as a time.Duration.
func (d Duration) Std() time.Duration { return time.Duration(join(d.Sec, d.Nanosec)) }

const second = int64(time.Second)

func join(sec int32, nanosec uint32) int64 { return int64(sec)*second + int64(nanosec) }

func split(ns int64) (sec int32, nanosec uint32) {
	s, n := ns/second, ns%second
	if n < 0 {
		s, n = s-1, n+second
	}
	switch {
	case s < math.MinInt32:
		return math.MinInt32, 0
	case s > math.MaxInt32:
		return math.MaxInt32, uint32(second - 1)
	}
	return int32(s), uint32(n)
}

// A Header begins messages about something that was observed at an instant.
type Header struct {
	Stamp   Time
	FrameID string
}

// A Clock is what /clock carries: one tick of simulated time.
type Clock struct{ Clock Time }

func (Time) ROSType() string     { return "builtin_interfaces/msg/Time" }
func (Duration) ROSType() string { return "builtin_interfaces/msg/Duration" }
func (Header) ROSType() string   { return "std_msgs/msg/Header" }
func (Clock) ROSType() string    { return "rosgraph_msgs/msg/Clock" }
