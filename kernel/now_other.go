//go:build !linux

package kernel

import "github.com/takt-rt/takt/clock"

func monotonic() clock.Mono { return 0 }
