package analysis

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// A Job is one run of a periodic callback, as it is drawn. Release lies on the
// timeline's axis; for a timer on another clock it is the start less the lateness.
type Job struct {
	Number              uint64
	Release, Start, End timeline.Instant
	Lateness, Response  time.Duration
	Missed, Marked      bool
	Skipped             int64 // releases after this one that were skipped
}

// LoopPlots are of one periodic callback; what it does not have is nil.
type LoopPlots struct {
	IntervalS     *Track // each at its start
	LatenessS     *Track
	ResponseS     *Track
	IntervalsHist *Histogram // seconds
	ResponsesHist *Histogram // seconds
	ExecHist      *Histogram // seconds
	// Worst are the jobs around the one with the longest response, in the order of their ends.
	Worst []DrawnJob
}

// A DrawnJob is a Job with its instants in seconds after the start of the timeline.
type DrawnJob struct {
	Number                   uint64
	ReleaseAtS, AtS, EndAtS  float64
	LatenessS, ResponseS     float64
	Missed, Marked, TheWorst bool
	Skipped                  int64 // releases after this one that were skipped
}

// around is how many jobs before the worst one are kept, and how many after it.
const around = 12

// A jobPlot is what is kept of a loop to be plotted. A nil one keeps nothing
// of the series.
type jobPlot struct {
	interval, lateness, response stats.Track

	recent []Job // the last ones, at most around
	kept   []Job // those around the worst
	worst  int   // index into kept
	after  int   // how many more to keep
}

// passed takes the interval that starts at an instant.
func (p *jobPlot) passed(interval time.Duration, at timeline.Instant) {
	if p != nil {
		p.interval.Add(seconds(interval), int64(at))
	}
}

// late takes the lateness of a start.
func (p *jobPlot) late(j *job) {
	if p != nil {
		p.lateness.Add(seconds(j.lateness), int64(j.at))
	}
}

// responded takes the response of a job.
func (p *jobPlot) responded(j *job, response time.Duration) {
	if p != nil {
		p.response.Add(seconds(response), int64(j.at))
	}
}

// add takes a job that has ended, to be drawn if it is near the worst.
func (p *jobPlot) add(j Job) {
	switch {
	case len(p.kept) == 0 || j.Response > p.kept[p.worst].Response:
		p.kept = append(slices.Clone(p.recent), j)
		p.worst, p.after = len(p.recent), around
	case p.after > 0:
		p.kept = append(p.kept, j)
		p.after--
	}
	if len(p.recent) == around {
		p.recent = slices.Delete(p.recent, 0, 1)
	}
	p.recent = append(p.recent, j)
}

// with returns the jobs to draw as if j had been added.
func (p *jobPlot) with(j Job) (kept []Job, worst int) {
	ahead := jobPlot{recent: slices.Clone(p.recent), kept: slices.Clone(p.kept), worst: p.worst, after: p.after}
	ahead.add(j)
	return ahead.kept, ahead.worst
}

func (a *Analyzer) loopPlots(l *loop) *LoopPlots {
	p := &LoopPlots{
		IntervalS: a.track(&l.plot.interval), LatenessS: a.track(&l.plot.lateness), ResponseS: a.track(&l.plot.response),
		IntervalsHist: histogram(&l.interval), ResponsesHist: histogram(&l.response), ExecHist: histogram(&l.exec),
	}
	kept, worst := l.plot.kept, l.plot.worst
	if l.jobs.holding { // what was skipped after it is not known yet
		kept, worst = l.plot.with(l.jobs.held)
	}
	for i, j := range kept {
		p.Worst = append(p.Worst, DrawnJob{
			Number: j.Number, ReleaseAtS: a.at(int64(j.Release)), AtS: a.at(int64(j.Start)), EndAtS: a.at(int64(j.End)),
			LatenessS: seconds(j.Lateness), ResponseS: seconds(j.Response),
			Missed: j.Missed, Marked: j.Marked, TheWorst: i == worst, Skipped: j.Skipped,
		})
	}
	return p
}
