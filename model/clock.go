package model

import (
	"fmt"
	"time"
)

// clockDefaults are what the clock's contract says where the file is silent.
var clockDefaults = ClockContract{Topic: "/clock", Kind: Hard, Window: 100 * time.Millisecond}

var clockFields = []field[ClockContract]{
	name("topic", "/clock", func(c *ClockContract) *string { return &c.Topic }),
	choice("kind", func(c *ClockContract) *Kind { return &c.Kind }, Hard, Firm, Soft),
	quantity("min_rtf", rtf, func(c *ClockContract) *float64 { return &c.MinRTF }),
	quantity("max_rtf", rtf, func(c *ClockContract) *float64 { return &c.MaxRTF }),
	quantity("window", duration, func(c *ClockContract) *time.Duration { return &c.Window }),
	quantity("min_window_rtf", rtf, func(c *ClockContract) *float64 { return &c.MinWindowRTF }),
	quantity("max_window_rtf", rtf, func(c *ClockContract) *float64 { return &c.MaxWindowRTF }),
	quantity("max_tick", duration, func(c *ClockContract) *time.Duration { return &c.MaxTick }),
	quantity("allowed", share, func(c *ClockContract) *float64 { return &c.Allowed }),
}

// clockLimits are the keys that promise something.
var clockLimits = []string{"min_rtf", "max_rtf", "min_window_rtf", "max_window_rtf", "max_tick"}

func readClock(v value, s *System) {
	c := clockDefaults
	c.Line = v.at.line
	checkClock(readSection(v, "min_rtf: 0.95", clockFields, &c), &c)
	s.Clock = &c
}

// checkClock reports keys of the contract that contradict or need each other.
func checkClock(s *section, c *ClockContract) {
	s.needLimit(clockLimits)
	s.checkAllowed(c.Kind, "min_window_rtf", "max_window_rtf")
	s.checkOrder("min_rtf", c.MinRTF, "max_rtf", c.MaxRTF)
	s.checkOrder("min_window_rtf", c.MinWindowRTF, "max_window_rtf", c.MaxWindowRTF)
}

// checkOrder refuses a least value above a most value; 0 is no value.
func (s *section) checkOrder(minKey string, least float64, maxKey string, most float64) {
	if least > most && most > 0 {
		s.given[minKey].fail(fmt.Sprintf("is above %s in line %d", maxKey, s.given[maxKey].at.line),
			fmt.Sprintf("write %s or less", formatNumber(most)))
	}
}
