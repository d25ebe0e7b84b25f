package compile

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/takt-rt/takt/model"
)

// A distribution draws execution times, one for each job. What it draws is
// rounded to nanoseconds.
type distribution struct {
	key       key
	shape     model.DistributionKind
	low, high time.Duration
	// Of normal, the mean and the deviation in nanoseconds; of lognormal those of
	// the logarithm; of exponential the mean.
	mean, deviation float64
}

// tries is how often a value outside of the limits is drawn again, before the
// limit is taken.
const tries = 100

// draw draws the execution time of one job. It is a distribution cut off at its
// limits: what lies outside is drawn again.
func (d *distribution) draw(job int64) time.Duration {
	random := d.key.stream(job)
	if d.shape == model.Uniform {
		return evenly(&random, d.low, d.high)
	}
	var ns float64
	for range tries {
		ns = math.Round(d.value(&random))
		if float64(d.low) <= ns && ns <= float64(d.high) {
			break
		}
	}
	return min(max(time.Duration(min(max(ns, 0), longest)), d.low), d.high)
}

func (d *distribution) value(random *rand.PCG) float64 {
	switch d.shape {
	case model.Exponential:
		return d.mean * -logarithm(unit(random))
	case model.Lognormal:
		return exponential(d.mean + float64(d.deviation*normal(random)))
	}
	return d.mean + float64(d.deviation*normal(random))
}

// unit draws evenly from between 0 and 1, both excluded.
func unit(random *rand.PCG) float64 { return (float64(random.Uint64()>>12) + 0.5) * 0x1p-52 }

// normal draws with the mean 0 and the deviation 1, by Marsaglia's polar method.
func normal(random *rand.PCG) float64 {
	for {
		u, v := 2*unit(random)-1, 2*unit(random)-1
		s := float64(u*u) + float64(v*v)
		if 0 < s && s < 1 {
			return u * math.Sqrt(-2*logarithm(s)/s)
		}
	}
}

// distribution makes what a file says. A problem is a predicate of the field.
func (b *builder) distribution(name string, m *model.Distribution) (d *distribution, problem string) {
	d = &distribution{key: b.key("callback", name, m.Seed), shape: m.Kind, low: m.Low, high: m.High, mean: float64(m.Mean), deviation: float64(m.Deviation)}
	if d.high == 0 {
		d.high = longest
	}
	switch {
	case m.Low < 0 || m.High < 0 || m.Mean < 0 || m.Deviation < 0 || max(m.Low, m.High, m.Mean, m.Deviation) > longest:
		return nil, "has a negative duration, or one of more than a year"
	case d.low > d.high:
		return nil, "has a low above its high"
	}
	switch m.Kind {
	case model.Uniform:
		if m.High == 0 {
			return nil, "is uniform without a high"
		}
	case model.Normal, model.Exponential:
	case model.Lognormal:
		if m.Mean == 0 {
			return nil, "is lognormal with a mean of 0"
		}
		spread := d.deviation / d.mean
		variance := logarithm(1 + float64(spread*spread))
		d.mean, d.deviation = logarithm(d.mean)-float64(variance/2), math.Sqrt(variance)
	default:
		return nil, "is a distribution of the unknown kind " + string(m.Kind)
	}
	return d, ""
}
