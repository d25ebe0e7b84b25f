package compile

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

func drawn(t *testing.T, m model.Distribution, jobs int64) (all []time.Duration) {
	t.Helper()
	b := &builder{options: Options{Seed: 7}}
	d, problem := b.distribution("nav/plan", &m)
	if problem != "" {
		t.Fatal(problem)
	}
	for job := range jobs {
		all = append(all, d.draw(job))
	}
	return all
}

// The first five jobs of nav/plan with the seeds 7 and 1, by another program:
// FNV-1a and PCG-DXSM in Python's integers, the shapes in decimals of 60 digits,
// rounded to nanoseconds at the end. A CPU that rounds otherwise differs here.
func TestDrawsAreTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		m    model.Distribution
		want []time.Duration
	}{
		{model.Distribution{Kind: model.Uniform, Low: ms, High: 2 * ms}, []time.Duration{1588847, 1974790, 1383200, 1964417, 1191161}},
		{model.Distribution{Kind: model.Exponential, Mean: ms}, []time.Duration{529589, 25534, 959198, 36232, 1654638}},
		{model.Distribution{Kind: model.Normal, Mean: 5 * ms, Deviation: ms}, []time.Duration{5217327, 5265543, 2661317, 5494597, 4354327}},
		{model.Distribution{Kind: model.Lognormal, Mean: 2 * ms, Deviation: 500 * us}, []time.Duration{2046939, 2071384, 1090900, 2191563, 1655092}},
		// What lies outside is drawn again: here on the 7th, 6th, 2nd, 3rd and 6th go.
		{model.Distribution{Kind: model.Normal, Mean: ms, Deviation: ms, Low: 1500 * us, High: 2 * ms}, []time.Duration{1501782, 1844266, 1827763, 1637624, 1557464}},
	} {
		c.m.Seed = 1
		if got := drawn(t, c.m, 5); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.m.Kind, got, c.want)
		}
	}
	b := &builder{options: Options{Seed: 7}}
	j := jitter(b.key("topic", "/scan", 3), 2*ms)
	for i, want := range []time.Duration{900669, 1922285, 1136164, 1888179, 594866, 1622128} {
		if got := j(clock.Mono(i) * clock.Mono(10*ms)); got != want {
			t.Errorf("jitter %d: got %v, want %v", i, got, want)
		}
	}
}

// Of 200,000 jobs, mean and deviation are those asked for within five standard
// errors, each tenth of a uniform one has its share within five, and a job says
// nothing of the next.
func TestDrawsHaveTheirShape(t *testing.T) {
	const n = 200_000
	root := math.Sqrt(n)
	for _, c := range []struct {
		m               model.Distribution
		mean, deviation float64 // ns
	}{
		{model.Distribution{Kind: model.Uniform, Low: ms, High: 2 * ms}, 1.5e6, 1e6 / math.Sqrt(12)},
		{model.Distribution{Kind: model.Exponential, Mean: ms}, 1e6, 1e6},
		{model.Distribution{Kind: model.Normal, Mean: 10 * ms, Deviation: ms}, 1e7, 1e6},
		{model.Distribution{Kind: model.Lognormal, Mean: 2 * ms, Deviation: ms}, 2e6, 1e6},
	} {
		all := drawn(t, c.m, n)
		sum, squares, next := 0.0, 0.0, 0.0
		for i, d := range all {
			x := (float64(d) - c.mean) / c.deviation
			sum += x
			squares += x * x
			if i > 0 {
				next += x * (float64(all[i-1]) - c.mean) / c.deviation
			}
		}
		if math.Abs(sum) > 5*root || math.Abs(next) > 5*root {
			t.Errorf("%s: the mean is off by %v standard errors, neighbours correlate by %v", c.m.Kind, sum/root, next/root)
		}
		// The fourth moment is at most 9 of the exponential, some 40 of this lognormal.
		if math.Abs(squares-n) > 5*math.Sqrt(40)*root {
			t.Errorf("%s: the variance is %v times that asked for", c.m.Kind, squares/n)
		}
	}
	tenths := [10]int{}
	for _, d := range drawn(t, model.Distribution{Kind: model.Uniform, High: 9}, n) {
		tenths[d]++
	}
	for i, count := range tenths {
		if math.Abs(float64(count)-n/10) > 5*math.Sqrt(n*0.09) {
			t.Errorf("%d of %d draws of 0 to 9 are %d", count, n, i)
		}
	}
}

// Draws keep to their limits, whatever is asked for.
func TestDrawsKeepToLimits(t *testing.T) {
	for _, m := range []model.Distribution{
		{Kind: model.Exponential, Mean: ms, High: 2 * ms},
		{Kind: model.Normal, Mean: ms, Deviation: 10 * ms},
		{Kind: model.Normal, Mean: ms, Deviation: us, Low: 5 * ms, High: 6 * ms}, // never reached: the limit
		{Kind: model.Lognormal, Mean: ms, Deviation: time.Hour},
		{Kind: model.Exponential, Mean: longest},
		{Kind: model.Normal},
		{Kind: model.Uniform, Low: 3, High: 3},
	} {
		high := m.High
		if high == 0 {
			high = longest
		}
		for job, d := range drawn(t, m, 1000) {
			if d < m.Low || d > high {
				t.Fatalf("%+v: job %d takes %v", m, job, d)
			}
		}
	}
	if d := drawn(t, model.Distribution{Kind: model.Normal, Mean: ms, Deviation: us, Low: 5 * ms, High: 6 * ms}, 1); d[0] != 5*ms {
		t.Errorf("out of reach is %v, want the limit of 5ms", d[0])
	}
}

// A draw allocates nothing.
func TestDrawsDoNotAllocate(t *testing.T) {
	b := &builder{}
	d, _ := b.distribution("a/b", &model.Distribution{Kind: model.Lognormal, Mean: ms, Deviation: ms})
	j := jitter(b.key("topic", "/a", 0), ms)
	if n := testing.AllocsPerRun(100, func() { d.draw(3); j(5) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
