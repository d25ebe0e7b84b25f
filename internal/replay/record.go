package replay

import (
	"fmt"
	"math"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// maxJobs bounds the jobs, and the marks, that are kept: some 80 bytes each.
const maxJobs = 1 << 22

// A Recorder keeps what a replay needs of a timeline.
type Recorder struct {
	origin    timeline.Origin
	entities  map[timeline.EntityID]timeline.Entity
	callbacks map[timeline.EntityID]*callback
	order     []*callback // as they came
	threads   map[int32]*thread
	holes     []hole
	jobs      int
	marks     int
	left      uint64 // jobs over maxJobs
}

// A callback is one that ran.
type callback struct {
	entity timeline.EntityID
	reader timeline.EntityID // of the samples that it is given; 0: none was seen
	jobs   []*job
	place  int // in its stream

	release  timeline.Instant // of the job to come, with released
	released bool
}

// A job is one run of a callback.
type job struct {
	callback   *callback
	thread     *thread
	number     uint64
	start, end timeline.Instant

	sent    timeline.Instant // publication of its sample
	hasSent bool
	release timeline.Instant // of a timer, as the source has it
	hasGrid bool
	nested  bool // it ran within another callback of the thread
}

// A thread is one that callbacks ran on.
type thread struct {
	number  int32
	name    string
	open    []*job
	taken   timeline.EntityID // the reader of the last sample taken, until a job starts
	waits   []timeline.Instant
	chooses []timeline.Instant
}

// A hole is a stretch of which events were lost.
type hole struct{ from, to timeline.Instant }

// NewRecorder returns an empty recorder.
func NewRecorder() *Recorder {
	return &Recorder{
		entities:  map[timeline.EntityID]timeline.Entity{},
		callbacks: map[timeline.EntityID]*callback{},
		threads:   map[int32]*thread{},
	}
}

// Start is timeline.Sink.Start.
func (r *Recorder) Start(o timeline.Origin) { r.origin = o }

// Describe is timeline.Sink.Describe.
func (r *Recorder) Describe(e timeline.Entity) { r.entities[e.ID] = e }

// Events is timeline.Sink.Events.
func (r *Recorder) Events(batch []timeline.Event) {
	for i := range batch {
		r.event(&batch[i])
	}
}

func (r *Recorder) event(e *timeline.Event) {
	switch e.Kind {
	case timeline.Hole:
		r.holes = append(r.holes, hole{e.At, timeline.Instant(e.Value)})
	case timeline.JobReleased:
		c := r.callback(e.Entity)
		c.release, c.released = timeline.Instant(e.Value), true
	case timeline.SampleTaken:
		r.thread(e).taken = e.Entity
	case timeline.JobStarted:
		r.started(e)
	case timeline.JobEnded:
		r.ended(e)
	case timeline.Mark:
		r.mark(e)
	}
}

func (r *Recorder) callback(id timeline.EntityID) *callback {
	c := r.callbacks[id]
	if c == nil {
		c = &callback{entity: id}
		r.callbacks[id] = c
		r.order = append(r.order, c)
	}
	return c
}

func (r *Recorder) thread(e *timeline.Event) *thread {
	t := r.threads[e.Thread]
	if t == nil {
		t = &thread{number: e.Thread, name: fmt.Sprintf("thread %d", e.Thread)}
		r.threads[e.Thread] = t
	}
	return t
}

func (r *Recorder) started(e *timeline.Event) {
	if r.jobs == maxJobs {
		r.left++
		return
	}
	r.jobs++
	c, t := r.callback(e.Entity), r.thread(e)
	j := &job{callback: c, thread: t, number: e.Number, start: e.At, end: math.MaxInt64, nested: len(t.open) > 0}
	j.sent, j.hasSent = e.Sent, e.Has(timeline.HasSent)
	j.release, j.hasGrid = c.release, c.released
	c.released = false
	if t.taken != 0 {
		c.reader, t.taken = t.taken, 0
	}
	c.jobs = append(c.jobs, j)
	t.open = append(t.open, j)
}

// ended ends a job, and those above it, whose ends are lost.
func (r *Recorder) ended(e *timeline.Event) {
	t := r.thread(e)
	for i := len(t.open) - 1; i >= 0; i-- {
		if j := t.open[i]; j.callback.entity == e.Entity && j.number == e.Number {
			for _, k := range t.open[i:] {
				k.end = e.At
			}
			t.open = t.open[:i]
			return
		}
	}
}

func (r *Recorder) mark(e *timeline.Event) {
	if r.entities[e.Entity].Kind != timeline.ThreadEntity || r.marks == 2*maxJobs {
		return
	}
	t := r.thread(e)
	t.name = r.entities[e.Entity].Name
	switch timeline.ExecutorMark(e.Value) {
	case timeline.ExecutorWaits:
		t.waits = append(t.waits, e.At)
		r.marks++
	case timeline.ExecutorChooses:
		t.chooses = append(t.chooses, e.At)
		r.marks++
	}
}

// lost reports whether events were lost between two instants.
func (r *Recorder) lost(from, to timeline.Instant) bool {
	for _, h := range r.holes {
		if h.from < to && from < h.to {
			return true
		}
	}
	return false
}

func (r *Recorder) findings() (all []timeline.Finding) {
	all = []timeline.Finding{}
	if r.left > 0 {
		all = append(all, timeline.Finding{
			ID: "replay-cut", Severity: timeline.Warning, Subject: r.origin.Path,
			Text: fmt.Sprintf("%s after the first %d are not replayed", quantity.Count(r.left, "callback"), maxJobs),
		})
	}
	if r.jobs == 0 {
		all = append(all, timeline.Finding{
			ID: "replay-nothing", Severity: timeline.Warning, Subject: r.origin.Path,
			Text:   "no callback ran, so there is nothing to replay",
			Remedy: "replay a trace of ros2_tracing, with the events callback_start and callback_end",
		})
	}
	return all
}
