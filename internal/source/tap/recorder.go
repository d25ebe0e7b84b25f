package tap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/takt-rt/takt/timeline"
	"github.com/takt-rt/takt/timeline/file"
)

// RecorderOptions say how a timeline is kept. The zero value works.
type RecorderOptions struct {
	// Sync asks the disk to keep each batch before the next, so that a loss of
	// power costs no more than a kill does. It costs a write to the disk for
	// each batch, milliseconds on most.
	Sync bool
	// Free returns the bytes free on the file's disk. It is asked after each
	// batch. nil: the disk is not watched, and is written to until it is full.
	Free func() (int64, error)
	// Reserve is what is left free, in bytes, for whoever else writes to the
	// disk: a recording that comes to it ends. 0 means 64 MiB, negative nothing.
	Reserve int64
	// Notice is called once from the goroutine that records, before the disk is
	// full; nil: nobody is told.
	Notice func(timeline.Finding)
}

// A RecordError says why a recording could not begin or go on.
type RecordError struct {
	Path, Problem, Remedy string
	Err                   error // nil: the disk has reached the reserve
}

func (e *RecordError) Error() string {
	problem := e.Problem
	var p *fs.PathError
	switch {
	case errors.As(e.Err, &p):
		problem += ": " + p.Err.Error() // it is about Path too
	case e.Err != nil && !errors.Is(e.Err, fs.ErrExist):
		problem += ": " + e.Err.Error()
	}
	return fmt.Sprintf("recording to %s: %s; %s", e.Path, problem, e.Remedy)
}

func (e *RecordError) Unwrap() error { return e.Err }

// A Recorder is a sink that keeps a timeline in a file. A batch is with the
// operating system when Events returns, so a process that is killed loses none
// that it was given. After an error it writes no more: what is in the file
// before stays readable.
type Recorder struct {
	opt  RecorderOptions
	path string
	file *os.File
	out  *file.Writer
	room room
	err  *RecordError
	stop func() // called with the first error; nil: Err tells it

	events, lost atomic.Uint64 // see Progress
}

// NewRecorder creates the file of a recording. A file that is there already is
// left as it is: the error then wraps fs.ErrExist. On a disk that has come down
// to the reserve nothing is created. Errors are *RecordError.
func NewRecorder(path string, opt RecorderOptions) (*Recorder, error) {
	r := &Recorder{opt: opt, path: path}
	r.room.reserve = reserveOf(opt.Reserve)
	if r.look(0); r.room.reached {
		return nil, r.reserveReached()
	}
	r.room = room{reserve: r.room.reserve} // time begins with the first batch
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, &RecordError{path, "the file is there already", "name another, or remove it", fs.ErrExist}
	case err != nil:
		return nil, &RecordError{path, "the file cannot be created", "name a file in a directory that you may write to", err}
	}
	if r.out, err = file.NewWriter(f, file.Options{Sync: opt.Sync}); err != nil {
		f.Close()
		return nil, &RecordError{path, "the timeline cannot be begun", "record again", err}
	}
	r.file = f
	return r, nil
}

// Start writes the origin.
func (r *Recorder) Start(o timeline.Origin) {
	if r.err == nil {
		r.out.Start(o)
		r.checkWritten()
	}
}

// Describe writes a description.
func (r *Recorder) Describe(e timeline.Entity) {
	if r.err == nil {
		r.out.Describe(e)
		r.checkWritten()
	}
}

// Events writes a batch.
func (r *Recorder) Events(batch []timeline.Event) {
	if r.err == nil && len(batch) > 0 {
		r.out.Events(batch)
		r.checkWritten()
		if r.err == nil {
			r.count(batch)
			r.check(batch[len(batch)-1].At)
		}
	}
}

// Err returns what ended the recording, a *RecordError.
func (r *Recorder) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Close writes the outcome and closes the file. The error is the first there
// was: without one, and after the disk reached the reserve, the file is whole.
func (r *Recorder) Close(o timeline.Outcome) error {
	if r.room.reached {
		o.Partial = true
		o.Findings = append(o.Findings, timeline.Finding{
			ID: "disk-nearly-full", Severity: timeline.Warning, Subject: r.path,
			Text: r.err.Problem, Remedy: r.err.Remedy,
		})
	}
	err := r.out.Close(o)
	if err == nil {
		// A network file system may say here only that it is full.
		err = r.file.Sync()
	}
	err = errors.Join(err, r.file.Close())
	if err != nil && r.err == nil {
		r.fail(writeError(r.path, err))
	}
	return r.Err()
}

// check looks at how much room is left after a batch.
func (r *Recorder) check(now timeline.Instant) {
	warn := r.look(now)
	switch {
	case r.room.reached:
		r.fail(r.reserveReached())
	case warn && r.opt.Notice != nil:
		r.opt.Notice(r.room.finding(r.path))
	}
}

// look asks how much room is left, and reports that it is time to warn. A disk
// that cannot be asked is written to all the same.
func (r *Recorder) look(now timeline.Instant) (warn bool) {
	if r.opt.Free == nil {
		return false
	}
	free, err := r.opt.Free()
	return err == nil && r.room.look(free, now)
}

func (r *Recorder) reserveReached() *RecordError {
	return &RecordError{Path: r.path, Remedy: "free some space, or record elsewhere",
		Problem: fmt.Sprintf("only %s are free on its disk, of which %s are left to others", megabytes(r.room.free), megabytes(r.room.reserve))}
}

func (r *Recorder) checkWritten() {
	if err := r.out.Err(); err != nil {
		r.fail(writeError(r.path, err))
	}
}

func writeError(path string, err error) *RecordError {
	return &RecordError{path, "the disk takes no more, and all but the last batch is in the file", "free some space, or record elsewhere", err}
}

func (r *Recorder) fail(err *RecordError) {
	r.err = err
	if r.stop != nil {
		r.stop()
	}
}
