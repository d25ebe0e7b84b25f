package bounds

import "math/big"

// The error of a node's clock is the true simulated time less what the node
// takes for it. A node on simulated time takes the value of the last /clock
// message that it got, a tick, and does not guess on from there. So it is wrong
// by a latency term, what passes while a tick is on its way, and by a tick term,
// what passes until the next one.
//
// The forms are those of the published article on time stamps: r L, r/f, their
// sum, 1/L, E/(L + 1/f), with L the latency in wall time, f the /clock rate, r
// the real time factor and E a tolerance in simulated time. The article calls
// the sum the worst case. In an undisturbed run on real nodes 99 % of the
// readings stay within it, r (L + 1/(2f)) is the mean, and the largest error is
// larger by r times what the latest tick was late.

// Ticks are the messages of /clock. They come at a constant interval of
// simulated time, as from a simulator that publishes in each step, or of wall
// time, as from a player with a timer of its own.
type Ticks struct {
	Every *big.Rat // seconds from one tick to the next, above zero
	Sim   bool     // of simulated time; else of wall time
}

// Term returns the tick term: the simulated time from one tick to the next,
// r/f, or the step whatever the RTF.
func (t Ticks) Term(rtf *big.Rat) *big.Rat {
	if t.Sim {
		return new(big.Rat).Set(t.Every)
	}
	return mul(rtf, t.Every)
}

// Rate returns f, the ticks in a second of wall time.
func (t Ticks) Rate(rtf *big.Rat) *big.Rat { return new(big.Rat).Quo(rtf, t.Term(rtf)) }

// MaxRTF returns the largest real time factor at which both terms together stay
// within a tolerance in simulated time: E/(L + 1/f), or (E - step)/L for ticks
// in simulated time, and 0 if none is low enough. The latency may be zero. With
// ok false there is no largest one: the step alone counts, and is within it.
func (t Ticks) MaxRTF(latency, tolerance *big.Rat) (rtf *big.Rat, ok bool) {
	if !t.Sim {
		return new(big.Rat).Quo(tolerance, new(big.Rat).Add(latency, t.Every)), true
	}
	left := new(big.Rat).Sub(tolerance, t.Every)
	switch {
	case latency.Sign() == 0 && left.Sign() >= 0:
		return nil, false
	case left.Sign() <= 0:
		return new(big.Rat), true
	}
	return left.Quo(left, latency), true
}

// LatencyTerm returns the simulated time that passes during the latency: r L.
func LatencyTerm(rtf, latency *big.Rat) *big.Rat { return mul(rtf, latency) }

// MeanError returns the mean error of readings at random instants: the latency
// term and half of the tick term.
func MeanError(latencyTerm, tickTerm *big.Rat) *big.Rat {
	half := mul(tickTerm, big.NewRat(1, 2))
	return half.Add(half, latencyTerm)
}

// RateNeeded returns the lowest /clock rate, per second of wall time, at which
// both terms together stay within a tolerance in simulated time: 1/(E/r - L).
// With ok false the latency term takes up all of the tolerance, and no rate is
// high enough. The latency may be zero.
func RateNeeded(rtf, latency, tolerance *big.Rat) (hz *big.Rat, ok bool) {
	left := new(big.Rat).Quo(tolerance, rtf)
	left.Sub(left, latency)
	if left.Sign() <= 0 {
		return nil, false
	}
	return left.Inv(left), true
}
