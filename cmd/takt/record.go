package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/internal/source/tap"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
)

// A recording says how a live graph is kept.
type recording struct {
	live    live
	measure measurement

	file    string // "": named by the time
	sync    bool
	reserve size
	every   duration // of the progress
	quiet   bool
	asJSON  bool
	verbose bool
}

func newRecord() *cobra.Command {
	r := recording{measure: measurement{gap: 3, window: duration(100 * time.Millisecond)}, reserve: 64e6}
	c := &cobra.Command{
		Use:   "record [TOPIC...]",
		Short: "Keep the timeline of a live graph in a file",
		Long: `Keep the timeline of a live graph in a file: of each message who sent it, its
number, when it was sent and when it arrived, its stamp and size, and of /clock
the simulated time. Not what is in the messages, so the file stays small. takt
analyze, check, init and compare read it like any recording (docs/record.md).

Topics are names or patterns such as '/camera/*'; /clock is always read. Without
any all are read that are small: images, clouds and maps only when they are
named, and what brings most is left when all together pass the --budget.

Ctrl-C, SIGTERM or --for ends the recording, and the report of it is shown. A
recorder that is killed, or whose disk is full, loses at most what came in the
last 200 ms. A file that is there is never overwritten.

Exit code 2: the file is there already; 3: nothing was heard within 5 s, and it
is said why that may be, or the disk takes no more.`,
		Example: `  takt record
  takt record -o run.mcap --for 1min
  takt record /scan '/camera/*' --budget 50MB/s
  takt record --sync --reserve 2GB --quiet`,
		RunE: r.run,
	}
	r.live.flags(c)
	f := c.Flags()
	f.StringVarP(&r.file, "output", "o", "", "the `FILE` to write (default takt-DATE-TIME.mcap)")
	f.BoolVar(&r.sync, "sync", false, "have the disk keep each batch before the next, so that a loss of power costs no more than a kill")
	f.Var(&r.reserve, "reserve", "what is left free on the disk for others; the recording ends there")
	f.Var(&r.every, "progress", "how often it is said how far the recording is (default 1s on a terminal, 10s elsewhere)")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress and no report: only warnings and where the recording is")
	f.BoolVar(&r.asJSON, "json", false, "write the report as JSON (docs/report.schema.json)")
	f.BoolVarP(&r.verbose, "verbose", "v", false, "show every finding, topic, publisher and subscriber in the report")
	c.MarkFlagsMutuallyExclusive("quiet", "json")
	c.MarkFlagsMutuallyExclusive("quiet", "verbose")
	c.MarkFlagsMutuallyExclusive("quiet", "progress")
	return c
}

// run records, and reports on what was recorded.
func (r *recording) run(c *cobra.Command, topics []string) error {
	r.measure.topics = topics
	if err := r.measure.check(); err != nil {
		return err
	}
	if r.file == "" {
		r.file = "takt-" + time.Now().Format("20060102-150405") + ".mcap"
	}
	p := newRecordProgress(c.ErrOrStderr())
	r.live.notice = p.notice
	recorder, err := r.create(p.notice)
	if err != nil {
		return environmental(err)
	}
	rep, err := r.record(c, recorder, p)
	if recorder.Progress().Events == 0 {
		return errors.Join(environmental(err), r.discard(c, recorder))
	}
	r.conclude(c, recorder)
	if rep != nil && !r.quiet {
		err = errors.Join(err, show(c, rep, r.asJSON, r.verbose))
	}
	return environmental(err)
}

// create creates the file.
func (r *recording) create(notice func(timeline.Finding)) (*tap.Recorder, error) {
	dir := filepath.Dir(r.file)
	opt := tap.RecorderOptions{
		Sync:    r.sync,
		Free:    func() (int64, error) { return kernel.Free(dir) },
		Reserve: int64(r.reserve),
		Notice:  notice,
	}
	if r.reserve == 0 {
		opt.Reserve = -1 // nothing, where 0 is the recorder's own choice
	}
	return tap.NewRecorder(r.file, opt)
}

// record joins the graph and keeps it until it is to end.
func (r *recording) record(c *cobra.Command, recorder *tap.Recorder, p *recordProgress) (*report.Report, error) {
	defer p.end()
	var turn func(liveTurn)
	if !r.quiet {
		r.live.every = cmp.Or(time.Duration(r.every), p.pace())
		turn = func(t liveTurn) { p.update(recordStatus{t.elapsed, recorder.Progress(), t.load}) }
	}
	return r.live.run(c.Context(), &r.measure, recorder, turn)
}

// conclude says where the recording is.
func (r *recording) conclude(c *cobra.Command, recorder *tap.Recorder) {
	p := recorder.Progress()
	fmt.Fprintf(c.ErrOrStderr(), "wrote %s: %s, %.3f MB; report on it with: takt analyze %s\n",
		r.file, quantity.Count(p.Events, "event"), float64(p.Bytes)/1e6, r.file)
}

// discard removes a recording that has nothing in it.
func (r *recording) discard(c *cobra.Command, recorder *tap.Recorder) error {
	if err := recorder.Discard(); err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "nothing was recorded: %s was removed\n", r.file)
	return nil
}

// environmental makes of a recorder's error one of the environment, unless the
// command line names a file that is there.
func environmental(err error) error {
	var e *tap.RecordError
	if errors.As(err, &e) && !errors.Is(err, fs.ErrExist) {
		return &lacking{err}
	}
	return err
}
