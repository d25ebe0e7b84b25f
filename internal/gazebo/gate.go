package gazebo

import "math/big"

// A Gate is what a controller gets that runs in the first step in which its
// period has passed since it last ran, as gz_ros2_control does.
type Gate struct {
	Steps int64    // steps of the simulator from one run to the next
	Rate  *big.Rat // hertz of simulated time
}

// The rates for which a gate is worked out, in hertz.
var (
	lowestRate  = big.NewRat(1, 1000)
	highestRate = big.NewRat(1_000_000_000, 1)
)

// NewGate returns the gate of a controller of the wanted rate in hertz, from 1
// mHz to 1 GHz, in a simulator of the given step in seconds: k = ceil(P/step)
// steps, rate 1/(k step). Step and period P are compared as gz-sim and
// gz_ros2_control keep them, in whole nanoseconds, so that 60 Hz in steps of
// 0.016666667 s takes one step, not two.
func NewGate(step, rate *big.Rat) Gate {
	period, ns := periodNS(rate), max(stepNS(step), 1)
	g := Gate{Steps: max((period+ns-1)/ns, 1)}
	g.Rate = new(big.Rat).SetInt64(g.Steps)
	g.Rate.Inv(g.Rate.Mul(g.Rate, step))
	return g
}

// periodNS is the period of a rate in nanoseconds, cut to whole ones.
func periodNS(rate *big.Rat) int64 {
	p := new(big.Rat).Quo(highestRate, rate)
	return new(big.Int).Quo(p.Num(), p.Denom()).Int64()
}

// misses reports whether the gate makes a controller noticeably slower or
// faster than wanted: by more than 0.1 %.
func (g Gate) misses(rate *big.Rat) bool {
	share := new(big.Rat).Quo(g.Rate, rate)
	share.Abs(share.Sub(share, big.NewRat(1, 1)))
	return share.Cmp(big.NewRat(1, 1000)) > 0
}

// stepFor returns the longest step in whole nanoseconds, not longer than the
// given one in seconds, with which a controller gets its rate. If none gives
// it exactly, it returns one that gives nearly as much.
func stepFor(step, rate *big.Rat) *big.Rat {
	const tries = 1000 // far more than lie between two divisors of the period of a round rate
	period, least := periodNS(rate), NewGate(step, rate).Steps
	for k := least; k < least+tries; k++ {
		s := nanoseconds(period / k)
		if period%k == 0 && stepNS(s) == period/k && NewGate(s, rate).Rate.Cmp(rate) == 0 {
			return s
		}
	}
	// Rounded up, also once cut: a nanosecond too short costs a whole step more.
	n := (period + least - 1) / least
	for NewGate(nanoseconds(n), rate).Steps > least {
		n++
	}
	return nanoseconds(n)
}

// nanoseconds is n of them, in seconds.
func nanoseconds(n int64) *big.Rat { return big.NewRat(n, 1_000_000_000) }
