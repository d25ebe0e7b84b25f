package ctf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// A timer is one of a process.
type timer struct {
	period   time.Duration
	rule     sched.SkipRule
	node     *node
	callback *callback
	group    uint64
	grid     *sched.Timer[timeline.Instant] // nil: the trace does not have its creation
	called   timeline.Instant               // the last start
	skipped  bool                           // it skipped releases
	moved    bool                           // the grid had to begin anew
}

// timerInit takes the creation of a timer: its first release is one period
// after (rcl_timer_init2 sets the next call so; the event comes at its end).
func (r *run) timerInit(e *trace.Event) {
	p := r.process(e)
	t := &timer{period: time.Duration(max(e.Int(1), 0)), rule: p.rule()}
	known := p.timers[e.Uint(0)]
	if known != nil && known.period == t.period && (retold(e) || known.callback != nil && known.callback.jobs == 0) {
		return
	}
	// CARET tells once more of what was created before the trace, and when
	// that was on a clock that it does not name.
	if !e.Class.Has[2] && t.period > 0 {
		t.grid = sched.NewTimer(timeline.Instant(clock.Mono(e.At).Add(t.period)), t.period, t.rule)
	}
	keep(p, &p.timers, e.Uint(0), t)
}

// rule returns what rcl does with a release at exactly the call before it: it
// changed in Jazzy, whose tracetools is 8.
func (p *process) rule() sched.SkipRule {
	major, _, _ := strings.Cut(p.version, ".")
	if n, err := strconv.Atoi(major); err == nil && n < 8 {
		return sched.KeepNow
	}
	return sched.SkipNow
}

func (r *run) timerCallback(e *trace.Event) {
	p := r.process(e)
	if t := p.timers[e.Uint(0)]; t != nil && t.callback == nil {
		t.callback = p.added(e.Uint(1))
		t.callback.timer = t
	}
}

func (r *run) timerNode(e *trace.Event) {
	p := r.process(e)
	if t := p.timers[e.Uint(0)]; t != nil {
		t.node = p.nodes[e.Uint(1)]
	}
}

// derives reports whether releases follow from the creation: it must be in the
// trace, and the timer not be of a node that follows /clock, whose timers may be
// on simulated time.
func (t *timer) derives() bool { return t.grid != nil && (t.node == nil || !t.node.onClock) }

// early is how far before its release a start may lie: rcl reads its clock
// before the event of the creation, so that the true grid is a little earlier
// than the derived one and never later.
func (t *timer) early() time.Duration { return max(t.period/100, 10*time.Microsecond) }

// release returns the release that a start at now serves. If the start comes
// before it, somebody has reset the timer, or it follows another clock, and a
// new grid begins with this start.
func (t *timer) release(now timeline.Instant) (at timeline.Instant, moved bool) {
	next := t.grid.Next()
	if next.Sub(now) > t.early() {
		if at, ok := t.justSkipped(now); ok {
			t.called, t.skipped = now, false
			return at, false
		}
		t.grid = sched.NewTimer(now, t.period, t.rule)
		moved, t.moved = true, true
	}
	at, skipped := t.grid.Call(now)
	t.called, t.skipped = now, skipped > 0
	return at, moved
}

// justSkipped returns the last release before the next one, if the start before
// skipped it by less than a tenth of the period: rcl calls a timer a little
// before its callback starts, and so may have found that release still to come.
func (t *timer) justSkipped(now timeline.Instant) (at timeline.Instant, ok bool) {
	at = t.grid.Previous()
	return at, t.skipped && at <= now && t.called.Sub(at) < t.period/10
}

// describeTimers makes the timers known that never ran.
func (r *run) describeTimers() {
	var idle []*callback
	for _, p := range r.processes {
		for _, c := range p.callbacks {
			if c.timer != nil && !c.described {
				idle = append(idle, c)
			}
		}
	}
	slices.SortFunc(idle, func(a, b *callback) int {
		return cmp.Or(cmp.Compare(a.pid, b.pid), cmp.Compare(a.address, b.address))
	})
	for _, c := range idle {
		r.describe(c)
	}
}
