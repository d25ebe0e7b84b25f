package sched

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

func (m ticked) cancel(callback int) { m.Machine.(Timers).Cancel(callback) }

func (m ticked) reset(callback int, now time.Duration) {
	m.Machine.(Timers).Reset(callback, clock.Mono(now))
}

// A one-shot timer runs once, however late, skips nothing, and again after a
// reset, one period later.
func TestOnce(t *testing.T) {
	once := timer(10*ms, nil)
	once.Once = true
	eachTicked(t, func(m ticked) {
		m.want(55*ms, 0, 0, 0)
		m.rest(time.Hour)
		m.reset(0, time.Hour)
		m.want(time.Hour+10*ms, time.Hour+10*ms, 0, 0)
		m.rest(2 * time.Hour)
	}, once)
}

// So does one on simulated time: a reset counts from the last tick.
func TestOnceOnROS(t *testing.T) {
	once := onROS(10 * ms)
	once.Once = true
	eachTicked(t, func(m ticked) {
		m.tick(0, 0)
		m.tick(1, 55*ms)
		m.want(1, 1, 10*ms, 0)
		m.tick(2, 100*ms)
		m.rest(2)
		m.reset(0, 3)
		m.tick(4, 109*ms)
		m.rest(4)
		m.tick(5, 110*ms)
		m.want(5, 5, 110*ms, 0)
		m.tick(6, 200*ms)
		m.rest(6)
	}, once)
}

// Reset starts the grid at now: from 7 ms on a period of 10 ms, at 17 and 27.
func TestCancelAndReset(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.want(0, 0, 0, 0)
		m.reset(0, 7*ms)
		m.want(17*ms, 17*ms, 0, 0)
		m.cancel(0)
		m.rest(time.Second)
		m.reset(0, time.Second)
		m.want(1010*ms, 1010*ms, 0, 0)
		m.want(1020*ms, 1020*ms, 0, 0)
	}, timer(10*ms, nil))
}

// A timer that is canceled by a callback before it, in the same cycle, does not run.
func TestCancelTakesOutOfTheList(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.Step(0)
		m.cancel(1)
		m.Done(0, 0)
		if job, next := m.Step(0); job != nil || next != clock.Mono(10*ms) {
			t.Errorf("started %+v until %d", job, next)
		}
	}, timer(10*ms, nil), timer(10*ms, nil))
}

// Nor does the last of three, while the one between runs.
func TestCancelTakesOutOneOnly(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.Step(0)
		m.cancel(2)
		m.Done(0, 0)
		if job, _ := m.Step(0); job == nil || job.Callback != 1 {
			t.Fatalf("started %+v, want callback 1", job)
		}
		m.Done(0, 0)
		if job, next := m.Step(0); job != nil || next != clock.Mono(10*ms) {
			t.Errorf("started %+v until %d", job, next)
		}
	}, timer(10*ms, nil), timer(10*ms, nil), timer(10*ms, nil))
}

// No tick makes a canceled timer due. A reset at 20 ms of simulated time makes
// it due at 30.
func TestCancelOnROS(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.tick(0, 0)
		m.tick(1, 10*ms)
		m.cancel(0)
		m.rest(1)
		m.tick(2, 20*ms)
		m.rest(2)
		m.reset(0, 3)
		m.tick(4, 30*ms)
		m.want(4, 4, 30*ms, 0)
	}, onROS(10*ms))
}

func TestCancelOfNoTimerPanics(t *testing.T) {
	eachTicked(t, func(m ticked) {
		defer func() {
			if recover() == nil {
				t.Error("did not panic")
			}
		}()
		m.cancel(0)
	}, subscription(1, nil))
}
