package sim

import (
	"math"
	"testing"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// lastSkips is a Timeline that keeps how many releases the last job of each
// callback stands for: no later one shows to an analysis that they were skipped.
type lastSkips struct {
	*Timeline
	system *System
	of     map[string]int64
}

func (l *lastSkips) Started(now clock.Mono, thread int, job *sched.Job) {
	l.of[l.system.Threads[thread].Callbacks[job.Callback].Name] = job.Skipped
	l.Timeline.Started(now, thread, job)
}

// What the analysis finds in the timelines of all scenarios is what their files
// say: that of timers, and of other callbacks their runs and responses.
func TestTimelinesOfScenarios(t *testing.T) {
	for _, f := range scenarios(t, "*.json") {
		for _, c := range f.Cases {
			t.Run(f.Scenario+"/"+c.Name, func(t *testing.T) { c.compareFigures(t) })
		}
	}
}

func (c *scenario) compareFigures(t *testing.T) {
	system := c.System.build(t)
	opt := analysis.Options{Loop: analysis.LoopOptions{KeepFirst: true}, Loops: map[string]analysis.LoopOptions{}}
	deadlines := map[string]time.Duration{}
	for _, x := range c.System.Contexts {
		deadlines[x.Name] = x.Deadline
	}
	for _, cb := range c.System.Callbacks {
		d := deadlines[cb.Context]
		if d == 0 {
			d = math.MaxInt64
		}
		if cb.Kind == "timer" && cb.Period > 0 {
			opt.Loops[cb.Name] = analysis.LoopOptions{KeepFirst: true, Period: cb.Period, Deadline: d}
		}
	}
	a := analysis.New(opt)
	l := &lastSkips{NewTimeline(&system, a), &system, map[string]int64{}}
	run, err := New(system, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Run(c.System.Duration); err != nil {
		t.Fatal(err)
	}
	l.Close()
	figures, _ := a.Figures()
	loops := map[string]*analysis.Loop{}
	for _, f := range figures.Loops {
		loops[f.Name] = f
	}
	for name := range opt.Loops {
		want := c.Expected.Callbacks[name]
		got := loops[name]
		if got == nil {
			t.Errorf("%s is no loop", name)
			continue
		}
		equal(t, name, "started", want.Started, int64(got.Callbacks))
		if want.Started == 0 {
			continue
		}
		equal(t, name, "finished", want.Finished, int64(got.Callbacks-got.Unfinished))
		equal(t, name, "missed", want.Missed, count(got.Missed))
		equal(t, name, "skipped", want.Skipped-l.of[name], count(got.Skipped))
		longest(t, name, "response", want.MaxResponse, got.ResponseS)
		longest(t, name, "lateness", want.MaxStartLateness, got.LatenessS)
	}
	ran := 0
	for _, want := range c.Expected.Callbacks {
		if want.Started > 0 {
			ran++
		}
	}
	equal(t, "the system", "callbacks that ran", int64(ran), int64(len(figures.Callbacks)))
	for _, got := range figures.Callbacks {
		want := c.Expected.Callbacks[got.Name]
		equal(t, got.Name, "started", want.Started, int64(got.Jobs))
		longest(t, got.Name, "response", want.MaxResponse, got.ResponseS)
	}
	var lost, overwritten int64
	for _, want := range c.Expected.Callbacks {
		lost += want.Lost
	}
	for _, topic := range figures.Topics {
		if topic.Losses != nil {
			overwritten += int64(topic.Losses.OverwrittenAtReader)
		}
	}
	equal(t, "the system", "lost samples", lost, overwritten)
	// CPU time is used once: by no more than all CPUs.
	var used float64
	for _, got := range figures.Callbacks {
		if got.CPUS != nil {
			used += got.CPUS.Mean * float64(got.CPUS.Count)
		}
	}
	if most := c.System.Duration.Seconds() * float64(max(c.System.CPUs, 1)); used > most*(1+1e-9) {
		t.Errorf("%.9f s of CPU time in %.9f s", used, most)
	}
}

func equal(t *testing.T, name, figure string, want, got int64) {
	t.Helper()
	if got != want {
		t.Errorf("%s of %s: %d, expected %d", figure, name, got, want)
	}
}

// count is 0 where too few releases are known for a count.
func count(n *uint64) int64 {
	if n == nil {
		return 0
	}
	return int64(*n)
}

func longest(t *testing.T, name, figure string, want *time.Duration, got *analysis.Series) {
	t.Helper()
	switch {
	case want == nil || got == nil:
		if (want == nil) != (got == nil) {
			t.Errorf("%s of %s: %v, expected %v", figure, name, got, want)
		}
	case math.Abs(got.Max-want.Seconds()) > 1e-12:
		t.Errorf("longest %s of %s: %.12f s, expected %.12f s", figure, name, got.Max, want.Seconds())
	}
}

// A thread that waits for a lock, or is preempted, uses no CPU time: 5 ms, in
// which a thread of a higher priority runs for 1 ms.
func TestTimelineOfPreemption(t *testing.T) {
	var seen events
	system := System{Threads: []Thread{
		{Name: "high", Priority: 2, Callbacks: []Callback{{Name: "n/high", Callback: sched.Callback{First: 2e6, Period: time.Second}, Costs: []time.Duration{time.Millisecond}}}},
		{Name: "low", Priority: 1, Callbacks: []Callback{{Name: "n/low", Callback: sched.Callback{Period: time.Second}, Costs: []time.Duration{5 * time.Millisecond}}}},
	}}
	tl := NewTimeline(&system, &seen)
	run, err := New(system, tl)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Run(clock.Mono(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	tl.Close()
	want := []struct {
		at     timeline.Instant
		kind   timeline.Kind
		thread int32
	}{
		{0, timeline.SwitchedIn, 2}, {0, timeline.JobReleased, 2}, {0, timeline.JobStarted, 2},
		{2e6, timeline.SwitchedOut, 2}, {2e6, timeline.SwitchedIn, 1}, {2e6, timeline.JobReleased, 1}, {2e6, timeline.JobStarted, 1},
		{3e6, timeline.JobEnded, 1}, {3e6, timeline.SwitchedOut, 1}, {3e6, timeline.SwitchedIn, 2},
		{6e6, timeline.JobEnded, 2}, {6e6, timeline.SwitchedOut, 2},
	}
	if len(seen) != len(want) {
		t.Fatalf("%d events: %v", len(seen), seen)
	}
	for i, w := range want {
		if e := seen[i]; e.At != w.at || e.Kind != w.kind || e.Thread != w.thread {
			t.Errorf("event %d is at %d of kind %d on thread %d, expected %v", i, e.At, e.Kind, e.Thread, w)
		}
	}
	if cpu := seen[10].Value; cpu != 5e6 {
		t.Errorf("%d ns of CPU time", cpu)
	}
}

type events []timeline.Event

func (s *events) Start(timeline.Origin)     {}
func (s *events) Describe(timeline.Entity)  {}
func (s *events) Events(e []timeline.Event) { *s = append(*s, e...) }

func TestTimelineDoesNotAllocate(t *testing.T) {
	system := scenarios(t, "s02.json")[0].Cases[0].System.build(t)
	tl := NewTimeline(&system, discard{})
	run, err := New(system, tl)
	if err != nil {
		t.Fatal(err)
	}
	until := clock.Mono(0)
	if n := testing.AllocsPerRun(100, func() {
		until += clock.Mono(time.Second)
		if err := run.Run(until); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations in a second of run", n)
	}
}

type discard struct{}

func (discard) Start(timeline.Origin)    {}
func (discard) Describe(timeline.Entity) {}
func (discard) Events([]timeline.Event)  {}
