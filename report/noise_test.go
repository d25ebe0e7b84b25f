package report

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/analysis"
)

func sample(n uint64, mean, stddev float64) *analysis.Series {
	return &analysis.Series{Count: n, Mean: mean, Stddev: stddev}
}

// Of 101 values with a population's deviation of 1, the sample's variance is
// 1.01 and the squared error of the mean 0.01; two such means have a standard
// error of sqrt 0.02 = 0.141421.
func TestWelchByHand(t *testing.T) {
	for _, test := range []struct {
		name string
		a, b *analysis.Series
		want judgedNoise
	}{
		{"2.97 errors", sample(101, 10, 1), sample(101, 10.42, 1), judgedNoise{Within, "|z| 2.97"}},
		{"3.04 errors", sample(101, 10, 1), sample(101, 10.43, 1), judgedNoise{Beyond, "|z| 3.04"}},
		{"downwards", sample(101, 10.43, 1), sample(101, 10, 1), judgedNoise{Beyond, "|z| 3.04"}},
		// 401 values of deviation 2: 4 * 401/400 / 401 = 0.01 once more.
		{"unequal", sample(101, 10, 1), sample(401, 10.43, 2), judgedNoise{Beyond, "|z| 3.04"}},
		{"few values", sample(9, 10, 1), sample(101, 20, 1), judgedNoise{Unstated, "under 10 values"}},
		{"constant and equal", sample(101, 10, 0), sample(101, 10, 0), judgedNoise{Within, "constant"}},
		{"constant and not equal", sample(101, 10, 0), sample(101, 11, 0), judgedNoise{Beyond, "constant"}},
	} {
		if got := welch(test.a, test.b); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// The statistic from count, mean and deviation is that from the values themselves.
func TestWelchFromValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1000, 1000), minSamples, 50)
		x, y := values.Draw(t, "x"), values.Draw(t, "y")
		mx, vx := meanAndSampleVariance(x)
		my, vy := meanAndSampleVariance(y)
		if vx+vy < 1e-9 {
			t.Skip("no variance")
		}
		z := math.Abs(mx-my) / math.Sqrt(vx/float64(len(x))+vy/float64(len(y)))
		if math.Abs(z-welchBound) < 1e-6 {
			t.Skip("on the bound")
		}
		got := welch(sample(uint64(len(x)), mx, populationDeviation(x)), sample(uint64(len(y)), my, populationDeviation(y)))
		if want := z > welchBound; (got.noise == Beyond) != want {
			t.Errorf("%v, but |z| is %g", got, z)
		}
	})
}

func meanAndSampleVariance(v []float64) (mean, variance float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		variance += (x - mean) * (x - mean) / float64(len(v)-1)
	}
	return mean, variance
}

func populationDeviation(v []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(v)))
}

// Intervals of 0.1 s with a deviation of 0.01 s and constant steps: the
// relative error of the mean of 101 is 0.01, so the factors are 1 -+ 0.01 and
// r -+ 0.01 r. For r = 0.98: 0.02 / sqrt(0.01^2 + 0.0098^2) = 1.428; for
// r = 0.9: 0.1 / sqrt(0.01^2 + 0.009^2) = 7.433.
func TestRatioByHand(t *testing.T) {
	intervals := sample(101, 0.1, 0.01)
	for _, test := range []struct {
		step float64
		want judgedNoise
	}{
		{0.098, judgedNoise{Within, "|z| 1.43"}},
		{0.09, judgedNoise{Beyond, "|z| 7.43"}},
	} {
		got := ratioOfMeans(intervals, sample(101, 0.1, 0), intervals, sample(101, test.step, 0))
		if got != test.want {
			t.Errorf("step %g: %v, want %v", test.step, got, test.want)
		}
	}
}

func TestOverlap(t *testing.T) {
	with := func(n uint64, lo, hi, err float64) *analysis.Series {
		return &analysis.Series{Count: n, P50CI: [2]float64{lo, hi}, P99CI: [2]float64{lo, hi}, QuantileError: err}
	}
	for _, test := range []struct {
		name string
		q    float64
		a, b *analysis.Series
		want Noise
	}{
		{"touching", 0.5, with(500, 1, 2, 0), with(500, 2, 3, 0), Within},
		{"apart", 0.5, with(500, 1, 2, 0), with(500, 2.01, 3, 0), Beyond},
		{"apart, the other way", 0.5, with(500, 2.01, 3, 0), with(500, 1, 2, 0), Beyond},
		{"apart by less than the sketch's error", 0.5, with(500, 1, 2, 0.01), with(500, 2.01, 3, 0.01), Within},
		{"few values", 0.5, with(9, 1, 2, 0), with(500, 5, 6, 0), Unstated},
		// 0.99^367 = 0.02501 and 0.99^368 = 0.02476: from 368 values on, the
		// chance that none is over the 99th percentile is under 2.5 %.
		{"an interval open above", 0.99, with(367, 1, 2, 0), with(500, 5, 6, 0), Within},
		{"a closed one", 0.99, with(368, 1, 2, 0), with(500, 5, 6, 0), Beyond},
		{"open above says nothing of what is below", 0.99, with(367, 5, 6, 0), with(500, 1, 2, 0), Beyond},
	} {
		if got := overlap(test.q, test.a, test.b); got.noise != test.want {
			t.Errorf("%s: %v, want %s", test.name, got, test.want)
		}
	}
}
