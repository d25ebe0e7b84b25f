package analysis

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// near is how far a stamp may be from a clock to have been read from it.
const near = time.Hour

// A domain is the clock that a stamp was read from.
type domain uint8

const (
	notWall domain = iota // neither: simulated with no clock to compare, boot time, or old data
	wall
	simulated
)

// stamps follow the times that a publisher wrote into its messages.
type stamps struct {
	zero, nonzero, equal, backward uint64
	by                             [3]uint64 // nonzero ones, by domain
	early                          uint64    // of by[notWall]: came before the first tick

	first, last               timeline.Stamp // nonzero
	firstArrived, lastArrived timeline.Instant
}

// behind follows how far the newest stamp is behind its clock.
type behind struct {
	newest  timeline.Stamp
	domain  domain
	segment int // of the clock, for simulated stamps
	known   bool

	max   time.Duration
	maxAt timeline.Instant
	any   bool
}

// stamp takes a message's stamp and returns the step from the stamp before.
// Stamps left at zero are counted and otherwise passed over.
func (t *topic) stamp(e *timeline.Event, wallNow timeline.Instant, now simInstant) (step time.Duration, ok bool) {
	s := &t.stamps
	if e.Stamp == 0 {
		s.zero++
		return 0, false
	}
	if s.nonzero > 0 {
		step, ok = clock.Sub(e.Stamp, s.last), true
		switch {
		case step == 0:
			s.equal++
		case step < 0:
			s.backward++
		}
	} else {
		s.first, s.firstArrived = e.Stamp, e.At
	}
	s.nonzero++
	s.last, s.lastArrived = e.Stamp, e.At
	t.age(e, wallNow, now)
	return step, ok
}

// age judges a stamp by the clock it was read from.
func (t *topic) age(e *timeline.Event, wallNow timeline.Instant, now simInstant) {
	d, age := judge(e.Stamp, wallNow, now)
	t.stamps.by[d]++
	switch {
	case d == wall:
		t.ageWall.Add(seconds(age), int64(e.At))
		t.negativeWall += negative(age)
	case d == simulated:
		t.ageSim.Add(seconds(age), int64(e.At))
		t.negativeSim += negative(age)
	case !now.known:
		t.stamps.early++
	}
	t.plot.stamped(e, d, seconds(age))
	if d != notWall {
		t.overAge.add(age, t.limits.Age, e.At)
	}
	t.behind.look(e.At, wallNow, now)
	t.behind.take(e.Stamp, d, now.segment)
}

// judge finds the clock that a stamp was read from, and its age by it. at is on
// the wall clock.
func judge(s timeline.Stamp, at timeline.Instant, now simInstant) (domain, time.Duration) {
	if age := clock.Sub(int64(at), int64(s)); age.Abs() < near {
		return wall, age
	}
	if now.known {
		if age := clock.Sub(int64(now.t), int64(s)); age.Abs() < near {
			return simulated, age
		}
	}
	return notWall, 0
}

func negative(d time.Duration) uint64 {
	if d < 0 {
		return 1
	}
	return 0
}

// look judges the newest stamp at an instant. It is furthest behind just
// before the next message, so it need not be looked at in between.
func (b *behind) look(at, wallNow timeline.Instant, now simInstant) {
	if !b.known {
		return
	}
	var d time.Duration
	switch {
	case b.domain == wall:
		d = clock.Sub(int64(wallNow), int64(b.newest))
	case b.domain == simulated && now.known && now.segment == b.segment:
		d = clock.Sub(int64(now.t), int64(b.newest))
	default:
		return
	}
	if !b.any || d > b.max {
		b.max, b.maxAt, b.any = d, at, true
	}
}

// take remembers a stamp if it is the newest of its clock.
func (b *behind) take(s timeline.Stamp, d domain, segment int) {
	same := b.known && d == b.domain && (d != simulated || segment == b.segment)
	if d != notWall && (!same || s > b.newest) {
		b.newest, b.domain, b.segment, b.known = s, d, segment, true
	}
}
