package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
	"github.com/takt-rt/takt/timeline/file"
)

// A measurement says what to read and how; its flags are those of all verbs
// that read a recording, and those of loop of the verbs that have no contracts.
type measurement struct {
	timesOnly bool
	topics    []string
	gap       float64
	window    duration
	save      string
	html      htmlFile
	contracts *model.System
	loop      loopFlags
	nearest   bool // quantiles of loops at the nearest rank
}

func (m *measurement) flags(c *cobra.Command) {
	m.gap, m.window = 3, duration(100*time.Millisecond)
	f := c.Flags()
	f.BoolVar(&m.timesOnly, "times", false, "receive times only: no stamps, ages or simulated time; fast on indexed recordings")
	f.StringSliceVar(&m.topics, "topic", nil, "only topics that match the `pattern`, such as /camera/*; may be repeated (/clock is always read)")
	f.Float64Var(&m.gap, "gap", m.gap, "an interval over `N` times the nominal one is a gap")
	f.Var(&m.window, "window", "length of the windows of the real time factor")
}

func (m *measurement) check() error {
	if !(m.gap > 1) {
		return fmt.Errorf("--gap %g: a gap is longer than the nominal interval; write more than 1, such as 3", m.gap)
	}
	for _, pattern := range m.topics {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("--topic %s: not a pattern; write a name or something like /camera/*", pattern)
		}
	}
	return nil
}

// wanted reports whether a topic is to be read.
func (m *measurement) wanted(name string) bool {
	if len(m.topics) == 0 || name == "/clock" {
		return true
	}
	for _, pattern := range m.topics {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// run reads a recording and reports on it.
func (m *measurement) run(ctx context.Context, name string) (*report.Report, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	p := newProgress(os.Stderr, name)
	defer p.end()
	src, err := source.Open(name, source.Options{TimesOnly: m.timesOnly, Topics: m.wanted, Progress: p.update})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	a := analysis.New(m.options())
	o := origin{Sink: a}
	sink, wait := timeline.Async(&o)
	outcome, err := m.read(ctx, src, sink)
	wait()
	if err != nil {
		return nil, err
	}
	o.from.Path = name
	figures, findings := a.Figures()
	if err := m.loop.checkAgainst(figures, name); err != nil {
		return nil, err
	}
	r := report.New(o.from, outcome, figures, findings, m.contracts)
	return r, m.html.write(func(w io.Writer) error { return report.HTML(w, r, a.Plots()) })
}

// read runs the source, and saves the timeline beside if that was asked for.
func (m *measurement) read(ctx context.Context, src source.Source, sink timeline.Sink) (timeline.Outcome, error) {
	if m.save == "" {
		return src.Run(ctx, sink)
	}
	f, err := os.OpenFile(m.save, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return timeline.Outcome{}, fmt.Errorf("--save: %w", err)
	}
	w, err := file.NewWriter(f, file.Options{})
	if err != nil {
		return timeline.Outcome{}, errors.Join(err, f.Close())
	}
	outcome, err := src.Run(ctx, timeline.Tee(sink, w))
	if err := errors.Join(w.Close(outcome), f.Close()); err != nil {
		return outcome, fmt.Errorf("--save %s: %w", m.save, err)
	}
	return outcome, err
}

// options are the limits that contracts need counted.
func (m *measurement) options() analysis.Options {
	o := analysis.Options{
		Plots:  m.html.wanted(),
		Window: time.Duration(m.window), GapFactor: m.gap, Limits: map[string]analysis.Limits{},
		Loop: m.loop.options(), Loops: map[string]analysis.LoopOptions{}, NearestRank: m.nearest,
	}
	if m.contracts == nil {
		return o
	}
	for _, t := range m.contracts.Topics {
		o.Limits[t.Name] = analysis.Limits{Interval: t.MaxInterval, Age: t.MaxAge}
	}
	for i := range m.contracts.Loops {
		c := &m.contracts.Loops[i]
		o.Loops[c.Name] = loopOptions(c)
	}
	if c := m.contracts.Clock; c != nil {
		o.Window, o.MinWindowRTF, o.MaxWindowRTF = c.Window, c.MinWindowRTF, c.MaxWindowRTF
	}
	return o
}

// origin remembers where the timeline comes from.
type origin struct {
	timeline.Sink
	from timeline.Origin
}

func (o *origin) Start(from timeline.Origin) {
	o.from = from
	o.Sink.Start(from)
}

// textOptions fit text to where it goes.
func textOptions(verbose bool) report.TextOptions {
	o := report.TextOptions{Verbose: verbose}
	if fd := int(os.Stdout.Fd()); term.IsTerminal(fd) {
		o.Width, _, _ = term.GetSize(fd)
		o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return o
}
