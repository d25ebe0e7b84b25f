package plan

import (
	"fmt"
	"math/big"
	"time"
)

// frameTicks are the times of a run as integers of one unit in which all of
// them are whole, so that a frame that comes at the very instant at which a
// callback ends is found to: at 30 Hz and an RTF of 0.3 frames come every 1/9 s.
type frameTicks struct {
	perSecond int64
	interval  int64
	fraction  int64 // of a tick, in 2^-32; zero unless rounded
	times     []int64
	overhead  int64
	rounded   bool // to nanoseconds, since no exact unit is coarse enough
}

// maxTicks leaves room for sums of two.
var maxTicks = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 62))

func newFrameTicks(s *FramesSetup, interval *big.Rat) (frameTicks, error) {
	if interval.Cmp(seconds(1)) < 0 {
		return frameTicks{}, fmt.Errorf("frames would come faster than one in a nanosecond; lower --rate or --rtf")
	}
	times := s.Times
	if len(times) == 0 {
		times = []time.Duration{s.Processing}
	}
	// The last callback ends before all frames have taken an interval and the worst time.
	end := new(big.Rat).Add(interval, s.with(seconds(s.worst())))
	end.Mul(end, big.NewRat(int64(s.Frames), 1))

	unit := commonUnit(times, s.Overhead, interval)
	t := frameTicks{}
	if !fits(end, unit) {
		unit, t.rounded = big.NewInt(int64(time.Second)), true
		if !fits(end, unit) {
			return t, fmt.Errorf("the run would last over 146 years; plan fewer frames")
		}
	}
	t.perSecond = unit.Int64()
	t.interval, t.fraction = split(inTicks(interval, unit))
	for _, d := range times {
		n, _ := split(inTicks(seconds(d), unit))
		t.times = append(t.times, n)
	}
	t.overhead, _ = split(inTicks(seconds(s.Overhead), unit))
	return t, nil
}

// commonUnit returns the fewest ticks per second in which all times are whole:
// the least common multiple of their denominators.
func commonUnit(times []time.Duration, overhead time.Duration, interval *big.Rat) *big.Int {
	divisor := int64(overhead) // the greatest common one, in nanoseconds
	for _, d := range times {
		divisor = gcd(divisor, int64(d))
	}
	a, b := seconds(time.Duration(divisor)).Denom(), interval.Denom()
	shared := new(big.Int).GCD(nil, nil, a, b)
	return shared.Mul(shared.Quo(a, shared), b)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func fits(end *big.Rat, unit *big.Int) bool {
	return unit.IsInt64() && inTicks(end, unit).Cmp(maxTicks) < 0
}

func inTicks(x *big.Rat, unit *big.Int) *big.Rat {
	return new(big.Rat).Mul(x, new(big.Rat).SetInt(unit))
}

// split returns the whole part of x and the rest in 2^-32.
func split(x *big.Rat) (whole, fraction int64) {
	n := new(big.Int).Lsh(x.Num(), 32)
	n.Quo(n, x.Denom())
	rest := new(big.Int)
	n.QuoRem(n, big.NewInt(1<<32), rest)
	return n.Int64(), rest.Int64()
}

// arrival returns when frame k comes. Frames are few enough, under 2^24, for
// the product not to overflow.
func (t *frameTicks) arrival(k int64) int64 { return k*t.interval + k*t.fraction>>32 }

// exact returns n ticks in seconds.
func (t *frameTicks) exact(n int64) *big.Rat { return big.NewRat(n, t.perSecond) }

// seconds returns the number of seconds nearest to n ticks.
func (t *frameTicks) seconds(n int64) float64 { return ratio(t.exact(n)) }
