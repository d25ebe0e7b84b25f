package sched

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

func TestWindow(t *testing.T) {
	plain := Window{Offset: 5 * ms, Duration: 3 * ms, Frame: 10 * ms}
	fit := plain
	fit.RequireFit = true
	wrapped := Window{Offset: 8 * ms, Duration: 4 * ms, Frame: 10 * ms}
	never := time.Duration(Never)
	for _, c := range []struct {
		name string
		w    Window
		now  time.Duration
		cost time.Duration
		open time.Duration // when it is
	}{
		{"before", plain, 0, ms, 5 * ms},
		{"at the opening instant", plain, 5 * ms, 9 * ms, 5 * ms},
		{"within", plain, 8*ms - 1, 9 * ms, 8*ms - 1},
		{"at the closing instant", plain, 8 * ms, ms, 15 * ms},
		{"in a later frame", plain, 36 * ms, ms, 36 * ms},
		{"fits exactly", fit, 6 * ms, 2 * ms, 6 * ms},
		{"does not fit", fit, 6*ms + 1, 2 * ms, 15 * ms},
		{"never fits", fit, 5 * ms, 3*ms + 1, never},
		{"over the end of the frame", wrapped, 21 * ms, ms, 21 * ms},
		{"after that", wrapped, 22 * ms, ms, 28 * ms},
		{"an offset beyond the frame", Window{Offset: 25 * ms, Duration: 3 * ms, Frame: 10 * ms}, 3 * ms, ms, 5 * ms},
		{"no duration", Window{Offset: 5 * ms, Frame: 10 * ms}, 0, ms, 0},
		{"no frame", Window{Offset: 5 * ms, Duration: 10 * ms}, 0, ms, 0},
		{"the whole frame", Window{Offset: 5 * ms, Duration: 10 * ms, Frame: 10 * ms, RequireFit: true}, 0, time.Second, 0},
	} {
		open, at := c.w.open(clock.Mono(c.now), c.cost)
		if want := clock.Mono(c.open); at != want || open != (c.open == c.now) {
			t.Errorf("%s: open %v, at %d, want at %d", c.name, open, at, want)
		}
	}
}

// A closed window delays and swallows nothing: a 7 ms timer in [5, 8) of 10 ms.
// The release of 14 ms starts at 15; that of 21 at 25, that of 28 waits for 35
// and with it goes that of 35, which a start at exactly 35 skips.
func TestWindowDelays(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{timer(7*ms, &Context{Window: Window{Offset: 5 * ms, Duration: 3 * ms, Frame: 10 * ms}})}}, ms)
	d.run(38 * ms)
	d.want("0@5ms 0@7ms 0@15ms 0@25ms 0@35ms")
	if got := d.jobs[4]; got.Release != clock.Mono(28*ms) || got.Skipped != 1 {
		t.Errorf("%+v", got.Job)
	}
}

// A callback with a budget and a window has to pass both.
func TestGatesCompose(t *testing.T) {
	both := &Context{Class: Sporadic, Budget: Budget{2 * ms, 10 * ms}, Window: Window{Offset: 5 * ms, Duration: 3 * ms, Frame: 10 * ms}}
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{timer(ms, both)}}, 4*ms)
	d.run(60 * ms)
	// From 5: 2-4 is -2 at 9; 0 at 10, 2 at 20.
	d.want("0@5ms 0@25ms 0@45ms")
}

// The instant that a closed window names is the first at which it is open.
func TestWindowOpensWhenItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nanos := func(name string, from, to int) time.Duration {
			return time.Duration(rapid.IntRange(from, to).Draw(t, name))
		}
		w := Window{nanos("offset", 0, 50), nanos("duration", 0, 20), nanos("frame", 0, 20), rapid.Bool().Draw(t, "fit")}
		cost, now := nanos("cost", 0, 10), clock.Mono(nanos("now", 0, 100))
		open, at := w.open(now, cost)
		if open != (at == now) {
			t.Fatalf("open %v, at %d of %d", open, at, now)
		}
		for u := now; u < min(at, now+50); u++ {
			if early, _ := w.open(u, cost); early {
				t.Fatalf("opens at %d, said %d", u, at)
			}
		}
		if then, _ := w.open(at, cost); at != Never && !then {
			t.Fatalf("does not open at %d", at)
		}
	})
}
