// Package gantt draws who runs when: the jobs of a timeline by thread, what
// waits from its release to its start, and what is off its CPU in between.
//
// A Chart keeps a window of a timeline in memory, within a bound, and draws it
// as text or for a page. A Perfetto writes a whole timeline as it comes, in the
// JSON trace format of Chrome, which Perfetto reads too.
//
// A release is the instant on the grid where a timer's clock is the axis, else
// the instant at which it was known; a job whose release is not in the timeline
// has no wait. A job is off its CPU where its thread was switched out, by a
// more urgent thread or because it waited itself, which the timeline does not
// tell apart.
package gantt

import (
	"time"

	"github.com/takt-rt/takt/timeline"
)

// DefaultSpans is how many spans a Chart keeps unless told otherwise.
const DefaultSpans = 20_000

// Options choose what a Chart keeps. The zero value works.
type Options struct {
	From   time.Duration // from the first event of the timeline
	Length time.Duration // 0 goes on to the end
	Spans  int           // the most that are kept; 0 is DefaultSpans. The rest is counted
}

// A State is what a job does for a while.
type State uint8

// The states.
const (
	Waits State = iota // released, and not started
	Runs
	Off // started, and not on a CPU
)

// String returns the state in words.
func (s State) String() string {
	return [...]string{"waits", "runs", "off its CPU"}[s]
}

// A Span is a while in which a job does one thing.
type Span struct {
	State    State
	Open     bool // the end of the job is not in the timeline
	CPU      int16
	OnCPU    bool // CPU is known
	Lane     Lane
	Callback timeline.EntityID
	Job      uint64
	From, To timeline.Instant
}

// A Lane is where a job runs: its thread, or if that is not known, its
// callback.
type Lane struct {
	Thread   int32
	Callback timeline.EntityID // 0 if the thread is known
}

// A Chart keeps what happened in a window. It is a timeline.Sink; call Finish
// after the last event, then draw it.
type Chart struct {
	options Options
	tracker tracker
	spans   []Span
	left    int // spans of the window beyond the bound

	first, last timeline.Instant
	begun       bool
}

// New returns an empty chart.
func New(o Options) *Chart {
	if o.Spans <= 0 {
		o.Spans = DefaultSpans
	}
	c := &Chart{options: o}
	c.tracker = newTracker(c.keep)
	return c
}

// Start takes where the timeline comes from.
func (c *Chart) Start(o timeline.Origin) { c.tracker.base = o.Base }

// Describe takes a description.
func (c *Chart) Describe(e timeline.Entity) { c.tracker.describe(e) }

// Events takes a batch.
func (c *Chart) Events(batch []timeline.Event) {
	if len(batch) > 0 && !c.begun {
		c.first, c.begun = batch[0].At, true
	}
	for i := range batch {
		c.last = max(c.last, batch[i].At)
		c.tracker.event(&batch[i])
	}
}

// Finish ends the spans that are still open, at the last event.
func (c *Chart) Finish() { c.tracker.finish(c.last) }

// Spans returns what was kept, by the end of each, and how many more there
// were in the window.
func (c *Chart) Spans() (kept []Span, left int) { return c.spans, c.left + c.tracker.lost }

func (c *Chart) keep(s Span) {
	from, to := c.window()
	switch {
	case s.To < from || s.From > to:
	case len(c.spans) == c.options.Spans:
		c.left++
	default:
		c.spans = append(c.spans, s)
	}
}

// window returns the window that was asked for.
func (c *Chart) window() (from, to timeline.Instant) {
	from = plus(c.first, c.options.From)
	if c.options.Length <= 0 {
		return from, maxInstant
	}
	return from, plus(from, c.options.Length)
}
