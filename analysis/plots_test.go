package analysis

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// plotted is an analysis of a 10 Hz topic from 0 to 10 s whose messages of
// 4.1 to 4.9 s are missing: 91 of them, with one interval of 1 s that starts
// at 4 s and 89 of 100 ms.
func plotted(t *testing.T, batch int) *Analyzer {
	t.Helper()
	a := New(Options{Plots: true})
	a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.WallClock}})
	a.Describe(timeline.Entity{ID: 1, Kind: timeline.TopicEntity, Name: "/imu"})
	var events []timeline.Event
	for i := range int64(101) {
		if at := i * int64(100*time.Millisecond); i <= 40 || i >= 50 {
			stamp := timeline.Stamp(at - int64(time.Duration(i)*time.Millisecond)) // ages grow from 0 to 100 ms
			events = append(events, timeline.Event{Kind: timeline.SampleArrived, Entity: 1, At: timeline.Instant(at), Stamp: stamp + 1, Flags: timeline.HasStamp})
		}
	}
	for part := range slices.Chunk(events, batch) {
		a.Events(part)
	}
	return a
}

func TestPlotsOfTopic(t *testing.T) {
	a := plotted(t, 1000)
	p := a.Plots().Topics["/imu"]
	n, worst := uint64(0), Stretch{}
	for _, s := range p.IntervalS.Stretches {
		n += s.Count
		if s.Max > worst.Max {
			worst = s
		}
	}
	if n != 91 || worst.Max != 1 || worst.MaxAtS != 4 {
		t.Errorf("%d intervals, the longest %g s at %g s; want 91, 1 s at 4 s", n, worst.Max, worst.MaxAtS)
	}
	last := p.AgeS.Stretches[len(p.AgeS.Stretches)-1]
	if math.Abs(last.Max-0.1) > 1e-6 || last.MaxAtS != 10 {
		t.Errorf("the oldest is %g s at %g s, want 100 ms at 10 s", last.Max, last.MaxAtS)
	}
	if p.IntervalSimS != nil {
		t.Error("there is no clock, and intervals in simulated time")
	}
}

func TestPlotsAreKeptOnRequestOnly(t *testing.T) {
	a := New(Options{})
	a.Events([]timeline.Event{{Kind: timeline.SampleArrived, Entity: 1}})
	if p := a.Plots(); p != nil {
		t.Errorf("plots %+v", p)
	}
}

func TestPlotsDoNotDependOnBatches(t *testing.T) {
	want := fmt.Sprintf("%+v", plotted(t, 1000).Plots().Topics["/imu"].IntervalS)
	for _, batch := range []int{1, 7} {
		if got := fmt.Sprintf("%+v", plotted(t, batch).Plots().Topics["/imu"].IntervalS); got != want {
			t.Errorf("in batches of %d the track is\n%s, want\n%s", batch, got, want)
		}
	}
}

// A clock at 50 Hz of the axis that runs at half pace from 2 to 3 s of 5.
func TestPlotsOfClock(t *testing.T) {
	a := New(Options{Plots: true})
	a.Describe(timeline.Entity{ID: 1, Kind: timeline.ClockEntity, Name: "/clock"})
	sim := int64(time.Second)
	for at := int64(0); at <= int64(5*time.Second); at += int64(20 * time.Millisecond) {
		a.Events([]timeline.Event{{Kind: timeline.TickArrived, Entity: 1, At: timeline.Instant(at), Value: sim}})
		step := int64(20 * time.Millisecond)
		if at >= int64(2*time.Second) && at < int64(3*time.Second) {
			step /= 2
		}
		sim += step
	}
	for _, s := range a.Plots().Clock.RTF.Stretches {
		want := 1.0
		if s.MinAtS >= 2 && s.MinAtS < 3 {
			want = 0.5
		}
		if math.Abs(s.Min-want) > 1e-9 || math.Abs(s.Max-want) > 1e-9 {
			t.Errorf("at %g s the factor is from %g to %g, want %g", s.MinAtS, s.Min, s.Max, want)
		}
	}
	steps := a.Plots().Clock.Steps.Bins
	if steps[0].Count != 50 || steps[len(steps)-1].Count != 200 {
		t.Errorf("%d steps of 10 ms and %d of 20 ms, want 50 and 200", steps[0].Count, steps[len(steps)-1].Count)
	}
}

// A timer of 10 ms from 10 ms on whose 25th job takes 22 ms: it starts at
// 250 ms and ends at 272 ms, the release of 260 ms starts 12 ms late, and that
// of 270 ms is skipped.
func TestPlotsOfLoopAroundTheWorst(t *testing.T) {
	a := New(Options{Plots: true, Loop: LoopOptions{Period: 10 * time.Millisecond}})
	a.Describe(timeline.Entity{ID: 1, Kind: timeline.TimerEntity, Name: "control"})
	run := func(number uint64, start, length time.Duration) {
		a.Events([]timeline.Event{
			{Kind: timeline.JobStarted, Entity: 1, Number: number, At: timeline.Instant(start)},
			{Kind: timeline.JobEnded, Entity: 1, Number: number, At: timeline.Instant(start + length)},
		})
	}
	for n := uint64(1); n < 25; n++ {
		run(n, time.Duration(n)*10*time.Millisecond, time.Millisecond)
	}
	run(25, 250*time.Millisecond, 22*time.Millisecond)
	run(26, 272*time.Millisecond, time.Millisecond)
	for n := uint64(28); n < 60; n++ {
		run(n-1, time.Duration(n)*10*time.Millisecond, time.Millisecond)
	}
	worst := a.Plots().Loops["control"].Worst
	if len(worst) != 25 || worst[0].Number != 13 || worst[24].Number != 37 {
		t.Fatalf("%d jobs kept, want those from 13 to 37: %+v", len(worst), worst)
	}
	start := 0.010 // of the timeline: the first job's, which is left out of the figures
	for i, want := range map[int]DrawnJob{
		12: {Number: 25, ReleaseAtS: 0.250 - start, AtS: 0.250 - start, EndAtS: 0.272 - start, ResponseS: 0.022, Missed: true, TheWorst: true},
		13: {Number: 26, ReleaseAtS: 0.260 - start, AtS: 0.272 - start, EndAtS: 0.273 - start, LatenessS: 0.012, ResponseS: 0.013, Missed: true, Skipped: 1},
	} {
		if got := worst[i]; !sameJob(got, want) {
			t.Errorf("job %+v, want %+v", got, want)
		}
	}
}

// sameJob compares two jobs, their instants to the nanosecond.
func sameJob(a, b DrawnJob) bool {
	for _, d := range []float64{a.ReleaseAtS - b.ReleaseAtS, a.AtS - b.AtS, a.EndAtS - b.EndAtS, a.LatenessS - b.LatenessS, a.ResponseS - b.ResponseS} {
		if math.Abs(d) > 0.5e-9 {
			return false
		}
	}
	return a.Number == b.Number && a.Skipped == b.Skipped && a.Missed == b.Missed && a.Marked == b.Marked && a.TheWorst == b.TheWorst
}

// The worst job may be the last: it is drawn all the same.
func TestPlotsOfLoopWithTheWorstLast(t *testing.T) {
	a := New(Options{Plots: true, Loop: LoopOptions{Period: 10 * time.Millisecond, KeepFirst: true}})
	for n := range uint64(20) {
		at := timeline.Instant(n) * timeline.Instant(10*time.Millisecond)
		a.Events([]timeline.Event{
			{Kind: timeline.JobStarted, Entity: 1, Number: n, At: at},
			{Kind: timeline.JobEnded, Entity: 1, Number: n, At: at + timeline.Instant(n)},
		})
	}
	for range 2 { // asking changes nothing
		worst := a.Plots().Loops[""].Worst
		if len(worst) != 13 || !worst[12].TheWorst || worst[12].Number != 19 {
			t.Fatalf("%d jobs, the last %+v; want 13 to the worst, number 19", len(worst), worst[len(worst)-1])
		}
	}
}

// Plots of 1000 topics stay under 40 MB, whatever the length of the timeline.
func TestPlotsMemory(t *testing.T) {
	const topics = 1000
	used := func(opt Options) uint64 {
		a := New(opt)
		for id := range timeline.EntityID(topics) {
			a.Describe(timeline.Entity{ID: id + 1, Kind: timeline.TopicEntity, Name: fmt.Sprint(id)})
		}
		a.Describe(timeline.Entity{ID: topics + 1, Kind: timeline.ClockEntity, Name: "/clock"})
		for i := range int64(600) {
			at := i * int64(10*time.Millisecond)
			a.Events([]timeline.Event{{Kind: timeline.TickArrived, Entity: topics + 1, At: timeline.Instant(at), Value: at + 1}})
			for id := range timeline.EntityID(topics) {
				a.Events([]timeline.Event{{Kind: timeline.SampleArrived, Entity: id + 1, At: timeline.Instant(at), Stamp: timeline.Stamp(at + 1), Flags: timeline.HasStamp}})
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		runtime.KeepAlive(a)
		return m.HeapAlloc
	}
	without, with := used(Options{}), used(Options{Plots: true})
	if more := int64(with) - int64(without); more > 40<<20 {
		t.Errorf("plots of %d topics take %d bytes", topics, more)
	}
}

// Plots go by names, so two topics of one name have none.
func TestPlotsOfTopicsOfOneName(t *testing.T) {
	a := New(Options{Plots: true})
	for id := range timeline.EntityID(3) {
		a.Describe(timeline.Entity{ID: id + 1, Kind: timeline.TopicEntity, Name: "/same"})
		a.Events([]timeline.Event{{Kind: timeline.SampleArrived, Entity: id + 1}})
	}
	if p := a.Plots().Topics["/same"]; p != nil {
		t.Errorf("plots %+v of one of three topics", p)
	}
}
