package file

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// The packed batch, version 1. A batch is read by itself: all differences are to
// events of the same batch.
//
//	count uvarint | count events
//
// An event; of the second line those fields are there whose bits are set in fields:
//
//	kind 1 | flags 1 | fields 1 | at | entity uvarint
//	number | value | stamp | sent | ros | size | cause entity uvarint, number | thread, cpu
//
// The rest are signed varints (zigzag), and most of them differences, taken
// modulo 2^64 so that any value survives:
//
//	at            from the event before
//	ros           from the last that was there
//	sent          from at
//	number        from the last of its track, plus 1
//	size          from the last of its track
//	value, stamp  from the last of its track, plus the step before: 0 for a regular series
//
// A track is what the events of one entity and kind have in common. There are
// 256, found by a hash: two that fall together cost bytes, nothing else.
//
// A field that is zero is not there, whatever the flags say, and a field that
// is not there is zero: any event survives, not just those that keep to the
// flags.

// The bits of fields.
const (
	hasNumber = 1 << iota
	hasValue
	hasStamp
	hasSent
	hasROS
	hasSize
	hasCause
	hasPlace // thread and CPU
)

const (
	maxBatch    = 1 << 14            // events
	minEventLen = 3 + 1 + 1          // bytes
	trackBits   = 8                  //
	trackSpread = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio: spreads neighbours
)

// A series foretells its next value by the last step.
type series struct{ last, step int64 }

func (s *series) residual(v int64) int64 {
	r := v - (s.last + s.step)
	s.advance(v)
	return r
}

func (s *series) value(residual int64) int64 {
	v := s.last + s.step + residual
	s.advance(v)
	return v
}

func (s *series) advance(v int64) { s.last, s.step = v, v-s.last }

// A track foretells the events of one entity and kind.
type track struct {
	value, stamp series
	number       uint64
	size         uint32
}

// A codec is what both ends know after the events so far. It is reset for each batch.
type codec struct {
	at     timeline.Instant
	ros    clock.Sim
	tracks [1 << trackBits]track
}

func (c *codec) track(e *timeline.Event) *track {
	key := uint64(e.Entity)<<8 | uint64(e.Kind)
	return &c.tracks[key*trackSpread>>(64-trackBits)]
}

// appendBatch appends a batch of at most maxBatch events to b.
func (c *codec) appendBatch(b []byte, events []timeline.Event) []byte {
	*c = codec{}
	b = binary.AppendUvarint(b, uint64(len(events)))
	for i := range events {
		b = c.appendEvent(b, &events[i])
	}
	return b
}

func (c *codec) appendEvent(b []byte, e *timeline.Event) []byte {
	t, fields := c.track(e), fieldsOf(e)
	b = append(b, byte(e.Kind), byte(e.Flags), fields)
	b = binary.AppendVarint(b, int64(e.At-c.at))
	b = binary.AppendUvarint(b, uint64(e.Entity))
	c.at = e.At
	if fields&hasNumber != 0 {
		b = binary.AppendVarint(b, int64(e.Number-t.number-1))
		t.number = e.Number
	}
	if fields&hasValue != 0 {
		b = binary.AppendVarint(b, t.value.residual(e.Value))
	}
	if fields&hasStamp != 0 {
		b = binary.AppendVarint(b, t.stamp.residual(int64(e.Stamp)))
	}
	if fields&hasSent != 0 {
		b = binary.AppendVarint(b, int64(e.Sent-e.At))
	}
	if fields&hasROS != 0 {
		b = binary.AppendVarint(b, int64(e.ROS-c.ros))
		c.ros = e.ROS
	}
	if fields&hasSize != 0 {
		b = binary.AppendVarint(b, int64(e.Size)-int64(t.size))
		t.size = e.Size
	}
	if fields&hasCause != 0 {
		b = binary.AppendUvarint(b, uint64(e.Cause.Entity))
		b = binary.AppendVarint(b, int64(e.Cause.Number))
	}
	if fields&hasPlace != 0 {
		b = binary.AppendVarint(b, int64(e.Thread))
		b = binary.AppendVarint(b, int64(e.CPU))
	}
	return b
}

func fieldsOf(e *timeline.Event) (fields byte) {
	for bit, there := range [...]bool{
		e.Number != 0, e.Value != 0, e.Stamp != 0, e.Sent != 0,
		e.ROS != 0, e.Size != 0, e.Cause != timeline.Cause{}, e.Thread != 0 || e.CPU != 0,
	} {
		if there {
			fields |= 1 << bit
		}
	}
	return fields
}

// parseBatch reads a batch into the memory of events, grown if need be. It
// gives a batch whole or, with an error that says where it stopped, not at all.
func (c *codec) parseBatch(b []byte, events []timeline.Event) ([]timeline.Event, error) {
	*c = codec{}
	r := cursor{b: b}
	count := r.uvarint()
	if r.err != nil {
		return nil, fmt.Errorf("the number of events: %w", r.err)
	}
	// The length bounds the memory that a damaged count can ask for.
	if count > maxBatch || count > uint64(len(r.b)/minEventLen) {
		return nil, fmt.Errorf("a batch of %d bytes cannot hold %d events", len(b), count)
	}
	events = slices.Grow(events[:0], int(count))[:count]
	clear(events)
	for n := range events {
		if c.parseEvent(&r, &events[n]); r.err != nil {
			return nil, fmt.Errorf("event %d of %d: %w", n, count, r.err)
		}
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("%d bytes after the %d events of a batch", len(r.b), count)
	}
	return events, nil
}

func (c *codec) parseEvent(r *cursor, e *timeline.Event) {
	e.Kind, e.Flags = timeline.Kind(r.byte()), timeline.Flags(r.byte())
	fields := r.byte()
	e.At = c.at + timeline.Instant(r.varint())
	e.Entity = timeline.EntityID(r.uvarint32())
	c.at = e.At
	t := c.track(e)
	if fields&hasNumber != 0 {
		e.Number = t.number + 1 + uint64(r.varint())
		t.number = e.Number
	}
	if fields&hasValue != 0 {
		e.Value = t.value.value(r.varint())
	}
	if fields&hasStamp != 0 {
		e.Stamp = timeline.Stamp(t.stamp.value(r.varint()))
	}
	if fields&hasSent != 0 {
		e.Sent = e.At + timeline.Instant(r.varint())
	}
	if fields&hasROS != 0 {
		e.ROS = c.ros + clock.Sim(r.varint())
		c.ros = e.ROS
	}
	if fields&hasSize != 0 {
		e.Size = uint32(int64(t.size) + r.varint())
		t.size = e.Size
	}
	if fields&hasCause != 0 {
		e.Cause.Entity = timeline.EntityID(r.uvarint32())
		e.Cause.Number = uint64(r.varint())
	}
	if fields&hasPlace != 0 {
		e.Thread = int32(r.varintWithin(math.MinInt32, math.MaxInt32))
		e.CPU = int16(r.varintWithin(math.MinInt16, math.MaxInt16))
	}
}
