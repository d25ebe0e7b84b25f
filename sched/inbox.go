package sched

import (
	"math/bits"

	"github.com/takt-rt/takt/clock"
)

// An inbox is what the callbacks of one thread wait for: their timers, their
// queues, and which of them are ready. Every kind of machine has one.
//
// That a callback is ready is one mark, however many samples wait. A dispatch
// clears it and takes; if samples remain, the mark is set again at once, with
// the arrival of the oldest as its instant.
type inbox struct {
	slots    []slot
	data     []uint64 // the marks of callbacks with inputs, one bit each
	timers   []int32  // the callbacks that are timers
	releases          // of these
	ros      rosTime
	job      Job   // the last that was started
	cycles   int64 // that started a callback
}

// A slot is one callback.
type slot struct {
	kind     Kind
	all      bool // takes all; of a fused callback, needs all
	context  int32
	timer    Timer[clock.Mono]
	nth      int32     // where it is in inbox.timers
	ros      *rosTimer // instead of timer, if it is on simulated time
	once     bool
	canceled bool
	released int64 // releases of the timer served or skipped
	inputs   []input
	filled   int // inputs that have a sample

	sample    *sample // of a level with LET
	inherits  bool
	fallbacks int64 // jobs that were to inherit a deadline and had none to
}

// An input is a queue, and since when it has had something.
type input struct {
	queue History[Sample]
	since clock.Mono
}

func newInbox(callbacks []Callback, contexts *numbering) (inbox, error) {
	b := inbox{
		slots:    make([]slot, len(callbacks)),
		data:     make([]uint64, (len(callbacks)+63)/64),
		releases: releases{next: Never},
	}
	for i := range callbacks {
		c := &callbacks[i]
		if err := c.check(i); err != nil {
			return b, err
		}
		s := &b.slots[i]
		s.kind, s.context = c.Kind, contexts.number(c.Context)
		s.inherits = c.Context != nil && c.Context.Inherit
		if c.Kind == TimerKind {
			b.addTimer(int32(i), c)
			continue
		}
		s.all = c.TakeAll || c.Kind == Fused && !c.Any
		for _, in := range c.Inputs {
			s.inputs = append(s.inputs, input{queue: *NewHistory[Sample](in.Depth)})
		}
	}
	return b, nil
}

func (b *inbox) addTimer(callback int32, c *Callback) {
	s := &b.slots[callback]
	s.once, s.nth = c.Once, int32(len(b.timers))
	b.timers = append(b.timers, callback)
	if c.OnROS {
		s.ros = &rosTimer{Timer: *NewTimer(clock.Sim(c.First), c.Period, c.Skip), due: Never}
		b.ros.timers = append(b.ros.timers, callback)
		b.add(Never)
		return
	}
	s.timer = *NewTimer(c.First, c.Period, c.Skip)
	b.add(c.First)
}

// complete reports whether a callback with inputs is ready.
func (s *slot) complete() bool {
	if s.holdsSample() {
		return true
	}
	if s.kind == Fused && s.all {
		return s.filled == len(s.inputs)
	}
	return s.filled > 0
}

// base returns the instant that a ready callback's deadline is relative to: of
// a timer its release; else when it became ready, which for a fused callback is
// when the last input that it needs had something.
func (s *slot) base() clock.Mono {
	switch {
	case s.ros != nil:
		return s.ros.due
	case s.kind == TimerKind:
		return s.timer.Next()
	case s.holdsSample():
		return s.sample.base
	case s.kind == Fused:
		return s.fusedBase()
	}
	return s.inputs[0].since
}

func (s *slot) fusedBase() clock.Mono {
	base := Never
	if s.all {
		base = -Never
	}
	for i := range s.inputs {
		in := &s.inputs[i]
		switch {
		case in.queue.Len() == 0:
		case s.all:
			base = max(base, in.since)
		default:
			base = min(base, in.since)
		}
	}
	return base
}

// Arrive is Machine.Arrive. A callback or input that does not exist panics.
func (b *inbox) Arrive(callback, in int, m Sample) (lost Sample, overwritten bool) {
	s := &b.slots[callback]
	i := &s.inputs[in]
	if i.queue.Len() == 0 {
		i.since = m.Arrival
		s.filled++
		b.mark(int32(callback))
	}
	return i.queue.Arrive(m)
}

func (b *inbox) mark(callback int32) {
	bit := uint64(1) << (callback & 63)
	if b.slots[callback].complete() {
		b.data[callback>>6] |= bit
	} else {
		b.data[callback>>6] &^= bit
	}
}

// anyData reports whether a callback with inputs is ready.
func (b *inbox) anyData() bool {
	for _, word := range b.data {
		if word != 0 {
			return true
		}
	}
	return false
}

// eachData yields the callbacks with inputs that are ready, by registration.
func (b *inbox) eachData(yield func(int32) bool) {
	for w, word := range b.data {
		for ; word != 0; word &= word - 1 {
			if !yield(int32(w<<6 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// eachDue yields the timers that are due at now, by registration.
func (b *inbox) eachDue(now clock.Mono, yield func(int32) bool) {
	b.upTo(now, func(timer int) bool { return yield(b.timers[timer]) })
}
