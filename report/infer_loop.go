package report

import (
	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// loop promises what a periodic callback keeps to.
func (f *inference) loop(l *analysis.Loop) {
	if l.Callbacks < minSamples || l.Name == "" || f.namesakes(l.Name) > 1 {
		return
	}
	k := &model.LoopContract{Name: l.Name, Kind: model.Hard, OnROS: l.TimerClock == "ros"}
	unknown := ""
	if l.PeriodS != nil {
		k.Period = asDuration(*l.PeriodS)
	} else {
		unknown = "; write its period, and missed and skipped releases are counted"
	}
	f.because("%s%s", quantity.Count(l.Callbacks, "callback"), unknown)("loops", l.Name)
	h := holdLoop(k, l)
	f.deadline(h)
	f.lateness(h)
	f.jitter(h)
	f.longestInterval(h)
	if len(h.limits()) > 0 {
		f.system.Loops = append(f.system.Loops, *k)
	}
}

// namesakes is how many loops have a name: a contract is on one.
func (f *inference) namesakes(name string) int {
	n := 0
	for _, l := range f.report.Loops {
		if l.Name == name {
			n++
		}
	}
	return n
}

// holds reports whether the run itself keeps a limit, and leaves no doubt of it.
func holds(m measurement) bool {
	result, _ := settle(m, false)
	return result == Pass
}

// deadline promises the deadline that was counted by, with the violations that
// there were.
func (f *inference) deadline(h *heldLoop) {
	l := h.l
	if l.DeadlineS == nil || l.ResponseS == nil {
		return
	}
	h.c.Deadline = asDuration(*l.DeadlineS)
	if n := violationsSeen(l); n > 0 {
		h.c.Violations = &n
	}
	if !holds(h.violations()) {
		h.c.Deadline, h.c.Violations = 0, nil
		return
	}
	f.because("longest response %s, at %s", quantity.Seconds(l.ResponseS.Max), quantity.At(l.ResponseS.MaxAtS))("loops", l.Name, "deadline")
	f.because("%d missed, %d skipped: bring it down to 0", value(l.Missed), value(l.Skipped))("loops", l.Name, "violations")
}

// lateness promises a latest start.
func (f *inference) lateness(h *heldLoop) {
	s := h.l.LatenessS
	if s == nil || s.Max+h.laidLate() <= 0 {
		return
	}
	h.c.MaxLateness = roomy(s.Max+h.laidLate(), 1.5)
	if !holds(h.lateness()) {
		h.c.MaxLateness = 0
		return
	}
	f.because("mean %s, latest %s at %s", quantity.Seconds(s.Mean), quantity.Seconds(s.Max), quantity.At(s.MaxAtS))("loops", h.l.Name, "max_lateness")
}

// jitter promises a longest interval over the period.
func (f *inference) jitter(h *heldLoop) {
	s := h.l.IntervalS
	if h.c.OnROS {
		s = h.l.IntervalRosS
	}
	if s == nil || h.period == 0 || s.Max <= h.period.Seconds() {
		return
	}
	h.c.Jitter = roomy(s.Max-h.period.Seconds(), 1.5)
	if !holds(h.jitter()) {
		h.c.Jitter = 0
		return
	}
	f.because("longest interval %s, at %s", quantity.Seconds(s.Max), quantity.At(s.MaxAtS))("loops", h.l.Name, "jitter")
}

// longestInterval promises a budget where without the period nothing else is known.
func (f *inference) longestInterval(h *heldLoop) {
	s := h.l.IntervalS
	if s == nil || h.period > 0 || s.Max <= 0 {
		return
	}
	h.c.Budget = roomy(s.Max, 1.5)
	if !holds(h.budget()) {
		h.c.Budget = 0
		return
	}
	f.because("median interval %s, longest %s at %s", quantity.Seconds(s.P50), quantity.Seconds(s.Max), quantity.At(s.MaxAtS))("loops", h.l.Name, "budget")
}
