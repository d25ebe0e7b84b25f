package compile

import (
	"fmt"
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// clockTopic is where simulated time is published.
const clockTopic = "/clock"

// clock makes the publisher of /clock, if there is one.
func (b *builder) clock() error {
	s := b.Simulation
	if s == nil {
		return nil
	}
	step, interval, err := b.pace(s)
	if err != nil {
		return err
	}
	topic, err := b.topic(clockTopic)
	switch {
	case err != nil:
		return err
	case s.Latency < 0 || s.Start < 0 || s.At < 0:
		return b.fail(s.Line, "simulation", "has a negative latency, start or at", "write 0ms or more")
	case s.Latency > 0 && topic.Latency > 0:
		return b.fail(s.Line, "simulation.latency", "is given for the topic "+clockTopic+", too", "leave one out")
	}
	topic.Latency += s.Latency
	c := &sim.Clock{Topic: topic, At: clock.Mono(s.At), First: clock.Sim(s.Start), Step: step, Interval: interval}
	for i, j := range s.Jumps {
		if j.At < 0 || j.PauseFor < 0 || i > 0 && j.At < s.Jumps[i-1].At {
			return b.fail(j.Line, "simulation.jumps", "are negative or not in order", "write 0s or more, the earliest first")
		}
		c.Changes = append(c.Changes, sim.ClockChange{At: clock.Mono(j.At), To: clock.Sim(j.To), Pause: j.PauseFor})
	}
	b.built.System.Clock = c
	return nil
}

// pace returns a tick's step of simulated time and the monotonic time to the
// next, both to the nanosecond: of a step S at a real time factor R it is S/R; a
// rate of F has an interval of 1/F and a step of R/F.
func (b *builder) pace(s *model.Simulation) (step, interval time.Duration, err error) {
	rtf := s.RTF
	if rtf == 0 {
		rtf = 1
	}
	if !(rtf > 0) || s.Rate < 0 || s.Step < 0 || (s.Step > 0) == (s.Rate > 0) {
		return 0, 0, b.fail(s.Line, "simulation", fmt.Sprintf("has a real time factor of %v, a step of %v and a rate of %vHz", rtf, s.Step, s.Rate),
			"write a factor above 0, and either a step or a rate")
	}
	stepNS, intervalNS := float64(s.Step), float64(s.Step)/rtf
	if s.Rate > 0 {
		stepNS, intervalNS = rtf*1e9/s.Rate, 1e9/s.Rate
	}
	stepNS, intervalNS = math.Round(stepNS), math.Round(intervalNS)
	if stepNS < 1 || intervalNS < 1 || max(stepNS, intervalNS) > longest {
		return 0, 0, b.fail(s.Line, "simulation", "has ticks of less than a nanosecond, or of more than a year", "write another step, rate or factor")
	}
	return time.Duration(stepNS), time.Duration(intervalNS), nil
}

// longest is more nanoseconds than anything in a system takes: a year.
const longest = 366 * 24 * 3600e9

// follows reports whether a timer runs on simulated time. A timer on ROS time
// of a node that does not follow that is on the system clock.
func follows(n *model.Node, c *model.Callback) bool { return n.UseSimTime && c.Timer.OnROS }

// starts returns the first instant on a timer's or a sensor's clock, given from
// the start of the run.
func (b *builder) starts(phase time.Duration, onSim bool) clock.Mono {
	if onSim {
		return clock.Mono(phase).Add(b.Simulation.Start)
	}
	return clock.Mono(phase)
}
