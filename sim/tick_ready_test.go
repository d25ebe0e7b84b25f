package sim

import (
	"cmp"
	"slices"
)

// ready lists what is ready on a thread, in the order of its executor.
func (s *tickSim) ready(t *tickThread) []*tickCallback {
	var list []*tickCallback
	for _, c := range t.callbacks {
		if s.isReady(c) && s.triggered(c) {
			list = append(list, c)
		}
	}
	order := compareInLevel
	if t.executor == "wait_set" {
		order = compareInWaitSet
	}
	slices.SortStableFunc(list, order) // what is equal stays in the order of registration
	return list
}

// isReady is rule 11 for what takes messages and rule 12 for timers.
func (s *tickSim) isReady(c *tickCallback) bool {
	if c.kind == "timer" {
		return s.now >= c.next
	}
	bits := 0
	for i := range c.inputs {
		if c.inputs[i].bit {
			bits++
		}
	}
	if c.any {
		return bits > 0
	}
	return bits == len(c.inputs)
}

// base is the instant from which the deadline counts (rule 10).
func (c *tickCallback) base() int64 {
	if c.kind == "timer" {
		return c.next
	}
	base := int64(-1)
	for i := range c.inputs {
		in := &c.inputs[i]
		switch {
		case !in.bit:
		case base < 0:
			base = in.base
		case c.any:
			base = min(base, in.base)
		default:
			base = max(base, in.base)
		}
	}
	return base
}

// triggered reports whether the trigger of its context lets a callback be
// listed (rule 14).
func (s *tickSim) triggered(c *tickCallback) bool {
	x := c.context
	switch {
	case x == nil || c.kind == "timer" || c.thread.executor != "level":
		return true
	case x.trigger == "all_of":
		return !slices.ContainsFunc(x.triggers, func(c *tickCallback) bool { return !s.isReady(c) })
	case x.trigger == "any_of":
		return slices.ContainsFunc(x.triggers, s.isReady)
	}
	return true
}

// open reports whether the gates of a callback's context are open (rule 15).
func (s *tickSim) open(c *tickCallback) bool {
	x := c.context
	if x == nil || c.thread.executor != "level" {
		return true
	}
	if x.sporadic && x.amount > 0 && x.remaining <= 0 {
		return false
	}
	if x.duration == 0 || x.frame == 0 || x.duration >= x.frame {
		return true
	}
	phase := ((s.now-x.offset)%x.frame + x.frame) % x.frame
	if x.fit {
		return slices.Max(c.costs) <= x.duration-phase
	}
	return phase < x.duration
}

// compareInLevel is the order of rules 8 and 9.
func compareInLevel(a, b *tickCallback) int {
	if d := cmp.Compare(a.bucket(), b.bucket()); d != 0 {
		return d
	}
	switch {
	case a.edf() && b.edf():
		return cmp.Compare(a.deadline(), b.deadline())
	case a.edf():
		return -1
	case b.edf():
		return 1
	case a.rolled != b.rolled && a.rolled:
		return -1
	case a.rolled != b.rolled:
		return 1
	}
	return 0
}

// compareInWaitSet is the order of rule 19.
func compareInWaitSet(a, b *tickCallback) int {
	kinds := []string{"timer", "subscription", "service"}
	return cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind))
}

const normalBucket = 1

func (c *tickCallback) bucket() int {
	if c.context == nil {
		return normalBucket
	}
	return c.context.bucket
}

func (c *tickCallback) edf() bool { return c.context != nil && c.context.edf }

func (c *tickCallback) deadline() int64 {
	if c.context.deadline == 0 {
		return never
	}
	return c.base() + c.context.deadline
}
