package bounds

import "math/big"

// A timer on simulated time can become due at a tick only. It then runs once,
// however many of its releases the tick passed: rcl skips the others.

// FiringInterval returns the mean simulated time from one run of a timer to the
// next, in the long run: its period, or the tick if that is longer. A release
// at exactly the tick that serves the one before is skipped, as rcl does since
// Jazzy.
func FiringInterval(period, tick *big.Rat) *big.Rat {
	if tick.Cmp(period) > 0 {
		return new(big.Rat).Set(tick)
	}
	return new(big.Rat).Set(period)
}

// SkippedReleases returns the share of a timer's releases that are skipped.
func SkippedReleases(period, tick *big.Rat) *big.Rat {
	kept := new(big.Rat).Quo(period, FiringInterval(period, tick))
	return kept.Sub(big.NewRat(1, 1), kept)
}

// FiringsKept returns how many times a timer runs in a simulated second if a
// release at exactly the tick that serves the one before is kept, as in rcl of
// Humble: such a tick then makes it run twice. That takes a tick that is longer
// than the period, and ticks that fall on releases as often as they can, since
// both began at 0.
func FiringsKept(period, tick *big.Rat) *big.Rat {
	firings := new(big.Rat).Inv(FiringInterval(period, tick))
	if tick.Cmp(period) <= 0 {
		return firings
	}
	// Tick and period meet every so many ticks: the denominator of their ratio.
	meet := new(big.Rat).SetInt(new(big.Rat).Quo(tick, period).Denom())
	return firings.Add(firings, meet.Inv(meet.Mul(meet, tick)))
}

// EqualReadings returns the share of the differences between readings of a
// node's clock that are zero, if the clock is read at a constant rate: 1 - f/a,
// none if it ticks as often as it is read. Both rates are per wall second.
func EqualReadings(asked, ticks *big.Rat) *big.Rat {
	moved := new(big.Rat).Quo(ticks, asked)
	if moved.Cmp(big.NewRat(1, 1)) > 0 {
		return new(big.Rat)
	}
	return moved.Sub(big.NewRat(1, 1), moved)
}

// Phases returns at how many different times after a tick a node's clock is
// read, if it is read at a constant rate and nothing jitters: the numerator of
// a/f. They lie evenly, so that the mean error of the readings may be off by half
// of the tick term over that number, to either side, as chance has it at the start.
func Phases(asked, ticks *big.Rat) *big.Int {
	return new(big.Int).Set(new(big.Rat).Quo(asked, ticks).Num())
}
