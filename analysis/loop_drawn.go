package analysis

import "github.com/takt-rt/takt/timeline"

// A drawn hands the jobs of a loop whose release is known on to be drawn. One
// is held until the next has started: only then is it known which releases
// between were skipped.
type drawn struct {
	to      *jobPlot // nil: nothing is drawn
	held    Job
	holding bool
}

// end takes a job that has ended; followed says that the next one has started.
func (d *drawn) end(j Job, followed bool) {
	if d.to == nil {
		return
	}
	if followed { // it overlaps with the next one, which may be held already
		d.to.add(j)
		return
	}
	d.flush()
	d.held, d.holding = j, true
}

// follow says that the next job starts, with n releases skipped before.
func (d *drawn) follow(n int64) {
	d.held.Skipped = n
	d.flush()
}

// mark puts a mark that came late on the job that is held.
func (d *drawn) mark(number uint64) {
	if d.held.Number == number {
		d.held.Marked = true
	}
}

// flush hands on the job that is held, if one is.
func (d *drawn) flush() {
	if d.holding {
		d.to.add(d.held)
		d.holding = false
	}
}

// toDraw is a job as it is drawn.
func (j *job) toDraw(missed bool) Job {
	return Job{
		Number: j.number, Release: j.at - timeline.Instant(j.lateness), Start: j.at, End: j.at + timeline.Instant(j.exec),
		Lateness: j.lateness, Response: j.response(),
		Missed: missed, Marked: j.marked, Skipped: j.skipped,
	}
}
