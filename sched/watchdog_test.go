package sched

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

// Two threads under a window of 90 ms. The second is stuck from 30 ms on.
func TestWatchdog(t *testing.T) {
	w, err := NewWatchdog(0, 90*ms, Silence{}, Silence{})
	if err != nil {
		t.Fatal(err)
	}
	if w.MaxWait() != 30*ms {
		t.Errorf("threads may wait for %v, want 30ms", w.MaxWait())
	}
	for _, c := range []struct {
		at    time.Duration
		beats []uint64
		feed  bool
		stuck int
	}{
		{10 * ms, []uint64{1, 0}, false, -1},
		{20 * ms, []uint64{1, 1}, true, -1}, // both since the start
		{30 * ms, []uint64{1, 2}, false, -1},
		{40 * ms, []uint64{2, 2}, true, -1},
		{129 * ms, []uint64{9, 2}, false, -1},
		{130 * ms, []uint64{9, 2}, false, 1},
		{140 * ms, []uint64{9, 2}, false, -1}, // named once
		{150 * ms, []uint64{9, 3}, true, -1},
		{240 * ms, []uint64{9, 3}, false, 0}, // one at a time
		{241 * ms, []uint64{9, 3}, false, 1},
		{242 * ms, []uint64{9, 3}, false, -1},
	} {
		if feed, stuck := w.Check(clock.Mono(c.at), c.beats); feed != c.feed || stuck != c.stuck {
			t.Errorf("at %v: %v, %d, want %v, %d", c.at, feed, stuck, c.feed, c.stuck)
		}
	}
}

// 2 ms per 10 ms may be off for 8 ms.
func TestWatchdogWindow(t *testing.T) {
	capped := Silence{Cycle: 5 * ms, Budget: Budget{2 * ms, 10 * ms}}
	if _, err := NewWatchdog(0, 8*ms+1, capped); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		window   time.Duration
		silences []Silence
		want     string
	}{
		{8 * ms, []Silence{{}, capped}, "a watchdog window of 8ms, but thread 1 may be silent for 8ms; make"},
		{50 * ms, []Silence{{Cycle: 60 * ms}}, "thread 0 may be silent for 60ms"},
		{0, []Silence{{}}, "window of 0s"},
		{2, []Silence{{}}, "3 ns"},
		{ms, nil, "no threads"},
	} {
		if _, err := NewWatchdog(0, c.window, c.silences...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
