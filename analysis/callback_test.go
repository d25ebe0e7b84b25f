package analysis

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// A trail writes the events of callbacks on threads; instants in milliseconds.
type trail struct {
	a    *Analyzer
	jobs map[timeline.EntityID]uint64
}

func newTrail(opt Options, callbacks ...string) *trail {
	s := &trail{New(opt), map[timeline.EntityID]uint64{}}
	s.a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.MonoClock, MonoKnown: true}})
	for i, name := range callbacks {
		s.a.Describe(timeline.Entity{ID: timeline.EntityID(i + 1), Kind: timeline.CallbackEntity, Name: name})
	}
	return s
}

func (s *trail) event(at int, kind timeline.Kind, id timeline.EntityID, thread int32, more func(*timeline.Event)) {
	e := timeline.Event{At: timeline.Instant(at) * 1e6, Kind: kind, Entity: id, Number: s.jobs[id], Thread: thread, Flags: timeline.HasThread}
	if more != nil {
		more(&e)
	}
	s.a.Events([]timeline.Event{e})
}

func (s *trail) start(at int, id timeline.EntityID, thread int32, more func(*timeline.Event)) {
	s.jobs[id]++
	s.event(at, timeline.JobStarted, id, thread, more)
}

func (s *trail) end(at int, id timeline.EntityID, thread int32) {
	s.event(at, timeline.JobEnded, id, thread, nil)
}

func (s *trail) publish(at int, writer timeline.EntityID, number uint64, thread int32) {
	s.event(at, timeline.SampleSent, writer, thread, func(e *timeline.Event) { e.Number = number })
}

// caused starts a job for a sample, which was published at sent.
func caused(writer timeline.EntityID, number uint64, sent int) func(*timeline.Event) {
	return func(e *timeline.Event) {
		e.Cause = timeline.Cause{Entity: writer, Number: number}
		e.Sent, e.Flags = timeline.Instant(sent)*1e6, e.Flags|timeline.HasSent
	}
}

func wantMax(t *testing.T, what string, s *Series, want float64) {
	t.Helper()
	if s == nil || s.Max != want {
		t.Errorf("%s: %+v, want a maximum of %v s", what, s, want)
	}
}

// A callback of a subscription is no loop; its age is taken at start and end.
func TestSubscriptionCallbackIsNoLoop(t *testing.T) {
	s := newTrail(Options{}, "/a subscription /t")
	s.start(10, 1, 7, caused(11, 1, 4))
	s.end(15, 1, 7)
	s.start(20, 1, 7, caused(11, 2, 19))
	s.end(30, 1, 7)
	f, found := s.a.Figures()
	if len(f.Loops) != 0 || len(found) != 0 || len(f.Callbacks) != 1 || len(f.Threads) != 1 {
		t.Fatalf("loops %v, findings %v, callbacks %v, threads %v", f.Loops, found, f.Callbacks, f.Threads)
	}
	c, th := f.Callbacks[0], f.Threads[0]
	wantMax(t, "execution", c.ExecS, 0.010)
	wantMax(t, "frame age", c.FrameAgeS, 0.006)
	wantMax(t, "result latency", c.ResultLatencyS, 0.011)
	// 15 ms of 20 ms.
	if c.Jobs != 2 || c.BusyS != 0.015 || c.Utilisation != 0.75 || *c.ThreadShare != 1 || c.Thread != "thread 7" {
		t.Errorf("callback %+v", c)
	}
	if th.Callbacks != 2 || th.RateHz != 100 || th.Utilisation != 0.75 || th.LongestBusyS != 0.010 || th.LongestBusyAtS != 0.010 || th.CPUS != nil {
		t.Errorf("thread %+v", th)
	}
}

// Somebody who gives a subscription a period wants it judged as a loop.
func TestSubscriptionCallbackWithContractIsALoop(t *testing.T) {
	s := newTrail(Options{Loops: map[string]LoopOptions{"/a subscription /t": {Period: 10 * time.Millisecond}}}, "/a subscription /t")
	s.start(10, 1, 7, nil)
	s.end(15, 1, 7)
	if f, _ := s.a.Figures(); len(f.Loops) != 1 {
		t.Errorf("%d loops, want 1", len(f.Loops))
	}
}

// A callback that spins within another keeps the thread busy only once.
func TestNestedCallbacksCountOnce(t *testing.T) {
	s := newTrail(Options{}, "/outer", "/inner")
	s.start(0, 1, 7, nil)
	s.start(2, 2, 7, nil)
	s.end(5, 2, 7)
	s.start(6, 2, 7, nil)
	s.end(9, 2, 7)
	s.end(10, 1, 7)
	s.start(10, 2, 7, nil)
	s.end(20, 2, 7)
	f, _ := s.a.Figures()
	if th := f.Threads[0]; th.BusyS != 0.020 || th.LongestBusyS != 0.020 || th.Callbacks != 4 {
		t.Errorf("thread %+v, want 20 ms busy in 4 callbacks", th)
	}
}

// Whatever ends are lost, a thread's busy time is that of the union of the
// jobs that ended.
func TestThreadIsBusyForTheUnionOfItsJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newTrail(Options{}, "/a", "/b", "/c", "/d")
		covered := make([]bool, 400)
		var open []int // starts, by nesting
		now := 0
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.IntRange(1, 5).Draw(t, "pause")
			id := timeline.EntityID(len(open))
			switch n := rapid.IntRange(0, 9).Draw(t, "step"); {
			case n < 4 && len(open) < 4:
				s.start(now, id+1, 7, nil)
				open = append(open, now)
			case n < 9 && len(open) > 0:
				s.end(now, id, 7)
				for k := open[len(open)-1]; k < now; k++ {
					covered[k] = true
				}
				open = open[:len(open)-1]
			case len(open) > 1: // an end is lost
				open = slices.Delete(open, len(open)-1, len(open))
			}
		}
		want := 0
		for _, c := range covered {
			if c {
				want++
			}
		}
		got := time.Duration(0)
		if th := s.a.threads[7]; th != nil {
			got = th.busy
		}
		if got != time.Duration(want)*time.Millisecond {
			t.Fatalf("busy %v, want %d ms", got, want)
		}
	})
}

// A chain that begins outside of the trace goes back to the publication.
func TestChainFromOutside(t *testing.T) {
	s := newTrail(Options{}, "/a", "/b")
	for i := range 3 {
		at := 100 * i
		s.start(at+10, 1, 7, caused(50, uint64(i+1), at+4))
		s.publish(at+12, 11, uint64(i+1), 7)
		s.end(at+15, 1, 7)
		s.start(at+20, 2, 8, caused(11, uint64(i+1), at+12))
		s.end(at+30, 2, 8)
	}
	f, _ := s.a.Figures()
	if len(f.Chains) != 1 || !slices.Equal(f.Chains[0].Callbacks, []string{"/a", "/b"}) || f.Chains[0].Outputs != 3 {
		t.Fatalf("chains %+v", f.Chains)
	}
	// Published at 4, 104, 204; out at 30, 130, 230: 26 each, and 126 back to the one before.
	wantMax(t, "reduced age", f.Chains[0].ReducedAgeS, 0.026)
	wantMax(t, "overwrite age", f.Chains[0].OverwriteAgeS, 0.126)
	wantMax(t, "reaction", f.Chains[0].ReactionS, 0.126)
}

// Part of a longer way may be asked for; what nothing took is said to have no output.
func TestNamedChains(t *testing.T) {
	s := newTrail(Options{Chains: []NamedChain{{"tail", []string{"/b", "/c"}}, {"none", []string{"/c", "/a"}}}}, "/a", "/b", "/c")
	s.start(0, 1, 7, nil)
	s.publish(1, 11, 1, 7)
	s.end(1, 1, 7)
	s.start(3, 2, 8, caused(11, 1, 1))
	s.publish(5, 12, 1, 8)
	s.end(5, 2, 8)
	s.start(6, 3, 9, caused(12, 1, 5))
	s.end(8, 3, 9)
	f, _ := s.a.Figures()
	if len(f.Chains) != 3 || f.Chains[0].Name != "tail" || f.Chains[1].Name != "none" || f.Chains[1].Outputs != 0 || len(f.Chains[2].Callbacks) != 3 {
		t.Fatalf("chains %+v", f.Chains)
	}
	wantMax(t, "tail from its publication", f.Chains[0].ReducedAgeS, 0.007)
	wantMax(t, "the whole", f.Chains[2].ReducedAgeS, 0.008)
}

// Causes that lead in a circle end at the bound, and a finding says so.
func TestCircleOfCausesIsBounded(t *testing.T) {
	s := newTrail(Options{}, "/a")
	s.start(0, 1, 7, nil)
	for i := range 100 {
		s.publish(10*i+1, 11, uint64(i+1), 7)
		s.end(10*i+2, 1, 7)
		s.start(10*i+10, 1, 7, caused(11, uint64(i+1), 10*i+1))
	}
	_, found := s.a.Figures()
	if s.a.chains.count > maxPaths || len(found) != 1 || found[0].ID != "chains-bounded" {
		t.Errorf("%d paths, findings %v", s.a.chains.count, found)
	}
}

// What was lost may have replaced an output or changed a source.
func TestHoleCutsChains(t *testing.T) {
	s := newTrail(Options{}, "/a", "/b")
	for i := range 2 {
		at := 100 * i
		s.start(at, 1, 7, nil)
		s.publish(at+1, 11, uint64(i+1), 7)
		s.end(at+1, 1, 7)
		s.start(at+2, 2, 8, caused(11, uint64(i+1), at+1))
		s.end(at+3, 2, 8)
		s.event(at+50, timeline.Hole, 0, 0, func(e *timeline.Event) { e.Value = int64(at+60) * 1e6 })
	}
	f, _ := s.a.Figures()
	if c := f.Chains[0]; c.Outputs != 2 || c.ReactionS != nil || c.OverwriteAgeS != nil {
		t.Errorf("chain %+v", c)
	}
	wantMax(t, "reduced age", f.Chains[0].ReducedAgeS, 0.003)
}
