package replay

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A turn is one cycle of the machine under one assignment of what the trace does
// not show, laid beside what ran.
type turn struct {
	s     *stream
	rule  Rule
	first int        // of the stream's jobs
	at    clock.Mono // of the snapshot
	late  map[int]clock.Mono

	callbacks []sched.Callback
	machine   sched.Machine
	fed       []int // samples given to the machine so far, of each member

	n       int // jobs that came as they ran
	whole   bool
	instead int // which member the machine ran in place of job first+n; nothing: -1
	next    []clock.Mono
}

const nothing = -1

// ahead is how many waiting samples of a callback the machine is given at most:
// a cycle takes one, and the order of a queue shows in a few.
const ahead = 4

// newTurn returns a turn from the stream's state.
func (s *stream) newTurn(rule Rule, first int, at clock.Mono, late map[int]clock.Mono) (*turn, error) {
	t := &turn{s: s, rule: rule, first: first, at: at, late: late, instead: nothing, fed: make([]int, len(s.members))}
	t.callbacks = make([]sched.Callback, len(s.members))
	for i, m := range s.members {
		c := sched.Callback{Kind: m.kind, Inputs: []sched.Input{{}}}
		if m.kind == sched.TimerKind {
			c = sched.Callback{Kind: m.kind, First: m.next, Period: m.period, Skip: sched.SkipNow}
			if rule.NoSkip {
				c.Skip = sched.SkipNone
			}
			if m.coming() == nil {
				c.First = sched.Never // nothing more of it is in the trace
			}
		}
		t.callbacks[i] = c
		t.next = append(t.next, m.next)
	}
	var err error
	t.machine, err = rule.New(t.callbacks)
	return t, err
}

// run turns the machine until its cycle is over or differs from what ran.
func (t *turn) run() {
	now, cycle := t.at, int64(0)
	for {
		t.feed(now)
		job, _ := t.machine.Step(now)
		i := t.first + t.n
		over := job == nil || t.n > 0 && (t.rule.Each || job.Cycle != cycle)
		switch {
		case i == len(t.s.jobs):
			t.whole = true
			return
		case over && t.n == 0:
			return
		case over:
			t.whole = t.s.gap(i, t.rule.Each).waited != didNotWait
			return
		}
		ran := t.s.jobs[i]
		if job.Callback != ran.callback.place || t.n > 0 && t.s.gap(i, t.rule.Each).waited == didWait {
			t.instead = job.Callback
			return
		}
		cycle = job.Cycle
		if m := t.s.members[job.Callback]; m.kind == sched.TimerKind {
			t.next[job.Callback] = job.Release.Add(time.Duration(1+job.Skipped) * m.period)
		}
		t.n++
		end := clock.Mono(ran.end)
		t.machine.Done(end, ran.end.Sub(ran.start))
		if i+1 < len(t.s.jobs) {
			now = max(end, t.s.calledAt(i+1, t.rule.Each))
		}
	}
}

// calledAt is the instant at which the machine is asked for a job within a cycle.
func (s *stream) calledAt(i int, each bool) clock.Mono {
	return s.member(s.jobs[i]).called(s.gap(i, each))
}

// An arrival is a sample on its way to the machine.
type arrival struct {
	at     clock.Mono
	member int
}

// feed gives the machine what has arrived by now, in order.
func (t *turn) feed(now clock.Mono) {
	var all []arrival
	for i, m := range t.s.members {
		if m.kind == sched.TimerKind {
			continue
		}
		for ; t.fed[i] < ahead && m.served+t.fed[i] < len(m.jobs); t.fed[i]++ {
			at := t.arrives(i, t.fed[i])
			if at > now {
				break
			}
			all = append(all, arrival{at, i})
		}
	}
	slices.SortStableFunc(all, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	for _, a := range all {
		t.machine.Arrive(a.member, 0, sched.Sample{Arrival: a.at, Origin: a.at})
	}
}

// arrives is when the nth of the samples to come reaches a member: at its
// publication, if that is known, unless an assignment makes it later. One of
// unknown publication is there as soon as the one before it has been served.
func (t *turn) arrives(member, n int) clock.Mono {
	m := t.s.members[member]
	j := m.jobs[m.served+n]
	at := clock.Mono(j.sent)
	if !j.hasSent {
		at = t.at
		if n > 0 {
			return sched.Never
		}
	}
	return max(at, m.late, t.late[member])
}
