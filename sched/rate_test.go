package sched

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// A bodies runs the bodies of a loop that sleeps between them. It starts at 0.
type bodies struct {
	t    *testing.T
	rate *Rate[clock.Mono]
	wake Wake[clock.Mono]
}

func newBodies(t *testing.T, period time.Duration, rule RateRule) *bodies {
	return &bodies{t: t, rate: NewRate[clock.Mono](0, period, rule)}
}

// want runs a body and checks how long the cycle was, and how late the next
// body starts.
func (b *bodies) want(exec, cycle, late time.Duration, slept bool, skipped int64) {
	b.t.Helper()
	start := b.wake.At
	b.wake = b.rate.Sleep(start.Add(exec))
	got := b.wake.At.Sub(start)
	gotLate := b.wake.At.Sub(b.wake.Release)
	if got != cycle || gotLate != late || b.wake.Slept != slept || b.wake.Skipped != skipped {
		b.t.Errorf("a cycle of %v, the next %v late, slept %v, skipped %d; want %v, %v, %v, %d",
			got, gotLate, b.wake.Slept, b.wake.Skipped, cycle, late, slept, skipped)
	}
}

// 20 Hz and bodies of 20, 80, 20, 20 ms: cycles of 50, 80, 20, 50 ms. One body
// starts late, by 30 ms; the short cycle after it meets the grid again.
func TestCatchUp(t *testing.T) {
	b := newBodies(t, 50*ms, CatchUp)
	b.want(20*ms, 50*ms, 0, true, 0)
	b.want(80*ms, 80*ms, 30*ms, false, 0)
	b.want(20*ms, 20*ms, 0, false, 0)
	b.want(20*ms, 50*ms, 0, true, 0)
}

// A lag of more than a period begins a new grid: a body of 160 ms ends 110 ms
// after the next was due, which it makes up for; 100 and 150 are lost.
func TestCatchUpGivesUp(t *testing.T) {
	b := newBodies(t, 50*ms, CatchUp)
	b.want(160*ms, 160*ms, 110*ms, false, 2)
	b.want(20*ms, 50*ms, 0, true, 0)
	// A lag of exactly a period is still made up for.
	b = newBodies(t, 50*ms, CatchUp)
	b.want(100*ms, 100*ms, 50*ms, false, 0)
	b.want(20*ms, 20*ms, 20*ms, false, 0)
	b.want(20*ms, 30*ms, 0, true, 0)
}

// 20 Hz, one body of 160 ms, then 20 ms each: cycles of 160, 70, 70, 60, 50 ms.
// Three are longer than the period although there was time to sleep.
func TestReset(t *testing.T) {
	b := newBodies(t, 50*ms, Reset)
	b.want(160*ms, 160*ms, 110*ms, false, 2)
	b.want(20*ms, 70*ms, 0, true, 0)
	b.want(20*ms, 70*ms, 0, true, 0)
	b.want(20*ms, 60*ms, 0, true, 0)
	b.want(20*ms, 50*ms, 0, true, 0)
}

// What ros2_control_node did, and the "missed cycles" of its log.
func TestAlign(t *testing.T) {
	for _, c := range []struct {
		period, update  time.Duration
		cycle           time.Duration
		skipped, logged int64
	}{
		{2 * ms, 3327106, 4 * ms, 1, 2},
		{10 * ms, 92398981, 100 * ms, 9, 10},
		{10 * ms, 10 * ms, 10 * ms, 0, 0}, // the next instant is met
		{10 * ms, 10*ms + 1, 20 * ms, 1, 2},
		{10 * ms, 20 * ms, 20 * ms, 1, 2},
		{10 * ms, ms, 10 * ms, 0, 0},
	} {
		b := newBodies(t, c.period, Align)
		b.want(ms/2, c.period, 0, true, 0)
		b.want(c.update, c.cycle, 0, c.update < c.cycle, c.skipped)
		if got := b.wake.LoggedMissed(); got != c.logged {
			t.Errorf("an update of %v logs %d missed cycles, want %d", c.update, got, c.logged)
		}
		b.want(ms/2, c.period, 0, true, 0)
	}
}

// A clock that goes back: the next body begins one period after now.
func TestRateWhenTheClockGoesBack(t *testing.T) {
	for _, rule := range []RateRule{CatchUp, Reset} {
		r := NewRate(clock.Mono(500*ms), 50*ms, rule)
		if w := r.Sleep(clock.Mono(100 * ms)); w.At != clock.Mono(150*ms) || !w.Slept || w.Skipped != 0 {
			t.Errorf("%v: %+v", rule, w)
		}
	}
}

// Whatever the bodies take, none begins before the one before has ended. Align
// never leaves its grid nor starts late; the others never sleep beyond now and
// one period.
func TestRateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := time.Duration(rapid.Int64Range(1, int64(time.Second)).Draw(t, "period"))
		rule := rapid.SampledFrom([]RateRule{CatchUp, Reset, Align}).Draw(t, "rule")
		r := NewRate[clock.Mono](0, period, rule)
		var start clock.Mono
		passed := int64(0)
		for range rapid.IntRange(1, 50).Draw(t, "bodies") {
			now := start.Add(time.Duration(rapid.Int64Range(0, 4*int64(period)).Draw(t, "exec")))
			w := r.Sleep(now)
			passed += 1 + w.Skipped
			switch {
			case w.At < now, w.Skipped < 0, w.Release > w.At, w.Slept != (w.At > now):
				t.Fatalf("at %d: %+v", now, w)
			case w.At > now.Add(period):
				t.Fatalf("at %d sleeps %v, of a period of %v", now, w.At.Sub(now), period)
			case rule == Align && (w.At != w.Release || w.At != clock.Mono(passed*int64(period))):
				t.Fatalf("at %d, %d instants passed: %+v", now, passed, w)
			}
			start = w.At
		}
	})
}

func TestRateSaturates(t *testing.T) {
	times := []clock.Mono{math.MinInt64, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	for _, rule := range []RateRule{CatchUp, Reset, Align} {
		for _, period := range []time.Duration{-1, 0, 1, ms, math.MaxInt64} {
			for _, start := range times {
				for _, now := range times {
					if w := NewRate(start, period, rule).Sleep(now); w.At < now || w.Skipped < 0 {
						t.Errorf("from %d, period %d, %v, at %d: %+v", start, period, rule, now, w)
					}
				}
			}
		}
	}
}
