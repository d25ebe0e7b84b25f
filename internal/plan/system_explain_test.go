package plan

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/model"
)

// wantSpent checks what a worst response is spent on: lines of a length, a
// cause and by whom, the longest first.
func wantSpent(t *testing.T, s SystemSetup, want ...string) {
	t.Helper()
	s.Length = 100 * ms
	e := planSystem(t, s).Explanation
	if e == nil {
		t.Fatal("no explanation")
	}
	var got []string
	for _, p := range e.Parts {
		got = append(got, nanos(p.Length)+" "+spent(p.Cause, p.By))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// lo runs from 2 to 10, 12 to 20 and 22 to 26 ms; hi in between.
func TestExplainPreemption(t *testing.T) {
	s := levelled(1, timer("hi", 10*ms, 2*ms), timer("lo", 100*ms, 20*ms))
	wantSpent(t, SystemSetup{System: s, Explain: "lo/lo"}, "20 ms it runs", "6 ms preempted by hi/hi")
}

// b is due 1 ms after a began to run for 3 ms, which is not preempted.
func TestExplainABusyThread(t *testing.T) {
	b := timer("b", 10*ms, 2*ms)
	b.Timer.Phase = ms
	wantSpent(t, SystemSetup{System: threaded(timer("a", 10*ms, 3*ms), b), Explain: "n/b"},
		"2 ms its thread is busy with n/a, which had begun before", "2 ms it runs")
}

func TestExplainAQueue(t *testing.T) {
	s := threaded(timer("a", 10*ms, 3*ms), timer("b", 10*ms, 2*ms), timer("c", 10*ms, ms))
	wantSpent(t, SystemSetup{System: s, Explain: "n/c"}, "3 ms queued behind n/a", "2 ms queued behind n/b", "1 ms it runs")
}

// The window opens 5 ms after the release.
func TestExplainAWindow(t *testing.T) {
	c := timer("a", 10*ms, ms)
	c.Context.Window = model.Window{Offset: 5 * ms, Duration: 5 * ms, Frame: 10 * ms}
	wantSpent(t, SystemSetup{System: levelled(1, c), Explain: "a/a"}, "5 ms held back by the window of its context", "1 ms it runs")
}

// lo has the lock from 0 to 5 ms; hi comes at 1 ms, and has a CPU of its own.
func TestExplainALock(t *testing.T) {
	hi, lo := timer("hi", 50*ms, ms), timer("lo", 100*ms, 5*ms)
	hi.Timer.Phase, hi.Lock, lo.Lock = ms, "map", "map"
	s := levelled(2, hi, lo)
	s.Design.Locks = []model.Lock{{Name: "map"}}
	wantSpent(t, SystemSetup{System: s, Explain: "hi/hi"}, "4 ms waits for the lock that lo/lo holds", "1 ms it runs")
}

// Both threads of the executor are busy for 4 ms; and one callback of a group
// at a time.
func TestExplainManyThreads(t *testing.T) {
	a, b, c := timer("a", 50*ms, 4*ms), timer("b", 50*ms, 6*ms), timer("c", 50*ms, ms)
	s := levelled(2, a, b, c)
	s.Design.Executors = []model.Executor{{Name: "main", Kind: model.MultiThreaded, Threads: 2}}
	wantSpent(t, SystemSetup{System: s, Explain: "c/c"}, "4 ms queued behind a/a and b/b", "1 ms it runs")
	one := design(2, a, b)
	one.Executors = s.Design.Executors
	wantSpent(t, SystemSetup{System: &model.System{Design: one}, Explain: "n/b"}, "6 ms it runs", "4 ms its callback group runs n/a")
}

// What was found at another set of phases is explained there: a waits for b,
// which began a nanosecond before.
func TestExplainTheWorstOfASweep(t *testing.T) {
	b := timer("b", 10*ms, 2*ms)
	b.Timer.Phase = 5 * ms
	s := SystemSetup{System: threaded(timer("a", 10*ms, 3*ms), b), Explain: "n/a", Sets: 5}
	wantSpent(t, s, "3 ms it runs", "1.999999 ms its thread is busy with n/b, which had begun before")
}

func TestNothingToExplain(t *testing.T) {
	s := threaded(subscription("a", "/nobody", ms))
	a := planSystem(t, SystemSetup{System: s, Explain: "n/a", Length: ms})
	wantSystemFinding(t, a, "not-explained", "n/a")
}

// Whatever the system, the parts add up to the response, and so do the pieces.
func TestExplanationsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var callbacks []model.Callback
		for i := range rapid.IntRange(1, 6).Draw(t, "callbacks") {
			c := timer(fmt.Sprintf("c%d", i), time.Duration(rapid.IntRange(5, 40).Draw(t, "period"))*ms, time.Duration(rapid.IntRange(1, 8).Draw(t, "takes"))*ms)
			c.Timer.Phase = time.Duration(rapid.IntRange(0, 10).Draw(t, "phase")) * ms
			c.Lock = rapid.SampledFrom([]string{"", "", "map"}).Draw(t, "lock")
			callbacks = append(callbacks, c)
		}
		s := levelled(rapid.IntRange(1, 3).Draw(t, "CPUs"), callbacks...)
		s.Design.Executors[0].Kind = rapid.SampledFrom([]model.ExecutorKind{model.LevelsExecutor, model.SingleThreaded, model.MultiThreaded}).Draw(t, "executor")
		s.Design.Locks = []model.Lock{{Name: "map"}}
		a, err := NewSystem(t.Context(), SystemSetup{System: s, Length: 300 * ms, Explain: "c0/c0"})
		if err != nil {
			t.Fatal(err)
		}
		e := a.Explanation
		if e == nil {
			return // it never finished
		}
		var parts, pieces int64
		for _, p := range e.Parts {
			parts += p.Length
		}
		for _, p := range e.Pieces {
			if p.From != pieces {
				t.Fatalf("a piece begins at %d, want %d", p.From, pieces)
			}
			pieces += p.Length
		}
		if parts != e.Response || pieces != e.Response || e.Left != 0 {
			t.Fatalf("parts %d, pieces %d, response %d", parts, pieces, e.Response)
		}
	})
}
