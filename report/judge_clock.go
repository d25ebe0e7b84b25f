package report

import (
	"cmp"
	"fmt"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// defaultWindow is the window of a clock contract that names none.
const defaultWindow = 100 * time.Millisecond

// judgeClock judges what is promised of simulated time. There is nothing late
// that could count as lost, so firm is judged as hard.
func (j *judgement) judgeClock(c *model.ClockContract) {
	topic := cmp.Or(c.Topic, "/clock")
	clock, missing := j.seenClock(topic)
	line := j.contract("clock "+topic, c.Kind, c.Line)
	window := cmp.Or(c.Window, defaultWindow)
	inWindow := fmt.Sprintf(" in every %s", chosen(window))
	if c.Kind == model.Soft {
		inWindow = fmt.Sprintf(" in all but %s of %s windows", percent(c.Allowed), chosen(window))
	}
	add := func(set bool, limit string, seen measurement) {
		if !set {
			return
		}
		line.Limit = limit
		seen.doubt = cmp.Or(missing, seen.doubt)
		j.add(line, seen, j.partial)
	}
	w := cmp.Or(clock.Windows, &analysis.Windows{})
	add(c.MinRTF > 0, "min_rtf "+plain(c.MinRTF), rtf(clock, c.MinRTF, func(v float64) bool { return under(v, c.MinRTF) }))
	add(c.MaxRTF > 0, "max_rtf "+plain(c.MaxRTF), rtf(clock, c.MaxRTF, func(v float64) bool { return under(c.MaxRTF, v) }))
	add(c.MinWindowRTF > 0, "min_window_rtf "+plain(c.MinWindowRTF)+inWindow, windows(w, c, window, slowest(w, c.MinWindowRTF)))
	add(c.MaxWindowRTF > 0, "max_window_rtf "+plain(c.MaxWindowRTF)+inWindow, windows(w, c, window, fastest(w, c.MaxWindowRTF)))
	add(c.MaxTick > 0, "max_tick "+chosen(c.MaxTick), longest(c.MaxTick, clock.StepSimS, "fewer than two ticks"))
}

// seenClock returns the clock's figures, or empty ones and why there are none.
func (j *judgement) seenClock(topic string) (*analysis.Clock, string) {
	c := j.figures.Clock
	switch {
	case c == nil:
		return &analysis.Clock{}, "the source has no message of it"
	case c.Topic != topic:
		return &analysis.Clock{}, "the clock of this source is " + c.Topic
	}
	return c, ""
}

// rtf judges the real time factor over the run. A pause is no slowness: where
// the run with its pauses breaks the limit and without them does not, or the
// other way round, the measurement cannot tell.
func rtf(c *analysis.Clock, bound float64, broken func(float64) bool) measurement {
	m := measurement{unit: "1", bound: bound, measured: c.RTF, samples: max(c.Ticks, 1) - 1}
	if c.RTF == nil {
		m.doubt = "too little time passed on the clock"
		return m
	}
	m.text = fmt.Sprintf("%s over %s", quantity.Factor(*c.RTF), quantity.Seconds(c.SpanWallS))
	m.broken = broken(*c.RTF)
	if c.RTFRunning != nil && broken(*c.RTFRunning) != m.broken {
		m.doubt = fmt.Sprintf("it is %s without the pauses; judge a run that was not paused", quantity.Factor(*c.RTFRunning))
	}
	return m
}

// A side is one side of the windows' real time factors, and its limit.
type side struct {
	bound       float64
	extreme, at float64 // the factor furthest out, and the instant of its window
	outside     uint64  // windows beyond the bound
	broken      bool    // whether there are any
}

func slowest(w *analysis.Windows, bound float64) side {
	return side{bound, w.Min, w.MinAtS, w.Below, under(w.Min, bound)}
}

func fastest(w *analysis.Windows, bound float64) side {
	return side{bound, w.Max, w.MaxAtS, w.Above, under(bound, w.Max)}
}

// windows judges one side: hard on the window furthest out, soft on the share of windows outside.
func windows(w *analysis.Windows, c *model.ClockContract, window time.Duration, s side) measurement {
	m := measurement{unit: "1", bound: s.bound, samples: w.Count, maximum: true}
	switch {
	case w.Count == 0:
		m.doubt = "the clock was not seen for as long as one window"
		return m
	case !same(w.LengthS, window):
		m.doubt = fmt.Sprintf("windows of %s were measured, not of %s", chosen(asDuration(w.LengthS)), chosen(window))
		return m
	}
	m.measured, m.broken = &s.extreme, s.broken
	m.text = fmt.Sprintf("%s at %s", quantity.Factor(s.extreme), quantity.At(s.at))
	if c.Kind == model.Soft {
		return softWindows(m, s, c.Allowed)
	}
	return m
}

func softWindows(m measurement, s side, allowed float64) measurement {
	if s.broken && s.outside == 0 {
		return measurement{unit: "1", bound: allowed, doubt: "the analysis did not count the windows outside " + plain(s.bound)}
	}
	part := share(s.outside, m.samples)
	m.measured, m.bound, m.maximum, m.broken = &part, allowed, false, under(allowed, part)
	m.text = fmt.Sprintf("%s of windows outside (%d of %d), worst %s", percent(part), s.outside, m.samples, m.text)
	return m
}
