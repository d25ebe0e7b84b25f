package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/takt-rt/takt/report"
)

func newWatch() *cobra.Command {
	l := live{keep: 1 << 16} // figures are taken every second
	m := measurement{gap: 3, window: duration(time.Second)}
	var asJSON, verbose bool
	c := &cobra.Command{
		Use:   "watch [TOPIC...]",
		Short: "Look at a live graph: rates, ages, losses, simulated time",
		Long: `Look at a live graph, as one more participant that publishes nothing: at what
rates messages come on both clocks, how large and how old they are, what was
lost and whose loss it is, which endpoints never connect and why, how fast
simulated time runs and how far a node's now() is behind (docs/watch.md).

On a terminal a table is refreshed every second until q, Ctrl-C or --for ends
it; elsewhere there are lines. The report of the whole run comes last, with the
traffic that takt added.

Topics are names or patterns such as '/camera/*'. Without any all are read that
are small: images, clouds and maps only when they are named, and what brings
most is left when all together pass the --budget.

Exit code 3: nothing was heard within 5 s; it is said why that may be.`,
		Example: `  takt watch
  takt watch --for 10s
  takt watch /scan '/camera/*' --budget 50MB/s
  takt watch --for 5s --json`,
		RunE: func(c *cobra.Command, args []string) error {
			m.topics = args
			return watch(c, &l, &m, asJSON, verbose)
		},
	}
	l.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write a line of JSON every second (docs/watch.schema.json), and last the report (docs/report.schema.json)")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every finding, topic, publisher and subscriber in the report")
	return c
}

// watch shows a live graph and then the report.
func watch(c *cobra.Command, l *live, m *measurement, asJSON, verbose bool) error {
	d := newDisplay(c, asJSON)
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	d.begin(stop)
	r, err := l.run(ctx, m, nil, d.turn)
	if err := errors.Join(err, d.end()); err != nil {
		return err
	}
	if asJSON {
		return report.JSONLine(c.OutOrStdout(), r)
	}
	return report.Text(c.OutOrStdout(), r, textOptions(verbose))
}

// A display shows what a graph is like, turn by turn.
type display interface {
	begin(stop func()) // stop ends the run, when the user wants that
	turn(liveTurn)
	end() error // after the last turn: what kept the display from showing all
}

func newDisplay(c *cobra.Command, asJSON bool) display {
	out := c.OutOrStdout()
	switch {
	case asJSON:
		return &lines{write: func(now, _ *report.Snapshot) error { return now.JSON(out) }}
	case out == os.Stdout && term.IsTerminal(int(os.Stdout.Fd())):
		return newScreen()
	}
	return &lines{write: func(now, before *report.Snapshot) error { return report.LiveLines(out, now, before) }}
}

// lines is a display that writes and never takes back.
type lines struct {
	write  func(now, before *report.Snapshot) error
	before *report.Snapshot
	err    error // of the first line that could not be written
}

func (l *lines) begin(func()) {}

func (l *lines) turn(t liveTurn) {
	if l.err != nil {
		return
	}
	now := t.snapshot()
	l.err = l.write(now, l.before)
	l.before = now
}

func (l *lines) end() error { return l.err }
