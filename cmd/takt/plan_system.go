package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/plan"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/report/gantt"
)

// planSystemFlags are the flags of takt plan system.
type planSystemFlags struct {
	length          duration
	seed            uint64
	typical, strict bool
	sets, set       count
	explain         string
	gantt           ganttWindow
	perfetto        string
}

func newPlanSystem() *cobra.Command {
	var o planSystemFlags
	var asJSON bool
	var html htmlFile
	c := &cobra.Command{
		Use:   "system FILE",
		Short: "Whether a system runs on time, and what delays it, before it runs",
		Long: `Whether a system runs on time, and what delays it, before it runs: what the
callbacks of a system file demand of threads and CPUs, the levels and priorities
they would get, and a run in virtual time: missed deadlines, responses, dropped
messages, their ages, and the times of chains. What no order of callbacks can
mend is called infeasible and said first.
docs/plan-system.md says what each figure means, docs/takt-yaml.md what a system
file says.`,
		Example: `  takt plan system takt.yaml
  takt plan system takt.yaml --phases 100 --explain planner/plan
  takt plan system takt.yaml --phase-set 17 --gantt 0s..100ms
  takt plan system takt.yaml --for 1s --perfetto trace.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON && o.gantt.window != nil && !html.wanted() {
				return errors.New("--gantt draws in text and in a page; leave out --json, or add --html")
			}
			p, err := o.plan(c.Context(), args[0], html.wanted())
			if err != nil {
				return err
			}
			if err := html.write(p.HTML); err != nil {
				return err
			}
			if asJSON {
				return plan.JSON(c.OutOrStdout(), p)
			}
			if o.gantt.window == nil {
				p.Gantt = nil // it was for the page
			}
			return p.Text(c.OutOrStdout())
		},
	}
	o.add(c)
	html.flag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/plan-system.schema.json)")
	return c
}

func (o *planSystemFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.Var(&o.length, "for", "length of the run in virtual time, such as 10min (default 1min)")
	f.Uint64Var(&o.seed, "seed", 0, "seed of all that is drawn: execution times, jitters, phases")
	f.BoolVar(&o.typical, "typical", false, "let runs take their typical time instead of the worst")
	f.BoolVar(&o.strict, "strict", false, "refuse a system of more ranks than levels instead of merging them")
	f.Var(&o.sets, "phases", "try `N` sets of phases too, adverse ones first, and tell the worst of each callback")
	f.Var(&o.set, "phase-set", "run at set `N` of those instead of the file's phases")
	f.StringVar(&o.explain, "explain", "", "say what the worst response of the callback `NODE/CALLBACK` is spent on")
	f.Var(&o.gantt, "gantt", "draw who runs when: around the worst response (worst), or in a window such as 0s..100ms")
	f.StringVar(&o.perfetto, "perfetto", "", "write the run to the `FILE` as a trace that Perfetto and Chrome read")
	c.MarkFlagsMutuallyExclusive("phases", "phase-set")
}

// plan plans the system of a file. A page draws the worst response if no other
// window was asked for.
func (o *planSystemFlags) plan(ctx context.Context, file string, page bool) (*plan.System, error) {
	system, err := model.Load(file)
	if err != nil {
		return nil, err
	}
	shown := newProgress(os.Stderr, file)
	defer shown.end()
	s := plan.SystemSetup{
		System: system, Length: time.Duration(o.length), Seed: o.seed, Typical: o.typical, Strict: o.strict,
		Sets: int(o.sets), PhaseSet: int(o.set), Explain: o.explain, Gantt: o.gantt.window,
		Open: func(name string) (fs.File, error) { return os.Open(filepath.Join(filepath.Dir(file), name)) },
		Progress: func(share float64) {
			shown.say(func() string { return fmt.Sprintf("%.0f %% of the virtual time", 100*share) })
		},
	}
	if page && s.Gantt == nil {
		s.Gantt = &plan.GanttWindow{}
	}
	if o.perfetto == "" {
		return plan.NewSystem(ctx, s)
	}
	return o.traced(ctx, s)
}

// traced plans a system and writes its run to the file for Perfetto.
func (o *planSystemFlags) traced(ctx context.Context, s plan.SystemSetup) (*plan.System, error) {
	f, err := os.Create(o.perfetto)
	if err != nil {
		return nil, fmt.Errorf("--perfetto: %w", err)
	}
	w := bufio.NewWriter(f)
	trace := gantt.NewPerfetto(w)
	s.Trace = trace
	p, err := plan.NewSystem(ctx, s)
	if failed := errors.Join(trace.Close(), w.Flush(), f.Close()); err == nil && failed != nil {
		err = fmt.Errorf("--perfetto: %w", failed)
	}
	return p, err
}

// A ganttWindow is a flag such as worst or 0s..100ms; nil until it is given.
type ganttWindow struct{ window *plan.GanttWindow }

func (g *ganttWindow) Type() string { return "worst|FROM..TO" }

func (g *ganttWindow) String() string {
	switch {
	case g.window == nil:
		return ""
	case g.window.To == 0:
		return "worst"
	}
	return model.FormatDuration(g.window.From) + ".." + model.FormatDuration(g.window.To)
}

func (g *ganttWindow) Set(text string) (err error) {
	if text == "worst" {
		g.window = &plan.GanttWindow{}
		return nil
	}
	first, last, found := strings.Cut(text, "..")
	if !found {
		return fmt.Errorf("%q is neither worst nor a window; write one such as 0s..100ms", text)
	}
	w := plan.GanttWindow{}
	if w.From, err = model.ParseDuration(first); err != nil {
		return err
	}
	if w.To, err = model.ParseDuration(last); err != nil {
		return err
	}
	if w.From < 0 || w.To <= w.From {
		return fmt.Errorf("%s ends before it begins; write a window such as 0s..100ms", text)
	}
	g.window = &w
	return nil
}
