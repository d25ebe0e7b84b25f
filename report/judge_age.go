package report

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// age judges how old messages are on arrival, on the clock of their stamps.
func (j *judgement) age(c *model.TopicContract, t *analysis.Topic) measurement {
	m, allowed := j.ageByKind(c, t)
	if doubt := j.ageDoubt(t); doubt != "" {
		m.doubt = doubt
	}
	if m.doubt == "" && !m.broken {
		m.doubt = j.tickDoubt(t.AgeS.Clock, c.MaxAge, quantileAtLeast(&t.AgeS.Series, 1-allowed))
	}
	return m
}

// ageByKind returns the measurement and the share of the ages that may be over the limit.
func (j *judgement) ageByKind(c *model.TopicContract, t *analysis.Topic) (measurement, float64) {
	ages := ageSeries(t)
	switch c.Kind {
	case model.Soft:
		return soft(c.Allowed, lateBy(c.MaxAge, ages, t.OverAge)), c.Allowed
	case model.Firm:
		return j.firmAge(c, t, lateBy(c.MaxAge, ages, t.OverAge))
	}
	return longest(c.MaxAge, ages, ""), 0
}

// firmAge judges what is late by age on top of what is late by interval.
func (j *judgement) firmAge(c *model.TopicContract, t *analysis.Topic, byAge late) (measurement, float64) {
	losses := []late{byAge}
	if c.MaxInterval > 0 {
		losses = []late{lateBy(c.MaxInterval, t.IntervalS, t.OverInterval), byAge}
	}
	m := j.firm(c, t, losses...)
	if m.doubt != "" {
		return m, 0
	}
	// What may be late by age in all: what is, and what the rate still has to spare.
	spare := *m.measured - m.bound
	rate, _ := j.rateOf(c, t)
	return m, byAge.share() + spare / *rate
}

func ageSeries(t *analysis.Topic) *analysis.Series {
	if t.AgeS == nil {
		return nil
	}
	return &t.AgeS.Series
}

// behind judges how far the newest stamp ever was behind its clock.
func (j *judgement) behind(c *model.TopicContract, t *analysis.Topic) measurement {
	m := measurement{unit: "s", bound: c.MaxBehind.Seconds(), maximum: true, doubt: j.ageDoubt(t)}
	switch {
	case m.doubt != "":
		return m
	case t.BehindS == nil:
		m.doubt = "fewer than two stamped messages"
		return m
	}
	m.measured, m.samples = &t.BehindS.Max, t.AgeS.Count
	m.text = fmt.Sprintf("at most %s, at %s", quantity.Seconds(t.BehindS.Max), quantity.At(t.BehindS.MaxAtS))
	m.broken = exceeds(t.BehindS.Max, c.MaxBehind)
	if !m.broken {
		m.doubt = j.tickDoubt(t.AgeS.Clock, c.MaxBehind, t.BehindS.Max)
	}
	return m
}

// ageDoubt says why no age can be judged, or "".
func (j *judgement) ageDoubt(t *analysis.Topic) string {
	s := t.Stamps
	switch {
	case s == nil:
		return "its messages carry no stamp that can be read"
	case s.Nonzero == 0:
		return "all its stamps are zero"
	case s.Domain == "mixed":
		return fmt.Sprintf("its stamps are of more than one clock: %d wall, %d simulated, %d neither", s.Wall, s.Sim, s.NotWall)
	case s.Domain != "wall" && j.figures.Clock == nil:
		return "its stamps are not wall time, and there is no /clock to take their age by"
	case s.Domain != "wall" && s.Domain != "simulated":
		return "its stamps are near neither the receive time nor /clock"
	case t.AgeS == nil:
		return "no age could be taken"
	}
	return ""
}

// tickDoubt says that the coarseness of the clock leaves it open whether a
// figure that holds really does. An age by the last /clock value before the
// arrival lacks what passed since that tick, which may be a whole tick.
func (j *judgement) tickDoubt(clock string, limit time.Duration, figure float64) string {
	c := j.figures.Clock
	if clock != "sim" || c == nil || c.TickSimS == nil || !exceeds(figure+*c.TickSimS, limit) {
		return ""
	}
	return fmt.Sprintf("/clock steps by %s, and an age by its last value may be too low by as much", quantity.Seconds(*c.TickSimS))
}

// quantileAtLeast returns the lowest known quantile of s at or above the share q.
func quantileAtLeast(s *analysis.Series, q float64) float64 {
	const rounding = 1e-9
	switch {
	case q <= 0.5+rounding:
		return s.P50
	case q <= 0.95+rounding:
		return s.P95
	case q <= 0.99+rounding:
		return s.P99
	}
	return s.Max
}
