package ctf

import (
	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// An openJob is a callback under way on a thread.
type openJob struct {
	callback *callback
	number   uint64
	at       int64 // its start
	away     int64 // of the thread, then
	gaps     int   // of the trace, until then
}

// maxNested bounds the callbacks under way on one thread: those that spin
// within a callback nest, and ends may be lost.
const maxNested = 64

func (r *run) callbackStart(e *trace.Event) {
	p, t := r.thread(e)
	c := p.callback(e.Uint(0))
	if !c.described {
		r.describe(c)
	}
	c.jobs++
	if c.timer != nil && c.timer.derives() {
		r.release(e, c)
	}
	started := at(e, timeline.JobStarted, c.id)
	started.Number = c.jobs
	t.taken.cause(c, &started)
	t.taken = take{}
	r.sendJob(started)
	if len(t.open) == maxNested {
		t.open = append(t.open[:0], t.open[1:]...)
	}
	t.open = append(t.open, openJob{c, c.jobs, e.At, t.away, r.gaps})
}

// release tells of the release that the job of a timer serves.
func (r *run) release(e *trace.Event, c *callback) {
	t, now := c.timer, timeline.Instant(e.At)
	if r.gapEnd > int64(t.called) {
		t.grid.Resume(now) // it may have been called in the gap
	}
	release, moved := t.release(now)
	if moved {
		r.found.shifted++
	}
	released := at(e, timeline.JobReleased, c.id)
	released.Number, released.Value = c.jobs, int64(release)
	r.sendJob(released)
}

// callbackEnd ends the job of that callback that was started last on the thread.
func (r *run) callbackEnd(e *trace.Event) {
	p, t := r.thread(e)
	c := p.callbacks[e.Uint(0)]
	i := len(t.open) - 1
	for i >= 0 && t.open[i].callback != c {
		i--
	}
	if i < 0 {
		r.found.strayEnds++
		return
	}
	j := t.open[i]
	t.open = t.open[:i] // the ends of those above are lost
	ended := at(e, timeline.JobEnded, c.id)
	ended.Number = j.number
	if t.seen && j.gaps == r.gaps {
		ended.Value, ended.Flags = e.At-j.at-(t.away-j.away), ended.Flags|timeline.HasCPUTime
	}
	r.sendJob(ended)
}

func (r *run) sendJob(e timeline.Event) {
	if e.Entity != 0 {
		r.out.send(e)
	}
}

func (r *run) executorWaits(e *trace.Event)   { r.mark(e, timeline.ExecutorWaits) }
func (r *run) executorChooses(e *trace.Event) { r.mark(e, timeline.ExecutorChooses) }

func (r *run) mark(e *trace.Event, does timeline.ExecutorMark) {
	_, t := r.thread(e)
	m := at(e, timeline.Mark, t.id)
	m.Value = int64(does)
	r.sendJob(m)
}
