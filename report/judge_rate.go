package report

import (
	"cmp"
	"fmt"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// rate judges the mean rate, on the axis or in simulated time.
func (j *judgement) rate(c *model.TopicContract, t *analysis.Topic) measurement {
	m := measurement{unit: "Hz", bound: c.Rate}
	measured, doubt := j.rateOf(c, t)
	if doubt != "" {
		m.doubt = doubt
		return m
	}
	m.measured, m.samples, m.text = measured, intervals(t), quantity.Hertz(*measured)
	low, high := c.Rate*(1-c.RateTolerance), c.Rate*(1+c.RateTolerance)
	m.broken = under(*measured, low) || under(high, *measured)
	if under(*measured, low) && t.Unreadable > 0 {
		m.doubt = loweredRate
	}
	return m
}

const loweredRate = "messages that could not be read lower the rate"

// rateOf returns the rate that the contract speaks of, or why it is unknown.
func (j *judgement) rateOf(c *model.TopicContract, t *analysis.Topic) (*float64, string) {
	switch {
	case !c.SimRate && t.RateHz == nil:
		return nil, "fewer than two messages"
	case !c.SimRate:
		return t.RateHz, ""
	case t.RateSimHz != nil:
		return t.RateSimHz, ""
	case j.figures.Clock == nil:
		return nil, "no simulated time to take the rate in: no /clock, and no simulated stamps"
	}
	return nil, "no rate in simulated time: too little of it passed"
}

// intervals is how many intervals a topic's rate rests on.
func intervals(t *analysis.Topic) uint64 { return max(t.Count, 1) - 1 }

// firm judges limits of which what is late counts as lost: without the late
// ones the rate must still be within its tolerance from below. A message may be
// late by interval and by age at once; which ones are, the figures do not say,
// so what depends on it is left open.
func (j *judgement) firm(c *model.TopicContract, t *analysis.Topic, losses ...late) measurement {
	floor := c.Rate * (1 - c.RateTolerance)
	m := measurement{unit: "Hz", bound: floor}
	rate, doubt := j.rateOf(c, t)
	if c.Rate == 0 {
		doubt = "a firm limit needs the rate that must be left without what is late; promise one, or make it soft"
	}
	least, most := 0.0, 0.0
	for _, l := range losses {
		doubt = cmp.Or(doubt, l.doubt)
		least, most = max(least, l.share()), min(1, most+l.share())
	}
	if doubt != "" {
		m.doubt = doubt
		return m
	}
	own, left := losses[len(losses)-1], *rate*(1-most)
	m.measured, m.samples = &left, own.of
	m.text = fmt.Sprintf("%d of %d late: %s left without the late, %s Hz needed", own.count, own.of, quantity.Hertz(left), plain(roundTo(floor, 6)))
	m.broken = under(*rate*(1-least), floor)
	switch {
	case m.broken && t.Unreadable > 0:
		m.doubt = loweredRate
	case !m.broken && under(left, floor):
		m.doubt = "it depends on whether the same messages were late by interval and by age"
	}
	return m
}
