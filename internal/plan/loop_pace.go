package plan

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A Pace is what makes a loop periodic.
type Pace uint8

// The paces.
const (
	ByTimer       Pace = iota // a timer of rcl, served by an executor that runs nothing else
	ByROS1Rate                // ros::Rate
	ByRclcppRate              // rclcpp::Rate
	ByROS2Control             // the main loop of ros2_control_node
)

// Paces are their names.
var Paces = []string{"timer", "ros1-rate", "rclcpp-rate", "ros2-control"}

var rateRules = map[Pace]sched.RateRule{ByROS1Rate: sched.CatchUp, ByRclcppRate: sched.Reset, ByROS2Control: sched.Align}

// firstRelease is after how long the first callback is due: a timer's after a
// period, while a loop that sleeps begins with its body.
func (p Pace) firstRelease(period time.Duration) time.Duration {
	if p == ByTimer {
		return period
	}
	return 0
}

// A pacer tells when a loop's next callback runs.
type pacer interface {
	// next is asked at the end of a callback: a Wake is as sched says.
	next(now clock.Sim) sched.Wake[clock.Sim]
}

// pacer returns what paces the loop, and the first callback.
func (s *LoopSetup) pacer() (pacer, sched.Wake[clock.Sim]) {
	if s.Pace == ByTimer {
		t := &timerPacer{timer: sched.NewTimer(clock.Sim(s.Held.Period), s.Held.Period, s.Held.Rule)}
		return t, t.next(0)
	}
	return ratePacer{sched.NewRate[clock.Sim](0, s.Held.Period, rateRules[s.Pace])}, sched.Wake[clock.Sim]{}
}

// A timerPacer runs the callback of a timer as soon as it is due and the
// callback before has ended.
type timerPacer struct {
	timer   *sched.Timer[clock.Sim]
	skipped int64 // by the last call
}

func (p *timerPacer) next(now clock.Sim) sched.Wake[clock.Sim] {
	due := p.timer.Next()
	w := sched.Wake[clock.Sim]{At: max(now, due), Slept: due > now, Skipped: p.skipped}
	w.Release, p.skipped = p.timer.Call(w.At)
	return w
}

type ratePacer struct{ rate *sched.Rate[clock.Sim] }

func (p ratePacer) next(now clock.Sim) sched.Wake[clock.Sim] { return p.rate.Sleep(now) }
