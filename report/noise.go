package report

import (
	"fmt"
	"math"

	"github.com/takt-rt/takt/analysis"
)

// A Noise says whether a difference is more than noise.
type Noise string

// What can be said of a difference. Unstated is of figures that are one
// observation each, such as a maximum, or rest on too few values.
const (
	Beyond   Noise = "beyond"
	Within   Noise = "within"
	Unstated Noise = "unstated"
)

// welchBound is the size of Welch's statistic from which a difference of means
// is called more than noise. For independent values it lies beyond 99.7 % of
// what chance gives. Intervals of a topic are not independent (a late message
// shortens the next interval, a load lasts for many), so it is a rule of thumb.
const welchBound = 3

// A judgedNoise is what is said of one difference, and by which rule.
type judgedNoise struct {
	noise Noise
	rule  string
}

var oneObservation = judgedNoise{Unstated, "one observation"}

// welch compares two means by Welch's statistic, the difference over its
// standard error, with the variances of the two series (Welch 1947).
func welch(a, b *analysis.Series) judgedNoise {
	return meansDiffer(b.Mean-a.Mean, variance(a)/float64(a.Count)+variance(b)/float64(b.Count), a, b)
}

// variance is the sample's: Stddev is the population's, with divisor n.
func variance(s *analysis.Series) float64 {
	n := float64(s.Count)
	return s.Stddev * s.Stddev * n / (n - 1)
}

func meansDiffer(difference, squaredError float64, of ...*analysis.Series) judgedNoise {
	for _, s := range of {
		if s.Count < minSamples {
			return judgedNoise{Unstated, fmt.Sprintf("under %d values", minSamples)}
		}
	}
	if squaredError == 0 {
		return exactly(difference)
	}
	z := math.Abs(difference) / math.Sqrt(squaredError)
	noise := Within
	if z >= welchBound {
		noise = Beyond
	}
	return judgedNoise{noise, fmt.Sprintf("|z| %.2f", z)}
}

// exactly compares what does not vary: any difference is real.
func exactly(difference float64) judgedNoise {
	if difference == 0 {
		return judgedNoise{Within, "constant"}
	}
	return judgedNoise{Beyond, "constant"}
}

// ratioOfMeans compares two ratios of means, y over x in each run, by the same
// statistic. The relative variances of the two means add up; where both come
// from the same instants they rise together, which makes the statistic cautious.
func ratioOfMeans(ax, ay, bx, by *analysis.Series) judgedNoise {
	if ax.Mean == 0 || bx.Mean == 0 {
		return oneObservation
	}
	a, b := ay.Mean/ax.Mean, by.Mean/bx.Mean
	return meansDiffer(b-a, ratioVariance(ax, ay)+ratioVariance(bx, by), ax, ay, bx, by)
}

// ratioVariance is the variance of mean y over mean x, to first order and without their covariance.
func ratioVariance(x, y *analysis.Series) float64 {
	r := y.Mean / x.Mean
	return (variance(y)/float64(y.Count) + r*r*variance(x)/float64(x.Count)) / (x.Mean * x.Mean)
}

// overlap compares the quantile q of two series by its 95 % confidence
// intervals: if those overlap, the difference may be noise.
func overlap(q float64, a, b *analysis.Series) judgedNoise {
	x, y := interval(q, a), interval(q, b)
	switch {
	case a.Count < minSamples || b.Count < minSamples || x[0] > x[1] || y[0] > y[1]:
		return judgedNoise{Unstated, "no interval"}
	case x[0] <= y[1] && y[0] <= x[1]:
		return judgedNoise{Within, "CI overlap"}
	}
	return judgedNoise{Beyond, "CI apart"}
}

// interval is the confidence interval of the quantile q, widened by the error
// of the sketch it was read from. It is open above where more than 2.5 % of all
// series so short have no value over the quantile (under 368 values for the
// 99th percentile), and likewise below: there the extreme bounds nothing.
func interval(q float64, s *analysis.Series) [2]float64 {
	ci := s.P50CI
	if q == 0.99 {
		ci = s.P99CI
	}
	ci[0] -= s.QuantileError * math.Abs(ci[0])
	ci[1] += s.QuantileError * math.Abs(ci[1])
	const tail = 0.025
	if math.Pow(q, float64(s.Count)) > tail {
		ci[1] = math.Inf(1)
	}
	if math.Pow(1-q, float64(s.Count)) > tail {
		ci[0] = math.Inf(-1)
	}
	return ci
}
