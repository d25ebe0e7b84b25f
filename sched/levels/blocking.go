package levels

import (
	"fmt"
	"time"
)

// A Blocking is how long a group may wait for the others on its level: the
// longest callback among theirs, as within a level nothing is preempted. The
// response-time analysis takes one nanosecond less, as the other must have
// begun before.
type Blocking struct {
	Longest time.Duration // 0 if there is no other
	By      string        // the callback, or "" if there is no other
	Unknown string        // a callback of unknown cost; the blocking then has no bound
}

// String writes the blocking: "20ms by plan".
func (b Blocking) String() string {
	switch {
	case b.Unknown != "":
		return fmt.Sprintf("unknown, as %s has no execution time", b.Unknown)
	case b.By == "":
		return "none"
	}
	return fmt.Sprintf("%v by %s", b.Longest, b.By)
}

func (b *Blocking) add(c *Callback) {
	switch {
	case c.Cost == 0 && b.Unknown == "":
		b.Unknown = c.Name
	case c.Cost > b.Longest:
		b.Longest, b.By = c.Cost, c.Name
	}
}

// and returns the blocking by both.
func (b Blocking) and(o Blocking) Blocking {
	if o.Longest > b.Longest {
		b.Longest, b.By = o.Longest, o.By
	}
	if b.Unknown == "" {
		b.Unknown = o.Unknown
	}
	return b
}

// block fills in the blocking of each member of a level: by those before it,
// and those after it.
func (l *draft) block(groups []Group) {
	own := make([]Blocking, len(l.members))
	for i := range l.members {
		for j := range groups[l.members[i].index].Callbacks {
			own[i].add(&groups[l.members[i].index].Callbacks[j])
		}
	}
	var before, after Blocking
	for i := range l.members {
		l.members[i].member.Blocking = before
		before = before.and(own[i])
	}
	for i := len(l.members) - 1; i >= 0; i-- {
		b := &l.members[i].member.Blocking
		*b = b.and(after)
		after = own[i].and(after)
	}
}

// mixed remarks on a group that has to wait for its own slower callbacks: a
// group is as urgent as its fastest, and the slow ones come along.
func (a *assignment) mixed(g *Group) (Remark, bool) {
	var fast *Callback
	var fastest time.Duration
	for i := range g.Callbacks {
		if p := a.period(&g.Callbacks[i]).time; p > 0 && (fast == nil || p < fastest) {
			fast, fastest = &g.Callbacks[i], p
		}
	}
	var b Blocking
	for i := range g.Callbacks {
		if c := &g.Callbacks[i]; a.period(c).time != fastest {
			b.add(c)
		}
	}
	if fast == nil || b == (Blocking{}) {
		return Remark{}, false
	}
	return Remark{
		Subject: g.Name,
		Text:    fmt.Sprintf("sits at the rate of %s, %v, and its slower callbacks come along; they block %s: %v", fast.Name, fastest, fast.Name, b),
		Remedy:  "give the slower callbacks a callback group of their own",
	}, true
}
