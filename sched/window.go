package sched

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Window lets callbacks start only in a part of each frame: from Offset on
// for Duration, counted from the instant 0 of the machine. It is open at the
// opening instant and closed at the closing one, and may reach over the end of
// a frame. A closed window delays and loses nothing; a callback that has started
// is not stopped. With a Duration or Frame of 0, or a Duration of a whole
// Frame, it is always open.
type Window struct {
	Offset, Duration, Frame time.Duration
	RequireFit              bool // start a callback only if its largest cost fits in what is left
}

func (w Window) check() error {
	if w.Offset < 0 || w.Duration < 0 || w.Frame < 0 {
		return fmt.Errorf("a window of %v from %v in %v; give 0 or more", w.Duration, w.Offset, w.Frame)
	}
	return nil
}

func (w *Window) always() bool {
	return w.Duration == 0 || w.Frame == 0 || w.Duration >= w.Frame
}

// phase returns how far now is into the frame that begins at Offset.
func (w *Window) phase(now clock.Mono) time.Duration {
	phase := (time.Duration(now)%w.Frame - w.Offset%w.Frame) % w.Frame
	if phase < 0 {
		phase += w.Frame
	}
	return phase
}

// closes returns when a window that is open for a callback of this cost at now no longer is.
func (w *Window) closes(now clock.Mono, cost time.Duration) clock.Mono {
	if w.always() {
		return Never
	}
	phase := w.phase(now)
	if w.RequireFit {
		return add(now, w.Duration-phase-cost+1)
	}
	return add(now, w.Duration-phase)
}

// open reports whether a callback of this cost may start at now, and if not,
// when one may.
func (w *Window) open(now clock.Mono, cost time.Duration) (bool, clock.Mono) {
	if w.always() {
		return true, now
	}
	phase := w.phase(now)
	switch {
	case w.RequireFit && cost > w.Duration:
		return false, Never
	case phase >= w.Duration, w.RequireFit && cost > w.Duration-phase:
		return false, add(now, w.Frame-phase)
	}
	return true, now
}
