package analysis

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// A thread is the state of one thread that callbacks run on.
type thread struct {
	entity timeline.EntityID // 0 until an event ties the thread to one

	jobs    uint64        // that ended
	busy    time.Duration // in callbacks; what runs within another counts once
	cpu     time.Duration // in callbacks, of those with CPU time
	cpuJobs uint64        // that have CPU time

	open   []openJob // under way, the outermost first
	nested []nested  // that ended within the outermost one under way

	stretch, longest stretch
}

// An openJob is a job under way on a thread, and the sources that what it has
// read goes back to.
type openJob struct {
	of      *loop
	number  uint64
	origins origins
}

// A nested is a job that is counted already, if the one around it ends.
type nested struct {
	at        timeline.Instant // its start
	busy, cpu time.Duration
}

// A stretch is callbacks back to back.
type stretch struct{ from, to timeline.Instant }

func (s stretch) length() time.Duration { return s.to.Sub(s.from) }

// backToBack is the longest pause between two callbacks of one busy stretch: an
// executor that finds work at once takes less to choose it.
const backToBack = 100 * time.Microsecond

// maxNested bounds the callbacks within one another on a thread: the ends of
// more were lost.
const maxNested = 64

// thread returns the thread that an event happened on, nil if that is not known.
func (a *Analyzer) thread(e *timeline.Event) *thread {
	if !e.Has(timeline.HasThread) {
		return nil
	}
	if a.lastOn != nil && a.lastID == e.Thread {
		return a.lastOn
	}
	t := a.threads[e.Thread]
	if t == nil {
		t = &thread{}
		a.threads[e.Thread] = t
	}
	a.lastOn, a.lastID = t, e.Thread
	return t
}

// start takes the start of a job.
func (t *thread) start(l *loop, number uint64) *openJob {
	if len(t.open) == maxNested {
		t.open = slices.Delete(t.open, 0, 1)
	}
	t.open = append(t.open, openJob{of: l, number: number})
	return &t.open[len(t.open)-1]
}

// running returns the innermost job under way, nil if there is none.
func (t *thread) running() *openJob {
	if t == nil || len(t.open) == 0 {
		return nil
	}
	return &t.open[len(t.open)-1]
}

// end takes the job that ends off the thread, with those started after it,
// whose ends are lost.
func (t *thread) end(l *loop, number uint64) (j openJob, ok bool) {
	for i := len(t.open) - 1; i >= 0; i-- {
		if t.open[i].of == l && t.open[i].number == number {
			j = t.open[i]
			t.open = t.open[:i]
			return j, true
		}
	}
	return j, false
}

// ran counts a job from its start to its end.
func (t *thread) ran(from timeline.Instant, e *timeline.Event) {
	n := nested{at: from, busy: e.At.Sub(from)}
	if e.Has(timeline.HasCPUTime) {
		n.cpu = time.Duration(e.Value)
		t.cpuJobs++
	}
	t.jobs++
	t.busy += n.busy
	t.cpu += n.cpu
	for k := len(t.nested); k > 0 && t.nested[k-1].at >= from; k-- {
		t.busy -= t.nested[k-1].busy
		t.cpu -= t.nested[k-1].cpu
		t.nested = t.nested[:k-1]
	}
	if len(t.open) == 0 {
		t.nested = t.nested[:0]
	} else {
		if len(t.nested) == maxNested {
			t.nested = slices.Delete(t.nested, 0, 1)
		}
		t.nested = append(t.nested, n)
	}
	t.stretched(from, e.At)
}

func (t *thread) stretched(from, to timeline.Instant) {
	if t.jobs == 1 || from.Sub(t.stretch.to) > backToBack {
		t.stretch = stretch{from, to}
	}
	t.stretch.from, t.stretch.to = min(t.stretch.from, from), max(t.stretch.to, to)
	if t.stretch.length() > t.longest.length() {
		t.longest = t.stretch
	}
}

// ended takes the end of a job into what the callback, its thread and the
// chains through it come to.
func (a *Analyzer) ended(l *loop, j *job, e *timeline.Event) {
	l.work.end(j, e)
	t := a.thread(e)
	if t == nil {
		return
	}
	if o, ok := t.end(l, j.number); ok {
		a.chains.end(&o, e.At)
		t.ran(j.at, e)
	}
}

// threadMark learns from an executor's mark which entity its thread is.
func (a *Analyzer) threadMark(e *timeline.Event) {
	if t := a.thread(e); t != nil && t.entity != e.Entity && a.entities[e.Entity].Kind == timeline.ThreadEntity {
		t.entity = e.Entity
	}
}
