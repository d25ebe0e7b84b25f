package report

import (
	"encoding/json"
	"io"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/timeline"
)

// SnapshotSchema is the schema of a Snapshot's JSON.
const SnapshotSchema = "takt.watch/1"

// A Snapshot is what a live display shows at one instant: of each topic the
// figures that fit a line, and of simulated time what a person acts upon. The
// whole of it is in the Report that ends the run.
//
// The JSON is described in docs/watch.schema.json. Absent is unknown.
type Snapshot struct {
	Schema   string             `json:"schema"`
	ElapsedS float64            `json:"elapsed_s"` // since the display began
	Axis     string             `json:"axis"`      // the clock of intervals and rates: wall or mono
	Messages uint64             `json:"messages"`
	Clock    *LiveClock         `json:"clock,omitempty"`
	Topics   []LiveTopic        `json:"topics"` // by name
	Findings []timeline.Finding `json:"findings"`
	Load     *Load              `json:"load,omitempty"` // until now
}

// A LiveTopic is the line of one topic. Its figures are of the whole run, but
// for RateLastHz.
type LiveTopic struct {
	Name        string           `json:"name"`
	Type        string           `json:"type,omitempty"`
	Publishers  *int             `json:"publishers,omitempty"`  // takt's own not counted
	Subscribers *int             `json:"subscribers,omitempty"` //
	Count       uint64           `json:"count"`
	RateHz      *float64         `json:"rate_hz,omitempty"`
	RateSimHz   *float64         `json:"rate_sim_hz,omitempty"`
	RateLastHz  *float64         `json:"rate_last_hz,omitempty"` // over the last messages, and the silence since
	SilentS     *float64         `json:"silent_s,omitempty"`     // since the last message
	IntervalS   *LiveSeries      `json:"interval_s,omitempty"`
	SizeBytes   *analysis.Size   `json:"size_bytes,omitempty"`
	BytesPerS   *float64         `json:"bytes_per_s,omitempty"`
	PathS       *LiveSeries      `json:"path_s,omitempty"` // age by source timestamp
	AgeS        *LiveSeries      `json:"age_s,omitempty"`  // age by the stamp in the message, on AgeClock
	AgeClock    string           `json:"age_clock,omitempty"`
	Losses      *analysis.Losses `json:"losses,omitempty"`     // the application's
	OwnLosses   *analysis.Losses `json:"own_losses,omitempty"` // takt's, which the application need not have had
	Mismatches  int              `json:"mismatches,omitempty"` // the findings say which
}

// A LiveSeries is the part of a series that fits a line.
type LiveSeries struct {
	Mean float64 `json:"mean"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// A LiveClock is the block of simulated time.
type LiveClock struct {
	Topic        string               `json:"topic"`
	RTF          *float64             `json:"rtf,omitempty"`
	RTFLast      *float64             `json:"rtf_last,omitempty"` // of the last window
	WindowS      float64              `json:"window_s,omitempty"` // its length
	TickHz       *float64             `json:"tick_hz,omitempty"`
	MaxIntervalS *float64             `json:"max_interval_s,omitempty"`
	Backward     uint64               `json:"backward"`
	Forward      uint64               `json:"forward"`
	Publishers   int                  `json:"publishers,omitempty"`
	PublishersBy []string             `json:"publishers_by,omitempty"`
	LatencyS     *LiveSeries          `json:"latency_s,omitempty"`
	Error        *analysis.ClockError `json:"error,omitempty"`
}

// NewSnapshot takes the figures over that an analysis has after a run of
// elapsed. What in them is not a finite number is taken out.
func NewSnapshot(f *analysis.Figures, findings []timeline.Finding, elapsed time.Duration) *Snapshot {
	normalize(f)
	s := &Snapshot{
		Schema: SnapshotSchema, ElapsedS: elapsed.Seconds(), Axis: f.Axis, Messages: f.Messages,
		Clock:    liveClock(f.Clock),
		Topics:   []LiveTopic{},
		Findings: collect(findings, missingDeadlines(f)),
	}
	for _, t := range f.Topics {
		s.Topics = append(s.Topics, liveTopic(t))
	}
	normalize(s)
	return s
}

func liveTopic(t *analysis.Topic) LiveTopic {
	l := LiveTopic{
		Name: t.Name, Type: t.Type, Count: t.Count,
		RateHz: t.RateHz, RateSimHz: t.RateSimHz, RateLastHz: t.RateLastHz, SilentS: t.EndSilenceS,
		IntervalS: liveSeries(t.IntervalS), SizeBytes: t.SizeBytes, BytesPerS: t.BytesPerS, PathS: liveSeries(t.PathS),
		Losses: t.Losses, OwnLosses: t.OwnLosses, Mismatches: len(t.Mismatches),
	}
	if t.AgeS != nil {
		l.AgeS, l.AgeClock = liveSeries(&t.AgeS.Series), t.AgeS.Clock
	}
	if len(t.Writers)+len(t.Readers) > 0 {
		publishers, subscribers := len(t.Publishing()), len(t.Subscribed())
		l.Publishers, l.Subscribers = &publishers, &subscribers
	}
	return l
}

func liveSeries(s *analysis.Series) *LiveSeries {
	if s == nil {
		return nil
	}
	return &LiveSeries{s.Mean, s.P99, s.Max}
}

func liveClock(c *analysis.Clock) *LiveClock {
	if c == nil {
		return nil
	}
	l := &LiveClock{
		Topic: c.Topic, RTF: c.RTF, TickHz: c.TickHz, Backward: c.Backward, Forward: c.Forward,
		Publishers: c.Publishers, PublishersBy: c.PublishersBy, LatencyS: liveSeries(c.LatencyS), Error: c.Error,
	}
	if w := c.Windows; w != nil {
		l.RTFLast, l.WindowS = w.Last, w.LengthS
	}
	if c.IntervalS != nil {
		l.MaxIntervalS = &c.IntervalS.Max
	}
	return l
}

// JSON writes the snapshot on one line.
func (s *Snapshot) JSON(w io.Writer) error { return writeLine(w, s) }

// JSONLine writes a report on one line: as the last one after those of snapshots.
func JSONLine(w io.Writer, r *Report) error { return writeLine(w, r) }

func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
