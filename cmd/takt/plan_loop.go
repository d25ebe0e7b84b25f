package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/plan"
	"github.com/takt-rt/takt/report"
)

// planLoopFlags are the flags of takt plan loop.
type planLoopFlags struct {
	loop          loopFlags
	rate          rate
	exec, typical duration
	every, first  int
	pattern       durations
	times         string
	length        duration
	rtf           factors
	pace          choice
	html          htmlFile
	name          string
	starts        int
}

func newPlanLoop() *cobra.Command {
	var o planLoopFlags
	var asJSON, verbose bool
	c := &cobra.Command{
		Use:   "loop --period TIME --exec TIME --for TIME",
		Short: "What a timer does after a late callback",
		Long: `What a timer does after a late callback: a periodic callback, alone on its
thread, is run in virtual time by the rules of rcl, and reported on like one that
was measured: starts, lateness, missed deadlines, skipped releases.

A timer is first due one period after the start of the run; a release at its very
end still counts. The first callback is left out of the figures, as in a
measurement. With --rtf the loop is on ROS time, and so are --period, --deadline
and --for; execution times are always on the monotonic clock. ROS time is taken to
move without steps: takt plan clock --timer says what those of /clock add.`,
		Example: `  takt plan loop --period 10ms --exec 22ms --every 50 --for 5s
  takt plan loop --period 100ms --pattern 10ms,10ms,350ms,10ms,10ms --for 700ms --starts 10 --keep-first
  takt plan loop --rate 100Hz --exec 2ms --rtf 0.5 --wall-budget 25ms --for 10s
  takt plan loop --rate 500Hz --times measured.txt --paced-by ros2-control --for 1min`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON && o.starts > 0 {
				return errors.New("--starts is a table of text; leave out --json")
			}
			s, err := o.setup(c)
			if err != nil {
				return err
			}
			p, err := plan.NewLoop(c.Context(), s)
			if err != nil {
				return err
			}
			if err := o.html.write(func(w io.Writer) error { return report.HTML(w, p.Report, p.Plots) }); err != nil {
				return err
			}
			return showLoop(c, p, asJSON, verbose)
		},
	}
	o.add(c)
	o.html.flag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/report.schema.json)")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every finding")
	return c
}

// showLoop writes the report of a loop, and the table of its starts if that was asked for.
func showLoop(c *cobra.Command, p *plan.Loop, asJSON, verbose bool) error {
	if err := show(c, p.Report, asJSON, verbose); err != nil || len(p.Starts) == 0 {
		return err
	}
	return p.WriteStarts(c.OutOrStdout())
}

func (o *planLoopFlags) add(c *cobra.Command) {
	o.loop.rule = choice{of: []string{"newer", "older"}}
	o.pace = choice{of: plan.Paces}
	f := c.Flags()
	f.Var(&o.loop.period, "period", "period of the loop, such as 10ms")
	f.Var(&o.rate, "rate", "its rate instead, such as 100Hz")
	f.Var(&o.loop.deadline, "deadline", "from the release to the end of a callback (default the period)")
	f.Var(&o.exec, "exec", "what every callback takes; with --every, what the injected ones do")
	f.IntVar(&o.every, "every", 0, "only every `N`th callback takes --exec, and is marked as injected")
	f.IntVar(&o.first, "first", 0, "number `K` of the first of them, from 1 to N (default N/2)")
	f.Var(&o.typical, "typical", "what the callbacks between them take (default 0s)")
	f.Var(&o.pattern, "pattern", "what the callbacks take in turn, such as 10ms,10ms,350ms")
	f.StringVar(&o.times, "times", "", "the same from a `FILE` of measured times, a duration on each line")
	f.Var(&o.length, "for", "length of the run, such as 5s")
	f.Var(&o.rtf, "rtf", "the loop is on ROS time, which runs so many times as fast as the monotonic clock")
	f.Var(&o.loop.budget, "wall-budget", "count the intervals that take longer on the monotonic clock, and say what is to spare")
	f.Var(&o.loop.jitter, "jitter", "how far over the period an interval may be, such as 0.5ms or 5% (default 5%)")
	f.Var(&o.loop.rule, "rule", "which releases a late timer skips: newer, those at or before its start (rcl since Jazzy), or older, those before it (Humble) (default newer)")
	f.Var(&o.pace, "paced-by", "what makes the loop periodic: a timer, or a loop that sleeps (default timer)")
	f.BoolVar(&o.loop.keepFirst, "keep-first", false, "take the first callback into the figures")
	f.StringVar(&o.name, "name", "loop", "name of the loop in the report, to compare it with a measured one")
	f.IntVar(&o.starts, "starts", 0, "list the first `N` starts, one to a line")
	_ = c.MarkFlagRequired("for")
	c.MarkFlagsOneRequired("period", "rate")
	c.MarkFlagsMutuallyExclusive("period", "rate")
	c.MarkFlagsOneRequired("exec", "pattern", "times")
	c.MarkFlagsMutuallyExclusive("exec", "pattern", "times")
}

// setup is what the flags come to.
func (o *planLoopFlags) setup(c *cobra.Command) (s plan.LoopSetup, err error) {
	if err := o.check(c); err != nil {
		return s, err
	}
	s = plan.LoopSetup{
		Name: o.name, Held: o.loop.options(), Length: time.Duration(o.length), Starts: o.starts, Plots: o.html.wanted(),
		Pace: plan.Pace(max(0, slices.Index(plan.Paces, o.pace.value))),
	}
	if o.rate.hz != nil {
		if s.Held.Period, err = plan.Period(o.rate.hz); err != nil {
			return s, fmt.Errorf("--rate: %w", err)
		}
	}
	if len(o.rtf) > 0 {
		s.RTF = o.rtf[0]
	}
	s.Exec, err = o.executions()
	return s, err
}

// check refuses flags that would do nothing.
func (o *planLoopFlags) check(c *cobra.Command) error {
	given := c.Flags().Changed
	switch {
	case given("every") && !given("exec"):
		return errors.New("--every injects --exec; give it, or write the times out with --pattern alone")
	case given("every") && o.every < 1:
		return fmt.Errorf("--every %d: write 1 or more", o.every)
	case given("first") && !given("every"):
		return errors.New("--first is of the callbacks that --every injects; give --every 50 too")
	case given("first") && (o.first < 1 || o.first > o.every):
		return fmt.Errorf("--first %d is not among the first %d callbacks; write 1 to %d", o.first, o.every, o.every)
	case given("typical") && !given("every"):
		return errors.New("--typical is of the callbacks between those that --every injects; give --every 50 too, or only --exec")
	case given("rule") && o.pace.value != "" && o.pace.value != "timer":
		return fmt.Errorf("--rule is of timers; leave it out, or --paced-by %s", o.pace.value)
	case len(o.rtf) > 1:
		return errors.New("--rtf takes one real time factor; plan each by itself")
	case given("starts") && o.starts < 1:
		return fmt.Errorf("--starts %d: write 1 or more", o.starts)
	case o.name == "":
		return errors.New("--name is empty; leave it out or name the loop")
	}
	return nil
}

// executions are what the callbacks take. Without --first the callback in the
// middle of every N is injected, as in the published experiment.
func (o *planLoopFlags) executions() (e plan.Executions, err error) {
	switch {
	case o.times != "":
		f, err := os.Open(o.times)
		if err != nil {
			return e, fmt.Errorf("--times: %w", err)
		}
		defer f.Close()
		e.Times, err = plan.ReadTimes(o.times, f)
		return e, err
	case len(o.pattern) > 0:
		e.Times = o.pattern
	case o.every > 0:
		e = plan.Executions{
			Times: []time.Duration{time.Duration(o.typical)}, Injected: time.Duration(o.exec),
			Every: uint64(o.every), First: uint64(cmp.Or(o.first, max(o.every/2, 1))),
		}
	default:
		e.Times = []time.Duration{time.Duration(o.exec)}
	}
	return e, nil
}
