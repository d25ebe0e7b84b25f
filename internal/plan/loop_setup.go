package plan

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
)

// A LoopSetup is what a loop is planned for. Names of flags in errors are those
// of takt plan loop.
type LoopSetup struct {
	Name string // "" means loop

	// Held has the loop's period, above zero, on the loop's clock; the rule of
	// its timer; and what it is held against. OnROS is set where RTF is.
	Held analysis.LoopOptions
	Pace Pace
	Exec Executions
	// RTF is how fast the loop's clock, ROS time, runs: simulated over monotonic
	// time. Nil is a loop on the steady clock.
	RTF *big.Rat
	// Length is how long the run takes on the loop's clock. What starts at its
	// end still counts, and what has started runs to its end.
	Length time.Duration

	Plots  bool // keep what a page draws
	Starts int  // keep so many of the first starts
}

// The limits of a plan.
const (
	maxCallbacks = 10_000_000
	// maxLoopTime bounds each duration, on both clocks, so that sums of a few fit.
	maxLoopTime = 50 * 365 * 24 * time.Hour
)

// check fills in what was left out, and refuses what cannot be run.
func (s *LoopSetup) check() error {
	s.Name = cmp.Or(s.Name, "loop")
	s.Held.Deadline = cmp.Or(s.Held.Deadline, s.Held.Period)
	s.Held.OnROS = s.RTF != nil
	switch {
	case s.Held.Period <= 0:
		return fmt.Errorf("the period is not known; give --period 10ms, or --rate 100Hz")
	case s.Length < s.Pace.firstRelease(s.Held.Period):
		return fmt.Errorf("--for %s ends before the first release, at %s; make it longer", model.FormatDuration(s.Length), model.FormatDuration(s.Held.Period))
	case s.Length/s.Held.Period > maxCallbacks:
		return fmt.Errorf("--for %s holds more than %d callbacks; make it shorter", model.FormatDuration(s.Length), maxCallbacks)
	case s.RTF != nil && s.Pace == ByROS2Control:
		return fmt.Errorf("--paced-by ros2-control: ros2_control_node keeps this grid on the steady clock only; leave out --rtf")
	}
	if err := s.Exec.check(); err != nil {
		return err
	}
	return s.checkTimes()
}

// checkTimes refuses times so long that nanoseconds might not hold them.
func (s *LoopSetup) checkTimes() error {
	if s.RTF != nil && !(s.RTF.Sign() > 0 && s.RTF.Num().IsInt64() && s.RTF.Denom().IsInt64()) {
		return fmt.Errorf("--rtf %s: write a number above zero with at most 18 digits, such as 0.5", s.RTF.FloatString(3))
	}
	pace := newLoopClock(s.RTF)
	exec := s.Exec.longest()
	for _, d := range []time.Duration{s.Length, pace.wall(s.Length), exec, pace.loop(exec)} {
		if d > maxLoopTime {
			return fmt.Errorf("the run takes longer than 50 years on the wall or in ROS time; shorten --for or the execution times, or take an --rtf nearer to 1")
		}
	}
	return nil
}

// Period returns the period of a rate above zero.
func Period(hz *big.Rat) (time.Duration, error) {
	ns := new(big.Rat).Quo(big.NewRat(int64(time.Second), 1), hz)
	whole := new(big.Int).Quo(ns.Num(), ns.Denom())
	switch {
	case !whole.IsInt64() || whole.Sign() == 0:
		return 0, fmt.Errorf("a period is from 1 ns to 292 years; write a rate such as 100Hz")
	case !ns.IsInt():
		return 0, fmt.Errorf("its period is no whole number of nanoseconds; write the one that the timer has, such as --period %s", model.FormatDuration(time.Duration(whole.Int64())))
	}
	return time.Duration(whole.Int64()), nil
}

// Executions are what the callbacks of a loop take, on the monotonic clock.
type Executions struct {
	// Times are of the callbacks, by their number, and begin anew after the last.
	Times []time.Duration
	// With Every above zero, callback First and every such one after it takes
	// Injected instead, and is marked. Callbacks count from 1, and First is
	// among the first Every.
	Every, First uint64
	Injected     time.Duration
}

func (e *Executions) check() error {
	if len(e.Times) == 0 {
		return fmt.Errorf("nothing says how long a callback takes; give --exec 2ms, --pattern or --times")
	}
	return nil
}

func (e *Executions) longest() time.Duration { return max(e.Injected, slices.Max(e.Times)) }

// of returns what callback n takes, and whether that was injected.
func (e *Executions) of(n uint64) (exec time.Duration, injected bool) {
	if e.Every > 0 && n%e.Every == e.First%e.Every {
		return e.Injected, true
	}
	return e.Times[(n-1)%uint64(len(e.Times))], false
}
