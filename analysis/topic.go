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

	first, last timeline.Instant
	lastSim     simInstant           // at the last arrival
	lastSent    timeline.Instant     // of the last arrival, if hasSent
	hasSent     bool                 //
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
	if t.count > 0 && e.At < t.last {
		t.outOfOrder++ // the source could not put it in its place, so it ends no interval
		t.count++
		return
	}
	now := a.simNow()
	s := spell{at: t.last, length: e.At.Sub(t.last)}
	if e.Has(timeline.HasStamp) {
		s.stamp, s.hasStamp = t.stamp(e, now)
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
	t.recent[t.count%uint64(len(t.recent))] = e.At
	t.count++
	t.bytes += uint64(e.Size)
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
	if e.Has(timeline.HasSent) && t.hasSent {
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
