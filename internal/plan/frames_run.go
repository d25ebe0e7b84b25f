package plan

import (
	"context"

	"github.com/takt-rt/takt/sched"
)

// MaxIDs is how many frame numbers each list of a run names; the counts are of all.
const MaxIDs = 10_000

// A frameMachine is one callback thread on a sensor's frames in virtual time,
// which is in ticks of wall time since frame 0.
type frameMachine struct {
	frameTicks
	frames     int64
	byCallback bool
	queue      *sched.History[int64]
	next       int64 // the frame that is published next
	tally      frameTally
	drawn      drawnWindow
}

func newFrameMachine(s *FramesSetup, t frameTicks, behind bool) *frameMachine {
	depth := s.Depth
	if s.AtOnce {
		depth = 0
	}
	m := &frameMachine{frameTicks: t, frames: int64(s.Frames), byCallback: s.ByCallback, queue: sched.NewHistory[int64](depth)}
	m.tally = newFrameTally(m.arrival(m.frames-1), behind)
	m.drawn = newDrawnWindow(0, m.frames)
	return m
}

// run turns the machine until every frame is processed or lost, or until all
// that is to be drawn is, if nothing else is wanted. Where the context ends
// before, so does the run.
func (m *frameMachine) run(ctx context.Context, onlyDrawn bool) error {
	for now, callbacks := int64(0), int64(0); ; {
		m.publish(now)
		id, ok := m.queue.Take()
		switch {
		case !ok && m.next == m.frames, onlyDrawn && m.drawn.complete():
			return nil
		case !ok:
			now = m.arrival(m.next)
			continue
		}
		index := id
		if m.byCallback {
			index = callbacks
		}
		end := now + m.times[index%int64(len(m.times))]
		m.processed(id, now, end)
		now = end + m.overhead
		if callbacks++; callbacks%65536 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// publish puts all frames in the queue that have come by now, one that comes at
// this very instant included.
func (m *frameMachine) publish(now int64) {
	for m.next < m.frames {
		at := m.arrival(m.next)
		if at > now {
			return
		}
		if lost, overwritten := m.queue.Arrive(m.next); overwritten {
			m.tally.lost(lost)
			if m.drawn.wants(lost) {
				m.drawn.add(Frame{ID: lost, ArrivedS: m.seconds(m.arrival(lost)), DroppedAtS: m.seconds(at), Dropped: true})
			}
		}
		m.next++
	}
}

func (m *frameMachine) processed(id, start, end int64) {
	arrived := m.arrival(id)
	m.tally.processed(id, arrived, start, end)
	if m.drawn.wants(id) {
		m.drawn.add(Frame{ID: id, ArrivedS: m.seconds(arrived), TakenS: m.seconds(start), EndedS: m.seconds(end)})
	}
}
