package ctf

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/analysis"
)

// The analysis of a trace gives the executions and ages of every callback that
// were worked out from the text output of babeltrace2.
func TestAnalysisGivesTheValuesOfEveryCallback(t *testing.T) {
	for id, want := range loadExpected(t) {
		t.Run(id, func(t *testing.T) {
			s, f := analyse(t, want.Path)
			c := checker{t, &reading{source: s}}
			for i := range want.Callbacks {
				w := &want.Callbacks[i]
				got := c.figures(f, w)
				c.equal(got.Name+": jobs", got.Jobs, w.Starts)
				c.figure(got.Name+": execution", got.ExecS, w.Duration)
				c.figure(got.Name+": frame age", got.FrameAgeS, w.StampToStart)
			}
		})
	}
}

// analyse returns the figures of a recording, and its source, which is closed.
func analyse(t *testing.T, path string) (*Source, *analysis.Figures) {
	t.Helper()
	s, err := Open(filepath.Join(recordings, path), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := analysis.New(analysis.Options{})
	if _, err := s.Run(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	f, _ := a.Figures()
	return s, f
}

// figures returns those of a callback, which is known by process and address.
func (c checker) figures(f *analysis.Figures, want *expectedCallback) *analysis.Callback {
	c.Helper()
	for _, cb := range c.got.source.Callbacks() {
		for _, got := range f.Callbacks {
			if cb.PID == want.VPID && fmt.Sprintf("%#x", cb.Address) == want.Callback && cb.Name == got.Name {
				return got
			}
		}
	}
	c.Fatalf("no figures of callback %s of process %d", want.Callback, want.VPID)
	return nil
}

func (c checker) figure(what string, got *analysis.Series, want *expectedSeries) {
	c.Helper()
	if want == nil || want.N == 0 {
		return
	}
	if got == nil || got.Count != uint64(want.N) {
		c.Errorf("%s: %+v, want %d values", what, got, want.N)
		return
	}
	c.near(what+" mean", got.Mean, want.Mean)
	c.near(what+" min", got.Min, want.Min)
	c.near(what+" p50", got.P50, want.P50)
	c.near(what+" p95", got.P95, want.P95)
	c.near(what+" p99", got.P99, want.P99)
	c.near(what+" max", got.Max, want.Max)
	c.near(what+" std", got.Stddev, want.Std)
}
