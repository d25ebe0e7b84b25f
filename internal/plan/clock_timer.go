package plan

import (
	"math/big"

	"github.com/takt-rt/takt/bounds"
	"github.com/takt-rt/takt/sched"
)

// timer is what becomes of a timer on simulated time; nil if none is asked about.
func (p *clockPlan) timer() *ClockTimer {
	if p.Timer == nil {
		return nil
	}
	period := new(big.Rat).Inv(p.Timer)
	firings := new(big.Rat).Inv(bounds.FiringInterval(period, p.tickTerm))
	return &ClockTimer{
		Rate: ratio(p.Timer), PerSimSecond: ratio(firings), PerWallSecond: ratio(new(big.Rat).Mul(firings, p.RTF)),
		Skipped: ratio(bounds.SkippedReleases(period, p.tickTerm)), LateBelow: ratio(p.tickTerm), Rule: sched.SkipNow.String(),
	}
}

// skips reports whether ticks are too far apart for the timer asked about.
func (p *clockPlan) skips() bool {
	return p.Timer != nil && p.tickTerm.Cmp(new(big.Rat).Inv(p.Timer)) > 0
}

// ask is what readings at a constant rate show; nil if none are asked about.
func (p *clockPlan) ask() *ClockAsk {
	if p.Ask == nil {
		return nil
	}
	return &ClockAsk{
		Rate: ratio(p.Ask), PerSimSecond: ratio(new(big.Rat).Quo(p.Ask, p.RTF)),
		ReadingsPerTick: ratio(new(big.Rat).Quo(p.Ask, p.rate)), EqualShare: ratio(bounds.EqualReadings(p.Ask, p.rate)),
	}
}
