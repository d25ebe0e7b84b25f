// Package timeline has the events that every run of a system comes down to,
// whether it was recorded, traced, watched live or simulated, and the entities
// that the events speak of. Analyses read timelines and nothing else.
//
// An event is a fixed-size value; events travel in batches, so that neither a
// source nor an analysis allocates per event. Which fields an event fills is
// said beside its Kind; a field that may be unknown has a Flag.
package timeline

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
)

// An Instant is nanoseconds on the time axis of one timeline. Which clock that
// is, its Base says: instants of two timelines are not comparable until a
// known offset has been applied.
type Instant int64

// Sub returns t - u, saturated at the extremes of time.Duration.
func (t Instant) Sub(u Instant) time.Duration { return clock.Sub(t, u) }

// A Stamp is a time that a publisher wrote into its message, in nanoseconds.
// Which clock it was read from is not written beside it: finding out is the
// work of an analysis.
type Stamp int64

// A Clock names the clock of a timeline's axis.
type Clock uint8

// The clocks of an axis.
const (
	UnknownClock Clock = iota
	MonoClock          // CLOCK_MONOTONIC
	WallClock          // CLOCK_REALTIME
	SimClock           // a simulator's clock
)

func (c Clock) String() string {
	return [...]string{"unknown", "mono", "wall", "sim"}[min(c, SimClock)]
}

// A Base is the time base of a timeline: the clock of its axis, and what is
// known of that clock's place on the monotonic clock of its host.
type Base struct {
	Clock      Clock  `json:"clock"`
	Host       string `json:"host,omitempty"`
	Boot       string `json:"boot,omitempty"`
	MonoOffset int64  `json:"mono_offset_ns,omitempty"` // monotonic instant minus axis instant
	MonoError  int64  `json:"mono_error_ns,omitempty"`  // bound of the error of MonoOffset
	MonoKnown  bool   `json:"mono_known,omitempty"`     // whether MonoOffset and MonoError are known
	WallOffset int64  `json:"wall_offset_ns,omitempty"` // wall instant minus axis instant, 0 if not known: ages by wall stamps need it on another axis
}

// An Origin says where a timeline comes from.
type Origin struct {
	Kind string `json:"kind"` // what the source is: "rosbag2-sqlite3", "mcap", "timeline", ...
	Path string `json:"path"`
	Base Base   `json:"base"`
}

// An EntityID names an entity within one timeline. Zero is no entity.
type EntityID uint32

// An EntityKind says what an entity is.
type EntityKind uint8

// The kinds of entities.
const (
	TopicEntity     EntityKind = iota + 1
	ClockEntity                // a topic that carries simulated time: its events are ticks
	TransformEntity            // one transform within a tf topic, named "parent -> child"; Parent is the topic
	NodeEntity                 //
	WriterEntity               // Parent is the topic
	ReaderEntity               // Parent is the topic
	CallbackEntity             // Parent is the node
	TimerEntity                // Parent is the node
	ThreadEntity               //
)

// An Entity is something that events speak of. A source may describe an
// entity after its first event, and again when more becomes known: the later
// description replaces the earlier.
type Entity struct {
	ID     EntityID   `json:"id"`
	Kind   EntityKind `json:"kind"`
	Name   string     `json:"name"`
	Type   string     `json:"type,omitempty"`   // ROS type, such as sensor_msgs/msg/Imu
	Parent EntityID   `json:"parent,omitempty"` // see the kinds

	// For topics, from the recorder's or the graph's notes.
	Publishers     int    `json:"publishers,omitempty"`      // offered QoS profiles noted; 0 if unknown
	TransientLocal bool   `json:"transient_local,omitempty"` // offered: old samples come first, so early ages and rates mislead
	StampSource    string `json:"stamp_source,omitempty"`    // where stamps are read, or "" if no stamp is known

	// For writers and readers, from the graph. Name is the GUID.
	Node string        `json:"node,omitempty"` // full name of the node; "" if no node claims it
	QoS  *qos.Policies `json:"qos,omitempty"`  // as offered or requested; nil if unknown
	Own  bool          `json:"own,omitempty"`  // takt's: what it loses is not the application's loss
	Left bool          `json:"left,omitempty"` // it has gone, or its participant has

	// For timers, from the node: 0 and UnknownClock if they are not known.
	Period     time.Duration `json:"period_ns,omitempty"`   // on the timer's clock
	TimerClock Clock         `json:"timer_clock,omitempty"` // MonoClock, or SimClock for a timer on ROS time that follows /clock
}

// A Kind says what happened, and which fields of the Event tell it.
type Kind uint8

// The kinds of events. At and Entity are always set.
const (
	TickSent       Kind = iota + 1 // Value: the simulated instant sent
	TickArrived                    // Value: the simulated instant that arrived; Sent if known
	SampleSent                     // Number: sequence number; Stamp, Size
	SampleArrived                  // Entity: the topic, or the one reader that it is said of; Number: sequence number or 0; Cause: its writer, where known; Stamp, Sent, Size where known; Value: how often it had been asked for again
	SampleDropped                  // Entity: the reader it was dropped for, or the topic; Number; Cause: its writer; Value: a DropReason
	SampleTaken                    // Number; Cause: the sample's writer and sequence number
	JobReleased                    // Number: job number; Value: the scheduled instant on the timer's clock. At: when that was known
	JobStarted                     // Number; Cause; ROS
	JobEnded                       // Number; ROS; Value: CPU time used, nanoseconds, with HasCPUTime
	PeriodsSkipped                 // Value: how many
	Throttled                      // Value: for how long, nanoseconds
	SwitchedIn                     // Thread, CPU
	SwitchedOut                    // Thread, CPU
	Woken                          // Thread
	DeadlineEvent                  // Value: how many more were missed
	Mark                           // Number: the job that it is on, if Entity is a timer or callback; Value: the caller's, of a thread an ExecutorMark
	Hole                           // what happened in [At, Value] on Entity (0: on all) was lost to us; Value math.MaxInt64: to the end
	ServiceEvent                   // Number: request sequence number; Cause.Number: the client; Value: a ServiceStep; Stamp
	ReportedRTF                    // Value: math.Float64bits of the real time factor that the simulator reports of itself
)

// An ExecutorMark is the value of a Mark on a thread: what its executor does.
type ExecutorMark int64

// The marks.
const (
	ExecutorWaits   ExecutorMark = iota + 1 // it waits for work from here on
	ExecutorChooses                         // it looks for the next callback that is ready
)

// A ServiceStep is the value of a ServiceEvent, as service_msgs/ServiceEventInfo numbers them.
type ServiceStep int64

// The steps of a service call.
const (
	RequestSent ServiceStep = iota
	RequestReceived
	ResponseSent
	ResponseReceived
)

// A DropReason says why a sample was never given to the callback.
type DropReason int64

// The reasons.
const (
	LostOnWire DropReason = iota + 1
	OverwrittenAtWriter
	OverwrittenAtReader
	Rejected
)

// Flags say which of the fields that may be unknown an Event has.
type Flags uint8

// The flags.
const (
	HasStamp Flags = 1 << iota
	HasSent
	HasROS
	HasThread
	HasCPU
	HasCPUTime
)

// A Cause is the writer and sequence number, or the callback and job number,
// that made an event happen.
type Cause struct {
	Entity EntityID
	Number uint64
}

// An Event is something that happened at one instant.
type Event struct {
	At     Instant
	Kind   Kind
	Flags  Flags
	CPU    int16     // with HasCPU
	Thread int32     // with HasThread
	Entity EntityID  //
	Size   uint32    // bytes of the serialized message, 0 if unknown
	Number uint64    //
	Cause  Cause     //
	ROS    clock.Sim // what the node believed the time to be, with HasROS
	Stamp  Stamp     // with HasStamp; 0 with HasStamp is a stamp left at zero
	Sent   Instant   // when the publisher sent it, on the timeline's axis, with HasSent
	Value  int64     // see Kind
}

// Has reports whether all of the flags f are set.
func (e *Event) Has(f Flags) bool { return e.Flags&f == f }

// A Sink takes a timeline from a source: Start once and first, then
// descriptions and batches in the order of time (the source says by a finding
// where it could not keep that order).
type Sink interface {
	Start(Origin)
	Describe(Entity)
	// Events takes a batch, which is valid during the call only.
	Events([]Event)
}

// An Outcome is what a source says at the end of its run.
type Outcome struct {
	// Partial is set if some of what happened is missing: a damaged or cut
	// file, a run that was interrupted.
	Partial  bool      `json:"partial,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
}

// A Severity says how much a finding matters.
type Severity string

// The severities.
const (
	Info    Severity = "info"    // worth knowing
	Warning Severity = "warning" // a figure means less, or something is probably wrong
	Error   Severity = "error"   // something is wrong
)

// A Finding is something that a reader of the figures must know.
type Finding struct {
	ID       string   `json:"id"` // stable, lower-case with hyphens, such as clock-went-back
	Severity Severity `json:"severity"`
	Subject  string   `json:"subject"` // a topic, a file, "clock"
	Text     string   `json:"text"`    // what was found, with figures and units
	Remedy   string   `json:"remedy,omitempty"`
}
