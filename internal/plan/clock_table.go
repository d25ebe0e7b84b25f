package plan

import (
	"math/big"
	"slices"

	"github.com/takt-rt/takt/bounds"
)

// clockRates are the rates of the table beside those given and needed.
var clockRates = []int64{10, 40, 100, 200, 1000}

// table answers for some /clock rates in ascending order, on the basis of the
// one given, and for the limit that no rate reaches.
func (p *clockPlan) table() (rows []ClockRow) {
	for _, ticks := range p.tableTicks() {
		rows = append(rows, p.row(ticks))
	}
	limit := ClockRow{Limit: true, Total: float(p.latencyTerm), MeanError: float(p.latencyTerm)}
	if p.Tolerance != nil && p.latencyTerm != nil {
		within := p.latencyTerm.Cmp(p.Tolerance) < 0 // no rate reaches it
		limit.WithinTolerance, limit.MaxRTF = &within, float(p.maxRTFLatencyOnly())
	}
	return append(rows, limit)
}

func (p *clockPlan) tableTicks() (list []bounds.Ticks) {
	for _, hz := range clockRates {
		list = append(list, bounds.Ticks{Every: big.NewRat(1, hz), Sim: p.onSim()})
	}
	if p.clock != nil {
		list = append(list, *p.clock)
	}
	if needed := p.rateNeeded(); needed != nil {
		list = append(list, p.ticksAt(needed))
	}
	slices.SortFunc(list, func(a, b bounds.Ticks) int { return b.Every.Cmp(a.Every) })
	return slices.CompactFunc(list, sameTicks)
}

// ticksAt are ticks at a rate per wall second, on the basis of the plan.
func (p *clockPlan) ticksAt(rate *big.Rat) bounds.Ticks {
	if p.onSim() {
		return bounds.Ticks{Every: p.stepOf(rate), Sim: true}
	}
	return bounds.Ticks{Every: new(big.Rat).Inv(rate)}
}

func sameTicks(a, b bounds.Ticks) bool { return a.Sim == b.Sim && a.Every.Cmp(b.Every) == 0 }

func (p *clockPlan) row(ticks bounds.Ticks) ClockRow {
	at := *p.ClockSetup
	at.Rate, at.Step = new(big.Rat).Inv(ticks.Every), nil
	if ticks.Sim {
		at.Rate, at.Step = nil, ticks.Every
	}
	there := newClockPlan(&at)
	row := ClockRow{
		Rate: float(there.rate), Given: p.clock != nil && sameTicks(ticks, *p.clock),
		TickTerm: ratio(there.tickTerm), Total: float(there.total),
	}
	if ticks.Sim {
		row.RateSim = float(new(big.Rat).Inv(ticks.Every))
	}
	if there.total != nil {
		row.MeanError = float(bounds.MeanError(there.latencyTerm, there.tickTerm))
	}
	if p.Tolerance != nil {
		needed := p.rateNeeded()
		row.Needed = needed != nil && needed.Cmp(there.rate) == 0
		row.WithinTolerance, row.MaxRTF = there.within(), float(there.maxRTF())
	}
	return row
}
