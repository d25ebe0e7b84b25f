package report

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// judgeTopic judges the limits of one topic: the rate on its mean, a gap and
// how far stamps fall behind on the maximum, an interval and an age by the
// contract's kind.
func (j *judgement) judgeTopic(c *model.TopicContract) {
	t, missing := j.seen(c)
	line := j.contract("topic "+c.Name, c.Kind, c.Line)
	partial := j.partial || t.Unreadable > 0
	add := func(set bool, limit string, m func() measurement) {
		if !set {
			return
		}
		line.Limit = limit
		seen := m()
		if missing != "" {
			seen = measurement{unit: seen.unit, bound: seen.bound, doubt: missing}
		}
		j.add(line, seen, partial)
	}
	add(c.Rate > 0, rateWords(c), func() measurement { return j.rate(c, t) })
	add(c.MaxInterval > 0, "max_interval "+chosen(c.MaxInterval)+allowance(c.Kind, c.Allowed), func() measurement { return j.interval(c, t) })
	add(c.MaxAge > 0, "max_age "+chosen(c.MaxAge)+allowance(c.Kind, c.Allowed), func() measurement { return j.age(c, t) })
	add(c.MaxGap > 0, "max_gap "+chosen(c.MaxGap), func() measurement { return gap(c, t) })
	add(c.MaxBehind > 0, "max_behind "+chosen(c.MaxBehind), func() measurement { return j.behind(c, t) })
}

// seen returns the topic's figures, or empty ones and why there are none.
func (j *judgement) seen(c *model.TopicContract) (*analysis.Topic, string) {
	t := j.topics[c.Name]
	switch {
	case t != nil && t.Count > 0:
		return t, ""
	case t != nil:
		return t, "no message of it was seen"
	}
	return &analysis.Topic{}, "the source does not have it"
}

func rateWords(c *model.TopicContract) string {
	words := fmt.Sprintf("rate %s Hz ± %s", plain(c.Rate), percent(c.RateTolerance))
	if c.SimRate {
		words += " in simulated time"
	}
	return words
}

func allowance(kind model.Kind, allowed float64) string {
	if kind != model.Soft {
		return ""
	}
	return fmt.Sprintf(" for all but %s", percent(allowed))
}

// interval judges the time between two messages.
func (j *judgement) interval(c *model.TopicContract, t *analysis.Topic) measurement {
	switch c.Kind {
	case model.Soft:
		return soft(c.Allowed, lateBy(c.MaxInterval, t.IntervalS, t.OverInterval))
	case model.Firm:
		return j.firm(c, t, lateBy(c.MaxInterval, t.IntervalS, t.OverInterval))
	}
	return longest(c.MaxInterval, t.IntervalS, "fewer than two messages")
}

// longest judges a series on its maximum: hard, one violation fails.
func longest(limit time.Duration, s *analysis.Series, absent string) measurement {
	m := measurement{unit: "s", bound: limit.Seconds(), maximum: true}
	if s == nil {
		m.doubt = absent
		return m
	}
	m.measured, m.samples = &s.Max, s.Count
	m.text = fmt.Sprintf("at most %s, at %s", quantity.Seconds(s.Max), quantity.At(s.MaxAtS))
	m.broken = exceeds(s.Max, limit)
	return m
}

// gap judges the longest silence, the ones before the first and after the last message included.
func gap(c *model.TopicContract, t *analysis.Topic) measurement {
	m := measurement{unit: "s", bound: c.MaxGap.Seconds(), maximum: true}
	if t.IntervalS != nil {
		m.samples = t.IntervalS.Count
		m.see(t.IntervalS.Max, "between messages at "+quantity.At(t.IntervalS.MaxAtS))
	}
	if t.StartSilenceS != nil {
		m.see(*t.StartSilenceS, "before the first message")
	}
	if t.EndSilenceS != nil {
		m.see(*t.EndSilenceS, "after the last message")
	}
	if m.measured == nil {
		m.doubt = "no silence could be measured"
		return m
	}
	m.broken = exceeds(*m.measured, c.MaxGap)
	return m
}

// see keeps the longer of what was measured before and v.
func (m *measurement) see(v float64, where string) {
	if m.measured == nil || v > *m.measured {
		m.measured = &v
		m.text = fmt.Sprintf("longest %s %s", quantity.Seconds(v), where)
	}
}
