package model

import (
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"
)

var executionFields = []field[Execution]{
	amount("typical", func(e *Execution) *time.Duration { return &e.Typical }),
	amount("worst", func(e *Execution) *time.Duration { return &e.Worst }),
	times("pattern", "[1ms, 2ms]", func(e *Execution) *[]time.Duration { return &e.Pattern }),
	name("samples", "times.txt", func(e *Execution) *string { return &e.Samples }),
	distributionField(Uniform, "{low: 1ms, high: 2ms}", "low", "high"),
	distributionField(Normal, "{mean: 2ms, deviation: 500us}", "mean", "deviation"),
	distributionField(Lognormal, "{mean: 2ms, deviation: 500us}", "mean", "deviation"),
	distributionField(Exponential, "{mean: 2ms}", "mean"),
	seed(func(e *Execution) *uint64 { return &e.Distribution.Seed }),
}

var distributionFields = []field[Distribution]{
	quantity("mean", duration, func(d *Distribution) *time.Duration { return &d.Mean }),
	quantity("deviation", duration, func(d *Distribution) *time.Duration { return &d.Deviation }),
	amount("low", func(d *Distribution) *time.Duration { return &d.Low }),
	quantity("high", duration, func(d *Distribution) *time.Duration { return &d.High }),
}

// distributionField is the field of one shape, with the keys that it must have.
func distributionField(kind DistributionKind, example string, needs ...string) field[Execution] {
	return field[Execution]{
		key: string(kind),
		read: func(v value, e *Execution) {
			d := &e.Distribution
			d.Kind = kind
			s := readSection(v, example, distributionFields, d)
			if len(s.given) == 0 {
				return
			}
			for _, key := range needs {
				if s.lacks(key) {
					v.fail("has no "+key, "write them as in "+example)
				}
			}
			for _, key := range d.strangers() {
				if s.has(key) {
					s.given[key].fail("has no meaning in a distribution that is "+string(kind), "remove it")
				}
			}
			s.atMost("low", d.Low, "high", d.High)
			s.atMost("mean", d.Mean, "high", d.High)
			if d.Kind != Uniform {
				s.atMost("low", d.Low, "mean", d.Mean)
			}
		},
		write: func(e *Execution) string {
			if e.Distribution.Kind != kind {
				return ""
			}
			return flow(distributionFields, &e.Distribution, &Distribution{})
		},
	}
}

// strangers are the keys that the shape has no use for.
func (d *Distribution) strangers() []string {
	switch d.Kind {
	case Uniform:
		return []string{"mean", "deviation"}
	case Exponential:
		return []string{"deviation"}
	}
	return nil
}

// executionTimes are the keys of which one may be given beside typical and worst.
var executionTimes = []string{"pattern", "samples", "uniform", "normal", "lognormal", "exponential"}

// readExecution reads a duration for every run, or how they differ.
func readExecution(v value) Execution {
	e := Execution{Line: v.at.line}
	if !v.isMapping() {
		e.Worst, _ = v.duration("write how much CPU time it takes, such as 1ms")
		e.Typical = e.Worst
		return e
	}
	s := readSection(v, "{typical: 1ms, worst: 2ms}", executionFields, &e)
	if len(s.given) > 0 && s.lacks("typical", "worst") && s.lacks(executionTimes...) {
		v.fail("does not say how much CPU time it takes", "write it, such as worst: 2ms")
	}
	for i, key := range executionTimes {
		if slices.ContainsFunc(executionTimes[i+1:], func(other string) bool { return s.conflict(key, other) }) {
			return e
		}
	}
	if s.has("seed") && e.Distribution.Kind == "" {
		s.given["seed"].fail("has no distribution to draw from", "write one, such as uniform: {low: 1ms, high: 2ms}, or remove the line")
	}
	e.fill(s.has("typical"), s.has("worst"))
	s.atMost("typical", e.Typical, "worst", e.Worst)
	return e
}

// fill sets what is not given of Typical and Worst. A worst time that is below
// one that can be drawn is none.
func (e *Execution) fill(typical, worst bool) {
	if !worst {
		e.Worst = max(e.Typical, e.Distribution.High)
		if len(e.Pattern) > 0 {
			e.Worst = max(e.Worst, slices.Max(e.Pattern))
		}
	}
	if !typical {
		e.Typical = e.Worst
	}
}

// short returns an execution time that is the same for every run; "" if it is not.
func (e *Execution) short() string {
	if e.Typical != e.Worst || len(e.Pattern) > 0 || e.Samples != "" || e.Distribution.Kind != "" {
		return ""
	}
	return FormatDuration(e.Worst)
}

// isMapping reports whether keys and values stand there, and not a single value.
func (v value) isMapping() bool {
	_, ok := v.node.(ast.MapNode)
	return ok
}

// empty reports whether {} stands there.
func (v value) empty() bool {
	m, ok := v.node.(*ast.MappingNode)
	return ok && len(m.Values) == 0
}
