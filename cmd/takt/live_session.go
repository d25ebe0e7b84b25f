package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source/tap"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
)

const (
	// patience is how long a graph may be silent at first: participants announce
	// themselves every few seconds at most.
	patience = 5 * time.Second
	// turnEvery is how often is looked at what has come.
	turnEvery = time.Second
)

// A liveSession is one look at a live graph.
type liveSession struct {
	live    *live
	measure *measurement
	network *tap.Network
	begin   time.Time
	left    []timeline.Finding // topics that were not read, for their load; of the goroutine of the tap

	mu     sync.Mutex // guards the rest: while the figures are taken, no events are
	figure *analysis.Analyzer
	from   timeline.Origin
}

func newLiveSession(l *live, m *measurement, n *tap.Network) *liveSession {
	return &liveSession{live: l, measure: m, network: n, begin: time.Now(), figure: analysis.New(l.analysis(m))}
}

// run runs the session until ctx is done, or nothing was heard for too long.
func (s *liveSession) run(ctx context.Context, record *tap.Recorder, turn func(liveTurn)) (*report.Report, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	var turning sync.WaitGroup
	turning.Go(func() { s.turn(ctx, end, turn) })
	outcome, err := s.tap(ctx, record)
	end()
	turning.Wait()
	if s.hopeless() {
		return nil, errors.Join(s.nothing(), err)
	}
	figures, findings := s.figure.Figures()
	r := report.New(s.from, outcome, figures, findings, s.measure.contracts)
	r.SetLoad(s.load())
	return r, errors.Join(err, s.measure.html.write(func(w io.Writer) error { return report.HTML(w, r, s.figure.Plots()) }))
}

func (s *liveSession) tap(ctx context.Context, record *tap.Recorder) (timeline.Outcome, error) {
	notice := func(f timeline.Finding) {
		s.left = append(s.left, f)
		if s.live.notice != nil {
			s.live.notice(f)
		}
	}
	opt := s.live.options(s.measure, notice)
	if record != nil {
		return s.network.Record(ctx, opt, record, s)
	}
	return s.network.Run(ctx, opt, s)
}

// turn looks at what has come every second, and ends the session if that is
// nothing for too long.
func (s *liveSession) turn(ctx context.Context, end func(), turn func(liveTurn)) {
	ticker := time.NewTicker(cmp.Or(s.live.every, turnEvery))
	defer ticker.Stop()
	silence := time.NewTimer(patience)
	defer silence.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-silence.C:
			if s.hopeless() {
				end()
				return
			}
		case <-ticker.C:
			if turn != nil && !s.silent() {
				turn(liveTurn{s.elapsed(), s.network.Load(), s.snapshot})
			}
		}
	}
}

// hopeless reports whether there is nothing to report on: nothing has been
// heard, and if that is worth a report, nobody is there either.
func (s *liveSession) hopeless() bool {
	return s.silent() && !(s.live.silence && s.network.Outlook().Endpoints > 0)
}

// silent reports whether nothing has been heard.
func (s *liveSession) silent() bool { return s.network.Load().Samples == 0 }

func (s *liveSession) elapsed() time.Duration { return time.Since(s.begin) }

// snapshot is what the figures come to until now.
func (s *liveSession) snapshot() *report.Snapshot {
	mismatches := s.network.Mismatches()
	s.mu.Lock()
	figures, findings := s.figure.Figures()
	s.mu.Unlock()
	n := report.NewSnapshot(figures, append(findings, mismatches...), s.elapsed())
	n.SetLoad(s.load())
	return n
}

func (s *liveSession) load() report.Load {
	l := s.network.Load()
	return report.Load{
		OverS:     s.elapsed().Seconds(),
		SentBytes: l.SentBytes, SentDatagrams: l.SentDatagrams,
		ReceivedBytes: l.ReceivedBytes, ReceivedDatagrams: l.ReceivedDatagrams,
		DroppedDatagrams: l.Dropped,
	}
}

// Start takes where the timeline comes from.
func (s *liveSession) Start(o timeline.Origin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = o
	s.figure.Start(o)
}

// Describe takes a description.
func (s *liveSession) Describe(e timeline.Entity) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.figure.Describe(e)
}

// Events takes a batch.
func (s *liveSession) Events(batch []timeline.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.figure.Events(batch)
}
