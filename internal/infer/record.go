package infer

import (
	"time"

	"github.com/takt-rt/takt/timeline"
)

// Bounds of what a Recorder keeps.
const (
	maxKept   = 1 << 22 // runs and samples, some 40 bytes each
	maxSent   = 1 << 20 // samples that are not taken yet
	maxNested = 64      // callbacks under way on one thread: ends may be lost
)

// A Recorder keeps what a run shows of its system.
type Recorder struct {
	origin    timeline.Origin
	entities  map[timeline.EntityID]timeline.Entity
	callbacks map[timeline.EntityID]*callback
	order     []*callback // as they first ran
	topicsOf  map[timeline.EntityID]*topic
	threads   map[int32]*thread
	cpus      map[int16]bool
	sent      map[timeline.Cause]*callback // who published it; nil: nobody that is a callback

	first, last timeline.Instant // events
	begun       bool
	cpuTime     bool // some run has its CPU time
	holes       int
	kept        int
	left        uint64 // over maxKept
}

// A callback is one that ran.
type callback struct {
	entity    timeline.EntityID
	reader    timeline.EntityID // of the samples that it is given; 0: none was seen
	starts    int
	firstRun  timeline.Instant
	lastRun   timeline.Instant
	runs      []run            // those that ended
	release   timeline.Instant // the first one
	released  bool
	published map[timeline.EntityID]int // messages, by topic
}

// A run is one from start to end.
type run struct {
	start, end timeline.Instant
	took       time.Duration
	thread     int32
}

// A topic is what was sent on one.
type topic struct {
	arrivals []arrival // samples that somebody took
	takes    int       // of which the publication is known
	least    time.Duration
}

// An arrival is a sample that is taken for the first time.
type arrival struct {
	sent timeline.Instant
	from *callback // nil: nobody that is a callback
}

// A thread is one that callbacks run on.
type thread struct {
	taken timeline.EntityID // the reader of which it took a sample, for what it runs next
	open  []open
}

// An open is a run under way.
type open struct {
	callback *callback
	number   uint64
	start    timeline.Instant
	within   time.Duration // what those took that ran within
}

// NewRecorder returns a Recorder, to be given a run.
func NewRecorder() *Recorder {
	return &Recorder{
		entities:  map[timeline.EntityID]timeline.Entity{},
		callbacks: map[timeline.EntityID]*callback{},
		topicsOf:  map[timeline.EntityID]*topic{},
		threads:   map[int32]*thread{},
		cpus:      map[int16]bool{},
		sent:      map[timeline.Cause]*callback{},
	}
}

var _ timeline.Sink = (*Recorder)(nil)

// Start is timeline.Sink.Start.
func (r *Recorder) Start(o timeline.Origin) { r.origin = o }

// Describe is timeline.Sink.Describe.
func (r *Recorder) Describe(e timeline.Entity) { r.entities[e.ID] = e }

// Events is timeline.Sink.Events.
func (r *Recorder) Events(batch []timeline.Event) {
	for i := range batch {
		e := &batch[i]
		if !r.begun {
			r.first, r.begun = e.At, true
		}
		r.last = max(r.last, e.At)
		r.event(e)
	}
}

func (r *Recorder) event(e *timeline.Event) {
	switch e.Kind {
	case timeline.Hole:
		r.holes++
	case timeline.JobReleased:
		if c := r.callback(e.Entity); !c.released {
			c.release, c.released = timeline.Instant(e.Value), true
		}
	case timeline.JobStarted:
		r.started(e)
	case timeline.JobEnded:
		r.ended(e)
	case timeline.SampleSent:
		r.published(e)
	case timeline.SampleArrived:
		r.arrived(e)
	case timeline.SampleTaken:
		r.took(e)
	}
}

func (r *Recorder) callback(id timeline.EntityID) *callback {
	c := r.callbacks[id]
	if c == nil {
		c = &callback{entity: id, published: map[timeline.EntityID]int{}}
		r.callbacks[id] = c
		r.order = append(r.order, c)
	}
	return c
}

func (r *Recorder) thread(number int32) *thread {
	t := r.threads[number]
	if t == nil {
		t = &thread{}
		r.threads[number] = t
	}
	return t
}

func (r *Recorder) topic(id timeline.EntityID) *topic {
	t := r.topicsOf[id]
	if t == nil {
		t = &topic{}
		r.topicsOf[id] = t
	}
	return t
}

// keep reports whether there is room for one more run or sample.
func (r *Recorder) keep() bool {
	if r.kept == maxKept {
		r.left++
		return false
	}
	r.kept++
	return true
}

func (r *Recorder) started(e *timeline.Event) {
	c, t := r.callback(e.Entity), r.thread(e.Thread)
	if c.starts == 0 {
		c.firstRun = e.At
	}
	c.starts, c.lastRun = c.starts+1, e.At
	if e.Has(timeline.HasCPU) {
		r.cpus[e.CPU] = true
	}
	if t.taken != 0 {
		c.reader, t.taken = t.taken, 0
	}
	if len(t.open) == maxNested {
		t.open = append(t.open[:0], t.open[1:]...)
	}
	t.open = append(t.open, open{callback: c, number: e.Number, start: e.At})
}

// ended ends a run, and forgets those above it, whose ends are lost.
func (r *Recorder) ended(e *timeline.Event) {
	t := r.thread(e.Thread)
	i := len(t.open) - 1
	for i >= 0 && (t.open[i].callback.entity != e.Entity || t.open[i].number != e.Number) {
		i--
	}
	if i < 0 {
		return
	}
	o := t.open[i]
	t.open = t.open[:i]
	took := e.At.Sub(o.start)
	if e.Has(timeline.HasCPUTime) {
		took, r.cpuTime = time.Duration(e.Value), true
	}
	if i > 0 {
		t.open[i-1].within += took
	}
	if r.keep() {
		o.callback.runs = append(o.callback.runs, run{o.start, e.At, max(took-o.within, 0), e.Thread})
	}
}

func (r *Recorder) published(e *timeline.Event) {
	on := r.entities[e.Entity].Parent
	if on == 0 {
		return
	}
	var by *callback
	if t := r.thread(e.Thread); e.Has(timeline.HasThread) && len(t.open) > 0 {
		by = t.open[len(t.open)-1].callback
		by.published[on]++
	}
	if len(r.sent) < maxSent {
		r.sent[timeline.Cause{Entity: e.Entity, Number: e.Number}] = by
	}
}

// arrived notes the samples of topics: those of readers are the same ones again.
func (r *Recorder) arrived(e *timeline.Event) {
	if k := r.entities[e.Entity].Kind; k != timeline.TopicEntity && k != timeline.ClockEntity || !r.keep() {
		return
	}
	a := arrival{sent: e.At, from: r.sent[e.Cause]}
	delete(r.sent, e.Cause)
	if e.Has(timeline.HasSent) {
		a.sent = min(e.Sent, e.At)
	}
	t := r.topic(e.Entity)
	t.arrivals = append(t.arrivals, a)
}

func (r *Recorder) took(e *timeline.Event) {
	if e.Has(timeline.HasThread) {
		r.thread(e.Thread).taken = e.Entity
	}
	on := r.entities[e.Entity].Parent
	if on == 0 || !e.Has(timeline.HasSent) {
		return
	}
	t := r.topic(on)
	delay := max(e.At.Sub(e.Sent), 0)
	if t.takes == 0 || delay < t.least {
		t.least = delay
	}
	t.takes++
}
