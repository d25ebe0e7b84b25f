package analysis

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// A loopTape writes the timeline of one callback. Times are nanoseconds on the
// monotonic clock and on ROS time, both from 0.
type loopTape struct {
	*tape
	number uint64 // of the last job
}

const loopID timeline.EntityID = 7

// newLoopTape describes a timer called "control" of which the source knows no
// more than e does.
func newLoopTape(t *testing.T, opt Options, e timeline.Entity) *loopTape {
	a := New(opt)
	a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.MonoClock}})
	e.ID, e.Kind, e.Name = loopID, timeline.TimerEntity, "control"
	a.Describe(e)
	return &loopTape{tape: &tape{t, a, map[string]timeline.EntityID{}}}
}

// every returns options for a timer of which nothing but the period is known.
func every(period time.Duration) Options { return Options{Loop: LoopOptions{Period: period}} }

func (p *loopTape) event(e timeline.Event) {
	e.Entity = loopID
	p.add(e)
}

// released tells the scheduled instant of the next job.
func (p *loopTape) released(scheduled time.Duration) {
	p.event(timeline.Event{Kind: timeline.JobReleased, Number: p.number + 1, Value: int64(scheduled)})
}

func (p *loopTape) start(at time.Duration) uint64 {
	p.number++
	p.event(timeline.Event{Kind: timeline.JobStarted, At: timeline.Instant(at), Number: p.number})
	return p.number
}

func (p *loopTape) end(number uint64, at time.Duration) {
	p.event(timeline.Event{Kind: timeline.JobEnded, At: timeline.Instant(at), Number: number})
}

// job runs from start on for exec; ROS time is not recorded.
func (p *loopTape) job(start, exec time.Duration) { p.end(p.start(start), start+exec) }

// jobROS runs from start on for exec, ROS time being ros at its start and
// rosEnd at its end.
func (p *loopTape) jobROS(start, exec, ros, rosEnd time.Duration) {
	p.startROS(start, ros)
	p.event(timeline.Event{Kind: timeline.JobEnded, Flags: timeline.HasROS, At: timeline.Instant(start + exec), Number: p.number, ROS: clock.Sim(rosEnd)})
}

func (p *loopTape) startROS(at, ros time.Duration) {
	p.number++
	p.event(timeline.Event{Kind: timeline.JobStarted, Flags: timeline.HasROS, At: timeline.Instant(at), Number: p.number, ROS: clock.Sim(ros)})
}

func (p *loopTape) mark(number uint64) {
	p.event(timeline.Event{Kind: timeline.Mark, Number: number})
}

// figures returns those of the loop, and the IDs of the findings.
func (p *loopTape) figures() (*Loop, []string) {
	p.t.Helper()
	f, found := p.a.Figures()
	if len(f.Loops) != 1 {
		p.t.Fatalf("%d loops, want 1", len(f.Loops))
	}
	var ids []string
	for _, n := range found {
		ids = append(ids, n.ID)
	}
	return f.Loops[0], ids
}

func (p *loopTape) wantCount(what string, got *uint64, want uint64) {
	p.t.Helper()
	switch {
	case got == nil:
		p.t.Errorf("%s is unknown, want %d", what, want)
	case *got != want:
		p.t.Errorf("%s = %d, want %d", what, *got, want)
	}
}
