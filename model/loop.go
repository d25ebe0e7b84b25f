package model

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// loopDefaults are what a loop's contract says where the file is silent.
var loopDefaults = LoopContract{Kind: Hard}

var loopFields = []field[LoopContract]{
	choice("kind", func(c *LoopContract) *Kind { return &c.Kind }, Hard, Firm, Soft),
	quantity("period", duration, func(c *LoopContract) *time.Duration { return &c.Period }),
	timerClock,
	quantity("deadline", duration, func(c *LoopContract) *time.Duration { return &c.Deadline }),
	violations,
	ofPeriod("max_lateness", func(c *LoopContract) (*time.Duration, *float64) { return &c.MaxLateness, &c.MaxLatenessShare }),
	ofPeriod("jitter", func(c *LoopContract) (*time.Duration, *float64) { return &c.Jitter, &c.JitterShare }),
	quantity("budget", duration, func(c *LoopContract) *time.Duration { return &c.Budget }),
	quantity("allowed", share, func(c *LoopContract) *float64 { return &c.Allowed }),
}

// loopLimits are the keys that promise something.
var loopLimits = []string{"deadline", "violations", "max_lateness", "jitter", "budget"}

// timerClock is the field that says which clock the timer follows.
var timerClock = field[LoopContract]{
	key:  "timer_clock",
	read: func(v value, c *LoopContract) { c.OnROS = oneWord(v, "steady", "ros") == "ros" },
	write: func(c *LoopContract) string {
		if c.OnROS {
			return "ros"
		}
		return "steady"
	},
}

// violations is the field of a number of violations, of which zero is a promise too.
var violations = field[LoopContract]{
	key: "violations",
	read: func(v value, c *LoopContract) {
		text, ok := v.text(writeOrRemove("0"))
		if !ok {
			return
		}
		n, err := strconv.ParseUint(text, 10, 63)
		switch {
		case errors.Is(err, strconv.ErrRange):
			v.fail("is too large", "write a smaller number")
		case err != nil:
			v.fail("is not a whole number of violations", "write one, such as 0")
		}
		c.Violations = &n
	},
	write: func(c *LoopContract) string {
		if c.Violations == nil {
			return ""
		}
		return strconv.FormatUint(*c.Violations, 10)
	},
}

// ofPeriod is the field of a duration that may be given as a share of the
// period; the one that is not given is zero.
func ofPeriod(key string, at func(*LoopContract) (*time.Duration, *float64)) field[LoopContract] {
	inTime := quantity(key, codec[time.Duration]{duration.example, parseBesideShare, FormatDuration},
		func(c *LoopContract) *time.Duration { d, _ := at(c); return d })
	inShare := quantity(key, share, func(c *LoopContract) *float64 { _, s := at(c); return s })
	read := func(v value, c *LoopContract) {
		if v.node != nil && strings.HasSuffix(v.node.GetToken().Value, "%") {
			inShare.read(v, c)
			return
		}
		inTime.read(v, c)
	}
	write := func(c *LoopContract) string {
		if text := inShare.write(c); text != "" {
			return text
		}
		return inTime.write(c)
	}
	return field[LoopContract]{key, read, write}
}

// parseBesideShare is ParseDuration where a share would do as well.
func parseBesideShare(text string) (time.Duration, error) {
	d, err := ParseDuration(text)
	var wrong *UnitError
	if errors.As(err, &wrong) {
		return 0, &UnitError{wrong.Text, wrong.Problem, wrong.Remedy + ", or a share of the period such as 5%"}
	}
	return d, err
}

// loops are the section of that name: the contracts of the periodic callbacks.
var loops = named[LoopContract]{
	noun: "a loop", example: "control: {deadline: 10ms}", one: "deadline: 10ms",
	fields: loopFields, defaults: loopDefaults,
	head:  func(c *LoopContract) (*string, *int) { return &c.Name, &c.Line },
	check: checkLoop,
}

// checkLoop reports keys of one contract that contradict or need each other. A
// share of a period that the contract does not give is no contradiction: the
// source may describe the timer.
func checkLoop(s *section, c *LoopContract) {
	s.needLimit(loopLimits)
	s.checkAllowed(c.Kind, "deadline", "jitter", "budget")
	if c.Kind == Soft && s.has("violations") {
		s.given["violations"].fail("has no meaning in a soft contract, of which a share may be late", "write it as allowed, or write kind: hard")
	}
	s.checkBudget(c)
}

// checkBudget refuses a budget below the period of a timer on the steady
// clock, whose mean interval is a period or more: no run could keep it.
func (s *section) checkBudget(c *LoopContract) {
	if c.Kind != Soft && !c.OnROS && c.Budget > 0 && c.Budget < c.Period {
		s.given["budget"].fail("is shorter than the period of "+FormatDuration(c.Period),
			"write that or more, or timer_clock: ros if the timer follows simulated time")
	}
}

// LatenessLimit returns how late a start may be with the given period, which
// is 0 if it is not known; 0 if nothing is promised, or it is a share of an
// unknown period.
func (c *LoopContract) LatenessLimit(period time.Duration) time.Duration {
	return durationOr(c.MaxLateness, c.MaxLatenessShare, period)
}

// IntervalLimit returns how long an interval may be with the given period,
// which is 0 if it is not known; 0 if no jitter is promised, or the period is
// not known.
func (c *LoopContract) IntervalLimit(period time.Duration) time.Duration {
	jitter := durationOr(c.Jitter, c.JitterShare, period)
	if jitter == 0 || period == 0 {
		return 0
	}
	return period + min(jitter, math.MaxInt64-period)
}

// durationOr returns d if it is given, else a share of the period, to the nanosecond.
func durationOr(d time.Duration, share float64, period time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return time.Duration(math.Round(share * float64(period)))
}
