package sched

import (
	"fmt"
	"slices"
	"time"
)

// A Context is a scheduling context: how the callbacks that share it are
// ordered and held back. They share its budget and its deadline. The zero
// Context is FIFO in the bucket Normal, with no deadline and no gate.
type Context struct {
	Class  Class
	Bucket Bucket

	// Deadline is relative to the release of a timer, to the arrival that made
	// a subscription ready, and to the instant at which the condition of a fused
	// callback became true; 0 is none. Arrivals that find a callback ready do
	// not move it, not even if they overwrite the sample that made it ready.
	Deadline time.Duration
	Inherit  bool // the deadline is the one that came with the sample; Deadline is for samples without
	OnMiss   Reaction

	Budget  Budget  // with the class Sporadic
	Window  Window  // with any class
	Trigger Trigger // over callbacks of the same thread
}

// A Class says how ready callbacks of one bucket are ordered.
type Class uint8

// The classes.
const (
	FIFO       Class = iota // by registration
	EDF                     // before the rest of the bucket, by absolute deadline; without one, last of these
	Sporadic                // as FIFO, if its budget allows
	BestEffort              // as FIFO, in the last bucket whatever Bucket says
)

// A Bucket is the coarsest order within a level.
type Bucket uint8

// The buckets. All of one goes before the next.
const (
	Normal Bucket = iota
	Critical
	Last
)

func (c *Context) bucket() int32 {
	switch {
	case c.Class == BestEffort || c.Bucket == Last:
		return 2
	case c.Bucket == Critical:
		return 0
	}
	return 1
}

// A Reaction is what a deadline miss leads to beside being counted.
type Reaction uint8

// The reactions.
const (
	Ignore   Reaction = iota // nothing
	Warn                     // the level reports it: see Misses
	SkipRest                 // what the context has left in this cycle stays ready for the next
	Fault                    // as Warn, and the owner of the level is to stop: see Misses
)

// A TriggerKind says when a Trigger lets callbacks pass.
type TriggerKind uint8

// The kinds.
const (
	Always TriggerKind = iota // the zero Trigger
	AllOf                     // when all of its callbacks are ready; of none, always
	AnyOf                     // when one of its callbacks is ready; of none, never
)

// A Trigger holds back callbacks that are no timers until others are ready. It
// is judged where a thread looks for what is ready, not at each dispatch.
type Trigger struct {
	Kind      TriggerKind
	Callbacks []int // by registration; no timers
}

func (c *Context) check() error {
	switch {
	case c.Class > BestEffort:
		return fmt.Errorf("unknown class %d; use one of the constants", c.Class)
	case c.Bucket > Last:
		return fmt.Errorf("unknown bucket %d; use one of the constants", c.Bucket)
	case c.OnMiss > Fault:
		return fmt.Errorf("unknown reaction to a miss %d; use one of the constants", c.OnMiss)
	case c.Deadline < 0:
		return fmt.Errorf("a deadline of %v; give 0 for none, or more", c.Deadline)
	case c.Budget != Budget{} && c.Class != Sporadic:
		return fmt.Errorf("a budget without the class Sporadic; set the class")
	}
	if err := c.Budget.check(); err != nil {
		return err
	}
	return c.Window.check()
}

func (t *Trigger) check(callbacks []Callback) error {
	if t.Kind > AnyOf {
		return fmt.Errorf("unknown trigger %d; use one of the constants", t.Kind)
	}
	for _, c := range t.Callbacks {
		if c < 0 || c >= len(callbacks) {
			return fmt.Errorf("a trigger of callback %d, which this thread does not have; name one from 0 to %d", c, len(callbacks)-1)
		}
		if callbacks[c].Kind == TimerKind {
			return fmt.Errorf("a trigger of callback %d, which is a timer; name callbacks with inputs", c)
		}
	}
	return nil
}

// passes reports whether the trigger lets callbacks pass.
func (t *Trigger) passes(b *inbox) bool {
	ready := func(c int) bool { return b.slots[c].complete() }
	switch t.Kind {
	case AllOf:
		return !slices.ContainsFunc(t.Callbacks, func(c int) bool { return !ready(c) })
	case AnyOf:
		return slices.ContainsFunc(t.Callbacks, ready)
	}
	return true
}

// A numbering numbers contexts in the order in which callbacks name them; nil
// is 0. What is shared by callbacks has one number.
type numbering struct {
	contexts []*Context
	numbers  map[*Context]int32
}

func newNumbering() *numbering {
	return &numbering{contexts: []*Context{{}}, numbers: map[*Context]int32{nil: 0}}
}

func (n *numbering) number(c *Context) int32 {
	number, known := n.numbers[c]
	if !known {
		number = int32(len(n.contexts))
		n.contexts, n.numbers[c] = append(n.contexts, c), number
	}
	return number
}

// check checks every context once.
func (n *numbering) check() error {
	for i, c := range n.contexts {
		if err := c.check(); err != nil {
			return fmt.Errorf("context %d: %w", i, err)
		}
	}
	return nil
}
