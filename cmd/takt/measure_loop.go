package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
)

// A loopFlags says what periodic callbacks are held against, all that a source
// tells of.
type loopFlags struct {
	period, deadline, budget duration
	timerClock               choice
	jitter                   tolerance
	rule                     choice
	keepFirst                bool
	given                    string // a flag that was given, with its dashes; "" if none was
}

func (l *loopFlags) flags(c *cobra.Command) {
	l.timerClock = choice{of: []string{"steady", "ros"}}
	l.rule = choice{of: []string{"newer", "older"}}
	f := c.Flags()
	f.Var(&l.period, "period", "period of the callbacks' timer, on its own clock")
	f.Var(&l.deadline, "deadline", "from the release to the end of a callback (default the period)")
	f.Var(&l.timerClock, "timer-clock", "the clock that the timer follows: steady, or ros for the node's ROS time (default as the source tells, else steady)")
	f.Var(&l.jitter, "jitter", "how far over the period an interval may be, such as 0.5ms or 5% (default 5%)")
	f.Var(&l.budget, "wall-budget", "count the intervals that take longer on the monotonic clock")
	f.Var(&l.rule, "rule", "which releases a late callback skips: newer, those at or before its start (rcl since Jazzy), or older, those before it (Humble) (default newer)")
	f.BoolVar(&l.keepFirst, "keep-first", false, "take a callback's first run into the figures; it is left out because most nodes start late")
}

// check refuses flags that would do nothing.
func (l *loopFlags) check(c *cobra.Command) error {
	for _, name := range []string{"period", "deadline", "timer-clock", "jitter", "wall-budget", "rule", "keep-first"} {
		if c.Flags().Changed(name) {
			l.given = "--" + name
			break
		}
	}
	for _, name := range []string{"deadline", "jitter", "rule"} {
		if l.period == 0 && c.Flags().Changed(name) {
			return fmt.Errorf("--%s needs the grid of releases: give the timer's --period too, such as --period 10ms", name)
		}
	}
	return nil
}

// checkAgainst refuses flags that did nothing for the source of a name, or
// contradict it. Of a source without anything the report says so itself.
func (l *loopFlags) checkAgainst(f *analysis.Figures, name string) error {
	if l.given != "" && len(f.Loops) == 0 && f.Messages > 0 {
		return fmt.Errorf("%s is of periodic callbacks, of which %s tells nothing; record them as docs/rows.md shows", l.given, name)
	}
	for _, loop := range f.Loops {
		if l.timerClock.value == "steady" && loop.TimerClock == "ros" {
			return fmt.Errorf("--timer-clock steady: %s: %s: its releases are on ROS time; leave the flag out", name, loop.Name)
		}
	}
	return nil
}

// options are what the flags come to.
func (l *loopFlags) options() analysis.LoopOptions {
	o := analysis.LoopOptions{
		Period: time.Duration(l.period), Deadline: time.Duration(l.deadline), Budget: time.Duration(l.budget),
		OnROS: l.timerClock.value == "ros", Jitter: l.jitter.duration, JitterShare: l.jitter.share,
		KeepFirst: l.keepFirst,
	}
	if l.rule.value == "older" {
		o.Rule = sched.KeepNow
	}
	return o
}

// loopOptions are what a contract holds its callback against.
func loopOptions(c *model.LoopContract) analysis.LoopOptions {
	return analysis.LoopOptions{
		Period: c.Period, Deadline: c.Deadline, Budget: c.Budget,
		OnROS: c.OnROS, Jitter: c.Jitter, JitterShare: c.JitterShare,
	}
}

// A choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.of, "|") }

func (c *choice) Set(text string) error {
	if !slices.Contains(c.of, text) {
		return fmt.Errorf("write %s", strings.Join(c.of, " or "))
	}
	c.value = text
	return nil
}

// A tolerance is a flag such as 0.5ms or 5%.
type tolerance struct {
	duration time.Duration
	share    float64
}

func (t *tolerance) Type() string { return "tolerance" }

func (t *tolerance) String() string {
	switch {
	case t.share > 0:
		return model.FormatShare(t.share)
	case t.duration > 0:
		return model.FormatDuration(t.duration)
	}
	return ""
}

func (t *tolerance) Set(text string) (err error) {
	*t = tolerance{}
	if strings.HasSuffix(text, "%") {
		t.share, err = model.ParseShare(text)
		if err == nil && t.share == 0 {
			err = fmt.Errorf("%s is not above zero", text)
		}
		return err
	}
	var d duration
	err = d.Set(text)
	t.duration = time.Duration(d)
	return err
}
