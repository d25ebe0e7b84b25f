// Package ctf reads traces of ros2_tracing into timelines: directories in the
// Common Trace Format 1.8, as LTTng writes them, with the events of tracetools
// 2.3 to 8, those that CARET adds, and the kernel's scheduling events where
// they were traced beside.
//
// The axis is CLOCK_MONOTONIC of the traced host, with the offset to the wall
// clock that the tracer measured; a trace of another clock is on the wall clock.
//
// What a trace tells, and what is made of it:
//
//   - callback_start and callback_end: JobStarted and JobEnded, with thread and
//     CPU, and with CPU time if the kernel's sched_switch was traced.
//   - rcl_timer_init: the grid of a timer's releases, see sched.Timer. It is
//     derived, since rcl traces no release: JobReleased comes with the start.
//   - rclcpp_publish, rclcpp_intra_publish and rcl_publish: SampleSent of the
//     writer, numbered by takt since the trace has no sequence numbers. Sent is
//     the instant of the call.
//   - rmw_take, the buffers of intra-process communication, and CARET's
//     dispatch events: SampleTaken and SampleArrived of the reader, and the
//     Cause of the job that follows. The publication is found by its source
//     timestamp, or its place in the buffer, or its address.
//   - SampleArrived of a topic: the first time that a sample is taken, with the
//     source timestamp as Sent. Of a topic that nothing in the trace reads it is
//     the publication.
//   - rclcpp_executor_wait_for_work and _get_next_ready: a Mark on the thread,
//     with an ExecutorMark.
//   - events that were lost: a Hole and a finding.
//
// A trace is read once, from front to end, in bounded memory: what happened
// before the tracer came is not known, and callbacks created then have an
// address in place of a name.
//
// Not read are the calls of services and actions, and lifecycle transitions.
package ctf

import (
	"context"
	"errors"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// Options say what to read of a trace.
type Options struct {
	Topics   func(name string) bool // which topics to tell of; nil: all. Callbacks are all told of
	Progress func(done, total int64)
}

// A Source is a trace as a timeline.
type Source struct {
	trace *trace.Trace
	run   *run
}

// Is reports whether path is a directory with a trace in it, or the metadata of one.
func Is(path string) bool { return trace.Is(path) }

// ErrNotTrace is why a directory is refused.
var ErrNotTrace = trace.ErrNotTrace

// Open opens the traces at and below a directory. Close the source after use.
func Open(path string, opt Options) (*Source, error) {
	s := &Source{}
	r := newRun(opt)
	t, err := trace.Open(path, trace.Options{Wants: r.wants, Progress: opt.Progress})
	if err != nil {
		return nil, err
	}
	s.trace, s.run = t, r
	return s, nil
}

// Run sends the trace to sink. When ctx is done it ends early, with a partial
// outcome and no error. It may be called once.
func (s *Source) Run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, error) {
	if s.run.out.sink != nil {
		return timeline.Outcome{}, errors.New("a trace is read once; open it again")
	}
	s.run.begin(s.trace, sink)
	s.trace.Each(ctx, s.run.event)
	s.run.finish()
	return s.run.outcome(ctx.Err() != nil), nil
}

// Close closes the files.
func (s *Source) Close() error { return s.trace.Close() }

// Callbacks returns what the trace tells of each callback, once it has run.
func (s *Source) Callbacks() []Callback { return s.run.describeCallbacks() }
