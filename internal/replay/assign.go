package replay

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// replay runs the stream through machines, one cycle after the other.
func (s *stream) replay(r *Recorder, x *Executor, rule Rule, slack time.Duration) error {
	s.prepare()
	x.Left += len(s.left)
	for i := 0; i < len(s.jobs); {
		t, err := s.assign(rule, i, slack)
		if err != nil {
			return err
		}
		x.Choices += min(t.n, s.choices(t.at))
		s.keep(t, x)
		for range t.n {
			s.serve(r, x, i, t, slack)
			i++
		}
		if !t.whole {
			x.disagree(s.disagreement(r, i, t))
			s.took(r, s.member(s.jobs[i]))
			s.resume()
			i++
		}
	}
	return nil
}

// choices is how many of the jobs of a snapshot run while others are ready.
func (s *stream) choices(at clock.Mono) int {
	n := 0
	for _, m := range s.members {
		if ready, known := m.ready(); known && ready <= at && m.coming() != nil {
			n++
		}
	}
	return max(n-1, 0)
}

// keep keeps what a turn assumed of samples that it did not serve.
func (s *stream) keep(t *turn, x *Executor) {
	for i, at := range t.late {
		m := s.members[i]
		m.late = at
		if sent, known := m.ready(); known {
			x.LatestArrivalNS = max(x.LatestArrivalNS, int64(at.Sub(sent)))
		}
	}
}

// assign returns the turn of the machine that agrees with what ran from job i on,
// or of those that do not the one that agrees longest.
func (s *stream) assign(rule Rule, i int, slack time.Duration) (best *turn, err error) {
	for _, at := range s.snapshots(i, s.gap(i, rule.Each)) {
		t, err := s.deferring(rule, i, at, slack)
		if err != nil {
			return nil, err
		}
		if t.whole {
			return t, nil
		}
		if best == nil || t.n > best.n {
			best = t
		}
	}
	return best, nil
}

// deferring tries one snapshot: samples by which the machine would run something
// else arrive only after it, if the slack allows that.
func (s *stream) deferring(rule Rule, i int, at clock.Mono, slack time.Duration) (*turn, error) {
	late := map[int]clock.Mono{}
	for {
		t, err := s.newTurn(rule, i, at, late)
		if err != nil {
			return nil, err
		}
		t.run()
		x := t.instead
		if t.whole || x == nothing || s.members[x].kind == sched.TimerKind {
			return t, nil
		}
		after, ok := s.after(x, t, slack)
		if !ok {
			return t, nil
		}
		late[x] = after
	}
}

// after returns when the sample arrives by which the machine would have run a
// member: after that of the job that ran, and if that was tried or will not do,
// after the snapshot. It reports whether the slack allows it.
func (s *stream) after(x int, t *turn, slack time.Duration) (at clock.Mono, ok bool) {
	m := s.members[x]
	sent, known := m.ready()
	ran := s.member(s.jobs[t.first+t.n])
	base, ranKnown := ran.ready()
	if before, tried := t.late[x]; !tried && ranKnown && ran.kind != sched.TimerKind && base >= sent && base < t.at {
		at = base + 1
	} else if tried && before > t.at {
		return 0, false
	} else {
		at = t.at + 1
	}
	return at, !known || at.Sub(sent) <= slack
}

// serve takes a job as run in its place, and looks whether it came in time.
func (s *stream) serve(r *Recorder, x *Executor, i int, t *turn, slack time.Duration) {
	j := s.jobs[i]
	m := s.member(j)
	ready, known := m.ready()
	known = known && s.before[i] != begin // when the executor began to spin is not shown
	delay := clock.Mono(j.start).Sub(max(ready, m.late, clock.Mono(s.before[i])))
	m.next = t.next[j.callback.place]
	s.took(r, m)
	switch {
	case known && delay > slack:
		x.disagree(s.lateness(r, i, delay))
		s.resume()
		return
	case known:
		x.LatestStartNS = max(x.LatestStartNS, int64(delay))
	}
	x.Equal++
}

// took counts a job as served. If the source had to lay the grid of its timer
// anew, or events were lost meanwhile, the next release is the source's.
func (s *stream) took(r *Recorder, m *member) {
	j := m.coming()
	m.served++
	m.late = -sched.Never
	next := m.coming()
	if next == nil || m.kind != sched.TimerKind || m.period <= 0 {
		return
	}
	if next.release.Sub(j.release)%m.period != 0 || r.lost(j.start, next.start) {
		m.next = m.laid(next)
	}
}

// resume goes on from what ran where the machine would have run something else:
// the releases of timers are the source's again.
func (s *stream) resume() {
	for _, m := range s.members {
		if j := m.coming(); j != nil && m.kind == sched.TimerKind {
			m.next = m.laid(j)
		}
	}
}
