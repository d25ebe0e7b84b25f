package tap

import (
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/timeline"
)

// A stream is one topic that is joined, or about to be.
type stream struct {
	tap   *Tap
	topic *topic
	load  *TopicLoad

	// Of the goroutine of Run.
	reader Reader
	own    timeline.EntityID // the reader
	lost   []lost            // by writer

	undecodable uint64 // samples too short for their stamp
	reason      error  // of the first
	otherClock  uint64 // samples whose source timestamp was read from another clock
}

// take makes an event of a sample. It runs on the receiving goroutine, waits
// for nobody and allocates only for a writer that discovery has not told of.
func (s *stream) take(in *rtps.Sample) {
	if in.Data.Key || in.Data.Payload == nil {
		return // an instance was disposed of: nobody published
	}
	e := timeline.Event{
		At:     timeline.Instant(in.Arrival),
		Kind:   timeline.SampleArrived,
		Entity: s.topic.entity.ID,
		Size:   uint32(len(in.Data.Payload)),
		Number: uint64(in.Sequence),
		Value:  int64(in.Repairs),
	}
	err := s.stamp(in.Data.Payload, &e)
	s.tap.mu.Lock()
	full := s.push(in, e, err)
	s.tap.mu.Unlock()
	if full {
		s.tap.nudge()
	}
}

// push completes an event and queues it, and reports that Run has to see to
// something.
func (s *stream) push(in *rtps.Sample, e timeline.Event, err error) bool {
	t := s.tap
	if t.ended {
		return false
	}
	if err != nil {
		if s.undecodable++; s.reason == nil {
			s.reason = err
		}
	}
	if w := s.writer(in); w != nil {
		e.Cause = timeline.Cause{Entity: w.entity.ID, Number: e.Number}
	}
	if in.Source.Set {
		if sent, ok := t.wall.sent(in.Source.Value.Wall(), in.Arrival); ok {
			e.Sent, e.Flags = sent, e.Flags|timeline.HasSent
		} else {
			s.otherClock++
		}
	}
	over := t.budget.Take(s.load, in.Arrival, len(in.Data.Payload))
	if e.Kind == timeline.TickArrived && err != nil {
		return over // without its value a tick tells nothing
	}
	return t.queue.push(e) || over
}

// stamp reads the stamp, or of a clock the tick.
func (s *stream) stamp(payload []byte, e *timeline.Event) error {
	isClock := s.topic.entity.Kind == timeline.ClockEntity
	if isClock {
		e.Kind = timeline.TickArrived
	}
	if s.topic.stamper == nil {
		return nil
	}
	ns, ok, err := s.topic.stamper.Stamp(payload)
	switch {
	case err != nil:
		return err
	case isClock:
		e.Value = ns
	case ok:
		e.Stamp, e.Flags = timeline.Stamp(ns), e.Flags|timeline.HasStamp
	}
	return nil
}

// writer returns the writer of a sample; nil if there are too many entities.
func (s *stream) writer(in *rtps.Sample) *endpoint {
	t := s.tap
	if w := t.table.endpoints[in.Writer]; w != nil {
		return w
	}
	w := t.table.endpoint(in.Writer, s.topic, false)
	if w != nil {
		t.describeTopic(s.topic)
		t.queue.describe(w.entity)
	}
	return w
}
