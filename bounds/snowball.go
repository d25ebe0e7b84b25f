package bounds

import "math/big"

// A Snowball is a node that works on everything since its last round: a round
// over an interval of simulated time takes A + B times the interval in wall
// time, and the next interval is the RTF times that. The cost model is an
// assumption of the published article; measure whether yours is linear.
type Snowball struct {
	A   *big.Rat // wall seconds that a round takes whatever its interval
	B   *big.Rat // wall seconds per simulated second of interval
	RTF *big.Rat
}

// Factor returns r B: by this the distance from the fixed point is multiplied
// from round to round. From 1 on the intervals grow without limit.
func (s Snowball) Factor() *big.Rat { return mul(s.RTF, s.B) }

// FixedPoint returns the interval on which the rounds settle, r A/(1 - r B)
// simulated seconds, and the wall seconds that a round then takes. With
// converges false there is none.
func (s Snowball) FixedPoint() (interval, processing *big.Rat, converges bool) {
	left := new(big.Rat).Sub(big.NewRat(1, 1), s.Factor())
	if left.Sign() <= 0 {
		return nil, nil, false
	}
	processing = new(big.Rat).Quo(s.A, left)
	return mul(s.RTF, processing), processing, true
}

// RTFLimit returns 1/B: the rounds settle below it, and no longer at it.
func (s Snowball) RTFLimit() *big.Rat { return new(big.Rat).Inv(s.B) }
