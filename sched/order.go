package sched

import (
	"slices"

	"github.com/takt-rt/takt/clock"
)

// An entry is a ready callback and its place in the order of its level.
type entry struct {
	rank     int32      // see the constants of ranks, and Order
	deadline clock.Mono // absolute, of an EDF entry; else 0
	callback int32
}

// before orders entries: by rank, then deadline, then registration.
func (e entry) before(o entry) bool {
	switch {
	case e.rank != o.rank:
		return e.rank < o.rank
	case e.deadline != o.deadline:
		return e.deadline < o.deadline
	}
	return e.callback < o.callback
}

// The rank of an entry is 3 times its bucket, and one of these. Work that was
// rolled over goes ahead of newcomers of its own bucket only. EDF entries do
// not need it: their deadline is the older for it.
const (
	rankEDF = iota
	rankRolledOver
	rankRest
	ranks
)

// A list is the entries of one cycle, in order.
type list struct {
	entries []entry // with room for every callback
	popped  int
}

func (l *list) empty() bool { return l.popped == len(l.entries) }

func (l *list) left() []entry { return l.entries[l.popped:] }

func (l *list) clear() { l.entries, l.popped = l.entries[:0], 0 }

// insert puts an entry in its place. Most come in order, so that this is quick.
func (l *list) insert(e entry) {
	i := len(l.entries)
	l.entries = append(l.entries, e)
	for ; i > l.popped && e.before(l.entries[i-1]); i-- {
		l.entries[i] = l.entries[i-1]
	}
	l.entries[i] = e
}

// drop takes a callback out, if it is there.
func (l *list) drop(callback int32) {
	for i := l.popped; i < len(l.entries); i++ {
		if l.entries[i].callback == callback {
			l.entries = slices.Delete(l.entries, i, i+1)
			return
		}
	}
}

// dropUndue takes out what simulated time that went back made undue.
func (l *list) dropUndue(b *inbox) {
	for _, callback := range b.ros.timers {
		if b.slots[callback].ros.due == Never {
			l.drop(callback)
		}
	}
}

// pop takes out the first. The list must not be empty.
func (l *list) pop() entry {
	e := l.entries[l.popped]
	l.popped++
	return e
}
