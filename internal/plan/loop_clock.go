package plan

import (
	"math"
	"math/big"
	"math/bits"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// A loopClock is the clock of a loop beside the monotonic one. Both begin at 0,
// and the loop's moves by num while the monotonic one moves by den.
type loopClock struct{ num, den uint64 }

// newLoopClock returns the clock of a real time factor, nil for the steady one.
func newLoopClock(rtf *big.Rat) loopClock {
	if rtf == nil {
		return loopClock{1, 1}
	}
	return loopClock{rtf.Num().Uint64(), rtf.Denom().Uint64()}
}

// loop and wall turn time passed on one clock into time on the other, rounded
// down to nanoseconds and saturated. It is not negative.
func (c loopClock) loop(wall time.Duration) time.Duration { return scaled(wall, c.num, c.den) }
func (c loopClock) wall(loop time.Duration) time.Duration { return scaled(loop, c.den, c.num) }

// An instant is when the loop's clock showed base, and rest later on the
// monotonic clock. A callback that did not wait for its release keeps the base
// of the one before, so that no rounding adds up, nor comes between a release
// and a start that meet.
type instant struct {
	base clock.Sim
	rest time.Duration
}

// onLoop is what the loop's clock shows at an instant.
func (c loopClock) onLoop(t instant) clock.Sim { return t.base.Add(c.loop(t.rest)) }

// onAxis is the instant on the monotonic clock.
func (c loopClock) onAxis(t instant) timeline.Instant {
	return timeline.Instant(c.wall(time.Duration(t.base)) + t.rest)
}

// scaled returns d x num / den by way of 128 bits.
func scaled(d time.Duration, num, den uint64) time.Duration {
	if num == den {
		return d
	}
	high, low := bits.Mul64(uint64(d), num)
	if high >= den {
		return math.MaxInt64
	}
	q, _ := bits.Div64(high, low, den)
	return time.Duration(min(q, math.MaxInt64))
}
