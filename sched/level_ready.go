package sched

import "github.com/takt-rt/takt/clock"

// look tells whether a step taken now would start a callback, and if not, when
// to look again: at a release, a refill or the opening of a window.
func (l *Level) look(now clock.Mono) (wants bool, next clock.Mono) {
	if !l.gated {
		return l.next <= now || l.anyData(), l.next
	}
	next = l.after(now)
	l.eachReady(now, func(callback int32) bool {
		open, at := l.gate(callback, now)
		if open {
			wants = true
			at = l.contexts[l.slots[callback].context].Window.closes(now, l.places[callback].cost)
		}
		next = min(next, at)
		return true
	})
	return wants, next
}

// latch lists what is ready at now, in order, whatever its gates say.
func (l *Level) latch(now clock.Mono) {
	l.list.clear()
	l.eachReady(now, func(callback int32) bool {
		l.list.insert(l.entry(callback))
		l.takeSample(callback)
		return true
	})
}

// first returns the first in order of what is ready at now and may start.
func (l *Level) first(now clock.Mono) (first entry, found bool) {
	l.eachReady(now, func(callback int32) bool {
		e := l.entry(callback)
		if (!found || e.before(first)) && l.admit(callback, now) {
			first, found = e, true
		}
		return true
	})
	return first, found
}

// eachReady yields what is ready at now and not held back by a trigger: timers,
// then callbacks with inputs, each by registration.
func (l *Level) eachReady(now clock.Mono, yield func(int32) bool) {
	more := true
	l.eachDue(now, func(callback int32) bool {
		more = yield(callback)
		return more
	})
	if !more {
		return
	}
	if l.gated && !l.config.Trigger.passes(&l.inbox) {
		return
	}
	for callback := range l.eachData {
		if l.gated && !l.contexts[l.slots[callback].context].Trigger.passes(&l.inbox) {
			continue
		}
		if !yield(callback) {
			return
		}
	}
}

func (l *Level) entry(callback int32) entry {
	p := &l.places[callback]
	switch {
	case p.edf:
		s := &l.slots[callback]
		return entry{rank: p.rank + rankEDF, deadline: s.deadline(l.contexts[s.context].Context), callback: callback}
	case p.rolled:
		return entry{rank: p.rank + rankRolledOver, callback: callback}
	}
	return entry{rank: p.rank + rankRest, callback: callback}
}

// gate reports whether budgets and window let a callback start now, and if not,
// the earliest instant at which all may.
func (l *Level) gate(callback int32, now clock.Mono) (open bool, at clock.Mono) {
	c := &l.contexts[l.slots[callback].context]
	open, at = l.account.open(now)
	if !c.gated {
		return open, at
	}
	within, opening := c.Window.open(now, l.places[callback].cost)
	funded, refill := c.account.open(now)
	return open && within && funded, max(at, opening, refill)
}

// admit reports whether a callback may start now, within the cycle. It counts
// what budgets refuse.
func (l *Level) admit(callback int32, now clock.Mono) bool {
	if !l.gated {
		return true
	}
	c := &l.contexts[l.slots[callback].context]
	if l.dispatched > 0 && c.missed == l.cycles {
		return false
	}
	open, _ := l.gate(callback, now)
	if !open {
		c.account.refuse(now)
		l.account.refuse(now)
	}
	return open
}
