package analysis

import (
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// A writer is the state of one writer of a topic.
type writer struct {
	entity timeline.Entity // without a kind until it is described

	count, repaired uint64
	numbers         numbers
	lowest, highest sent
	path, late      stats.Summary
	ageWall, ageSim stats.Summary
	negativeWall    uint64
	negativeSim     uint64
	lost, ownLost   Losses
}

// sent is when a writer says that it sent a number.
type sent struct {
	number uint64
	at     timeline.Instant
	known  bool
}

func newWriter(id timeline.EntityID, p *stats.Pool) *writer {
	w := &writer{entity: timeline.Entity{ID: id}}
	for _, s := range []*stats.Summary{&w.path, &w.late, &w.ageWall, &w.ageSim} {
		*s = stats.In(p)
	}
	return w
}

// arrive takes a sample of the writer that came to the topic.
func (w *writer) arrive(e *timeline.Event, a *Analyzer) {
	w.count++
	if w.entity.Parent == 0 {
		w.entity.Parent = e.Entity
	}
	if repaired(e) {
		w.repaired++
	}
	if by, late := w.numbers.take(numberOf(e), e.At); late {
		w.late.Add(seconds(by), int64(e.At))
	}
	if e.Has(timeline.HasSent) {
		w.path.Add(seconds(e.At.Sub(e.Sent)), int64(e.At))
		w.date(sent{numberOf(e), e.Sent, true})
	}
	if e.Has(timeline.HasStamp) && e.Stamp != 0 {
		w.age(e, a)
	}
}

// repaired reports whether a sample came only after it had been asked for again.
func repaired(e *timeline.Event) bool { return e.Kind == timeline.SampleArrived && e.Value > 0 }

// numberOf returns the sequence number of a sample, 0 if it is not known.
func numberOf(e *timeline.Event) uint64 {
	if e.Number != 0 {
		return e.Number
	}
	return e.Cause.Number
}

func (w *writer) date(s sent) {
	if s.number == 0 {
		return
	}
	if !w.lowest.known || s.number < w.lowest.number {
		w.lowest = s
	}
	if !w.highest.known || s.number > w.highest.number {
		w.highest = s
	}
}

// sentRate is the rate at which the writer sent, in hertz, whatever was lost on
// the way: by its numbers over its own source timestamps.
func (w *writer) sentRate() *float64 {
	span := w.highest.at.Sub(w.lowest.at)
	if !w.lowest.known || span <= 0 {
		return nil
	}
	return ptr(float64(w.highest.number-w.lowest.number) / seconds(span))
}

func (w *writer) age(e *timeline.Event, a *Analyzer) {
	switch d, age := judge(e.Stamp, a.wall(e.At), a.simNow()); d {
	case wall:
		w.ageWall.Add(seconds(age), int64(e.At))
		w.negativeWall += negative(age)
	case simulated:
		w.ageSim.Add(seconds(age), int64(e.At))
		w.negativeSim += negative(age)
	}
}

// wall returns an instant of the axis on the wall clock, where the source knows
// the offset between the two; else the axis is taken for it, which then no stamp is near.
func (a *Analyzer) wall(at timeline.Instant) timeline.Instant {
	return at + timeline.Instant(a.origin.Base.WallOffset)
}

// drop counts a sample of the writer that someone never got.
func (w *writer) drop(reason timeline.DropReason, own bool) {
	if own {
		w.ownLost.add(reason)
	} else {
		w.lost.add(reason)
	}
}
