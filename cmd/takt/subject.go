package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/report"
)

// lookFor is how long a live graph is looked at where only a FILE or --live is
// asked for.
const lookFor = 10 * time.Second

// A subject is what a verb judges or infers from: a recording, or the live graph.
type subject struct {
	isLive  bool
	live    live
	measure measurement
	name    string // as a command line names it
}

func (s *subject) flags(c *cobra.Command) {
	s.measure.flags(c)
	s.live.flags(c)
	s.live.length = duration(lookFor)
	length := c.Flags().Lookup("for")
	length.Usage, length.DefValue = "how long to look at the live graph", s.live.length.String()
	c.Flags().BoolVar(&s.isLive, "live", false, "look at the live graph, for 10s unless --for says otherwise")
}

// ofLive and ofFiles are the flags that mean nothing for the other kind.
var (
	ofLive  = []string{"domain", "for", "every-sample", "budget", "interface"}
	ofFiles = []string{"times", "period", "deadline", "timer-clock", "jitter", "wall-budget", "rule", "keep-first"}
)

// check takes the arguments: a FILE or none, with flags that fit.
func (s *subject) check(c *cobra.Command, args []string) error {
	switch {
	case s.isLive && len(args) > 0:
		return fmt.Errorf("%s and --live: it is either a recording or the live graph; leave one out", args[0])
	case s.isLive:
		s.name = "--live"
		if s.live.domain >= 0 {
			s.name += fmt.Sprintf(" --domain %d", s.live.domain)
		}
		return refuse(c, ofFiles, "is of recordings; a live graph does not tell of it: leave it out")
	case len(args) == 0:
		return errors.New("name a recording, or write --live for the graph that runs now")
	case len(args) > 1:
		return fmt.Errorf("%d recordings: name one", len(args))
	}
	s.name = args[0]
	return refuse(c, ofLive, "is of the live graph; add --live in place of the recording, or leave it out")
}

func refuse(c *cobra.Command, flags []string, why string) error {
	for _, name := range flags {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s %s", name, why)
		}
	}
	return nil
}

// run reads the recording, or looks at the live graph, and reports on it.
func (s *subject) run(ctx context.Context) (*report.Report, error) {
	if s.isLive {
		return s.live.run(ctx, &s.measure, nil, nil)
	}
	return s.measure.run(ctx, s.name)
}
