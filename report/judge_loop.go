package report

import (
	"cmp"
	"fmt"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// judgeLoop judges the limits of one periodic callback: a deadline by the
// number of its violations or their share, lateness on the maximum, an interval
// by the contract's kind.
func (j *judgement) judgeLoop(c *model.LoopContract) {
	l, missing := j.seenLoop(c.Name)
	h := holdLoop(c, l)
	line := j.contract("loop "+c.Name, c.Kind, c.Line)
	partial := j.partial || l.Unreadable > 0
	for _, limit := range h.limits() {
		line.Limit = limit.words
		seen := limit.measure()
		if missing != "" {
			seen = measurement{unit: seen.unit, bound: seen.bound, doubt: missing}
		}
		j.add(line, seen, partial)
	}
}

// seenLoop returns the loop's figures, or empty ones and why there are none.
func (j *judgement) seenLoop(name string) (*analysis.Loop, string) {
	var found []*analysis.Loop
	for _, l := range j.figures.Loops {
		if l.Name == name {
			found = append(found, l)
		}
	}
	switch {
	case len(found) == 0:
		return &analysis.Loop{}, "the source does not have it"
	case len(found) > 1:
		return &analysis.Loop{}, fmt.Sprintf("the source has %d loops of this name; give each its own", len(found))
	case found[0].Callbacks == 0:
		return found[0], "no callback of it was seen"
	}
	return found[0], ""
}

// A heldLoop is a loop and the contract that it is held against.
type heldLoop struct {
	c      *model.LoopContract
	l      *analysis.Loop
	period time.Duration // 0 if it is not known
}

func holdLoop(c *model.LoopContract, l *analysis.Loop) *heldLoop {
	h := &heldLoop{c, l, c.Period}
	if h.period == 0 && l.PeriodS != nil {
		h.period = asDuration(*l.PeriodS)
	}
	return h
}

// A loopLimit is one limit of a contract: its words, and how it is measured.
type loopLimit struct {
	words   string
	measure func() measurement
}

// limits are those that the contract sets.
func (h *heldLoop) limits() []loopLimit {
	c := h.c
	var list []loopLimit
	add := func(set bool, words string, measure func() measurement) {
		if set {
			list = append(list, loopLimit{words, measure})
		}
	}
	add(c.Deadline > 0 || c.Violations != nil, h.deadlineLimit(), h.violations)
	add(c.MaxLateness > 0 || c.MaxLatenessShare > 0, h.ofPeriod("max_lateness", c.MaxLateness, c.MaxLatenessShare), h.lateness)
	add(c.Jitter > 0 || c.JitterShare > 0, h.jitterLimit(), h.jitter)
	add(c.Budget > 0, "budget "+chosen(c.Budget)+allowance(c.Kind, c.Allowed), h.budget)
	return list
}

// ofPeriod writes a limit that is a duration or a share of the period.
func (h *heldLoop) ofPeriod(key string, d time.Duration, share float64) string {
	switch {
	case d > 0:
		return key + " " + chosen(d)
	case h.period == 0:
		return fmt.Sprintf("%s %s of the period", key, percent(share))
	}
	return fmt.Sprintf("%s %s of the period (%s)", key, percent(share), chosen(asDuration(share*h.period.Seconds())))
}

// longest judges a series on its maximum and shows the mean beside it: a mean
// within the limit hides the one that is not.
func (h *heldLoop) longest(limit time.Duration, s *analysis.Series, absent string) measurement {
	m := longest(limit, s, absent)
	if s == nil {
		return m
	}
	m.text += ", mean " + quantity.Seconds(s.Mean)
	if m.broken && !exceeds(s.Mean, limit) {
		m.text += ": the mean passes, the maximum fails"
	}
	return m
}

const periodUnknown = "its period is not known; write it into the contract"

// lateness judges how late a callback ever started.
func (h *heldLoop) lateness() measurement {
	limit := h.c.LatenessLimit(h.period)
	m := h.longest(limit, h.l.LatenessS, "no lateness is known: that takes the period, or recorded releases")
	m.doubt = cmp.Or(h.otherFigures(), m.doubt)
	if limit == 0 {
		m.doubt = periodUnknown
	}
	if m.doubt == "" && !m.broken {
		m.doubt = cmp.Or(h.untold("lateness", h.l.LatenessS, 0), h.anchorDoubt(m.measured, limit))
	}
	return m
}

// budget judges the time between two starts on the monotonic clock.
func (h *heldLoop) budget() measurement {
	return h.interval(h.c.Budget, h.l.IntervalS, h.l.OverBudget, h.l.BudgetS)
}

// jitter judges the time between two starts on the timer's own clock.
func (h *heldLoop) jitter() measurement {
	limit := h.c.IntervalLimit(h.period)
	if limit == 0 {
		return measurement{unit: "s", doubt: periodUnknown}
	}
	l := h.l
	var m measurement
	if l.TimerClock == "ros" { // the analysis counts on the monotonic clock
		m = h.interval(limit, l.IntervalRosS, nil, nil)
	} else {
		m = h.interval(limit, l.IntervalS, l.OverPeriodPlusJitter, sumOf(l.PeriodS, l.JitterS))
	}
	m.doubt = cmp.Or(h.otherFigures(), m.doubt)
	return m
}

func (h *heldLoop) jitterLimit() string {
	words := h.ofPeriod("jitter", h.c.Jitter, h.c.JitterShare)
	if h.l.TimerClock == "ros" {
		words += " in ROS time"
	}
	return words + allowance(h.c.Kind, h.c.Allowed)
}

func sumOf(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	s := *a + *b
	return &s
}

// interval judges intervals: soft by how many are over the limit, else on the longest.
func (h *heldLoop) interval(limit time.Duration, s *analysis.Series, over *uint64, overS *float64) measurement {
	if h.c.Kind != model.Soft {
		return h.longest(limit, s, "fewer than two callbacks")
	}
	var counted *analysis.Over
	if s != nil && over != nil && overS != nil {
		counted = &analysis.Over{LimitS: *overS, Of: s.Count, Count: *over}
	}
	return soft(h.c.Allowed, lateBy(limit, s, counted))
}
