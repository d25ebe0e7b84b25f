package ctf

import (
	"math"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// schedSwitch takes that one thread leaves a CPU and another gets it. Only
// threads that user space has told of are told of.
func (r *run) schedSwitch(e *trace.Event) {
	if t := r.threads[e.Int(0)]; t != nil {
		t.seen, t.off, t.since = true, true, e.At
		r.sendJob(r.sched(e, timeline.SwitchedOut, t))
	}
	if t := r.threads[e.Int(1)]; t != nil {
		if t.off {
			t.off, t.away = false, t.away+e.At-t.since
		}
		t.seen = true
		r.sendJob(r.sched(e, timeline.SwitchedIn, t))
	}
}

func (r *run) schedWaking(e *trace.Event) {
	if t := r.threads[e.Int(0)]; t != nil {
		woken := r.sched(e, timeline.Woken, t)
		woken.CPU, woken.Flags = 0, woken.Flags&^timeline.HasCPU // that of the waker
		r.sendJob(woken)
	}
}

// sched returns an event about a thread, which is not the one that it came from.
func (r *run) sched(e *trace.Event, kind timeline.Kind, t *thread) timeline.Event {
	s := at(e, kind, t.id)
	s.Flags &^= timeline.HasThread
	if t.tid > 0 && t.tid <= math.MaxInt32 {
		s.Thread, s.Flags = int32(t.tid), s.Flags|timeline.HasThread
	}
	return s
}
