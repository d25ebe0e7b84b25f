// Package replay puts what happened on real executors through the scheduling
// machines: the same arrivals and the same execution times, in virtual time.
// The callbacks must then come in the order in which they came.
//
// A trace shows when a callback started and ended, when its sample was
// published, the grid of its timer, and from Iron on when its executor went into
// a wait. It does not show three things, and these are all the freedom that a
// replay takes, in each case the least that does:
//
//   - when a sample became visible to the executor: at its publication, or up to
//     the slack after it;
//   - when a wait took its snapshot: between the end of the callback before it
//     (or the traced begin of the wait) and the start of the next callback (or the
//     traced look for it);
//   - when rcl was told of a timer's call: there too.
//
// If no such assignment makes the machine run what ran, that is a disagreement,
// and the replay goes on from what ran. So is a callback that started more than
// the slack after the machine would have started it, on a thread that ran nothing
// meanwhile: the wake-up of a thread is not shown either, but is bounded so.
//
// The machine is made anew at the beginning of each of its cycles, when all that
// it knows are the next releases of its timers and the samples that wait, so that
// one assignment after another can be tried. Where callbacks of an executor run
// on several threads, each node is replayed for itself, as one mutually exclusive
// callback group: with an idle thread beside it, the ready set is looked at anew
// before every dispatch.
//
// docs/replay.md says what came out for real traces.
package replay

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// Schema is the schema of a Result's JSON.
const Schema = "takt.replay/1"

// DefaultSlack is how far a sample's arrival may lie behind its publication, and
// a start behind the instant at which there was something to run.
const DefaultSlack = time.Millisecond

// A Rule is the machine that callbacks are replayed by.
type Rule struct {
	Name string
	New  func([]sched.Callback) (sched.Machine, error)

	// Each is set if the machine looks at what is ready anew before every
	// dispatch, so that there is no snapshot.
	Each bool
	// NoSkip is set if timers make up for releases that passed.
	NoSkip bool
}

// WaitSet is rclcpp's single-threaded executor.
func WaitSet() Rule {
	return Rule{Name: "wait set", New: func(c []sched.Callback) (sched.Machine, error) {
		return sched.NewWaitSet(sched.WaitSetConfig{Callbacks: c})
	}}
}

// Group is a mutually exclusive callback group of rclcpp's multi-threaded
// executor while another thread is idle: that one waits again without the busy
// group, which drops what the snapshot had of it.
func Group() Rule {
	return Rule{Name: "callback group", Each: true, New: newGroup}
}

// A group is a worker that runs all of a callback group, beside one that is idle.
type group struct {
	*sched.Worker
	idle *sched.Worker
}

func newGroup(callbacks []sched.Callback) (sched.Machine, error) {
	m, err := sched.NewMultiThreaded(callbacks, 2)
	if err != nil {
		return nil, err
	}
	return group{m.Worker(0), m.Worker(1)}, nil
}

// Step is Machine.Step. The idle worker finds nothing, since the group is busy.
func (g group) Step(now clock.Mono) (job *sched.Job, next clock.Mono) {
	job, next = g.Worker.Step(now)
	if job != nil {
		g.idle.Step(now)
	}
	return job, next
}

// Options say how to replay.
type Options struct {
	Slack  time.Duration // 0 means DefaultSlack
	Single Rule          // of executors with one thread; without New, WaitSet
	Multi  Rule          // of the groups of executors with several; without New, Group
}

func (o Options) defaults() Options {
	if o.Slack == 0 {
		o.Slack = DefaultSlack
	}
	if o.Single.New == nil {
		o.Single = WaitSet()
	}
	if o.Multi.New == nil {
		o.Multi = Group()
	}
	return o
}

// Replay replays what a recorder holds.
func Replay(r *Recorder, opt Options) (*Result, error) {
	opt = opt.defaults()
	res := &Result{Schema: Schema, Path: r.origin.Path, SlackNS: int64(opt.Slack), Executors: []*Executor{}}
	for _, x := range r.executors() {
		rule := opt.Single
		if len(x.threads) > 1 {
			rule = opt.Multi
		}
		e := newExecutor(r, x, rule)
		for _, s := range x.streams {
			if err := s.replay(r, e, rule, opt.Slack); err != nil {
				return nil, err
			}
		}
		res.Executors = append(res.Executors, e)
	}
	res.sum()
	res.Findings = r.findings()
	return res, nil
}

var _ timeline.Sink = (*Recorder)(nil)
