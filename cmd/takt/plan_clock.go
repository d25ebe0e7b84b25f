package main

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/plan"
	"github.com/takt-rt/takt/model"
)

// planClockFlags are the flags of takt plan clock.
type planClockFlags struct {
	latency       latency
	rate, rateSim rate
	step          duration
	source        string
	rtf           factors
	speed         speed
	tolerance     duration
	timer, ask    rate
}

func newPlanClock() *cobra.Command {
	o := planClockFlags{rtf: factors{big.NewRat(1, 1)}}
	var asJSON bool
	c := &cobra.Command{
		Use:   "clock [--latency TIME] [--clock-rate RATE] [--rtf FACTOR]",
		Short: "How wrong a node's now() is on simulated time, and what helps",
		Long: `How wrong a node's now() is on simulated time, and what helps: a node takes the
last /clock message for the time, so it is behind by what passes while a message
is on its way and by what passes until the next one. Both grow with the real time
factor. What is not given is left out of the answer.
docs/plan-clock.md says what each figure means.`,
		Example: `  takt plan clock --latency 5ms --clock-rate 100Hz --rtf 10 --speed 2m/s --tolerance 20ms
  takt plan clock --source rosbag2 --rtf 10 --timer 100Hz
  takt plan clock --source gz-sim --latency 1ms --tolerance 5ms
  takt plan clock --clock-rate 10Hz --timer 50Hz --ask 200Hz`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := o.setup()
			if err != nil {
				return err
			}
			p, err := plan.NewClock(s)
			if err != nil {
				return err
			}
			if asJSON {
				return plan.JSON(c.OutOrStdout(), p)
			}
			return p.Text(c.OutOrStdout())
		},
	}
	o.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/plan-clock.schema.json)")
	return c
}

func (o *planClockFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.Var(&o.latency, "latency", "wall time from the publication of a /clock message until the node goes by it, such as 5ms")
	f.Var(&o.rate, "clock-rate", "/clock messages per second of wall time, such as 100Hz")
	f.Var(&o.step, "clock-step", "simulated time from one /clock message to the next instead, such as 1ms")
	f.Var(&o.rateSim, "clock-rate-sim", "/clock messages per second of simulated time instead, such as 10Hz")
	f.StringVar(&o.source, "source", "", "what publishes /clock, for its default: "+strings.Join(plan.ClockSourceNames(), ", "))
	f.Var(&o.rtf, "rtf", "real time factor, or the --rate of ros2 bag play")
	f.Var(&o.speed, "speed", "speed of a robot, to tell the error as a distance, such as 2m/s")
	f.Var(&o.tolerance, "tolerance", "the error allowed, in simulated time, such as 20ms")
	f.Var(&o.timer, "timer", "rate of a timer on simulated time, per simulated second, such as 100Hz")
	f.Var(&o.ask, "ask", "how often now() is asked for, per wall second, such as 200Hz")
	c.MarkFlagsMutuallyExclusive("clock-rate", "clock-step", "clock-rate-sim")
}

func (o *planClockFlags) setup() (s plan.ClockSetup, err error) {
	s = plan.ClockSetup{
		Latency: o.latency.seconds, Rate: o.rate.hz, Source: o.source, Speed: o.speed.mps,
		Timer: o.timer.hz, Ask: o.ask.hz,
	}
	switch {
	case o.step > 0:
		s.Step = inSeconds(time.Duration(o.step))
	case o.rateSim.hz != nil:
		s.Step = new(big.Rat).Inv(o.rateSim.hz)
	}
	if o.tolerance > 0 {
		s.Tolerance = inSeconds(time.Duration(o.tolerance))
	}
	s.RTF, err = one("rtf", o.rtf)
	return s, err
}

func inSeconds(d time.Duration) *big.Rat { return big.NewRat(int64(d), int64(time.Second)) }

// A latency is a flag such as 5ms, and may be 0s; nil until it is given.
type latency struct{ seconds *big.Rat }

func (l *latency) Type() string { return "duration" }

func (l *latency) String() string {
	if l.seconds == nil {
		return ""
	}
	s, _ := l.seconds.Float64()
	return fmt.Sprintf("%gs", s)
}

func (l *latency) Set(text string) error {
	d, err := model.ParseDuration(text)
	if err == nil {
		l.seconds = inSeconds(d)
	}
	return err
}

// A speed is a flag such as 2m/s; nil until it is given.
type speed struct{ mps *big.Rat }

func (s *speed) Type() string { return "speed" }

func (s *speed) String() string {
	if s.mps == nil {
		return ""
	}
	v, _ := s.mps.Float64()
	return fmt.Sprintf("%gm/s", v)
}

func (s *speed) Set(text string) error {
	number, found := strings.CutSuffix(text, "m/s")
	x, err := positive(number, model.ParseExactNumber)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a speed above zero; write metres per second, such as 2m/s", text)
	case !found:
		return fmt.Errorf("%s has no unit; write %sm/s", text, text)
	}
	s.mps = x
	return nil
}
