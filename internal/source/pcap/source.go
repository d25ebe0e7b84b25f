package pcap

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/takt-rt/takt/timeline"
)

// Options say what to read of a capture.
type Options struct {
	TimesOnly bool                   // leave the payloads alone: no stamps, ticks or transforms
	Topics    func(name string) bool // which topics, and services, to tell of; nil: all
	Progress  func(done, total int64)
}

// A Source is a capture file as a timeline.
//
// The axis is the capture's own time, on the wall clock of the host that
// captured. A topic's SampleArrived is the first copy of a sample that was
// captured whole, with the writer's source timestamp as Sent, taken from the
// writer's wall clock. A reader's SampleArrived and SampleDropped are those of a
// Reception. Packets that are up to a second out of order in the file are put
// in order.
type Source struct {
	f    *os.File
	size int64
	opt  Options
}

// Is reports whether a file begins as a capture does.
func Is(r io.ReaderAt) bool {
	head := make([]byte, 4)
	if _, err := r.ReadAt(head, 0); err != nil {
		return false
	}
	for _, magic := range []string{
		"\xa1\xb2\xc3\xd4", "\xd4\xc3\xb2\xa1", // pcap, µs
		"\xa1\xb2\x3c\x4d", "\x4d\x3c\xb2\xa1", // pcap, ns
		"\x0a\x0d\x0d\x0a", // pcapng
		"\x1f\x8b\x08",     // gzip, of which takt reads nothing else
	} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}

// Open opens a capture, which Is has looked at. Close it after use.
func Open(path string, opt Options) (*Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Source{f, info.Size(), opt}, nil
}

// Run sends the capture to sink. When ctx is done it ends early, with a partial
// outcome and no error. An error means that the file is no capture.
func (s *Source) Run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, error) {
	r := newRun(s.f.Name(), s.opt, sink)
	counts, err := Read(&watched{s.f, ctx, 0, s.size, s.opt.Progress}, r.take)
	interrupted := ctx.Err() != nil && errors.Is(counts.Ended, ctx.Err())
	if interrupted {
		counts.Ended = nil
	}
	if err != nil && ctx.Err() == nil {
		return timeline.Outcome{Partial: true}, &fileError{s.f.Name(), err}
	}
	r.finish()
	return r.outcome(&counts, interrupted || err != nil), nil
}

// Close closes the file.
func (s *Source) Close() error { return s.f.Close() }

type fileError struct {
	name string
	err  error
}

func (e *fileError) Error() string { return e.name + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// watched reads until its context is done, and tells how far it is.
type watched struct {
	r           io.Reader
	ctx         context.Context
	done, total int64
	progress    func(done, total int64)
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(p)
	w.done += int64(n)
	if w.progress != nil {
		w.progress(w.done, w.total)
	}
	return n, err
}
