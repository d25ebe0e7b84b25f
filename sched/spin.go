package sched

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Spin is how the program turns an executor on a wait set. The zero Spin is
// spin(): it serves all of a wait, and waits again.
type Spin struct {
	// Once runs one callback per wait and forgets what else was ready, as
	// spin_once in a loop does, and also spin of the static executor, in rclcpp
	// from Jazzy on. An always-ready callback then starves those after it in the
	// order. rclpy keeps the rest for the next spin_once, so that without a Period
	// this is spin(); so did rclcpp up to Iron, whose loops with a Period are not
	// here.
	Once bool

	// Period is that of a loop of the program's own, which calls spin_some, or
	// spin_once with Once, and sleeps until its next turn as rclcpp::Rate does.
	// Nothing runs between turns. The call does not wait: where nothing is ready
	// it does nothing, and in rclpy also where it finds the end of the list that
	// it had begun. 0 is no such loop.
	Period time.Duration
}

func (s Spin) check(o Order) error {
	switch {
	case s.Period < 0:
		return fmt.Errorf("a loop with a period of %v; give 0 for none, or more", s.Period)
	case o == RclpyOrder && s.Period > 0 && !s.Once:
		return fmt.Errorf("spin_some in a loop of %v, which rclpy does not have; set Once for spin_once", s.Period)
	}
	return nil
}

// A loop is the program's own loop around its executor.
type loop struct {
	rate Rate[clock.Mono]
	wake clock.Mono // when the next turn begins, or the one that is open began
	open bool
}

func newLoop(period time.Duration) *loop {
	return &loop{rate: *NewRate[clock.Mono](0, period, Reset)}
}

// turn goes on with the turn that is open, or begins one if it is time, up to
// the first callback that it runs. There is none if the loop sleeps.
func (w *WaitSet) turn(now clock.Mono) bool {
	l := w.loop
	for l.wake <= now {
		if w.hasMore(now) {
			l.open = true
			return true
		}
		l.open, l.wake = false, l.rate.Sleep(now).At
	}
	return false
}

// hasMore reports whether the turn has a callback to run, or one more.
func (w *WaitSet) hasMore(now clock.Mono) bool {
	switch {
	case w.loop.open && w.once:
		return false
	case !w.list.empty():
		return true
	case w.loop.open:
		return false
	case w.resumes && w.begun:
		w.begun = false
		return false
	}
	return w.wait(now)
}
