package plan

import (
	"context"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// A cycle is one run of the callback.
type cycle struct {
	number     uint64 // from 1
	release    clock.Sim
	start, end instant
	exec       time.Duration
	injected   bool
	slept      bool  // before it
	skipped    int64 // releases after it
	logged     int64 // as missed cycles by ros2_control_node, after it
}

// run sends the timeline of the run to a sink. It returns what it saw on the way.
func (s *LoopSetup) run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, *loopSeen) {
	seen := &loopSeen{setup: s, clock: newLoopClock(s.RTF)}
	out := newLoopSender(s, sink)
	complete := s.cycles(ctx, func(c *cycle) {
		out.send(c)
		seen.see(c)
	})
	out.flush()
	return timeline.Outcome{Partial: !complete}, seen
}

// cycles turns the machines of sched in virtual time and visits every cycle,
// which is valid during the visit only. It reports whether it came to the end
// before ctx was done.
func (s *LoopSetup) cycles(ctx context.Context, visit func(*cycle)) (complete bool) {
	clk := newLoopClock(s.RTF)
	pacer, w := s.pacer()
	var at instant
	var c cycle // one for all, so that none is allocated
	for n := uint64(1); ; n++ {
		if w.At > clk.onLoop(at) { // it waited; else it starts where the one before ended
			at = instant{base: w.At}
		}
		if w.At > clock.Sim(s.Length) {
			return true
		}
		if n%65536 == 0 && ctx.Err() != nil {
			return false
		}
		c = cycle{number: n, release: w.Release, start: at, slept: w.Slept}
		c.exec, c.injected = s.Exec.of(n)
		at.rest += c.exec
		c.end = at
		w = pacer.next(clk.onLoop(at))
		c.skipped = w.Skipped
		if s.Pace == ByROS2Control {
			c.logged = w.LoggedMissed()
		}
		visit(&c)
	}
}

// loopSender sends cycles as events.
type loopSender struct {
	clock loopClock
	onROS bool
	free  timeline.Instant // when the last callback ended
	sink  timeline.Sink
	batch []timeline.Event
}

// loopBatch is how many events the sink is handed at once, at most.
const loopBatch = 512

// loopID is the one entity of the timeline.
const loopID timeline.EntityID = 1

func newLoopSender(s *LoopSetup, sink timeline.Sink) *loopSender {
	e := timeline.Entity{ID: loopID, Kind: timeline.TimerEntity, Name: s.Name, Period: s.Held.Period, TimerClock: timeline.MonoClock}
	if s.RTF != nil {
		e.TimerClock = timeline.SimClock
	}
	sink.Start(loopOrigin)
	sink.Describe(e)
	return &loopSender{clock: newLoopClock(s.RTF), onROS: s.RTF != nil, sink: sink, batch: make([]timeline.Event, 0, loopBatch)}
}

// send sends the events of a cycle. Its release is known when the machine was
// asked: at the end of the callback before, for the first at the start of the
// run. What the node reads of ROS time at the end of a callback is left unknown:
// it stands still while one thread takes /clock and runs the callback, as in
// rclpy, and goes on where another takes it, as in rclcpp.
func (o *loopSender) send(c *cycle) {
	o.event(timeline.Event{Kind: timeline.JobReleased, At: o.free, Number: c.number, Value: int64(c.release)})
	start := timeline.Event{Kind: timeline.JobStarted, At: o.clock.onAxis(c.start), Number: c.number}
	if o.onROS {
		start.ROS, start.Flags = o.clock.onLoop(c.start), timeline.HasROS
	}
	o.event(start)
	if c.injected {
		o.event(timeline.Event{Kind: timeline.Mark, At: start.At, Number: c.number, Value: 1})
	}
	o.free = o.clock.onAxis(c.end)
	o.event(timeline.Event{Kind: timeline.JobEnded, At: o.free, Number: c.number})
}

func (o *loopSender) event(e timeline.Event) {
	if len(o.batch) == loopBatch {
		o.flush()
	}
	e.Entity = loopID
	o.batch = append(o.batch, e)
}

func (o *loopSender) flush() {
	o.sink.Events(o.batch)
	o.batch = o.batch[:0]
}
