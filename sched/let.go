package sched

import "github.com/takt-rt/takt/clock"

// A sample is what one callback of a level with LET took at the start of a
// cycle, for a job that has not started.
type sample struct {
	held            bool
	job             Job // what it takes
	base, inherited clock.Mono
}

func (s *slot) holdsSample() bool { return s.sample != nil && s.sample.held }

// takeSample takes now what the callback's next job will have. What a gate
// holds back keeps what it has.
func (b *inbox) takeSample(callback int32) {
	s := &b.slots[callback]
	if s.sample == nil || s.sample.held {
		return
	}
	s.sample.base, s.sample.inherited = s.base(), s.inherited()
	b.job = Job{}
	b.takeInputs(s)
	s.sample.job, s.sample.held = b.job, true
}

// useSample gives the job what was taken for it.
func (b *inbox) useSample(s *slot) {
	taken := &s.sample.job
	b.job.Release, b.job.Origin = taken.Release, taken.Origin
	b.job.Number, b.job.Taken = taken.Number, taken.Taken
	s.sample.held = false
}
