package sim

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// commonDivisor is the longest tick that every time of a system is a multiple of.
func (s *scenarioSystem) commonDivisor() int64 {
	divisor := int64(0)
	s.mapTimes(func(ns int64) int64 {
		for a := ns; a != 0; {
			divisor, a = a, divisor%a
		}
		return ns
	})
	return divisor
}

// divided returns a copy of a system whose unit is that many nanoseconds.
func (s *scenarioSystem) divided(unit int64) *scenarioSystem {
	c := s.clone()
	c.mapTimes(func(ns int64) int64 { return ns / unit })
	return c
}

// multiply turns figures in that unit into nanoseconds.
func (e *expected) multiply(unit int64) {
	for name, f := range e.Callbacks {
		f.SumResponse *= time.Duration(unit)
		for _, p := range []*time.Duration{f.MaxResponse, f.MaxStartLateness, f.MaxEndToEnd} {
			if p != nil {
				*p *= time.Duration(unit)
			}
		}
		if f.MeanResponse != nil {
			*f.MeanResponse = f.SumResponse / time.Duration(f.Finished)
		}
		e.Callbacks[name] = f
	}
	for i := range e.FirstJobs {
		j := &e.FirstJobs[i]
		j.Release, j.Start = j.Release*clock.Mono(unit), j.Start*clock.Mono(unit)
		if j.End >= 0 {
			j.End *= clock.Mono(unit)
		}
	}
}

// mapTimes replaces every time of a system.
func (s *scenarioSystem) mapTimes(f func(ns int64) int64) {
	mono := func(t *clock.Mono) { *t = clock.Mono(f(int64(*t))) }
	span := func(d *time.Duration) { *d = time.Duration(f(int64(*d))) }
	mono(&s.Duration)
	for i := range s.Threads {
		t := &s.Threads[i]
		span(&t.SpinPeriod)
		span(&t.CycleBudget)
		span(&t.KernelBudget.Amount)
		span(&t.KernelBudget.Period)
	}
	for i := range s.Contexts {
		x := &s.Contexts[i]
		span(&x.Deadline)
		span(&x.Budget.Amount)
		span(&x.Budget.Period)
		span(&x.Window.Offset)
		span(&x.Window.Duration)
		span(&x.Window.Frame)
	}
	for i := range s.Topics {
		span(&s.Topics[i].Latency)
	}
	for i := range s.Sources {
		x := &s.Sources[i]
		mono(&x.Phase)
		span(&x.Period)
		for k := range x.Times {
			mono(&x.Times[k])
		}
	}
	for i := range s.Callbacks {
		c := &s.Callbacks[i]
		mono(&c.Phase)
		span(&c.Period)
		for k := range c.Cost {
			span(&c.Cost[k])
		}
	}
}

// clone returns a copy of a system that shares no list with it which is ever changed in place.
func (s *scenarioSystem) clone() *scenarioSystem {
	c := *s
	c.Threads = append(c.Threads[:0:0], s.Threads...)
	c.Contexts = append(c.Contexts[:0:0], s.Contexts...)
	c.Topics = append(c.Topics[:0:0], s.Topics...)
	c.Sources = append(c.Sources[:0:0], s.Sources...)
	c.Callbacks = append(c.Callbacks[:0:0], s.Callbacks...)
	for i := range c.Contexts {
		c.Contexts[i].Trigger.Callbacks = append([]string(nil), s.Contexts[i].Trigger.Callbacks...)
	}
	for i := range c.Sources {
		c.Sources[i].Times = append([]clock.Mono(nil), s.Sources[i].Times...)
	}
	for i := range c.Callbacks {
		x := &c.Callbacks[i]
		x.Cost = append(durations(nil), x.Cost...)
		x.Publishes = append([]string(nil), x.Publishes...)
		x.Inputs = append(x.Inputs[:0:0], x.Inputs...)
	}
	return &c
}
