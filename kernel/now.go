package kernel

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// The runtime reads CLOCK_MONOTONIC without a system call but keeps the number
// to itself. So it is read once with a system call, and the runtime's clock
// carries it on.
var start, origin = align()

// Now returns the time on CLOCK_MONOTONIC. All instants of one process share an
// unknown constant error that is less than the time of one system call, a few
// microseconds at most. Elsewhere than on Linux it counts from the start of the
// process.
func Now() clock.Mono { return origin.Add(time.Since(start)) }

// Realtime returns the time on CLOCK_REALTIME.
func Realtime() clock.Wall { return clock.Wall(time.Now().UnixNano()) }

// align returns an instant of the runtime's clock and the same on CLOCK_MONOTONIC,
// from the narrowest of several readings of one between two of the other.
func align() (at time.Time, mono clock.Mono) {
	narrowest := time.Duration(-1)
	for range 16 {
		before := time.Now()
		m := monotonic()
		width := time.Since(before)
		if narrowest < 0 || width < narrowest {
			narrowest, at, mono = width, before.Add(width/2), m
		}
	}
	return at, mono
}
