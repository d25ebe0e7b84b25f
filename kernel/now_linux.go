package kernel

import (
	"golang.org/x/sys/unix"

	"github.com/takt-rt/takt/clock"
)

// monotonic reads CLOCK_MONOTONIC. The call cannot fail: the clock always exists.
func monotonic() clock.Mono {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t)
	return clock.Mono(t.Nano())
}
