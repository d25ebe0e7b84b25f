package bag

import (
	"errors"
	"math"
	"strings"
	"time"

	"github.com/takt-rt/takt/rosmsg"
	"github.com/takt-rt/takt/timeline"
)

// What is known of types by name.
const (
	clockType       = "rosgraph_msgs/msg/Clock"
	transformsType  = "tf2_msgs/msg/TFMessage"
	performanceType = "gazebo_msgs/msg/PerformanceMetrics"

	cdrFormat = "cdr"
)

// A message is one as a file holds it.
type message struct {
	at    int64  // receive time, nanoseconds since the epoch
	sent  int64  // publish time, 0 if not recorded
	place uint64 // in the file: grows from message to message
	data  []byte // the payload, valid during the call; none with TimesOnly
}

// A stream is the messages of one topic as one file describes them.
type stream struct {
	topic   *topic // nil if it was not asked for
	file    uint32
	content content
	stamper *rosmsg.Stamper
	sent    bool // publish times are recorded: one differed from its receive time
}

// A content says what is read from the messages of a stream.
type content uint8

const (
	opaque     content = iota // nothing
	stamped                   // the stamp
	ticks                     // simulated time
	transforms                // stamps, one of each transform
	service                   // a step of a service call
	realTime                  // the real time factor that a simulator says it has
)

// A definition is a message definition as a file holds it.
type definition struct{ encoding, text string }

// newStream returns the stream of a note. A definition that cannot be
// understood is as good as none: common types are known by name.
func (r *run) newStream(note topicNote, def *definition, file uint32) *stream {
	s := &stream{file: file}
	var problem error
	if note.format == cdrFormat && !r.opt.TimesOnly {
		s.stamper, problem = newStamper(note.typ, def)
		if s.stamper != nil {
			note.stamps = s.stamper.Source()
		}
	}
	s.topic = r.topics.meet(note)
	if s.topic != nil && problem != nil {
		s.topic.schemaReason = problem
	}
	if note.format == cdrFormat && !r.opt.TimesOnly {
		s.content = contentOf(note.name, normalType(note.typ), s.stamper != nil)
	}
	return s
}

// newStamper returns the stamper of a type, nil if it has no stamp, and what
// was wrong with the definition.
func newStamper(typ string, def *definition) (*rosmsg.Stamper, error) {
	var schema *rosmsg.Schema
	var problem error
	if def != nil {
		schema, problem = rosmsg.Parse(def.encoding, typ, def.text)
	}
	if problem == nil {
		stamper, err := rosmsg.NewStamper(typ, schema)
		if err == nil || errors.Is(err, rosmsg.ErrNoStamp) {
			return stamper, nil
		}
		problem = err
	}
	stamper, err := rosmsg.NewStamper(typ, nil)
	if err != nil {
		return nil, problem
	}
	return stamper, problem
}

func contentOf(topic, typ string, hasStamp bool) content {
	switch {
	case typ == clockType:
		return ticks
	case typ == transformsType:
		return transforms
	case typ == performanceType:
		return realTime
	case strings.HasSuffix(typ, "_Event") && strings.HasSuffix(topic, "/_service_event"):
		return service
	case hasStamp:
		return stamped
	}
	return opaque
}

// maxSkew is the largest difference of publish and receive time that is
// believed to be one of two readings of one clock.
const maxSkew = time.Hour

// decode pushes the events of a message onto q.
func (r *run) decode(s *stream, m *message, q *queue) {
	t := s.topic
	if t == nil {
		return
	}
	if m.at < 0 {
		t.absurd++
		return
	}
	t.span.add(m.at)
	e := entry{mark: mark{spot: spot{s.file, m.place}}}
	e.At, e.Kind, e.Entity = timeline.Instant(m.at), timeline.SampleArrived, t.entity.ID
	s.setSent(m, &e.Event)
	if r.opt.TimesOnly {
		q.push(&e)
		return
	}
	data, size, err := r.payload.open(m.data, s.content)
	e.Size = size
	if err == nil {
		err = r.read(s, data, &e, q)
	} else {
		q.push(&e)
	}
	if err != nil {
		if t.undecodable++; t.reason == nil {
			t.reason = err
		}
	}
}

// setSent fills in the publish time, if the stream has them.
func (s *stream) setSent(m *message, e *timeline.Event) {
	if m.sent == m.at && !s.sent || m.sent <= 0 {
		return
	}
	if skew := e.At.Sub(timeline.Instant(m.sent)); skew > maxSkew || skew < -maxSkew {
		s.topic.otherClock++
		return
	}
	s.sent = true
	e.Sent = timeline.Instant(m.sent)
	e.Flags |= timeline.HasSent
}

// read pushes e, filled in with what the payload tells, and the further events
// that it leads to.
func (r *run) read(s *stream, data []byte, e *entry, q *queue) error {
	switch s.content {
	case ticks:
		return s.readTick(data, e, q)
	case transforms:
		return r.readTransforms(s, data, e, q)
	case service:
		return readService(data, e, q)
	case realTime:
		return readRealTime(data, e, q)
	case stamped:
		err := s.readStamp(data, e)
		q.push(e)
		return err
	}
	q.push(e)
	return nil
}

func (s *stream) readStamp(data []byte, e *entry) error {
	ns, ok, err := s.stamper.Stamp(data)
	if ok {
		e.Stamp = timeline.Stamp(ns)
		e.Flags |= timeline.HasStamp
	}
	return err
}

// readTick pushes a tick. Without its value a tick tells nothing, so nothing is pushed.
func (s *stream) readTick(data []byte, e *entry, q *queue) error {
	if s.stamper == nil {
		return errors.New("the message definition has no clock field")
	}
	ns, _, err := s.stamper.Stamp(data)
	if err != nil {
		return err
	}
	e.Kind, e.Value = timeline.TickArrived, ns
	q.push(e)
	return nil
}

// readTransforms pushes the message, with the stamp of its first transform,
// and an arrival of each transform.
func (r *run) readTransforms(s *stream, data []byte, e *entry, q *queue) error {
	err := r.transforms.read(s.topic, data)
	each := *e
	if found := r.transforms.found; len(found) > 0 {
		e.Stamp, e.Flags = found[0].stamp, e.Flags|timeline.HasStamp
	}
	q.push(e)
	each.Size, each.Flags = 0, each.Flags|timeline.HasStamp
	for i, t := range r.transforms.found {
		if t.id != 0 {
			each.Entity, each.Stamp, each.sub = t.id, t.stamp, uint32(i+1)
			q.push(&each)
		}
	}
	return err
}

// A transformReader gathers the transforms of one message at a time.
type transformReader struct {
	topics *topics
	topic  *topic
	found  []foundTransform
	visit  func(rosmsg.Transform) // add, bound once
}

type foundTransform struct {
	id    timeline.EntityID // 0 if there are too many to tell apart
	stamp timeline.Stamp
}

func (tr *transformReader) read(t *topic, data []byte) error {
	tr.topic, tr.found = t, tr.found[:0]
	return rosmsg.EachTransform(data, tr.visit)
}

func (tr *transformReader) add(t rosmsg.Transform) {
	id := tr.topics.transform(tr.topic, t.Parent, t.Child)
	tr.found = append(tr.found, foundTransform{id, timeline.Stamp(t.Stamp)})
}

func readService(data []byte, e *entry, q *queue) error {
	q.push(e)
	ev, err := rosmsg.ReadServiceEvent(data)
	if err != nil {
		return err
	}
	e.Kind, e.Value, e.sub = timeline.ServiceEvent, int64(ev.Step), 1
	e.Number, e.Cause.Number = uint64(ev.Sequence), ev.Client
	e.Stamp, e.Flags = timeline.Stamp(ev.Stamp), e.Flags|timeline.HasStamp
	q.push(e)
	return nil
}

func readRealTime(data []byte, e *entry, q *queue) error {
	q.push(e)
	rtf, err := rosmsg.ReadPerformanceRTF(data)
	if err != nil {
		return err
	}
	e.Kind, e.Value, e.sub = timeline.ReportedRTF, int64(math.Float64bits(rtf)), 1
	q.push(e)
	return nil
}
