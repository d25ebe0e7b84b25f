package gantt

import (
	"math"
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

const maxInstant = timeline.Instant(math.MaxInt64)

// maxOpen bounds the jobs that are under way, and those released and not
// started: a timeline without ends stays within it.
const maxOpen = 100_000

// A tracker turns events into spans.
type tracker struct {
	emit     func(Span)
	base     timeline.Base
	entities map[timeline.EntityID]timeline.Entity
	threads  map[int32]string // names, where known
	released map[job]timeline.Instant
	open     map[job]*Span    // what each job under way does now
	lanes    map[Lane][]*Span // the same by lane, the last started last
	lost     int              // jobs and releases beyond maxOpen
}

type job struct {
	callback timeline.EntityID
	number   uint64
}

func newTracker(emit func(Span)) tracker {
	return tracker{
		emit:     emit,
		entities: map[timeline.EntityID]timeline.Entity{}, threads: map[int32]string{},
		released: map[job]timeline.Instant{}, open: map[job]*Span{}, lanes: map[Lane][]*Span{},
	}
}

func (t *tracker) describe(e timeline.Entity) { t.entities[e.ID] = e }

func (t *tracker) event(e *timeline.Event) {
	switch e.Kind {
	case timeline.JobReleased:
		if len(t.released) == maxOpen {
			t.lost++
			return
		}
		t.released[job{e.Entity, e.Number}] = t.release(e)
	case timeline.JobStarted:
		t.start(e)
	case timeline.JobEnded:
		t.end(e)
	case timeline.SwitchedIn, timeline.SwitchedOut:
		t.turn(e)
	}
	if e.Has(timeline.HasThread) && t.entities[e.Entity].Kind == timeline.ThreadEntity {
		t.threads[e.Thread] = t.entities[e.Entity].Name
	}
}

// release returns the instant of a release on the axis.
func (t *tracker) release(e *timeline.Event) timeline.Instant {
	if t.entities[e.Entity].TimerClock != timeline.MonoClock {
		return e.At
	}
	switch {
	case t.base.Clock == timeline.MonoClock:
		return min(timeline.Instant(e.Value), e.At)
	case t.base.MonoKnown:
		return min(plus(timeline.Instant(e.Value), -time.Duration(t.base.MonoOffset)), e.At)
	}
	return e.At
}

func (t *tracker) start(e *timeline.Event) {
	j := job{e.Entity, e.Number}
	s := Span{State: Runs, Lane: lane(e), Callback: e.Entity, Job: e.Number, From: e.At, CPU: e.CPU, OnCPU: e.Has(timeline.HasCPU)}
	if at, known := t.released[j]; known {
		delete(t.released, j)
		if at < e.At {
			t.emit(Span{State: Waits, Lane: s.Lane, Callback: e.Entity, Job: e.Number, From: at, To: e.At})
		}
	}
	if _, twice := t.open[j]; twice || len(t.open) == maxOpen {
		t.lost++
		return
	}
	t.open[j] = &s
	t.lanes[s.Lane] = append(t.lanes[s.Lane], &s)
}

// lane returns where the job of an event runs.
func lane(e *timeline.Event) Lane {
	if e.Has(timeline.HasThread) {
		return Lane{Thread: e.Thread}
	}
	return Lane{Callback: e.Entity}
}

func (t *tracker) end(e *timeline.Event) {
	j := job{e.Entity, e.Number}
	s := t.open[j]
	if s == nil {
		return
	}
	delete(t.open, j)
	on := t.lanes[s.Lane]
	if on = slices.DeleteFunc(on, func(o *Span) bool { return o == s }); len(on) == 0 {
		delete(t.lanes, s.Lane)
	} else {
		t.lanes[s.Lane] = on
	}
	s.To = e.At
	t.emit(*s)
}

// top returns the job that was started last on a lane, or nil.
func (t *tracker) top(l Lane) *Span {
	if on := t.lanes[l]; len(on) > 0 {
		return on[len(on)-1]
	}
	return nil
}

// turn takes that a thread got a CPU or lost it, with the job that it runs.
func (t *tracker) turn(e *timeline.Event) {
	s, next := t.top(Lane{Thread: e.Thread}), Runs
	if !e.Has(timeline.HasThread) || s == nil {
		return
	}
	if e.Kind == timeline.SwitchedOut {
		next = Off
	}
	if s.State != next {
		s.To = e.At
		t.emit(*s)
		s.State, s.From = next, e.At
	}
	s.CPU, s.OnCPU = e.CPU, next == Runs && e.Has(timeline.HasCPU)
}

// finish ends what is under way, in the order of callbacks and jobs.
func (t *tracker) finish(at timeline.Instant) {
	var all []*Span
	for _, s := range t.open {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *Span) int { return order(*a, *b) })
	for _, s := range all {
		s.To, s.Open = max(at, s.From), true
		t.emit(*s)
	}
	clear(t.open)
	clear(t.lanes)
}

// name returns the name of a lane.
func (t *tracker) name(l Lane) string {
	if l.Callback != 0 {
		return "thread unknown"
	}
	if name := t.threads[l.Thread]; name != "" {
		return name
	}
	return "thread " + number(int64(l.Thread))
}

func (t *tracker) callback(id timeline.EntityID) string {
	if name := t.entities[id].Name; name != "" {
		return name
	}
	return "callback " + number(int64(id))
}

// plus adds, held at the extremes.
func plus(t timeline.Instant, d time.Duration) timeline.Instant {
	s := t + timeline.Instant(d)
	switch {
	case d > 0 && s < t:
		return maxInstant
	case d < 0 && s > t:
		return math.MinInt64
	}
	return s
}
