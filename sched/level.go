package sched

import (
	"cmp"
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Level is one thread of takt's executor: one ready set and one cycle. Nothing
// on it is preempted by another of the same level: whatever its class and
// bucket, a callback may have to wait for the longest of the others to end.
//
// A cycle of a latched level lists all that is ready, in order, and then starts
// one after the other. Gates, which are the budgets and windows of contexts,
// are judged at each start; what they refuse stays ready. Timers are called
// with the instant at which the cycle started, those of a greedy level with
// the instant of the dispatch.
type Level struct {
	inbox
	config   LevelConfig
	contexts []contextState
	places   []place // of callbacks
	gated    bool    // some context has a gate or a trigger, or the level has one
	account  account // of the level
	misses   Misses

	list       list
	open       bool       // a cycle has started and is not over
	began      clock.Mono // the cycle
	dispatched int        // callbacks started in the cycle
	spin       clock.Mono // the next instant of the grid that is not used
}

// A place is what orders and gates a callback, beside its context.
type place struct {
	edf    bool
	rolled bool
	rank   int32 // rankEDF of its bucket
	cost   time.Duration
}

type contextState struct {
	*Context
	account account
	gated   bool
	missed  int64 // the last of cycles in which it missed a deadline, with SkipRest
}

// NewLevel returns a level before its first cycle, or an error that says what
// in the configuration cannot be. It keeps the contexts, which must not change.
func NewLevel(c LevelConfig) (*Level, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n := newNumbering()
	b, err := newInbox(c.Callbacks, n)
	if err != nil {
		return nil, err
	}
	if err := n.check(); err != nil {
		return nil, err
	}
	l := &Level{inbox: b, config: c, account: newAccount(c.Budget), spin: -Never}
	l.gated = c.Trigger.Kind != Always || c.Budget != Budget{}
	l.misses = newMisses(len(c.Callbacks), cmp.Or(c.CleanTime, time.Second))
	if c.SpinPeriod > 0 {
		l.spin = 0
	}
	if err := l.place(n.contexts); err != nil {
		return nil, err
	}
	l.list.entries = make([]entry, 0, len(c.Callbacks))
	return l, nil
}

// place works out what orders and gates the callbacks.
func (l *Level) place(contexts []*Context) error {
	for i, c := range contexts {
		if err := c.Trigger.check(l.config.Callbacks); err != nil {
			return fmt.Errorf("context %d: %w", i, err)
		}
		s := contextState{Context: c, account: newAccount(c.Budget)}
		s.gated = c.Budget != Budget{} || !c.Window.always() || c.OnMiss == SkipRest
		l.gated = l.gated || s.gated || c.Trigger.Kind != Always
		l.contexts = append(l.contexts, s)
	}
	for i := range l.slots {
		c := l.contexts[l.slots[i].context].Context
		if kind := l.slots[i].kind; l.config.LET && (kind == Subscription || kind == Fused) {
			l.slots[i].sample = &sample{}
		}
		l.places = append(l.places, place{edf: c.Class == EDF, rank: c.bucket() * ranks, cost: l.config.Callbacks[i].Cost})
	}
	return nil
}

// Peek is Machine.Peek.
func (l *Level) Peek(now clock.Mono) (wants bool, next clock.Mono) {
	switch {
	case l.open:
		return true, now
	case l.config.SpinPeriod > 0:
		return now >= l.spin, l.spin
	}
	return l.look(now)
}

// Step is Machine.Step.
func (l *Level) Step(now clock.Mono) (job *Job, next clock.Mono) {
	for l.open || now >= l.spin {
		if !l.open {
			l.begin(now)
		}
		if e, ok := l.pick(now); ok {
			return l.dispatch(e, now), now
		}
		worked := l.dispatched > 0
		l.end(now)
		if !worked {
			break
		}
	}
	_, next = l.Peek(now)
	return nil, next
}

// begin starts a cycle. A latched one lists what is ready, gates or not.
func (l *Level) begin(now clock.Mono) {
	l.open, l.began, l.dispatched = true, now, 0
	if l.config.Drain == Latched {
		l.latch(now)
	}
}

// end ends the cycle. What is left of its list stays ready.
func (l *Level) end(now clock.Mono) {
	l.open = false
	l.list.clear()
	if p := l.config.SpinPeriod; p > 0 {
		after := add(l.began, p-time.Duration(l.began)%p)
		l.spin = max(after, add(now, (p-time.Duration(now)%p)%p))
	}
}

// pick returns the entry to start now; if there is none, the cycle is over.
func (l *Level) pick(now clock.Mono) (entry, bool) {
	if l.config.Drain == Greedy {
		return l.first(now)
	}
	for !l.list.empty() {
		e := l.list.pop()
		if l.admit(e.callback, now) {
			return e, true
		}
	}
	return entry{}, false
}

func (l *Level) dispatch(e entry, now clock.Mono) *Job {
	if l.dispatched++; l.dispatched == 1 {
		l.cycles++
	}
	called := l.began
	if l.config.Drain == Greedy {
		called = now
	}
	l.places[e.callback].rolled = false
	s := &l.slots[e.callback]
	context := &l.contexts[s.context]
	context.account.use.Refused, l.account.use.Refused = 0, 0
	return l.start(e.callback, called, s.deadline(context.Context))
}

// Done is Machine.Done. The reaction to a miss is the caller's, but for SkipRest:
// see Misses.
func (l *Level) Done(now clock.Mono, cpu time.Duration) (missed bool) {
	context := &l.contexts[l.slots[l.job.Callback].context]
	context.account.charge(now, cpu)
	l.account.charge(now, cpu)
	missed = l.missed(now)
	if missed && (context.OnMiss == Warn || context.OnMiss == Fault) {
		l.misses.note(Miss{l.job.Callback, l.job.Release, l.job.Deadline, now, context.OnMiss})
	}
	if missed && context.OnMiss == SkipRest {
		context.missed = l.cycles
	}
	if b := l.config.CycleBudget; b > 0 && now.Sub(l.began) >= b {
		for _, e := range l.list.left() {
			l.places[e.callback].rolled = true
		}
		l.end(now)
	} else if l.exhausted() {
		l.end(now)
	}
	return missed
}

// exhausted reports whether the cycle can start no more callback, without a look
// at what is ready.
func (l *Level) exhausted() bool {
	if l.config.Drain == Latched {
		return l.list.empty()
	}
	return l.dispatched == l.config.GreedyCap
}

// Misses returns the reports of missed deadlines, which the caller may take.
func (l *Level) Misses() *Misses { return &l.misses }

// LevelBudgetUse returns how the level's own budget has fared up to now.
func (l *Level) LevelBudgetUse(now clock.Mono) BudgetUse {
	l.account.refill(now)
	return l.account.use
}

// BudgetUse returns how the budget of a callback's context has fared up to now.
func (l *Level) BudgetUse(callback int, now clock.Mono) BudgetUse {
	a := &l.contexts[l.slots[callback].context].account
	a.refill(now)
	return a.use
}
