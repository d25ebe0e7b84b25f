// Package bag reads recordings into timelines: rosbag2 directories, SQLite
// (.db3) and MCAP files by themselves, and either of them packed with zstd.
//
// The axis is receive time, on the recorder's wall clock: messages.timestamp
// in SQLite, log_time in MCAP. Events reach the sink in the order of receive
// time over all files and topics. At equal receive times ticks of a /clock come
// first, so that a message sees the last simulated time received at or before
// it; what is equal beyond that keeps its order in the file.
//
// Publish time (MCAP publish_time, SQLite send_timestamp) is given as Sent from
// the first message of a stream on whose publish time differs from its receive
// time: recorders that know no publish time write the receive time twice. One
// further than an hour from the receive time was read from another clock, and
// is left out with a finding.
//
// Recordings are opened for reading only and nothing is created beside them.
// Memory is bounded: decoded events wait for their turn only as long as an
// earlier one may still come, and payloads do not wait at all. What is missing
// from a damaged recording is told as a Hole event and a finding.
package bag

import (
	"context"
	"errors"
	"fmt"

	"github.com/takt-rt/takt/timeline"
)

// Options say what to read. The zero value reads everything.
type Options struct {
	// TimesOnly reads receive times and nothing else: no stamps, sizes, ticks
	// or transforms. Where the files are indexed, payloads are neither read
	// nor unpacked.
	TimesOnly bool
	// Topics selects topics by name; nil takes all. The others are not described.
	Topics func(name string) bool
	// Progress is called with the bytes of input dealt with, and their total,
	// after each block, from the goroutine of Run. It should return at once.
	Progress func(done, total int64)
}

// A Source is one recording. It is used by one goroutine at a time.
type Source struct {
	rec recording
	opt Options
}

// Open looks at path and says what it is: a rosbag2 directory (or its
// metadata.yaml), a .db3, a .mcap, or one of the two packed with zstd; the
// content decides, not the name. An error says what was found, and what is
// read. Close the source after use.
func Open(path string, opt Options) (*Source, error) {
	rec, err := findRecording(path)
	if err != nil {
		return nil, err
	}
	s := &Source{rec, opt}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// check opens a single file that needs no unpacking, so that a database that
// is no recording is refused before a run. Of several files others may still
// be good, so they are left to Run.
func (s *Source) check() error {
	if len(s.rec.inputs) != 1 || !s.rec.inputs[0].readable() || s.rec.inputs[0].packed {
		return nil
	}
	_, err := s.rec.inputs[0].start(context.Background())
	return err
}

// Origin says where the timeline comes from.
func (s *Source) Origin() timeline.Origin {
	return timeline.Origin{
		Kind: s.rec.kind(),
		Path: s.rec.path,
		Base: timeline.Base{Clock: timeline.WallClock},
	}
}

// Run sends the whole recording to sink. When ctx is done it ends early, with
// a partial outcome and no error. An error means that nothing could be read.
func (s *Source) Run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, error) {
	sink.Start(s.Origin())
	r := newRun(&s.rec, s.opt, sink)
	defer r.payload.close()
	r.makeLanes(ctx)
	if err := r.merge(ctx); err != nil {
		return timeline.Outcome{Partial: true}, err
	}
	if ctx.Err() != nil {
		r.found.partial = true
		r.found.add("interrupted", timeline.Warning, r.rec.name(), "",
			"reading was interrupted after %d messages; figures cover what came before", r.messages())
	}
	return r.outcome(ctx.Err() == nil), nil
}

// Close releases what the source holds. Run leaves nothing open, so Close
// cannot fail.
func (s *Source) Close() error { return nil }

// ErrNotRecording is why a file that can be read is refused.
var ErrNotRecording = errors.New("not a recording")

// notRecording is an error that says what was found in a file, and what is read.
func notRecording(name, found string) error {
	return fmt.Errorf("%s %s, %w: takt reads rosbag2 directories, SQLite (.db3) and MCAP files, and both packed with zstd",
		name, found, ErrNotRecording)
}
