package analysis

import (
	"time"

	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// A reader is the state of one reader of a topic.
type reader struct {
	entity timeline.Entity

	heard              bool // whether anything was said of what it received
	received, repaired uint64
	late               stats.Summary
	lost               Losses
	from               map[timeline.EntityID]*numbers
	watched            bool // whether deadline events were seen
	deadlines          uint64
}

// readerWriters bounds the writers whose numbers are followed at one reader.
const readerWriters = 1024

func newReader(id timeline.EntityID, p *stats.Pool) *reader {
	return &reader{entity: timeline.Entity{ID: id}, late: stats.In(p), from: map[timeline.EntityID]*numbers{}}
}

// arrive takes a sample that the reader received.
func (r *reader) arrive(e *timeline.Event) {
	r.heard = true
	r.received++
	if repaired(e) {
		r.repaired++
	}
	if by, late := r.take(e); late {
		r.late.Add(seconds(by), int64(e.At))
	}
}

func (r *reader) take(e *timeline.Event) (by time.Duration, late bool) {
	n := r.from[e.Cause.Entity]
	if n == nil {
		if e.Cause.Entity == 0 || len(r.from) == readerWriters {
			return 0, false
		}
		n = &numbers{}
		r.from[e.Cause.Entity] = n
	}
	return n.take(numberOf(e), e.At)
}
