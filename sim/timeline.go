package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// A Timeline is an Observer that writes a run as a timeline on the run's
// monotonic clock, whose 0 is the start. A callback is named as in the System,
// and its node is what stands before the last slash of its name.
//
// The threads of an executor with several workers are named "NAME/1" and so on,
// all others as in the System. A thread keeps its CPU while it has one; else it
// gets the one that it had last, if that is free, or the first that is.
type Timeline struct {
	sink    timeline.Sink
	batch   []timeline.Event
	all     []tracedExecutor
	threads []tracedThread // of all, in order
	topics  map[*Topic]*tracedTopic
	sources []tracedWriter
	taken   []bool // CPUs
	clock   *tracedTopic
	ticks   queue[clock.Sim] // sent and not arrived
	ids     timeline.EntityID
	scratch []takenMessage
}

// A tracedExecutor is a Thread of the System.
type tracedExecutor struct {
	first     int // of the threads
	callbacks []tracedCallback
	ros       clock.Sim // what its clock shows, if it is set
	hasROS    bool
}

// A tracedThread is one OS thread of the run.
type tracedThread struct {
	entity   timeline.EntityID
	executor int
	job      uint64     // of the callback, that it runs or ran last
	cpu      int        // it has, from 0; -1 is none
	last     int        // it had last, or is pinned to
	since    clock.Mono // it has the CPU, or its job runs on it
	used     clock.Mono // CPU time of its job before that
}

// A tracedCallback is one callback, with the messages in its queues.
type tracedCallback struct {
	entity timeline.EntityID
	onROS  bool // a timer on simulated time
	jobs   uint64
	inputs []tracedInput
	writes map[*Topic]*tracedWriter
}

type tracedInput struct {
	reader  timeline.EntityID
	topic   *tracedTopic
	waiting queue[message]
}

type tracedWriter struct {
	entity timeline.EntityID
	sent   uint64
}

type tracedTopic struct {
	entity   timeline.EntityID
	underWay queue[message] // published by callbacks
	arrived  message        // the last
}

// A message is one sample: its number in the topic, and who wrote it when.
type message struct {
	number int64
	cause  timeline.Cause
	sent   clock.Mono
}

// batchSize is how many events a sink gets at once, at most.
const batchSize = 512

var (
	_ TraceObserver = (*Timeline)(nil)
	_ ClockObserver = (*Timeline)(nil)
)

// NewTimeline describes the system to the sink and returns the observer to run
// it with. Close ends the timeline.
func NewTimeline(system *System, sink timeline.Sink) *Timeline {
	t := &Timeline{
		sink: sink, batch: make([]timeline.Event, 0, batchSize),
		topics: map[*Topic]*tracedTopic{}, taken: make([]bool, max(system.CPUs, 1)),
	}
	sink.Start(timeline.Origin{Kind: "simulation", Base: timeline.Base{Clock: timeline.MonoClock}})
	d := describer{t, map[string]timeline.EntityID{}}
	if system.Clock != nil {
		of := system.Clock.Topic
		if of == nil {
			of = &Topic{Name: "/clock"}
		}
		t.clock = d.topic(of, timeline.ClockEntity)
	}
	for i := range system.Threads {
		d.thread(&system.Threads[i])
	}
	for i := range system.Sources {
		of := system.Sources[i].Topic
		t.sources = append(t.sources, tracedWriter{entity: d.describe(timeline.Entity{
			Kind: timeline.WriterEntity, Name: "source of " + of.Name, Parent: d.topic(of, timeline.TopicEntity).entity,
		})})
	}
	return t
}

// A describer tells the sink of entities.
type describer struct {
	*Timeline
	nodes map[string]timeline.EntityID
}

func (d *describer) describe(e timeline.Entity) timeline.EntityID {
	d.ids++
	e.ID = d.ids
	d.sink.Describe(e)
	return e.ID
}

func (d *describer) topic(of *Topic, kind timeline.EntityKind) *tracedTopic {
	if d.topics[of] == nil {
		d.topics[of] = &tracedTopic{entity: d.describe(timeline.Entity{Kind: kind, Name: of.Name})}
	}
	return d.topics[of]
}

func (d *describer) node(callback string) (timeline.EntityID, string) {
	i := strings.LastIndexByte(callback, '/')
	if i <= 0 {
		return 0, ""
	}
	name := callback[:i]
	if d.nodes[name] == 0 {
		d.nodes[name] = d.describe(timeline.Entity{Kind: timeline.NodeEntity, Name: name})
	}
	return d.nodes[name], name
}

func (d *describer) thread(t *Thread) {
	made := tracedExecutor{first: len(d.threads)}
	for worker := range t.workers() {
		name := t.Name
		if t.workers() > 1 {
			name = fmt.Sprintf("%s/%d", t.Name, worker+1)
		}
		d.threads = append(d.threads, tracedThread{
			entity:   d.describe(timeline.Entity{Kind: timeline.ThreadEntity, Name: name}),
			executor: len(d.all), cpu: -1, last: max(t.CPU-1, 0),
		})
	}
	for i := range t.Callbacks {
		made.callbacks = append(made.callbacks, d.callback(&t.Callbacks[i]))
	}
	d.all = append(d.all, made)
}

func (d *describer) callback(c *Callback) tracedCallback {
	node, name := d.node(c.Name)
	e := timeline.Entity{Kind: timeline.CallbackEntity, Name: c.Name, Parent: node}
	if c.Kind == sched.TimerKind {
		e.Kind, e.Period, e.TimerClock = timeline.TimerEntity, c.Period, timeline.MonoClock
		if c.OnROS {
			e.TimerClock = timeline.SimClock
		}
	}
	made := tracedCallback{entity: d.describe(e), onROS: c.OnROS, writes: map[*Topic]*tracedWriter{}}
	for _, of := range c.From {
		topic := d.topic(of, timeline.TopicEntity)
		made.inputs = append(made.inputs, tracedInput{topic: topic, reader: d.describe(timeline.Entity{
			Kind: timeline.ReaderEntity, Name: c.Name + " of " + of.Name, Parent: topic.entity, Node: name,
		})})
	}
	writes := c.Publishes
	if c.Reply != nil {
		writes = append(slices.Clone(writes), c.Reply)
	}
	for _, of := range writes {
		if made.writes[of] == nil {
			made.writes[of] = &tracedWriter{entity: d.describe(timeline.Entity{
				Kind: timeline.WriterEntity, Name: c.Name + " to " + of.Name, Parent: d.topic(of, timeline.TopicEntity).entity, Node: name,
			})}
		}
	}
	return made
}

// Close hands the sink what it was not handed yet.
func (t *Timeline) Close() {
	t.sink.Events(t.batch)
	t.batch = t.batch[:0]
}

func (t *Timeline) event(e *timeline.Event) {
	if len(t.batch) == batchSize {
		t.Close()
	}
	t.batch = append(t.batch, *e)
}

// on returns an event on an OS thread.
func (t *Timeline) on(thread int, now clock.Mono, kind timeline.Kind, of timeline.EntityID) timeline.Event {
	th := &t.threads[thread]
	e := timeline.Event{At: timeline.Instant(now), Kind: kind, Entity: of, Thread: int32(thread + 1), Flags: timeline.HasThread}
	if th.cpu >= 0 {
		e.CPU, e.Flags = int16(th.cpu), e.Flags|timeline.HasCPU
	}
	if x := &t.all[th.executor]; x.hasROS {
		e.ROS, e.Flags = x.ros, e.Flags|timeline.HasROS
	}
	return e
}

// index returns where an OS thread is among all.
func (t *Timeline) index(id OSThread) int { return t.all[id.Thread].first + id.Worker }
