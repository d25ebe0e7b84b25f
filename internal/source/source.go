// Package source finds out what a file is and opens it as a timeline.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/takt-rt/takt/internal/source/bag"
	"github.com/takt-rt/takt/internal/source/ctf"
	"github.com/takt-rt/takt/internal/source/pcap"
	"github.com/takt-rt/takt/internal/source/rows"
	"github.com/takt-rt/takt/timeline"
	"github.com/takt-rt/takt/timeline/file"
)

// Options say what to read of a source, and who is told of the progress.
type Options = bag.Options

// A Source gives a timeline, once.
type Source interface {
	// Run sends the timeline to sink. When ctx is done it ends early with a
	// partial outcome.
	Run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, error)
	Close() error
}

// Open opens a recording (rosbag2 directory, .db3, .mcap), a trace of
// ros2_tracing (the directory that LTTng wrote), a capture of RTPS (pcap,
// pcapng), the rows that a node wrote of its callbacks (CSV or JSON lines), or a
// timeline that takt wrote, by its content. The error says what path is instead.
func Open(path string, opt Options) (Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	regular := info.Mode().IsRegular()
	if regular && file.Is(f) {
		return openTimeline(f, info.Size(), opt)
	}
	isRows := regular && rows.Is(f)
	isCapture := regular && pcap.Is(f)
	f.Close()
	if ctf.Is(path) {
		return openTrace(path, opt)
	}
	if isCapture {
		return openCapture(path, opt)
	}
	if isRows {
		return openRows(path, opt)
	}
	return openBag(path, opt)
}

func openTimeline(f *os.File, size int64, opt Options) (Source, error) {
	if opt.TimesOnly {
		f.Close()
		return nil, fmt.Errorf("%s is a takt timeline, which is read whole; leave out --times", f.Name())
	}
	return &saved{f, size, opt}, nil
}

func openRows(path string, opt Options) (Source, error) {
	if opt.TimesOnly {
		return nil, fmt.Errorf("%s holds rows of callbacks, which are read whole; leave out --times", path)
	}
	s, err := rows.Open(path, opt.Progress)
	if err != nil {
		return nil, err // not s: a nil *rows.Source in a Source is not nil
	}
	return s, nil
}

func openTrace(path string, opt Options) (Source, error) {
	if opt.TimesOnly {
		return nil, fmt.Errorf("%s is a trace, which is read whole; leave out --times", path)
	}
	s, err := ctf.Open(path, ctf.Options{Topics: opt.Topics, Progress: opt.Progress})
	if err != nil {
		return nil, err // not s: a nil *ctf.Source in a Source is not nil
	}
	return s, nil
}

func openCapture(path string, opt Options) (Source, error) {
	s, err := pcap.Open(path, pcap.Options(opt))
	if err != nil {
		return nil, err // not s: a nil *pcap.Source in a Source is not nil
	}
	return s, nil
}

func openBag(path string, opt Options) (Source, error) {
	s, err := bag.Open(path, opt)
	if errors.Is(err, bag.ErrNotRecording) {
		err = fmt.Errorf("%w; also traces of ros2_tracing (the directory that LTTng wrote), captures of RTPS (pcap, pcapng), and rows of callbacks, as CSV or JSON lines with start_mono_ns and end_mono_ns (docs/rows.md)", err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// saved is a timeline in a file.
type saved struct {
	f    *os.File
	size int64
	opt  Options
}

func (s *saved) Run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, error) {
	if s.opt.Topics != nil {
		sink = &filter{sink: sink, wanted: s.opt.Topics, left: map[timeline.EntityID]bool{}}
	}
	o, err := file.Read(ctx, &counted{s.f, 0, s.size, s.opt.Progress}, sink)
	if errors.Is(err, context.Canceled) {
		return interrupted(s.f.Name()), nil
	}
	return o, err
}

func interrupted(name string) timeline.Outcome {
	return timeline.Outcome{Partial: true, Findings: []timeline.Finding{{
		ID: "interrupted", Severity: timeline.Warning, Subject: name,
		Text: "reading was interrupted; figures cover what came before",
	}}}
}

func (s *saved) Close() error { return s.f.Close() }

// counted tells how far a file has been read.
type counted struct {
	r           io.Reader
	done, total int64
	progress    func(done, total int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.done += int64(n)
	if c.progress != nil {
		c.progress(c.done, c.total)
	}
	return n, err
}

// A filter leaves out topics that are not wanted, and what belongs to them.
type filter struct {
	sink   timeline.Sink
	wanted func(name string) bool
	left   map[timeline.EntityID]bool // out
	kept   []timeline.Event
}

func (f *filter) Start(o timeline.Origin) { f.sink.Start(o) }

func (f *filter) Describe(e timeline.Entity) {
	topic := e.Kind == timeline.TopicEntity || e.Kind == timeline.ClockEntity
	f.left[e.ID] = topic && !f.wanted(e.Name) || f.left[e.Parent]
	if !f.left[e.ID] {
		f.sink.Describe(e)
	}
}

func (f *filter) Events(batch []timeline.Event) {
	f.kept = f.kept[:0]
	for _, e := range batch {
		if !f.left[e.Entity] {
			f.kept = append(f.kept, e)
		}
	}
	f.sink.Events(f.kept)
}
