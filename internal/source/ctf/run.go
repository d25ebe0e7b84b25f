package ctf

import (
	"math"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// A run is one reading of a trace.
type run struct {
	opt   Options
	takes []func(*run, *trace.Event)
	ros   bool // the trace has events of ROS 2
	name  string
	clock trace.Clock

	entities  entities
	out       output
	processes map[int64]*process
	last      *process // that of the event before
	published publications
	threads   map[int64]*thread // by number, for the kernel's events
	running   [64]running       // by CPU
	found     tally
	room      room
	events    uint64
	gaps      int   // so far
	gapEnd    int64 // the latest end of one
}

// A tally counts what findings tell of.
type tally struct {
	gaps      [trace.Damaged + 1]gaps
	strayEnds uint64 // callback_end of which the start is not there
	unnamed   uint64 // callbacks that were created before the trace
	noProcess bool   // events do not say of which process they are
	shifted   uint64 // starts of timers before the release that the grid has
	stepped   uint64 // source timestamps far from the publication
	farStamps uint64 // source timestamps further than maxSkew from the take
	refused   uint64 // beyond what is kept
}

// A gaps adds up gaps of one kind.
type gaps struct {
	count   int
	events  uint64 // or packets
	streams map[string]bool
	example error
}

func newRun(opt Options) *run {
	return &run{opt: opt, processes: map[int64]*process{}, threads: map[int64]*thread{}}
}

func (r *run) begin(t *trace.Trace, sink timeline.Sink) {
	r.name, r.clock = t.Path, t.Clock
	base := timeline.Base{Clock: timeline.WallClock}
	if t.Clock.Monotonic {
		base = timeline.Base{Clock: timeline.MonoClock, Boot: t.Clock.Boot, MonoKnown: true, WallOffset: t.Clock.WallOffset}
	}
	base.Host = t.Domains[0].Env["hostname"].Text
	r.out.sink = sink
	r.entities.sink = sink
	r.entities.refused, r.room.refused = &r.found.refused, &r.found.refused
	sink.Start(timeline.Origin{Kind: "ctf", Path: t.Path, Base: base})
}

// event takes the next event of the trace.
func (r *run) event(e *trace.Event) {
	if e.Gap != nil {
		r.gap(e)
		return
	}
	r.events++
	if e.Class.Tag != passed {
		r.takes[e.Class.Tag](r, e)
	}
}

// gap tells of a gap in the trace, of which it is not known what it was about.
func (r *run) gap(e *trace.Event) {
	g := &r.found.gaps[e.Gap.Why]
	g.count++
	g.events += e.Gap.Count
	if g.streams == nil {
		g.streams = map[string]bool{}
	}
	g.streams[e.Gap.Stream] = true
	if g.example == nil {
		g.example = e.Gap.Err
	}
	r.gaps++
	r.gapEnd = max(r.gapEnd, e.Gap.Until)
	r.out.send(timeline.Event{At: timeline.Instant(e.At), Kind: timeline.Hole, Value: e.Gap.Until})
}

// maxText bounds the names that are kept, in bytes.
const maxText = 1024

// text returns a text field, cut if it is longer than names are.
func text(e *trace.Event, i int) string {
	b := e.Text(i)
	return string(b[:min(len(b), maxText)])
}

// finish describes what never ran, and sends what is left.
func (r *run) finish() {
	r.describeTimers()
	r.out.flush()
}

// at returns an event of the trace as one of the timeline.
func at(e *trace.Event, kind timeline.Kind, entity timeline.EntityID) timeline.Event {
	out := timeline.Event{At: timeline.Instant(e.At), Kind: kind, Entity: entity}
	if e.TID > 0 && e.TID <= math.MaxInt32 {
		out.Thread, out.Flags = int32(e.TID), timeline.HasThread
	}
	if e.CPU >= 0 {
		out.CPU, out.Flags = e.CPU, out.Flags|timeline.HasCPU
	}
	return out
}

// An output hands events to the sink in batches.
type output struct {
	sink  timeline.Sink
	batch []timeline.Event
	last  timeline.Instant
	late  uint64
}

// batchSize is how many events the sink is handed at once, at most.
const batchSize = 512

func (o *output) send(e timeline.Event) {
	if e.At < o.last {
		o.late++
	}
	o.last = max(o.last, e.At)
	if o.batch = append(o.batch, e); len(o.batch) == batchSize {
		o.flush()
	}
}

func (o *output) flush() {
	if len(o.batch) > 0 {
		o.sink.Events(o.batch)
		o.batch = o.batch[:0]
	}
}
