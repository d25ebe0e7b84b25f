package plan

import (
	"math/big"

	"github.com/takt-rt/takt/bounds"
)

// NewClock plans how far a node's "now" is behind the true simulated time. It
// refuses a setup that contradicts itself or leaves nothing to compute.
func NewClock(s ClockSetup) (*Clock, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	p := newClockPlan(&s)
	c := &Clock{Schema: ClockSchema, Given: p.given()}
	p.terms(c)
	p.limits(c)
	c.Timer, c.Ask = p.timer(), p.ask()
	c.Table = p.table()
	c.Advice = p.advice(c.Dominant)
	c.Findings = p.findings(c)
	return c, nil
}

// A clockPlan is a setup and what follows from it, exactly. Nil is unknown.
type clockPlan struct {
	*ClockSetup
	source    *ClockSource
	clock     *bounds.Ticks
	byDefault bool

	latencyTerm, tickTerm, total *big.Rat // simulated seconds
	rate                         *big.Rat // ticks per wall second
}

func newClockPlan(s *ClockSetup) *clockPlan {
	p := &clockPlan{ClockSetup: s, source: clockSource(s.Source)}
	p.clock, p.byDefault = s.ticks()
	if s.Latency != nil {
		p.latencyTerm = bounds.LatencyTerm(s.RTF, s.Latency)
	}
	if p.clock != nil {
		p.tickTerm, p.rate = p.clock.Term(s.RTF), p.clock.Rate(s.RTF)
	}
	if p.latencyTerm != nil && p.tickTerm != nil {
		p.total = new(big.Rat).Add(p.latencyTerm, p.tickTerm)
	}
	return p
}

func (p *clockPlan) given() ClockGiven {
	g := ClockGiven{
		RTF: ratio(p.RTF), Latency: float(p.Latency), Source: p.Source, Basis: "wall", ClockRate: float(p.rate),
		Default: p.byDefault, Speed: float(p.Speed), Tolerance: float(p.Tolerance),
	}
	if p.onSim() {
		g.Basis = "sim"
		if p.clock != nil {
			g.Step, g.RateSim = float(p.clock.Every), float(new(big.Rat).Inv(p.clock.Every))
		}
	}
	return g
}

// terms fills in the error and what makes it up.
func (p *clockPlan) terms(c *Clock) {
	c.LatencyTerm, c.TickTerm, c.Total = float(p.latencyTerm), float(p.tickTerm), float(p.total)
	c.Position, c.PositionTick, c.PositionTotal = p.distance(p.latencyTerm), p.distance(p.tickTerm), p.distance(p.total)
	if p.Latency != nil && p.Latency.Sign() > 0 {
		c.Crossover = float(new(big.Rat).Inv(p.Latency))
	}
	if p.total != nil {
		c.MeanError = float(bounds.MeanError(p.latencyTerm, p.tickTerm))
		c.Dominant = []string{"latency", "equal", "tick"}[p.tickTerm.Cmp(p.latencyTerm)+1]
	}
}

// distance is how far a robot moves in simulated time; nil if it is unknown.
func (p *clockPlan) distance(time *big.Rat) *float64 {
	if p.Speed == nil || time == nil {
		return nil
	}
	return float(new(big.Rat).Mul(p.Speed, time))
}

// limits fills in what keeps within the tolerance.
func (p *clockPlan) limits(c *Clock) {
	if p.Tolerance == nil {
		return
	}
	c.WithinTolerance = p.within()
	c.MaxRTF, c.MaxRTFLatencyOnly, c.MaxRTFTickOnly = float(p.maxRTF()), float(p.maxRTFLatencyOnly()), float(p.maxRTFTickOnly())
	c.ClockRateNeeded = float(p.rateNeeded())
	c.ClockRateNeededTick = float(p.rateNeededWith(new(big.Rat)))
	if needed := p.rateNeeded(); needed != nil && p.onSim() {
		c.ClockStepNeeded = float(p.stepOf(needed))
	}
}

// within tells whether the error keeps within the tolerance. Where only one
// term is known it can tell only that it does not.
func (p *clockPlan) within() *bool {
	yes, no := true, false
	for _, part := range []*big.Rat{p.latencyTerm, p.tickTerm, p.total} {
		if part != nil && part.Cmp(p.Tolerance) > 0 {
			return &no
		}
	}
	if p.total == nil {
		return nil
	}
	return &yes
}

// maxRTF is the largest real time factor within the tolerance, 0 if none is
// low enough, nil if it is unknown or there is no largest one.
func (p *clockPlan) maxRTF() *big.Rat {
	if p.clock == nil || p.Latency == nil {
		return nil
	}
	return maxRTF(*p.clock, p.Latency, p.Tolerance)
}

func maxRTF(ticks bounds.Ticks, latency, tolerance *big.Rat) *big.Rat {
	max, ok := ticks.MaxRTF(latency, tolerance)
	if !ok {
		return nil
	}
	return max
}

// maxRTFLatencyOnly is E/L, what maxRTF comes to as the ticks get closer.
func (p *clockPlan) maxRTFLatencyOnly() *big.Rat {
	if p.Latency == nil || p.Latency.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(p.Tolerance, p.Latency)
}

// maxRTFTickOnly is what maxRTF comes to as the latency gets shorter.
func (p *clockPlan) maxRTFTickOnly() *big.Rat {
	if p.clock == nil {
		return nil
	}
	return maxRTF(*p.clock, new(big.Rat), p.Tolerance)
}

// rateNeeded is the lowest /clock rate, per wall second, within the tolerance
// at this real time factor; nil if it is unknown or none is high enough.
func (p *clockPlan) rateNeeded() *big.Rat {
	if p.Latency == nil || p.Tolerance == nil {
		return nil
	}
	return p.rateNeededWith(p.Latency)
}

func (p *clockPlan) rateNeededWith(latency *big.Rat) *big.Rat {
	hz, ok := bounds.RateNeeded(p.RTF, latency, p.Tolerance)
	if !ok {
		return nil
	}
	return hz
}

// stepOf is the simulated time between ticks at a rate per wall second.
func (p *clockPlan) stepOf(rate *big.Rat) *big.Rat { return new(big.Rat).Quo(p.RTF, rate) }
