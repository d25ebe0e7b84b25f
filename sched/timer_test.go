package sched

import (
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

const ms = time.Millisecond

// A thread runs the callback of one timer and nothing else.
type thread struct {
	t     *testing.T
	timer *Timer[clock.Mono]
	now   clock.Mono
}

func newThread(t *testing.T, first, period time.Duration, rule SkipRule) *thread {
	return &thread{t: t, timer: NewTimer(clock.Mono(first), period, rule)}
}

// want waits for the next release, checks which one is served when and how many
// after it are skipped, and runs the callback for exec.
func (th *thread) want(release, start time.Duration, skipped int64, exec time.Duration) {
	th.t.Helper()
	th.now = max(th.now, th.timer.Next())
	if !th.timer.Due(th.now) {
		th.t.Errorf("not due at %v", th.now)
	}
	got, n := th.timer.Call(th.now)
	if got != clock.Mono(release) || th.now != clock.Mono(start) || n != skipped {
		th.t.Errorf("serves %v at %v and skips %d, want %v at %v and %d",
			time.Duration(got), time.Duration(th.now), n, release, start, skipped)
	}
	th.now = th.now.Add(exec)
}

// The published example of a timer's grid.
func TestPublishedTimerGrid(t *testing.T) {
	text, err := os.ReadFile("../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Loop struct {
			Grid struct {
				Example struct {
					Period    time.Duration   `json:"period_ms"`
					Exec      time.Duration   `json:"exec_ms_of_callback_at_0"`
					Starts    []time.Duration `json:"starts_ms"`
					Intervals []time.Duration `json:"intervals_ms"`
					Skipped   int64
				}
			} `json:"timer_grid"`
		}
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	want := golden.Loop.Grid.Example
	if len(want.Starts) == 0 || len(want.Intervals) != len(want.Starts)-1 {
		t.Fatalf("the example has %d starts and %d intervals", len(want.Starts), len(want.Intervals))
	}
	timer := NewTimer(clock.Mono(0), want.Period*ms, SkipNow)
	var now, before clock.Mono
	var skipped int64
	for i, start := range want.Starts {
		now = max(now, timer.Next())
		if now != clock.Mono(start*ms) {
			t.Errorf("start %d at %v, want %v ms", i, time.Duration(now), start)
		}
		if i > 0 && now.Sub(before) != want.Intervals[i-1]*ms {
			t.Errorf("interval %d is %v, want %v ms", i, now.Sub(before), want.Intervals[i-1])
		}
		_, n := timer.Call(now)
		skipped += n
		before = now
		if i == 0 {
			now = now.Add(want.Exec * ms)
		}
	}
	if skipped != want.Skipped {
		t.Errorf("%d skipped, want %d", skipped, want.Skipped)
	}
}

// One body of 350 ms at a period of 100 ms: the release of 400 starts 250 ms
// late, 500 and 600 are skipped, 700 is on time. No release comes at exactly a
// start but those served, so that both rules agree.
func TestLongBody(t *testing.T) {
	for _, rule := range []SkipRule{SkipNow, KeepNow} {
		th := newThread(t, 100*ms, 100*ms, rule)
		th.want(100*ms, 100*ms, 0, 10*ms)
		th.want(200*ms, 200*ms, 0, 10*ms)
		th.want(300*ms, 300*ms, 0, 350*ms)
		th.want(400*ms, 650*ms, 2, 10*ms)
		th.want(700*ms, 700*ms, 0, 10*ms)
	}
}

// A body of always 150 ms at a period of 100 ms starts every 150 ms. Every other
// start meets a release: the newer rule skips it and is 50 and 100 ms late in
// turn, the older keeps it, and is 100 and 150 ms late. Both skip one of three.
func TestBodyOverThePeriod(t *testing.T) {
	t.Run("newer", func(t *testing.T) {
		th := newThread(t, 100*ms, 100*ms, SkipNow)
		th.want(100*ms, 100*ms, 0, 150*ms)
		for start := 250 * ms; start < 10*time.Second; start += 300 * ms {
			th.want(start-50*ms, start, 0, 150*ms)
			th.want(start+50*ms, start+150*ms, 1, 150*ms)
		}
	})
	t.Run("older", func(t *testing.T) {
		th := newThread(t, 100*ms, 100*ms, KeepNow)
		th.want(100*ms, 100*ms, 0, 150*ms)
		th.want(200*ms, 250*ms, 0, 150*ms)
		for start := 400 * ms; start < 10*time.Second; start += 300 * ms {
			th.want(start-100*ms, start, 0, 150*ms)
			th.want(start, start+150*ms, 1, 150*ms)
		}
	})
}

// A body of 35 ms at a period of 10 ms, then short ones, with nothing skipped:
// the three releases that passed are made up for, and the grid is met again.
func TestSkipNone(t *testing.T) {
	th := newThread(t, 0, 10*ms, SkipNone)
	th.want(0, 0, 0, 35*ms)
	th.want(10*ms, 35*ms, 0, ms)
	th.want(20*ms, 36*ms, 0, ms)
	th.want(30*ms, 37*ms, 0, ms)
	th.want(40*ms, 40*ms, 0, ms)
}

func TestPeriodZeroIsAlwaysDue(t *testing.T) {
	for _, period := range []time.Duration{0, -ms} {
		for _, rule := range []SkipRule{SkipNow, KeepNow, SkipNone} {
			th := newThread(t, 5*ms, period, rule)
			th.want(5*ms, 5*ms, 0, 3*ms)
			th.want(5*ms, 8*ms, 0, 0)
			th.want(8*ms, 8*ms, 0, 0)
			if !th.timer.Due(th.now) {
				t.Error("not due")
			}
		}
	}
}

// A clock that goes back past the last call begins the grid anew; one that goes
// back less leaves it, so that the release comes again. Values from
// _rcl_timer_time_jump.
func TestJump(t *testing.T) {
	for _, c := range []struct {
		name       string
		calls      int // at 100, 110, ...
		back, want time.Duration
	}{
		{"behind the last call", 2, 105 * ms, 115 * ms},
		{"to the last call", 2, 110 * ms, 120 * ms},
		{"after the last call", 2, 113 * ms, 120 * ms},
		{"far behind", 2, 0, 10 * ms},
		{"before the creation", 0, 30 * ms, 40 * ms},
		{"after the creation", 0, 95 * ms, 100 * ms},
	} {
		th := newThread(t, 100*ms, 10*ms, SkipNow)
		for i := range c.calls {
			th.want(time.Duration(100+10*i)*ms, time.Duration(100+10*i)*ms, 0, 0)
		}
		th.timer.Jump(clock.Mono(c.back))
		if got := th.timer.Next(); got != clock.Mono(c.want) {
			t.Errorf("%s: next release at %v, want %v", c.name, time.Duration(got), c.want)
		}
	}
}

// Whenever a timer is called, its grid keeps its phase, every release is served
// or skipped, and none is served before it is due. The next release lies after
// now under the newer rule, at now or after it under the older.
func TestTimerKeepsItsGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "period"))
		first := clock.Mono(rapid.Int64Range(-int64(time.Hour), int64(time.Hour)).Draw(t, "first"))
		rule := rapid.SampledFrom([]SkipRule{SkipNow, KeepNow, SkipNone}).Draw(t, "rule")
		timer := NewTimer(first, period, rule)
		now, passed := first, int64(0)
		for range rapid.IntRange(1, 50).Draw(t, "calls") {
			now = max(now, timer.Next())
			release, skipped := timer.Call(now)
			passed += 1 + skipped
			next := timer.Next()
			switch {
			case skipped < 0:
				t.Fatalf("%d skipped", skipped)
			case release > now:
				t.Fatalf("%d is served at %d, before it is due", release, now)
			case next.Sub(first) != time.Duration(passed)*period:
				t.Fatalf("after %d releases the next is %v from the first, of a period of %v", passed, next.Sub(first), period)
			case rule == SkipNone && skipped > 0:
				t.Fatalf("%d skipped", skipped)
			case rule != SkipNone && next < now || next == now && rule == SkipNow:
				t.Fatalf("the next release %d is not after now, %d", next, now)
			case skipped > 0 && next.Add(-period) > now:
				t.Fatalf("skips %d, which is not before now, %d", next.Add(-period), now)
			}
			// Bodies that end on the grid are as likely as others.
			exec := time.Duration(rapid.Int64Range(0, 5).Draw(t, "periods")) * period
			if rapid.Bool().Draw(t, "off the grid") {
				exec += time.Duration(rapid.Int64Range(0, int64(period)).Draw(t, "exec"))
			}
			now = now.Add(exec)
		}
	})
}

// At the ends of representable time nothing wraps around.
func TestTimerSaturates(t *testing.T) {
	times := []clock.Mono{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	for _, rule := range []SkipRule{SkipNow, KeepNow, SkipNone} {
		for _, period := range []time.Duration{0, 1, ms, math.MaxInt64 - 1, math.MaxInt64} {
			for _, first := range times {
				for _, now := range times {
					timer := NewTimer(first, period, rule)
					release, skipped := timer.Call(now)
					if release != first || skipped < 0 || timer.Next() < first {
						t.Errorf("first %d, period %d, %v, at %d: serves %d, skips %d, next %d", first, period, rule, now, release, skipped, timer.Next())
					}
					timer.Jump(math.MinInt64)
					if timer.Next() < math.MinInt64+clock.Mono(period) {
						t.Errorf("first %d, period %d, %v, at %d: after a jump back next %d", first, period, rule, now, timer.Next())
					}
				}
			}
		}
	}
}

// BenchmarkTimerCall calls a timer on time, and with releases to skip.
func BenchmarkTimerCall(b *testing.B) {
	for _, body := range []time.Duration{0, 25 * ms} {
		b.Run("body="+body.String(), func(b *testing.B) {
			timer := NewTimer(clock.Mono(0), 10*ms, SkipNow)
			var now clock.Mono
			for b.Loop() {
				now = max(now, timer.Next())
				timer.Call(now)
				now = now.Add(body)
			}
		})
	}
}

// A timer of 10 ms whose next release is at 10, of which nothing was seen until now.
func TestResume(t *testing.T) {
	for _, c := range []struct{ now, next, previous int64 }{
		{3, 10, 0}, {10, 10, 0}, {19, 10, 0}, {20, 20, 10}, {57, 50, 40},
	} {
		timer := NewTimer(clock.Mono(10), 10, SkipNow)
		timer.Resume(clock.Mono(c.now))
		if timer.Next() != clock.Mono(c.next) || timer.Previous() != clock.Mono(c.previous) {
			t.Errorf("at %d: next %d after %d, want %d after %d", c.now, timer.Next(), timer.Previous(), c.next, c.previous)
		}
	}
	always := NewTimer(clock.Mono(10), 0, SkipNow)
	always.Resume(50)
	if !always.Due(50) {
		t.Error("a timer without a period is not due")
	}
}
