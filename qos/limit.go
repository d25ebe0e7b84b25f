package qos

import (
	"math"
	"time"
)

// A Limit is the longest time that a policy allows. The zero Limit is
// infinite, which is the default of DDS; no time at all is Within(0).
type Limit struct {
	d      time.Duration
	finite bool
}

// Within returns a limit of d. The greatest Duration is infinite, as it is in ROS.
func Within(d time.Duration) Limit {
	if d == math.MaxInt64 {
		return Limit{}
	}
	return Limit{d, true}
}

// Duration returns the limit, or false if it is infinite.
func (l Limit) Duration() (d time.Duration, finite bool) { return l.d, l.finite }

// AtMost reports whether l is as short as m or shorter.
func (l Limit) AtMost(m Limit) bool { return !m.finite || l.finite && l.d <= m.d }

func (l Limit) String() string {
	if !l.finite {
		return "infinite"
	}
	return l.d.String()
}
