package plan

import (
	"slices"
	"strings"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// An explainer is a sim.Observer that splits the time from the release of a job
// to its end by what it is spent on. At every instant at which something
// happens, the time since the one before goes to what was so in between.
type explainer struct {
	sim.Unobserved
	system *sim.System
	of     place
	job    ranJob // its release, start and end
	runs   uint64 // of the callback, so far
	on     sim.OSThread
	began  bool // the job

	now     clock.Mono
	running [][]runsNow    // by thread and worker
	placed  []sim.OSThread // that have a CPU
	holders map[*sim.Lock]sim.OSThread

	pieces []SpentPiece
	left   int
	parts  []*SpentPart
	byKey  map[string]*SpentPart
	last   string // key of the last piece
}

// runsNow is what a thread does.
type runsNow struct {
	callback int // -1 is nothing
	since    clock.Mono
}

func newExplainer(s *sim.System, of place, job ranJob) *explainer {
	e := &explainer{
		system: s, of: of, job: job, holders: map[*sim.Lock]sim.OSThread{}, byKey: map[string]*SpentPart{}, pieces: []SpentPiece{},
	}
	for i := range s.Threads {
		workers := make([]runsNow, max(s.Threads[i].Workers, 1))
		for j := range workers {
			workers[j].callback = -1
		}
		e.running = append(e.running, workers)
	}
	return e
}

// Published does nothing.
func (e *explainer) Published(clock.Mono, int, *sched.Job, *sim.Topic) {}

// Delivered does nothing.
func (e *explainer) Delivered(clock.Mono, *sim.Topic, int, clock.Mono) {}

// Started takes what a thread runs.
func (e *explainer) Started(now clock.Mono, thread int, job *sched.Job) {
	e.pass(now)
	at := sim.OSThread{Thread: thread, Worker: job.Worker}
	e.running[thread][job.Worker] = runsNow{job.Callback, now}
	if l := e.callback(at).Lock; l != nil {
		if _, held := e.holders[l]; !held {
			e.holders[l] = at
		}
	}
	if thread == e.of.thread && job.Callback == e.of.callback {
		if e.runs++; e.runs == e.job.number {
			e.on, e.began = at, true
		}
	}
}

// Ended takes that a thread runs nothing.
func (e *explainer) Ended(now clock.Mono, thread int, job *sched.Job, _ bool) {
	e.pass(now)
	at := sim.OSThread{Thread: thread, Worker: job.Worker}
	if l := e.callback(at).Lock; l != nil && e.holders[l] == at {
		delete(e.holders, l)
	}
	e.running[thread][job.Worker].callback = -1
}

// Placed takes which threads have a CPU. Who waits for a lock has none, so that
// who has one and needs a lock holds it.
func (e *explainer) Placed(now clock.Mono, threads []sim.OSThread) {
	e.pass(now)
	e.placed = append(e.placed[:0], threads...)
	for _, at := range threads {
		if c := e.callback(at); c != nil && c.Lock != nil {
			e.holders[c.Lock] = at
		}
	}
}

// callback is what a thread runs; nil is nothing.
func (e *explainer) callback(at sim.OSThread) *sim.Callback {
	if n := e.running[at.Thread][at.Worker].callback; n >= 0 {
		return &e.system.Threads[at.Thread].Callbacks[n]
	}
	return nil
}

// pass gives the time until now to what was so.
func (e *explainer) pass(now clock.Mono) {
	from, to := max(e.now, e.job.release), min(now, e.job.end)
	if from < to {
		cause, by := e.cause()
		e.spend(cause, by, from, to)
	}
	e.now = now
}

func (e *explainer) spend(cause Cause, by []string, from, to clock.Mono) {
	key, length := string(cause)+"\n"+strings.Join(by, "\n"), int64(to-from)
	part := e.byKey[key]
	if part == nil {
		part = &SpentPart{Cause: cause, By: by}
		e.byKey[key], e.parts = part, append(e.parts, part)
	}
	part.Length += length
	if key == e.last && e.left == 0 {
		e.pieces[len(e.pieces)-1].Length += length
		return
	}
	if key != e.last {
		part.Pieces++
		e.add(SpentPiece{Cause: cause, By: by, From: int64(from - e.job.release), Length: length})
	}
	e.last = key
}

func (e *explainer) add(p SpentPiece) {
	if len(e.pieces) == MaxPieces {
		e.left++
		return
	}
	e.pieces = append(e.pieces, p)
}

// cause is what the time now passes with.
func (e *explainer) cause() (Cause, []string) {
	switch {
	case e.began && slices.Contains(e.placed, e.on):
		return OwnExecution, nil
	case e.began:
		return e.offCPU(e.on)
	case len(e.running[e.of.thread]) > 1:
		return e.beforeOnMany()
	}
	at := sim.OSThread{Thread: e.of.thread}
	c := e.callback(at)
	switch {
	case c == nil:
		return e.idle(at)
	case !slices.Contains(e.placed, at):
		return e.offCPU(at)
	case e.running[at.Thread][0].since < e.job.release:
		return ThreadBusy, []string{c.Name}
	}
	return QueuedBehind, []string{c.Name}
}

// offCPU is why a thread that runs a callback has no CPU.
func (e *explainer) offCPU(at sim.OSThread) (Cause, []string) {
	if l := e.callback(at).Lock; l != nil {
		if holder, held := e.holders[l]; held && holder != at {
			return LockHeld, []string{e.callback(holder).Name}
		}
	}
	if e.couldRun(at) {
		return HeldBack, e.gates()
	}
	return Preempted, e.onCPUs(at)
}

// beforeOnMany is why a callback of a multi-threaded executor has not begun.
func (e *explainer) beforeOnMany() (Cause, []string) {
	var busy []string
	idle := -1
	for w := range e.running[e.of.thread] {
		at := sim.OSThread{Thread: e.of.thread, Worker: w}
		switch c := e.callback(at); {
		case c == nil:
			idle = w
		case e.excludes(c):
			return GroupBusy, []string{c.Name}
		default:
			busy = append(busy, c.Name)
		}
	}
	if idle < 0 {
		return QueuedBehind, busy
	}
	return e.idle(sim.OSThread{Thread: e.of.thread, Worker: idle})
}

// excludes reports whether a callback is of the same mutually exclusive group.
func (e *explainer) excludes(c *sim.Callback) bool {
	own := &e.system.Threads[e.of.thread].Callbacks[e.of.callback]
	if own.Group == nil && c.Group == nil {
		return own.Node == c.Node
	}
	return own.Group == c.Group && !own.Group.Reentrant
}

// idle is why a thread that runs nothing does not begin the callback: it has no
// CPU, or it would not begin it even if it had one.
func (e *explainer) idle(at sim.OSThread) (Cause, []string) {
	if slices.Contains(e.placed, at) || e.couldRun(at) {
		return HeldBack, e.gates()
	}
	return Preempted, e.onCPUs(at)
}

// couldRun reports whether a thread would have a CPU if it wanted one: one is
// free for it, or a less urgent thread has it.
func (e *explainer) couldRun(at sim.OSThread) bool {
	own := &e.system.Threads[at.Thread]
	has := max(e.system.CPUs, 1)
	if own.CPU > 0 {
		has = 1
	}
	others := 0
	for _, x := range e.placed {
		t := &e.system.Threads[x.Thread]
		if t.CPU != own.CPU {
			continue
		}
		if !e.system.Equal && t.Reservation == (sim.Reservation{}) && t.Priority < own.Priority {
			return true
		}
		others++
	}
	return others < has
}

// onCPUs are the callbacks, or the threads that run none, on the CPUs of a thread.
func (e *explainer) onCPUs(at sim.OSThread) (names []string) {
	for _, x := range e.placed {
		if e.system.Threads[x.Thread].CPU != e.system.Threads[at.Thread].CPU {
			continue
		}
		if c := e.callback(x); c != nil {
			names = append(names, c.Name)
		} else {
			names = append(names, e.system.Threads[x.Thread].Name)
		}
	}
	return names
}

// gates are what may hold the callback back, of which the run does not tell
// which did.
func (e *explainer) gates() (list []string) {
	t := &e.system.Threads[e.of.thread]
	gate := func(there bool, name string) {
		if there {
			list = append(list, name)
		}
	}
	if x := t.Callbacks[e.of.callback].Context; x != nil {
		gate(x.Window != (sched.Window{}), "the window of its context")
		gate(x.Budget != (sched.Budget{}), "the budget of its context")
		gate(x.Trigger.Kind != sched.Always, "the trigger of its context")
	}
	o := &t.Level
	gate(o.Budget != (sched.Budget{}), "the budget of its level")
	gate(t.Reservation != (sim.Reservation{}), "the budget of its level, which the kernel enforces")
	gate(o.Trigger.Kind != sched.Always, "the trigger of its level")
	gate(o.SpinPeriod > 0, "the spin period of its level")
	gate(t.Spin.Period > 0, "the period of the loop around its executor")
	return list
}
