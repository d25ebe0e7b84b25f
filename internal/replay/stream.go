package replay

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// A stream is jobs of which one ran after the other: what a thread ran, or a
// mutually exclusive callback group.
type stream struct {
	members []*member          // by registration
	jobs    []*job             // by start; those that are replayed
	before  []timeline.Instant // of each job, the end of all that ran before it
	left    []*job             // not replayed
}

// A member is a callback of a stream.
type member struct {
	*callback
	name   string
	kind   sched.Kind
	period time.Duration
	served int           // jobs replayed so far
	next   clock.Mono    // of a timer, the next release by the machine
	shift  time.Duration // of a timer, how much earlier its grid is than the source has it
	late   clock.Mono    // its next sample arrived no sooner
}

// newStream makes the stream of callbacks.
func (r *Recorder) newStream(callbacks []*callback) *stream {
	s := &stream{}
	for _, c := range callbacks {
		s.jobs = append(s.jobs, c.jobs...)
		s.members = append(s.members, r.newMember(c))
	}
	slices.SortStableFunc(s.jobs, func(a, b *job) int { return cmp.Compare(a.start, b.start) })
	slices.SortStableFunc(s.members, func(a, b *member) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(r.registered(a), r.registered(b)))
	})
	for i, m := range s.members {
		m.place = i
	}
	return s
}

func (r *Recorder) newMember(c *callback) *member {
	e := r.entities[c.entity]
	m := &member{callback: c, name: e.Name, kind: sched.Service, period: e.Period, late: -sched.Never}
	switch {
	case e.Kind == timeline.TimerEntity:
		m.kind = sched.TimerKind
	case c.reader != 0:
		m.kind = sched.Subscription
	}
	return m
}

// registered is where a callback comes among those of its kind: timers by their
// creation, one period before the first release; subscriptions as their readers
// were made known; the others as they first ran.
func (r *Recorder) registered(m *member) int64 {
	switch {
	case m.kind == sched.TimerKind && len(m.jobs) > 0 && m.jobs[0].hasGrid:
		return int64(m.jobs[0].release.Sub(timeline.Instant(m.period)))
	case m.kind == sched.Subscription:
		return int64(m.reader)
	}
	return int64(m.entity)
}

// begin is before every job: nothing of the stream has run.
const begin = timeline.Instant(-sched.Never)

// prepare takes out what cannot be replayed, and notes for each job until when
// the stream ran something else.
func (s *stream) prepare() {
	kept, busy := s.jobs[:0:0], begin
	for _, j := range s.jobs {
		if j.nested || s.member(j).kind == sched.TimerKind && !j.hasGrid {
			s.left = append(s.left, j)
		} else {
			kept = append(kept, j)
			s.before = append(s.before, busy)
		}
		busy = max(busy, j.end)
	}
	s.jobs = kept
	for _, m := range s.members {
		m.jobs = slices.DeleteFunc(slices.Clone(m.jobs), func(j *job) bool { return j.nested || m.kind == sched.TimerKind && !j.hasGrid })
		m.lay()
	}
}

func (s *stream) member(j *job) *member { return s.members[j.callback.place] }

// lay puts the grid of a timer where the trace has it: a source derives it from
// an event that comes a little after rcl has read its clock, so that a job may
// start before its release; the grid is then that much earlier.
func (m *member) lay() {
	if m.kind != sched.TimerKind || len(m.jobs) == 0 {
		return
	}
	for _, j := range m.jobs {
		m.shift = max(m.shift, j.release.Sub(j.known()))
	}
	m.next = m.laid(m.jobs[0])
}

// known is the latest instant at which the executor can have found a job.
func (j *job) known() timeline.Instant {
	if at, ok := last(j.thread.chooses, j.start); ok {
		return at
	}
	return j.start
}

// laid is the release of a timer's job as the source has it, moved.
func (m *member) laid(j *job) clock.Mono { return clock.Mono(j.release).Add(-m.shift) }

// last returns the last of sorted instants not after at.
func last(sorted []timeline.Instant, at timeline.Instant) (timeline.Instant, bool) {
	i, found := slices.BinarySearch(sorted, at)
	if found {
		i++
	}
	if i == 0 {
		return 0, false
	}
	return sorted[i-1], true
}

// coming returns the job of a member that is to be replayed next, nil if none is.
func (m *member) coming() *job {
	if m.served == len(m.jobs) {
		return nil
	}
	return m.jobs[m.served]
}

// ready is when the coming job of a member could first run, and whether that is
// known: the publication of its sample, the next release of its timer.
func (m *member) ready() (at clock.Mono, known bool) {
	if m.kind == sched.TimerKind {
		return m.next, true
	}
	j := m.coming()
	if j == nil || !j.hasSent {
		return -sched.Never, false
	}
	return clock.Mono(j.sent), true
}
