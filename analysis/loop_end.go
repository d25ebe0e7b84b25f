package analysis

import (
	"slices"

	"github.com/takt-rt/takt/timeline"
)

// end takes the end of a job. One whose start is not known is passed over.
func (l *loop) end(e *timeline.Event, a *Analyzer) {
	j, ok := l.take(e.Number)
	if !ok {
		return
	}
	if e.At >= j.at {
		a.ended(l, &j, e)
	}
	if !j.counts {
		return
	}
	if e.At < j.at { // the source could not put it in its place
		l.lose(&j)
		return
	}
	j.exec = e.At.Sub(j.at)
	l.exec.Add(seconds(j.exec), int64(j.at))
	if e.Has(timeline.HasROS) && j.hasROS && e.ROS >= j.ros {
		j.execROS, j.hasExecROS = e.ROS.Sub(j.ros), true
		l.execOnROS(&j)
	}
	if j.knowsLateness {
		missed := l.respond(&j)
		l.jobs.end(j.toDraw(missed), j.followed)
	}
	if j.marked {
		l.inject(&j)
	}
	l.ended = j
}

// respond takes the response of a job, and reports whether it missed the deadline.
func (l *loop) respond(j *job) (missed bool) {
	response := j.response()
	l.response.Add(seconds(response), int64(j.at))
	l.plot.responded(j, response)
	missed = l.deadline > 0 && response > l.deadline
	if missed {
		l.missed++
	}
	return missed
}

func (l *loop) execOnROS(j *job) {
	l.execROS.Add(seconds(j.execROS), int64(j.at))
	l.ros.moved(j.execROS)
	if j.execROS == 0 {
		l.still.Add(seconds(j.exec), int64(j.at))
	}
}

// inject takes the execution of a job with a mark.
func (l *loop) inject(j *job) {
	l.injectedExec.Add(seconds(j.exec), int64(j.at))
	if j.hasExecROS {
		l.injectedROS.Add(seconds(j.execROS), int64(j.at))
	}
}

// marked takes a mark, which may come while the job runs, after it, or before.
func (l *loop) marked(number uint64) {
	i := slices.IndexFunc(l.open, func(j job) bool { return j.number == number })
	switch {
	case i >= 0:
		if j := &l.open[i]; j.counts && !j.marked {
			l.injected++
		}
		l.open[i].marked = true
	case l.ended.counts && l.ended.number == number:
		if !l.ended.marked {
			l.injected++
			l.inject(&l.ended)
			l.jobs.mark(number)
		}
		l.ended.marked = true
	default:
		l.mark = pending{number, true}
	}
}

// take takes a job out of the open ones.
func (l *loop) take(number uint64) (j job, ok bool) {
	for i := range l.open {
		if l.open[i].number == number {
			j = l.open[i]
			l.open = slices.Delete(l.open, i, i+1)
			return j, true
		}
	}
	return j, false
}

// lose gives up waiting for the end of a job.
func (l *loop) lose(j *job) {
	if j.counts {
		l.unfinished++
	}
}
