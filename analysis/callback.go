package analysis

import (
	"time"

	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// A work is what the jobs of one callback come to, of whatever kind it is: all
// of them, the first one too.
type work struct {
	jobs uint64        // started
	busy time.Duration // start to end, of the jobs that ended

	first       stats.Summary // execution of a job that the loop's figures leave out
	cpu         stats.Summary // CPU time of a job, where known
	age, result stats.Summary // from the publication of the job's sample to its start, to its end

	thread   int32 // of the last job, if onThread
	onThread bool
	spread   bool // its jobs ran on several threads
}

func newWork(p *stats.Pool) work {
	return work{first: stats.In(p), cpu: stats.In(p), age: stats.In(p), result: stats.In(p)}
}

// start takes the start of a job.
func (w *work) start(e *timeline.Event) {
	w.jobs++
	if e.Has(timeline.HasSent) {
		w.age.Add(seconds(e.At.Sub(e.Sent)), int64(e.At))
	}
	if e.Has(timeline.HasThread) {
		w.spread = w.spread || w.onThread && w.thread != e.Thread
		w.thread, w.onThread = e.Thread, true
	}
}

// allExec returns the execution times of all jobs.
func (l *loop) allExec() *stats.Summary {
	var all stats.Summary
	all.Merge(&l.work.first)
	all.Merge(&l.exec)
	return &all
}

// end takes the end of a job.
func (w *work) end(j *job, e *timeline.Event) {
	d := e.At.Sub(j.at)
	w.busy += d
	if !j.counts {
		w.first.Add(seconds(d), int64(j.at))
	}
	if e.Has(timeline.HasCPUTime) {
		w.cpu.Add(seconds(time.Duration(e.Value)), int64(j.at))
	}
	if j.hasSent {
		w.result.Add(seconds(e.At.Sub(j.sent)), int64(j.at))
	}
}
