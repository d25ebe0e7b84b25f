package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source/tap"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/timeline"
)

// A live says which graph to join and for how long; its flags are those of all
// verbs that look at one.
type live struct {
	domain      int
	length      duration // 0: until interrupted
	everySample bool
	budget      dataRate
	interfaces  []string

	keep     int                    // see analysis.Options.KeepExactly
	every    time.Duration          // between turns; 0 means turnEvery
	silence  bool                   // a graph whose endpoints are silent is reported on too
	warnings func() io.Writer       // where what there is to say at once goes
	notice   func(timeline.Finding) // told at once of topics that are not read; nil: the report says it
}

func (l *live) flags(c *cobra.Command) {
	l.warnings = c.ErrOrStderr // asked later: the command has no parent yet
	f := c.Flags()
	f.IntVar(&l.domain, "domain", -1, "the domain to join, 0 to 232 (default: ROS_DOMAIN_ID)")
	f.Var(&l.length, "for", "how long; without it until Ctrl-C")
	f.BoolVar(&l.everySample, "every-sample", false, "read reliably: what was lost is sent to takt again, at the writers' expense")
	f.Var(&l.budget, "budget", "how much takt may read; topics beyond it are left (default 5MB/s)")
	f.StringSliceVar(&l.interfaces, "interface", nil, "the network interface to use, by `name`; may be repeated (default: all)")
	f.Lookup("domain").DefValue = "0" // the usage says what it is
}

// A liveTurn is what is known while a graph is looked at.
type liveTurn struct {
	elapsed  time.Duration
	load     tap.Load
	snapshot func() *report.Snapshot // it is made when asked for
}

// run joins the graph, hands what is heard to the analysis, and to the recorder
// unless it is nil, and ends after --for, or when ctx is done, with the report.
// Turn is called about every second from a goroutine; nil: nobody looks.
//
// A recorder is closed in any case, once the graph was joined. Errors are
// *nothingSeen if nothing was heard within 5 s, *lacking if the graph cannot be
// joined, and those of the recorder, beside the report.
func (l *live) run(ctx context.Context, m *measurement, record *tap.Recorder, turn func(liveTurn)) (*report.Report, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	environment, err := l.environment(os.Getenv)
	if err != nil {
		return nil, err
	}
	network, err := tap.JoinNetwork(tap.NetworkConfig{Environment: environment, Interfaces: l.interfaces, EverySample: l.everySample})
	if err != nil {
		return nil, &lacking{err}
	}
	s := newLiveSession(l, m, network)
	if l.length > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(l.length))
		defer cancel()
	}
	r, err := s.run(ctx, record, turn)
	return r, errors.Join(err, network.Close())
}

// environment is that of ROS, but for the domain if that was given.
func (l *live) environment(getenv func(string) string) (ros.Environment, error) {
	e, err := ros.ReadEnvironment(getenv)
	if err != nil {
		return e, err
	}
	if l.domain > 232 || l.domain < -1 {
		return e, fmt.Errorf("--domain %d: there are no ports for it; write 0 to 232", l.domain)
	}
	if l.domain >= 0 {
		e.Domain = l.domain
	}
	for _, w := range e.Warnings {
		fmt.Fprintf(l.warnings(), "takt: %v\n", w)
	}
	return e, nil
}

// options are those of the tap: topics that were named are read whatever their
// size, and no others.
func (l *live) options(m *measurement, notice func(timeline.Finding)) tap.Options {
	o := tap.Options{Notice: notice, Budget: tap.BudgetOptions{BytesPerSecond: int64(l.budget)}}
	if len(m.topics) > 0 {
		o.Budget.Named, o.Budget.NamedOnly = m.wanted, true
	}
	return o
}

func (l *live) analysis(m *measurement) analysis.Options {
	o := m.options()
	o.KeepExactly = cmp.Or(l.keep, o.KeepExactly)
	return o
}
