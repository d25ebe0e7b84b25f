package sched

import (
	"errors"
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Watchdog says when to feed a watchdog for several threads: only when each
// of them has ended a cycle since the last time. A thread that is stuck in a
// callback, starved, or throttled for longer than the window counts as dead. An
// idle thread must end a cycle, and count it, at least every MaxWait.
type Watchdog struct {
	window time.Duration
	fed    clock.Mono
	beats  []uint64 // when it was last fed
	named  []bool   // those reported as stuck since
}

// A Silence is for how long a thread that is well may end no cycle.
type Silence struct {
	Cycle  time.Duration // the longest cycle that may be
	Budget Budget        // of its level or reservation: it may be off for the rest of a period
}

// Longest returns the longest silence: the cycle, or what a period has beside
// the budget.
func (s Silence) Longest() time.Duration { return max(s.Cycle, s.Budget.Period-s.Budget.Amount) }

// NewWatchdog returns the watchdog of as many threads as there are silences, in
// their order, which is fed at now. It is an error if the window, the time that
// it may go unfed, is not longer than every silence.
func NewWatchdog(now clock.Mono, window time.Duration, silences ...Silence) (*Watchdog, error) {
	if len(silences) == 0 {
		return nil, errors.New("a watchdog of no threads; name one or more")
	}
	for i, s := range silences {
		if s.Longest() >= window {
			return nil, fmt.Errorf("a watchdog window of %v, but thread %d may be silent for %v; make the window longer", window, i, s.Longest())
		}
	}
	if window < 3 {
		return nil, fmt.Errorf("a watchdog window of %v; give 3 ns or more", window)
	}
	return &Watchdog{window: window, fed: now, beats: make([]uint64, len(silences)), named: make([]bool, len(silences))}, nil
}

// MaxWait returns the longest time that a thread may wait before it counts a
// cycle: a third of the window.
func (w *Watchdog) MaxWait() time.Duration { return w.window / 3 }

// Check takes the threads' counts of cycles, from 0 at the start, at now. It
// says whether to feed the watchdog, and if not, names a thread that has been
// silent for the window, each once until it is fed; stuck is -1 otherwise.
func (w *Watchdog) Check(now clock.Mono, beats []uint64) (feed bool, stuck int) {
	silent := func(i int) bool { return beats[i] == w.beats[i] }
	all := true
	for i := range w.beats {
		all = all && !silent(i)
	}
	if all {
		w.fed = now
		copy(w.beats, beats)
		clear(w.named)
		return true, -1
	}
	if now.Sub(w.fed) < w.window {
		return false, -1
	}
	for i := range w.beats {
		if silent(i) && !w.named[i] {
			w.named[i] = true
			return false, i
		}
	}
	return false, -1
}
