package sched

import "github.com/takt-rt/takt/clock"

// Timers is a machine whose timers can be stopped and started. All machines are.
type Timers interface {
	// Cancel stops a timer: it is not due until it is reset, even if it was.
	Cancel(callback int)

	// Reset starts the grid of a timer anew, canceled or not: the next release is
	// one period after now, for a timer on simulated time after the last tick.
	Reset(callback int, now clock.Mono)
}

// Cancel is Timers.Cancel. A callback that is no timer panics.
func (b *inbox) Cancel(callback int) {
	s := b.timerSlot(callback)
	s.canceled = true
	if s.ros != nil {
		b.rearm(s)
		return
	}
	b.set(int(s.nth), Never)
}

// Reset is Timers.Reset. A callback that is no timer panics.
func (b *inbox) Reset(callback int, now clock.Mono) {
	s := b.timerSlot(callback)
	s.canceled = false
	if s.ros != nil {
		s.ros.Reset(b.ros.sim)
		b.rearm(s)
		return
	}
	s.timer.Reset(now)
	b.set(int(s.nth), s.timer.Next())
}

func (b *inbox) timerSlot(callback int) *slot {
	s := &b.slots[callback]
	if s.kind != TimerKind {
		panic("sched: a " + s.kind.String() + " is no timer")
	}
	return s
}

// Cancel is Timers.Cancel.
func (l *Level) Cancel(callback int) {
	l.inbox.Cancel(callback)
	l.list.drop(int32(callback))
}

// Reset is Timers.Reset.
func (l *Level) Reset(callback int, now clock.Mono) {
	l.inbox.Reset(callback, now)
	l.list.drop(int32(callback))
}

// Cancel is Timers.Cancel.
func (w *WaitSet) Cancel(callback int) {
	w.inbox.Cancel(callback)
	w.list.drop(int32(callback))
}

// Reset is Timers.Reset.
func (w *WaitSet) Reset(callback int, now clock.Mono) {
	w.inbox.Reset(callback, now)
	w.list.drop(int32(callback))
}
