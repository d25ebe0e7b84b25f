package plan

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// A tally is a sim.Observer that counts what becomes of callbacks, in memory
// that does not grow with the run.
type tally struct {
	threads [][]callbackTally // as in the system
}

// A callbackTally is what became of one callback.
type callbackTally struct {
	arrived, overwritten, taken uint64
	started, finished, missed   uint64
	skipped                     uint64
	running                     []ranJob // by worker
	response, lateness          worst
}

// A worst is the longest of a kind of duration, whose job it was, and the sum.
type worst struct {
	n    uint64
	sum  time.Duration
	most time.Duration
	job  ranJob
}

// A ranJob is one run of a callback.
type ranJob struct {
	number         uint64 // of the callback's runs, from 1
	release, start clock.Mono
	end            clock.Mono
}

func (w *worst) add(d time.Duration, j ranJob) {
	if w.n == 0 || d > w.most {
		w.most, w.job = d, j
	}
	w.n++
	w.sum += d
}

func newTally(s *sim.System) *tally {
	t := &tally{}
	for i := range s.Threads {
		list := make([]callbackTally, len(s.Threads[i].Callbacks))
		for j := range list {
			list[j].running = make([]ranJob, max(s.Threads[i].Workers, 1))
		}
		t.threads = append(t.threads, list)
	}
	return t
}

// Arrived counts a sample.
func (t *tally) Arrived(thread, callback, _ int, _ sched.Sample) {
	t.threads[thread][callback].arrived++
}

// Overwritten counts a loss.
func (t *tally) Overwritten(_ clock.Mono, thread, callback, _ int, _ sched.Sample) {
	t.threads[thread][callback].overwritten++
}

// Started counts a start.
func (t *tally) Started(now clock.Mono, thread int, job *sched.Job) {
	c := &t.threads[thread][job.Callback]
	c.started++
	c.taken += uint64(job.Taken)
	c.skipped += uint64(job.Skipped)
	j := ranJob{number: c.started, release: job.Release, start: now}
	c.running[job.Worker] = j
	c.lateness.add(now.Sub(job.Release), j)
}

// Ended counts an end.
func (t *tally) Ended(now clock.Mono, thread int, job *sched.Job, missed bool) {
	c := &t.threads[thread][job.Callback]
	c.finished++
	if missed {
		c.missed++
	}
	j := c.running[job.Worker]
	j.end = now
	c.response.add(now.Sub(j.release), j)
}
