package gantt

import (
	"fmt"

	"github.com/takt-rt/takt/timeline"
)

// maxFlows is how many publications are remembered; a job that starts after so
// many others were published gets no arrow.
const maxFlows = 1 << 16

// flows remembers the last publications, and where each is drawn.
type flows struct {
	from  map[timeline.Cause]publication
	ring  []timeline.Cause
	next  int
	count int // of arrows
}

type publication struct {
	track track
	at    timeline.Instant
}

func newFlows() flows { return flows{from: map[timeline.Cause]publication{}} }

func (f *flows) remember(c timeline.Cause, p publication) {
	if _, again := f.from[c]; again {
		return
	}
	if len(f.ring) < maxFlows {
		f.ring = append(f.ring, c)
	} else {
		delete(f.from, f.ring[f.next])
		f.ring[f.next] = c
		f.next = (f.next + 1) % maxFlows
	}
	f.from[c] = p
}

// published takes a publication from a job. The arrow hangs on the slice around
// it, so that one at the very end of a job is drawn a nanosecond before.
func (p *Perfetto) published(e *timeline.Event) {
	s := p.tracker.top(Lane{Thread: e.Thread})
	if !e.Has(timeline.HasThread) || s == nil {
		return
	}
	p.flows.remember(timeline.Cause{Entity: e.Entity, Number: e.Number}, publication{p.track(s.Lane, s.Callback), max(e.At-1, s.From)})
}

// caused draws an arrow from the publication of the sample that a job starts
// with. It ends at the next slice of the thread, which is that job.
func (p *Perfetto) caused(e *timeline.Event) {
	from, known := p.flows.from[e.Cause]
	if !known || e.Cause.Entity == 0 {
		return
	}
	p.flows.count++
	id := fmt.Sprintf(`,"cat":"sample","id":%d`, p.flows.count)
	p.event("s", "sample", from.track, from.at, id)
	p.event("f", "sample", p.track(lane(e), e.Entity), e.At, id)
}
