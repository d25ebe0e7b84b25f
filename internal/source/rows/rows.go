// Package rows reads what a node wrote of its own callbacks: one row for each
// run of a callback, as CSV or JSON lines. docs/rows.md describes the format
// for those who write it.
//
// A row has the start and the end of the run on the monotonic clock, and where
// they were recorded the node's ROS time at both, a mark, the instant for which
// the run was scheduled and the callback's name. All times are integer
// nanoseconds; the axis of the timeline is the monotonic clock.
//
// A file is read twice. The first time every row is checked, so that a bad one
// is refused before anything is sent, and it is found out how far rows stand
// out of order. The second time events are sent in order of time, rows being
// held back only as far as that needs: of a file sorted by start, those that
// have not ended. A file in which more than 4 million rows would have to be
// held is refused.
package rows

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/takt-rt/takt/timeline"
)

// A Progress is told of the bytes dealt with, and their total.
type Progress func(done, total int64)

// A Source is one file of rows. It is used by one goroutine at a time.
type Source struct {
	file     *os.File
	size     int64 // when it was opened; what is appended later is not read
	form     form
	progress Progress // may be nil
	most     int      // rows that may be held
}

// Open opens a file of rows. An error names the place and the remedy. Close
// the source after use.
func Open(path string, progress Progress) (*Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &Source{file: f, progress: progress, most: mostHeld}
	if err := s.look(); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

// look finds out the form and the size of the file.
func (s *Source) look() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.size = info.Size()
	s.form, err = formOf(io.NewSectionReader(s.file, 0, s.size))
	if e, ok := err.(*Error); ok {
		e.File = s.file.Name()
	}
	return err
}

// Origin says where the timeline comes from.
func (s *Source) Origin() timeline.Origin {
	kind := "rows-csv"
	if s.form.json {
		kind = "rows-jsonl"
	}
	return timeline.Origin{Kind: kind, Path: s.file.Name(), Base: timeline.Base{Clock: timeline.MonoClock}}
}

// Run sends the rows to sink: for each callback a timer, for each row the
// release (if it was recorded), the start, the mark and the end. When ctx is
// done it ends early with a partial outcome and no error. The error of a row
// that cannot be right is an *Error; then no event has been sent.
func (s *Source) Run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, error) {
	sink.Start(s.Origin())
	found, err := s.survey(ctx)
	if err != nil {
		return timeline.Outcome{Partial: true}, err
	}
	for i := range found.callbacks {
		sink.Describe(found.callbacks[i].entity(entityID(uint32(i))))
	}
	if err := s.send(ctx, found, sink); err != nil {
		return timeline.Outcome{Partial: true}, err
	}
	return s.outcome(found, ctx.Err() != nil), nil
}

// Close closes the file.
func (s *Source) Close() error { return s.file.Close() }

// read returns a reader of all rows; done bytes have been dealt with before.
func (s *Source) read(done int64) *reader {
	in := &counted{io.NewSectionReader(s.file, 0, s.size), done, 2 * s.size, s.progress}
	return newReader(in, s.form, s.file.Name(), s.defaultName())
}

// defaultName is the name of a callback that is given none: the file's.
func (s *Source) defaultName() string {
	base := filepath.Base(s.file.Name())
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
		return name
	}
	return "callback"
}

// counted tells how far a file has been read.
type counted struct {
	r           io.Reader
	done, total int64
	progress    Progress
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.done += int64(n)
	if c.progress != nil {
		c.progress(c.done, c.total)
	}
	return n, err
}
