package report

import (
	"cmp"
	"fmt"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// violations judges what was missed and skipped: their number, or in a soft
// contract their share of the releases. A firm contract counts a late result
// as lost, as a skipped one is, so the number is the same.
func (h *heldLoop) violations() measurement {
	allowed := float64(value(h.c.Violations))
	m := measurement{unit: "1", bound: allowed, maximum: true, samples: value(h.l.ResponseS).Count}
	spare := allowed
	if h.c.Kind == model.Soft {
		m.bound, m.maximum = h.c.Allowed, false
		spare = h.c.Allowed * float64(releases(h.l))
	}
	if m.doubt = cmp.Or(h.otherFigures(), h.otherDeadline()); m.doubt != "" {
		return m
	}
	seen := float64(violationsSeen(h.l))
	m.measured, m.text = &seen, h.violationText()
	if h.c.Kind == model.Soft {
		part := share(violationsSeen(h.l), releases(h.l))
		m.measured, m.text = &part, percent(part)+": "+m.text
	}
	m.broken = under(m.bound, *m.measured)
	if !m.broken {
		m.doubt = h.moreViolations(spare - seen)
	}
	return m
}

// deadlineLimit writes what is promised: a deadline, how many violations, or both.
func (h *heldLoop) deadlineLimit() string {
	c := h.c
	switch {
	case c.Violations == nil:
		return "deadline " + chosen(c.Deadline) + allowance(c.Kind, c.Allowed)
	case c.Deadline == 0:
		return fmt.Sprintf("violations %d", *c.Violations)
	}
	return fmt.Sprintf("deadline %s with at most %s", chosen(c.Deadline), quantity.Count(*c.Violations, "violation"))
}

func (h *heldLoop) violationText() string {
	words := violationWords(h.l)
	if h.c.Kind == model.Firm && h.l.Missed != nil {
		words += ", the missed as lost as the skipped"
	}
	if s := h.l.ResponseS; s != nil {
		words += fmt.Sprintf("; longest response %s, at %s", quantity.Seconds(s.Max), quantity.At(s.MaxAtS))
	}
	return words
}

// moreViolations says why there may be more violations than can be spared
// beyond those that were seen.
func (h *heldLoop) moreViolations(spare float64) string {
	l := h.l
	switch {
	case l.Missed == nil:
		return "no response is known: that takes the end of callbacks, and the period or recorded releases"
	case l.Skipped == nil:
		return "skipped releases are not known: " + periodUnknown
	}
	doubt := h.untold("response", l.ResponseS, spare)
	if doubt == "" && h.c.Kind != model.Soft && *l.Missed == 0 && l.ResponseS != nil && l.DeadlineS != nil {
		doubt = h.anchorDoubt(&l.ResponseS.Max, asDuration(*l.DeadlineS))
	}
	return doubt
}

// untold says that too many callbacks lack a figure. One may: it ran when the
// source ended.
func (h *heldLoop) untold(what string, s *analysis.Series, spare float64) string {
	n := h.l.Callbacks - min(value(s).Count, h.l.Callbacks)
	if n <= 1 || float64(n) <= spare {
		return ""
	}
	return fmt.Sprintf("the %s of %d of %s is not known", what, n, quantity.Count(h.l.Callbacks, "callback"))
}

// anchorDoubt says that a figure that holds would not if the grid of releases
// had been laid right: it was laid from the first start, and a later one that
// came before its release shows by how much that was late at least.
func (h *heldLoop) anchorDoubt(figure *float64, limit time.Duration) string {
	early := h.laidLate()
	if early == 0 || !exceeds(*figure+early, limit) {
		return ""
	}
	return fmt.Sprintf("releases were not recorded, and the first start that they were counted from was itself late by %s or more", quantity.Seconds(early))
}

// laidLate is how late the grid of releases was laid at least, in seconds.
func (h *heldLoop) laidLate() float64 {
	if !h.l.Anchored || h.l.LatenessS == nil {
		return 0
	}
	return max(0, -h.l.LatenessS.Min)
}

// otherFigures says why the figures are not those that the contract speaks of.
func (h *heldLoop) otherFigures() string {
	switch p := h.l.PeriodS; {
	case h.c.Period > 0 && p == nil:
		return "the figures were taken without its period"
	case h.c.Period > 0 && !same(*p, h.c.Period):
		return fmt.Sprintf("the figures were taken with a period of %s, not of %s", chosen(asDuration(*p)), chosen(h.c.Period))
	case h.c.OnROS && h.l.TimerClock != "ros":
		return fmt.Sprintf("the figures were taken for a timer on %s, not on ROS time", timerClockName(h.l.TimerClock))
	}
	return ""
}

// otherDeadline says why violations were counted by another deadline, or none.
func (h *heldLoop) otherDeadline() string {
	d := h.l.DeadlineS
	switch {
	case d == nil:
		return "violations were not counted: neither a deadline nor its period was known"
	case h.c.Deadline > 0 && !same(*d, h.c.Deadline):
		return fmt.Sprintf("violations were counted by a deadline of %s, not of %s", chosen(asDuration(*d)), chosen(h.c.Deadline))
	}
	return ""
}
