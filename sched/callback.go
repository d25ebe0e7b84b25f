package sched

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Kind is what makes a callback ready. See Order for in which order stock
// executors serve the kinds.
type Kind uint8

// The kinds. Subscription, Service, Client and Waitable have one input each.
const (
	TimerKind    Kind = iota
	Subscription      // one message, or all there are
	Service           // a request
	Client            // a response
	Waitable          // such as a step of an action
	Fused             // several inputs, and a condition over them
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case TimerKind:
		return "timer"
	case Subscription:
		return "subscription"
	case Service:
		return "service"
	case Client:
		return "client"
	case Waitable:
		return "waitable"
	case Fused:
		return "fused callback"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Callback is one callback of a thread. It runs to its end on that thread.
type Callback struct {
	Kind    Kind
	Context *Context // shared by those that name the same one; nil is FIFO, bucket Normal, no deadline

	// Of a timer.
	First  clock.Mono    // the first release, on the timer's clock
	Period time.Duration // 0 is due in every cycle
	Skip   SkipRule
	OnROS  bool // First and Period are on simulated time, of which the machine learns by Tick
	Once   bool // canceled by its first call, which skips nothing

	// Of the others.
	Inputs  []Input
	TakeAll bool // take every sample there is instead of the oldest
	Any     bool // a fused callback is ready when any of its inputs has a sample, instead of all

	Node  int    // the number of its node, from 0: of RclpyOrder, in the order in which nodes were added
	Group *Group // of MultiThreaded, shared by those that name the same one; nil is its node's, which is mutually exclusive

	Cost time.Duration // the most CPU time that it takes, for a window with RequireFit
}

// An Input is one queue that a callback takes from.
type Input struct {
	Depth int // keep the last so many samples; 0 keeps all
}

func (c *Callback) check(at int) error {
	inputs := len(c.Inputs)
	switch {
	case c.Kind > Fused:
		return fmt.Errorf("callback %d has the unknown kind %d; use one of the constants", at, c.Kind)
	case c.Kind == TimerKind && (inputs > 0 || c.TakeAll || c.Any):
		return fmt.Errorf("callback %d is a timer and has inputs; make a callback of its own for them", at)
	case c.Kind != TimerKind && (c.OnROS || c.Once):
		return fmt.Errorf("callback %d is a %v with options of a timer; leave OnROS and Once out", at, c.Kind)
	case c.Kind == TimerKind && c.Period < 0:
		return fmt.Errorf("callback %d has a period of %v; give one of 0 or more", at, c.Period)
	case c.Kind == TimerKind && c.Skip > SkipNone:
		return fmt.Errorf("callback %d has the unknown skip rule %d; use one of the constants", at, c.Skip)
	case c.Kind == Fused && inputs == 0:
		return fmt.Errorf("callback %d is a fused callback without inputs; give it one or more", at)
	case c.Kind == Fused && c.TakeAll:
		return fmt.Errorf("callback %d is a fused callback, which takes one sample of every input; leave TakeAll out", at)
	case c.Kind != TimerKind && c.Kind != Fused && (inputs != 1 || c.Any):
		return fmt.Errorf("callback %d is a %v with %d inputs; give it one, or make it a fused callback", at, c.Kind, inputs)
	case c.Node < 0 || c.Node > maxNode:
		return fmt.Errorf("callback %d is of node %d; number nodes from 0, up to %d", at, c.Node, maxNode)
	case c.Cost < 0:
		return fmt.Errorf("callback %d costs %v; give 0 or more", at, c.Cost)
	}
	for i, in := range c.Inputs {
		if in.Depth < 0 {
			return fmt.Errorf("input %d of callback %d has a depth of %d; give 0 to keep all, or more", i, at, in.Depth)
		}
	}
	return nil
}
