package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func of(xs ...float64) *Summary {
	s := new(Summary)
	for i, x := range xs {
		s.Add(x, int64(i))
	}
	return s
}

// near allows for the rounding of float64 in another order of operations.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1)
}

func TestWorkedExample(t *testing.T) {
	s := of(2, 4, 4, 4, 5, 5, 7, 9) // mean 5, population standard deviation 2
	if s.Count() != 8 || s.Mean() != 5 || !near(s.Stddev(), 2) || !near(s.Sum(), 40) {
		t.Errorf("count %d mean %v stddev %v sum %v, want 8, 5, 2, 40", s.Count(), s.Mean(), s.Stddev(), s.Sum())
	}
	if x, at := s.Min(); x != 2 || at != 0 {
		t.Errorf("min %v at %d, want 2 at 0", x, at)
	}
	if x, at := s.Max(); x != 9 || at != 7 {
		t.Errorf("max %v at %d, want 9 at 7", x, at)
	}
	for _, c := range []struct{ q, want float64 }{
		{0, 2}, {0.5, 4.5}, {1, 9}, {0.75, 5.5}, {0.99, 7 + 0.93*2},
	} {
		if got := s.Quantile(c.q); !near(got, c.want) {
			t.Errorf("quantile %v = %v, want %v", c.q, got, c.want)
		}
	}
}

func TestEmpty(t *testing.T) {
	s := of()
	lo, hi := s.QuantileCI(0.5)
	least, _ := s.Min()
	for _, x := range []float64{s.Mean(), s.Stddev(), s.Quantile(0.5), lo, hi, least} {
		if !math.IsNaN(x) {
			t.Errorf("got %v of no values, want NaN", x)
		}
	}
	if s.Sum() != 0 {
		t.Errorf("sum %v, want 0", s.Sum())
	}
}

func TestWhatIsNoValueIsIgnored(t *testing.T) {
	s := of(1, math.NaN(), math.Inf(1), math.Inf(-1), 3)
	if s.Count() != 2 || s.Mean() != 2 {
		t.Errorf("count %d mean %v, want 2 and 2", s.Count(), s.Mean())
	}
}

// The median of 100 values: ranks 100*0.5 -+ 1.96*5, that is 40.2 and 59.8,
// outwards 40 and 60 counted from 1.
func TestConfidenceIntervalOfTheMedian(t *testing.T) {
	s := new(Summary)
	for i := 1; i <= 100; i++ {
		s.Add(float64(i), 0)
	}
	if lo, hi := s.QuantileCI(0.5); lo != 40 || hi != 60 {
		t.Errorf("[%v, %v], want [40, 60]", lo, hi)
	}
	if _, hi := s.QuantileCI(0.99); hi != 100 {
		t.Errorf("upper end of the 99th percentile %v, want the maximum", hi)
	}
}

func TestSketchKeepsItsPromise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{
		"positive":   func() float64 { return math.Exp(r.NormFloat64()*2 - 5) },
		"both signs": func() float64 { return r.NormFloat64() },
		"negative":   func() float64 { return -r.ExpFloat64() },
	} {
		xs := make([]float64, 3*MaxExact)
		s := new(Summary)
		for i := range xs {
			xs[i] = draw()
			s.Add(xs[i], 0)
		}
		if s.Exact() {
			t.Fatalf("%s: exact after %d values", name, len(xs))
		}
		slices.Sort(xs)
		for _, q := range []float64{0, 0.01, 0.3, 0.5, 0.95, 0.99, 1} {
			want := xs[int(float64(len(xs)-1)*q)]
			if got := s.Quantile(q); math.Abs(got-want) > SketchError*math.Abs(want)*1.01+1e-12 {
				t.Errorf("%s: quantile %v = %v, want %v within %v", name, q, got, want, SketchError)
			}
		}
	}
}

func TestExactUpToTheLimit(t *testing.T) {
	s := new(Summary)
	for i := range MaxExact {
		s.Add(float64(i), 0)
	}
	if !s.Exact() || s.Quantile(0.5) != float64(MaxExact-1)/2 {
		t.Errorf("exact %v, median %v", s.Exact(), s.Quantile(0.5))
	}
	if s.Add(0, 0); s.Exact() {
		t.Error("still exact beyond the limit")
	}
}

func TestPoolIsSharedAndGivenBack(t *testing.T) {
	p := NewPool(96)
	a, b := In(p), In(p)
	for i := range 64 {
		a.Add(float64(i), 0)
	}
	for i := range 33 {
		b.Add(float64(i), 0)
	}
	if !a.Exact() || b.Exact() {
		t.Errorf("exact %v %v, want true false", a.Exact(), b.Exact())
	}
	if p.left != 32 {
		t.Errorf("%d left, want the 32 that b gave back", p.left)
	}
}

func TestMergeIsTheSameAsAddingAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 200).Draw(t, "xs")
		cut := rapid.IntRange(0, len(xs)).Draw(t, "cut")
		all, a, b := of(xs...), of(xs[:cut]...), new(Summary)
		for i, x := range xs[cut:] {
			b.Add(x, int64(cut+i))
		}
		a.Merge(b)
		if a.Count() != all.Count() || !near(a.Mean(), all.Mean()) || math.Abs(a.Stddev()-all.Stddev()) > 1e-3 {
			t.Fatalf("merged %d %v %v, all %d %v %v", a.Count(), a.Mean(), a.Stddev(), all.Count(), all.Mean(), all.Stddev())
		}
		for _, q := range []float64{0, 0.2, 0.5, 0.99, 1} {
			if a.Quantile(q) != all.Quantile(q) {
				t.Fatalf("quantile %v: %v, want %v", q, a.Quantile(q), all.Quantile(q))
			}
		}
		ax, aat := a.Max()
		if bx, bat := all.Max(); ax != bx || aat != bat {
			t.Fatalf("max %v at %d, want %v at %d", ax, aat, bx, bat)
		}
	})
}

func TestMergeOfSketches(t *testing.T) {
	a, b := new(Summary), new(Summary)
	for i := range 2 * MaxExact {
		a.Add(1, 0)
		if i < 10 {
			b.Add(2, 1)
		}
	}
	b.Merge(a)
	if b.Exact() || b.Count() != 2*MaxExact+10 {
		t.Errorf("exact %v count %d", b.Exact(), b.Count())
	}
	var n uint64
	b.Each(func(_ float64, count uint64) { n += count })
	if n != b.Count() {
		t.Errorf("Each gives %d values, want %d", n, b.Count())
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, c := range []struct {
		name string
		pool *Pool
	}{{"kept=exact", nil}, {"kept=sketch", NewPool(0)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			s := In(c.pool)
			for i := range b.N {
				s.Add(0.005+float64(i%1000)*1e-7, int64(i))
				if c.pool == nil && s.n == MaxExact {
					s = Summary{}
				}
			}
		})
	}
}
