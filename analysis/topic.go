package analysis

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// A topic is the state of one topic, or of one transform within a tf topic.
type topic struct {
	entity timeline.Entity
	limits Limits

	count, bytes, outOfOrder, unreadable uint64
	sized                                uint64 // messages whose size is known
	largest                              uint32 // bytes

	first, last timeline.Instant
	lastSim     simInstant           // at the last arrival
	lastSent    timeline.Instant     // of the last arrival, if hasSent
	hasSent     bool                 //
	lastCause   timeline.Cause       // of the last arrival
	recent      [64]timeline.Instant // ring of the last arrivals

	interval, simInterval, stampInterval, sentInterval stats.Summary
	path, ageWall, ageSim                              stats.Summary

	overInterval, overAge     excess
	negativeWall, negativeSim uint64

	stamps stamps
	behind behind
	worst  spell
	gaps   longest
	bursts bursts
	calls  calls
	plot   *topicPlot // nil unless Options.Plots, and for transforms

	lost       Losses // said of the topic as a whole
	lossKnown  bool
	mismatches []Mismatch
	matched    bool // mismatches is up to date
}

// A simInstant is the clock's value within one of its segments; values of
// different segments are not comparable.
type simInstant struct {
	t       clock.Sim
	segment int
	known   bool
}

// A spell is what passed on each clock between two arrivals.
type spell struct {
	at                        timeline.Instant // its start
	length                    time.Duration
	sent, stamp, sim          time.Duration
	hasSent, hasStamp, hasSim bool
	lacks                     bool // samples between the two did not come, by their numbers
}

// An excess counts the values over a limit.
type excess struct {
	of, count uint64
	first     timeline.Instant
}

func (x *excess) add(d, limit time.Duration, at timeline.Instant) {
	x.of++
	if limit <= 0 || d <= limit {
		return
	}
	if x.count == 0 {
		x.first = at
	}
	x.count++
}

func newTopic(p *stats.Pool) *topic {
	t := new(topic)
	for _, s := range []*stats.Summary{
		&t.interval, &t.simInterval, &t.stampInterval, &t.sentInterval, &t.path, &t.ageWall, &t.ageSim,
	} {
		*s = stats.In(p)
	}
	t.calls.init(p)
	return t
}

func (t *topic) describe(e timeline.Entity, l Limits) {
	t.entity, t.limits = e, l
	if e.Kind == timeline.TransformEntity {
		t.plot = nil
	}
}

// arrive takes the arrival of a message.
func (t *topic) arrive(e *timeline.Event, a *Analyzer) {
	t.weigh(e.Size)
	if t.count > 0 && e.At < t.last {
		t.outOfOrder++ // the source could not put it in its place, so it ends no interval
		t.count++
		return
	}
	now := a.simNow()
	s := spell{at: t.last, length: e.At.Sub(t.last)}
	if e.Has(timeline.HasStamp) {
		s.stamp, s.hasStamp = t.stamp(e, a.wall(e.At), now)
	}
	switch {
	case t.count == 0:
		t.first = e.At
	case a.unreadable(e.Entity, t.last, e.At):
		t.unreadable++
	default:
		t.pass(e, now, s)
	}
	if e.Has(timeline.HasSent) {
		t.path.Add(seconds(e.At.Sub(e.Sent)), int64(e.At))
	}
	t.last, t.lastSim = e.At, now
	t.lastSent, t.hasSent = e.Sent, e.Has(timeline.HasSent)
	t.lastCause = causeOf(e)
	t.recent[t.count%uint64(len(t.recent))] = e.At
	t.count++
}

// weigh takes the size of a message, in bytes; 0 is unknown.
func (t *topic) weigh(size uint32) {
	if size > 0 {
		t.sized++
		t.bytes += uint64(size)
		t.largest = max(t.largest, size)
	}
}

// causeOf returns the writer of a sample and its number.
func causeOf(e *timeline.Event) timeline.Cause {
	return timeline.Cause{Entity: e.Cause.Entity, Number: numberOf(e)}
}

// follows reports whether a sample is what its publisher sent next, as far as
// the source tells, and whether numbers of one writer are missing between.
func follows(last, c timeline.Cause) (next, lacks bool) {
	if c.Entity == 0 || c.Number == 0 {
		return true, false
	}
	same := c.Entity == last.Entity
	return same && c.Number == last.Number+1, same && c.Number > last.Number+1
}

// pass takes the spell that a message's arrival ends.
func (t *topic) pass(e *timeline.Event, now simInstant, s spell) {
	at := int64(s.at)
	t.interval.Add(seconds(s.length), at)
	t.overInterval.add(s.length, t.limits.Interval, s.at)
	if now.known && t.lastSim.known && now.segment == t.lastSim.segment {
		s.sim, s.hasSim = now.t.Sub(t.lastSim.t), true
		t.simInterval.Add(seconds(s.sim), at)
	}
	next, lacks := follows(t.lastCause, causeOf(e))
	s.lacks = lacks
	if e.Has(timeline.HasSent) && t.hasSent && next {
		s.sent, s.hasSent = e.Sent.Sub(t.lastSent), true
		t.sentInterval.Add(seconds(s.sent), at)
	}
	if s.hasStamp {
		t.stampInterval.Add(seconds(s.stamp), at)
	}
	t.plot.pass(s)
	if s.length > t.worst.length {
		t.worst = s
	}
	t.gaps.add(s)
	t.bursts.add(s, e.At.Sub(t.first), t.count)
}
