package bounds

import "math/big"

// Frames are the frames of a sensor of a fixed rate in simulated time, on
// which one callback thread works in wall time. A history of a depth D stands
// between the two; the callback takes the oldest frame kept just before it
// starts.
//
// The forms are those of the published article on frame budgets: T/p, p r/T,
// min(1, T/(p r)), L/r, with T the sensor's period, p the processing time of
// one frame, r the real time factor, L a length in simulated time.
type Frames struct {
	Rate *big.Rat // per simulated second
	RTF  *big.Rat // simulated time over wall time
}

// RTFLimit returns T/p: the largest real time factor at which every frame is
// done when the next one comes, if none takes longer than processing.
func RTFLimit(rate, processing *big.Rat) *big.Rat {
	return new(big.Rat).Inv(mul(rate, processing))
}

// WallTime returns how long it takes to simulate a length: L/r.
func WallTime(length, rtf *big.Rat) *big.Rat { return new(big.Rat).Quo(length, rtf) }

// Interval returns the wall time from frame to frame: T/r.
func (f Frames) Interval() *big.Rat { return new(big.Rat).Inv(mul(f.Rate, f.RTF)) }

// ArrivalsPerCallback returns how many frames come during one callback: p r/T.
func (f Frames) ArrivalsPerCallback(processing *big.Rat) *big.Rat {
	return mul(processing, mul(f.Rate, f.RTF))
}

// Share returns the share of the frames that is processed in the long run:
// min(1, T/(p r)). It is exact where all frames take processing, whatever the
// depth; where times vary it is what the mean would give.
func (f Frames) Share(processing *big.Rat) *big.Rat {
	share := new(big.Rat).Inv(f.ArrivalsPerCallback(processing))
	if one := big.NewRat(1, 1); share.Cmp(one) > 0 {
		return one
	}
	return share
}

// Excess returns by how much a frame that takes processing exceeds the
// interval; it is negative if time is left over.
func (f Frames) Excess(processing *big.Rat) *big.Rat {
	return new(big.Rat).Sub(processing, f.Interval())
}

// SteadyAge returns the range [from, below) in which the age of a frame at the
// start of its callback lies, on the wall, where every frame takes longer than
// the interval: from (D-1) T/r to D T/r. That is after the queue has filled and
// before the sensor stops: then a full queue drains, and its last frame waits
// for all before it.
func (f Frames) SteadyAge(depth int) (from, below *big.Rat) {
	interval := f.Interval()
	below = mul(big.NewRat(int64(depth), 1), interval)
	return new(big.Rat).Sub(below, interval), below
}

// AgeGrowth returns by how many seconds the age of the frames grows in a second
// of wall time where nothing is ever dropped (KEEP_ALL): 1 - T/(p r), and 0 if
// the frames fit.
func (f Frames) AgeGrowth(processing *big.Rat) *big.Rat {
	return new(big.Rat).Sub(big.NewRat(1, 1), f.Share(processing))
}

// FirstLost returns the number of the first frame that is overwritten in a
// queue of a depth of at least 1, counted from 0, if frame 0 finds the thread
// idle and every frame takes processing. Each frame is delayed by the excess
// more than the one before; frame n is overwritten once n times the excess
// reaches D intervals. A frame that comes at the instant at which a callback
// ends is in the queue before the next one is taken, so reaching it is enough.
//
// So many slow frames in a row lose a frame, and one fewer are absorbed. With
// ok false none is ever lost.
func (f Frames) FirstLost(processing *big.Rat, depth int) (id *big.Int, ok bool) {
	excess := f.Excess(processing)
	if excess.Sign() <= 0 {
		return nil, false
	}
	_, room := f.SteadyAge(depth)
	return ceil(room.Quo(room, excess)), true
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// ceil returns the smallest integer not below x, which is not negative.
func ceil(x *big.Rat) *big.Int {
	n, rest := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		n.Add(n, big.NewInt(1))
	}
	return n
}
