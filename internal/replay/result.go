package replay

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// A Result is what came out of a replay. Every job is in one of Equal, Left and
// Reasons.
type Result struct {
	Schema    string             `json:"schema"`
	Path      string             `json:"path"`
	SlackNS   int64              `json:"slack_ns"`
	Jobs      int                `json:"jobs"`    // that the trace has
	Equal     int                `json:"equal"`   // came as the machine runs them
	Left      int                `json:"left"`    // not replayed: see Executor
	Choices   int                `json:"choices"` // ran while another callback was ready too
	Reasons   map[Reason]int     `json:"reasons"`
	Executors []*Executor        `json:"executors"`
	Findings  []timeline.Finding `json:"findings"`
}

// An Executor is what was replayed of one.
type Executor struct {
	Rule      string     `json:"rule"`
	Threads   []string   `json:"threads"`
	Callbacks []Callback `json:"callbacks"` // in the order of registration that was assumed
	Groups    int        `json:"groups"`    // replayed each for itself
	Jobs      int        `json:"jobs"`
	Equal     int        `json:"equal"`
	Left      int        `json:"left"`    // within another callback, of a timer whose releases are not known, or of a callback that overlaps itself
	Choices   int        `json:"choices"` // ran while another callback was ready too
	WaitsSeen bool       `json:"waits_seen"`

	// How much of the freedom was used: the most that an arrival was assumed to
	// lie behind its publication, and that a start lay behind the instant at which
	// the machine had the job.
	LatestArrivalNS int64 `json:"latest_arrival_ns"`
	LatestStartNS   int64 `json:"latest_start_ns"`

	Reasons       map[Reason]int `json:"reasons"`
	Disagreements []Disagreement `json:"disagreements"` // the first maxShown, by time
}

// A Callback is one of an executor.
type Callback struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Jobs     int    `json:"jobs"`
	PeriodNS int64  `json:"period_ns,omitempty"`
}

// A Reason is how what ran differs from what the machine runs.
type Reason string

// The reasons.
const (
	Order    Reason = "order"       // the machine runs another callback
	Snapshot Reason = "snapshot"    // by the traced waits it ran in another snapshot than by the machine
	Early    Reason = "not-ready"   // the machine has nothing to run
	Late     Reason = "late"        // it had been ready for longer than the slack, on a thread that ran nothing
	Lost     Reason = "lost-events" // any of these, where events were lost
)

// A Disagreement is a job that did not come as the machine runs it.
type Disagreement struct {
	AtNS    int64  `json:"at_ns"` // the start, on the axis
	Reason  Reason `json:"reason"`
	Thread  string `json:"thread"`
	Ran     string `json:"ran"`
	Instead string `json:"instead,omitempty"` // what the machine runs; absent: nothing
	ByNS    int64  `json:"by_ns,omitempty"`   // how long it had been ready, or was not yet
}

// maxShown bounds the disagreements that are listed of one executor.
const maxShown = 100

func (x *Executor) disagree(d Disagreement) {
	x.Reasons[d.Reason]++
	if len(x.Disagreements) < maxShown {
		x.Disagreements = append(x.Disagreements, d)
	}
}

func newExecutor(r *Recorder, x *executor, rule Rule) *Executor {
	e := &Executor{Rule: rule.Name, Groups: len(x.streams), Reasons: map[Reason]int{}, Disagreements: []Disagreement{}}
	for _, t := range x.threads {
		e.Threads = append(e.Threads, t.name)
		e.WaitsSeen = e.WaitsSeen || len(t.waits) > 0
	}
	for _, s := range x.streams {
		for _, m := range s.members {
			e.Callbacks = append(e.Callbacks, Callback{m.name, m.kind.String(), len(m.jobs), int64(m.period)})
			e.Jobs += len(m.jobs)
		}
	}
	for _, c := range x.left {
		m := r.newMember(c)
		e.Callbacks = append(e.Callbacks, Callback{m.name, m.kind.String(), len(m.jobs), int64(m.period)})
		e.Jobs += len(c.jobs)
		e.Left += len(c.jobs)
	}
	return e
}

// sum adds the executors up.
func (res *Result) sum() {
	res.Reasons = map[Reason]int{}
	for _, x := range res.Executors {
		res.Jobs += x.Jobs
		res.Equal += x.Equal
		res.Left += x.Left
		res.Choices += x.Choices
		for reason, n := range x.Reasons {
			res.Reasons[reason] += n
		}
		slices.SortStableFunc(x.Disagreements, func(a, b Disagreement) int { return cmp.Compare(a.AtNS, b.AtNS) })
	}
}

// disagreement tells that job i is not what the machine runs after a turn.
func (s *stream) disagreement(r *Recorder, i int, t *turn) Disagreement {
	d := s.describe(i)
	m := s.member(s.jobs[i])
	switch g := s.gap(i, t.rule.Each); {
	case t.instead == nothing && t.n > 0:
		d.Reason = Snapshot
	case t.instead == nothing:
		d.Reason = Early
		if at, known := m.ready(); known {
			d.ByNS = int64(at.Sub(g.high))
		}
	case t.n > 0 && g.waited == didWait:
		d.Reason, d.Instead = Snapshot, s.members[t.instead].name
	default:
		d.Reason, d.Instead = Order, s.members[t.instead].name
	}
	if r.lost(s.before[i], s.jobs[i].start) {
		d.Reason = Lost
	}
	return d
}

// lateness tells that job i came later than the slack allows.
func (s *stream) lateness(r *Recorder, i int, delay time.Duration) Disagreement {
	d := s.describe(i)
	d.Reason, d.Instead, d.ByNS = Late, d.Ran, int64(delay)
	if r.lost(s.before[i], s.jobs[i].start) {
		d.Reason = Lost
	}
	return d
}

func (s *stream) describe(i int) Disagreement {
	j := s.jobs[i]
	return Disagreement{AtNS: int64(j.start), Thread: j.thread.name, Ran: s.member(j).name}
}
