package model

import (
	"math"
	"testing"
	"time"
)

// With a period of 1 ms, 5 % is 50 µs, and an interval may be 1.05 ms.
func TestLoopLimitsOfThePeriod(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, c := range []struct {
		name               string
		contract           LoopContract
		period             time.Duration
		lateness, interval time.Duration
	}{
		{"shares", LoopContract{MaxLatenessShare: 0.05, JitterShare: 0.05}, ms, 50 * us, 1050 * us},
		{"durations", LoopContract{MaxLateness: 30 * us, Jitter: 20 * us}, ms, 30 * us, 1020 * us},
		{"shares of an unknown period", LoopContract{MaxLatenessShare: 0.05, JitterShare: 0.05}, 0, 0, 0},
		{"durations and no period", LoopContract{MaxLateness: 30 * us, Jitter: 20 * us}, 0, 30 * us, 0},
		{"nothing promised", LoopContract{}, ms, 0, 0},
		{"a jitter beyond all time", LoopContract{Jitter: math.MaxInt64}, ms, 0, math.MaxInt64},
	} {
		if got := c.contract.LatenessLimit(c.period); got != c.lateness {
			t.Errorf("%s: lateness %v, want %v", c.name, got, c.lateness)
		}
		if got := c.contract.IntervalLimit(c.period); got != c.interval {
			t.Errorf("%s: interval %v, want %v", c.name, got, c.interval)
		}
	}
}
