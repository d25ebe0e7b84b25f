package plan

import (
	"math/big"
	"slices"
	"time"

	"github.com/takt-rt/takt/model"
)

// A demand is how many CPUs something keeps busy in the long run, or how much
// CPU time one run takes in seconds: with typical times and with the worst. Nil
// is unknown.
type demand struct{ typical, worst *big.Rat }

// times returns the demand at so many runs per second; unknown if that is.
func (d demand) times(hz *big.Rat) demand {
	return demand{multiplied(d.typical, hz), multiplied(d.worst, hz)}
}

func multiplied(x, y *big.Rat) *big.Rat {
	if x == nil || y == nil {
		return nil
	}
	return new(big.Rat).Mul(x, y)
}

// runOf returns what a run of a callback takes. The samples are those of its
// file, if it has one and they are known.
func runOf(e *model.Execution, samples []time.Duration) demand {
	given := e.Pattern
	if e.Samples != "" {
		given = samples
	}
	d := demand{typicalRun(e, given), worstRun(e, given)}
	if d.typical == nil {
		d.typical = d.worst
	}
	return d
}

// typicalRun is the mean of what runs take where that is known.
func typicalRun(e *model.Execution, given []time.Duration) *big.Rat {
	switch d := &e.Distribution; {
	case len(given) > 0:
		return mean(given)
	case e.Samples != "":
	case d.Kind == model.Uniform:
		return mean([]time.Duration{d.Low, d.High})
	case d.Kind != "":
		return seconds(d.Mean)
	}
	if e.Typical > 0 {
		return seconds(e.Typical)
	}
	return nil
}

// worstRun is the longest of what is known of runs, and unknown of a
// distribution that is cut off nowhere. Of a pattern, which comes in turn, it is
// the mean, which is all that can be asked for in the long run.
func worstRun(e *model.Execution, given []time.Duration) *big.Rat {
	worst := max(e.Worst, e.Distribution.High)
	if len(e.Pattern) > 0 && worst <= slices.Max(e.Pattern) {
		return mean(e.Pattern)
	}
	if len(given) > 0 {
		worst = max(worst, slices.Max(given))
	}
	switch {
	case worst > 0:
		return seconds(worst)
	case e.Distribution.Kind != "", e.Samples != "" && len(given) == 0:
		return nil
	}
	return seconds(e.Typical)
}

// mean returns the exact mean in seconds.
func mean(values []time.Duration) *big.Rat {
	sum := new(big.Rat)
	for _, d := range values {
		sum.Add(sum, seconds(d))
	}
	return sum.Quo(sum, big.NewRat(int64(len(values)), 1))
}

// A total sums demands. What is unknown is left out and counted, so that the
// sum is what is demanded at least.
type total struct {
	demand
	unknown []string // callbacks whose worst demand is not in it
}

func newTotal() total { return total{demand: demand{new(big.Rat), new(big.Rat)}} }

func (t *total) add(name string, d demand) {
	if d.typical != nil {
		t.typical.Add(t.typical, d.typical)
	}
	if d.worst == nil {
		t.unknown = append(t.unknown, name)
		return
	}
	t.worst.Add(t.worst, d.worst)
}
