package analysis

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// The throttled run of the published experiment: 474 callbacks over 481 grid
// periods, 8 skipped, 18 missed, mean interval 10.505 ms on the wall and
// 10.169 ms in ROS time, longest 41.491 ms, real time factor 0.968. In eight
// of ten injected callbacks 22 ms of simulated time pass; in two the clock is
// throttled as well, so that 14 ms pass and the next callback is 4 ms late.
func TestThrottledRun(t *testing.T) {
	o := every(10 * ms)
	o.Loop.OnROS, o.Loop.Budget = true, 25*ms
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	const (
		wall    = 473 * 10505 * us // from the first start to the last
		stalled = 41491*us - 14*ms // over what simulated time explains, in the longest interval
	)
	rest := wall - 4810*ms - stalled // in thirteen intervals
	var at, release, free time.Duration
	for n := range 474 {
		start := max(release, free)
		injected, throttled := n%48 == 24, n == 24 || n == 72
		exec := time.Duration(0)
		if injected {
			exec, free = 22*ms, start+22*ms
		}
		if throttled {
			free = start + 14*ms
		}
		p.jobROS(at, exec, start, start)
		if injected {
			p.mark(p.number)
		}
		for release += 10 * ms; release <= start; release += 10 * ms {
		}
		at += max(release, free) - start
		switch {
		case n == 24:
			at += stalled
		case n%36 == 30:
			at += rest / 13
		}
	}
	l, found := p.figures()
	p.wantCount("callbacks", &l.Callbacks, 474)
	p.wantCount("injected", &l.Injected, 10)
	p.wantCount("grid periods", l.GridPeriods, 481)
	p.wantCount("skipped", l.Skipped, 8)
	p.wantCount("missed", l.Missed, 18)
	nearly(t, "mean interval", l.IntervalS.Mean, 0.010505)
	nearly(t, "mean interval in ROS time", l.IntervalRosS.Mean, 0.010169)
	p.want("longest interval", &l.IntervalS.Max, 0.041491)
	p.want("longest interval less deadline", l.MaxMinusDeadlineS, 0.031491)
	nearly(t, "real time factor", *l.RTF*1e-3, 0.968e-3)
	p.wantFinding(found, "ros-time-stood-still")
	p.wantNoFinding(found, "timed-on-the-wrong-clock")
}

// nearly compares seconds to the microsecond, as published.
func nearly(t *testing.T, what string, got, want float64) {
	t.Helper()
	if d := got - want; d > 0.5e-6 || d < -0.5e-6 {
		t.Errorf("%s = %v, want %v to 1e-6", what, got, want)
	}
}

func TestFirstCallbackIsLeftOut(t *testing.T) {
	for _, keep := range []bool{false, true} {
		o := every(10 * ms)
		o.Loop.KeepFirst = keep
		p := newLoopTape(t, o, timeline.Entity{})
		p.job(0, 15*ms)
		p.mark(p.number)
		p.job(15*ms, 0)
		p.job(25*ms, 0)
		l, _ := p.figures()
		if keep { // on the grid from 0: 10 starts 5 ms late, 20 starts 5 ms late
			p.wantCount("callbacks", &l.Callbacks, 3)
			p.wantCount("missed", l.Missed, 1)
			p.wantCount("injected", &l.Injected, 1)
		} else { // on the grid from 15
			p.wantCount("callbacks", &l.Callbacks, 2)
			p.wantCount("missed", l.Missed, 0)
			p.wantCount("injected", &l.Injected, 0)
			p.want("execution", &l.ExecS.Max, 0)
		}
	}
}

func TestFirstCallbackAlone(t *testing.T) {
	p := newLoopTape(t, every(10*ms), timeline.Entity{})
	p.job(0, ms)
	l, found := p.figures()
	if l.Callbacks != 0 || l.IntervalS != nil || l.Missed != nil || l.GridPeriods != nil || len(found) != 0 {
		t.Errorf("%+v %q", l, found)
	}
}

// Two threads, each job of 15 ms at 10 ms: ends come after the next start.
func TestJobsOverlap(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	for i := range 100 {
		at := time.Duration(i) * 10 * ms
		p.start(at)
		if i > 0 {
			p.end(p.number-1, at+5*ms)
		}
	}
	l, found := p.figures()
	p.wantCount("callbacks", &l.Callbacks, 100)
	p.wantCount("unfinished", &l.Unfinished, 1)
	p.wantCount("missed", l.Missed, 99)
	p.wantCount("skipped", l.Skipped, 0)
	p.want("execution", &l.ExecS.Max, 0.015)
	p.wantNoFinding(found, "jobs-unfinished")
}

// Threads may start the jobs of two releases in the other order.
func TestStartsInTheOtherOrder(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	for i, release := range []time.Duration{0, 20, 10, 30, 50} {
		p.released(release * ms)
		p.job(time.Duration(10*i)*ms+25*ms, 0)
	}
	l, _ := p.figures()
	p.wantCount("grid periods", l.GridPeriods, 5)
	p.wantCount("skipped", l.Skipped, 1)
}

func TestEventsThatAreMissing(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	p.end(99, 0) // of a job that started before
	for i := range 10 {
		at := time.Duration(i) * 10 * ms
		if i == 3 || i == 5 {
			p.start(at)
			continue
		}
		p.job(at, ms)
	}
	p.number = 0
	p.job(100*ms, ms) // a number that came before
	l, found := p.figures()
	p.wantCount("callbacks", &l.Callbacks, 11)
	p.wantCount("unfinished", &l.Unfinished, 2)
	p.wantCount("executions", &l.ExecS.Count, 9)
	p.wantCount("skipped", l.Skipped, 0)
	p.wantFinding(found, "jobs-unfinished")
}

func TestNumberComesAnew(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	p.start(0)
	p.number = 0
	p.job(10*ms, 2*ms)
	l, _ := p.figures()
	p.wantCount("callbacks", &l.Callbacks, 2)
	p.wantCount("unfinished", &l.Unfinished, 1)
	p.want("execution", &l.ExecS.Max, 0.002)
}

// A start that the source could not put in its place ends no interval, and its
// release is not a skipped one.
func TestStartOutOfOrder(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		o := every(10 * ms)
		o.Loop.KeepFirst = true
		p := newLoopTape(t, o, timeline.Entity{})
		for _, at := range []time.Duration{0, 10, 30, 20, 40, 50} {
			if recorded && at != 20 {
				p.released(at * ms)
			}
			p.job(at*ms, ms)
		}
		l, _ := p.figures()
		p.wantCount("callbacks", &l.Callbacks, 6)
		p.wantCount("intervals", &l.IntervalS.Count, 4)
		p.wantCount("executions", &l.ExecS.Count, 6)
		p.wantCount("skipped", l.Skipped, 0)
	}
}

// A job whose release was not recorded ran all the same.
func TestRecordedReleaseIsLost(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	for i := range 10 {
		at := time.Duration(i) * 10 * ms
		if i == 7 {
			continue // skipped
		}
		if i != 4 && i != 9 {
			p.released(at)
		}
		p.job(at, 0)
	}
	l, _ := p.figures()
	p.wantCount("grid periods", l.GridPeriods, 8)
	p.wantCount("skipped", l.Skipped, 1)
	p.wantCount("lateness", &l.LatenessS.Count, 7)
}

// A timer on ROS time whose clock is set back by a reset of the simulation.
func TestSimulationReset(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		o := every(10 * ms)
		o.Loop.OnROS, o.Loop.KeepFirst = true, true
		p := newLoopTape(t, o, timeline.Entity{})
		at := time.Duration(0)
		for _, first := range []time.Duration{500 * ms, 100 * ms} {
			for i := range 20 {
				ros := first + time.Duration(i)*10*ms
				if recorded {
					p.released(ros)
				}
				p.jobROS(at, 0, ros, ros)
				at += 10 * ms
			}
		}
		l, found := p.figures()
		p.wantCount("resets", &l.Resets, 1)
		p.wantCount("grid periods", l.GridPeriods, 38) // 19 of each grid
		p.wantCount("skipped", l.Skipped, 0)
		p.wantCount("ROS intervals", &l.IntervalRosS.Count, 38)
		p.want("lateness", &l.LatenessS.Max, 0)
		p.want("real time factor", l.RTF, 1)
		p.wantFinding(found, "ros-time-went-back")
	}
}

// The first /clock value, 687.785 s, is a clock start and not an overrun.
func TestClockStartIsNoOverrun(t *testing.T) {
	o := every(10 * ms)
	o.Loop.OnROS, o.Loop.KeepFirst = true, true
	p := newLoopTape(t, o, timeline.Entity{})
	p.jobROS(0, 0, 0, 0)
	for i := range 20 {
		ros := 687785*ms + time.Duration(i)*10*ms
		p.jobROS(time.Duration(i+1)*10*ms, 0, ros, ros)
	}
	l, found := p.figures()
	p.wantCount("skipped", l.Skipped, 0)
	p.wantCount("missed", l.Missed, 0)
	p.want("real time factor", l.RTF, 1)
	if len(found) != 0 {
		t.Errorf("findings %q", found)
	}
}

func TestROSTimeIsMissing(t *testing.T) {
	o := every(10 * ms)
	o.Loop.OnROS, o.Loop.KeepFirst = true, true
	p := newLoopTape(t, o, timeline.Entity{})
	for i := range 20 {
		at := time.Duration(i) * 10 * ms
		if i == 10 {
			p.job(at, 0)
		} else {
			p.jobROS(at, 0, at, at)
		}
	}
	l, found := p.figures()
	p.wantCount("callbacks", &l.Callbacks, 20)
	p.wantCount("lateness", &l.LatenessS.Count, 19)
	p.wantCount("skipped", l.Skipped, 0)
	p.wantCount("ROS intervals", &l.IntervalRosS.Count, 17)
	p.want("real time factor", l.RTF, 1)
	p.wantFinding(found, "ros-time-missing")

	p = newLoopTape(t, o, timeline.Entity{})
	p.job(0, 0)
	p.job(10*ms, 0)
	l, _ = p.figures()
	if l.Missed != nil || l.Skipped != nil || l.Violations != nil || l.ResponseS != nil {
		t.Errorf("deadlines without ROS time: %+v", l)
	}
}

func TestHoleIsNoSkip(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	for i := range 20 {
		if i == 10 {
			p.add(timeline.Event{Kind: timeline.Hole, At: timeline.Instant(95 * ms), Value: int64(145 * ms)})
		}
		if i < 10 || i >= 15 {
			p.job(time.Duration(i)*10*ms, 0)
		}
	}
	l, found := p.figures()
	p.wantCount("skipped", l.Skipped, 0)
	p.wantCount("unreadable", &l.Unreadable, 1)
	p.wantCount("intervals", &l.IntervalS.Count, 13)
	p.wantFinding(found, "interval-unreadable")
}

// A live source that knows no releases may count what it skipped.
func TestReportedSkips(t *testing.T) {
	skip := func(p *loopTape, n int64) {
		p.event(timeline.Event{Kind: timeline.PeriodsSkipped, At: timeline.Instant(p.a.end), Value: n})
	}
	for _, c := range []struct {
		recorded bool
		want     uint64
	}{{false, 3}, {true, 1}} {
		o := every(10 * ms)
		o.Loop.KeepFirst = true
		p := newLoopTape(t, o, timeline.Entity{})
		for i, at := range []time.Duration{0, 10, 30, 40} {
			if c.recorded {
				p.released(at * ms)
			}
			p.job(at*ms, 0)
			if i == 1 || i == 3 { // that after the last start does not count
				skip(p, 3)
			}
		}
		l, _ := p.figures()
		p.wantCount("skipped", l.Skipped, c.want)
		p.wantCount("grid periods", l.GridPeriods, 3+c.want)
	}
}

// Marks come before, in or after the job that they are on, and twice.
func TestMarks(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst = true
	p := newLoopTape(t, o, timeline.Entity{})
	p.mark(1)
	p.job(0, ms)
	n := p.start(10 * ms)
	p.mark(n)
	p.mark(n)
	p.end(n, 12*ms)
	p.mark(n)
	p.job(20*ms, 3*ms)
	p.mark(p.number)
	p.mark(p.number)
	p.job(30*ms, 4*ms)
	l, _ := p.figures()
	p.wantCount("injected", &l.Injected, 3)
	p.wantCount("injected executions", &l.InjectedExecS.Count, 3)
	p.want("longest injected", &l.InjectedExecS.Max, 0.003)
}

// What the source describes holds unless the options say otherwise; a
// description may come late.
func TestWhatIsKnownOfATimer(t *testing.T) {
	p := newLoopTape(t, Options{}, timeline.Entity{Period: 10 * ms, TimerClock: timeline.SimClock})
	l, _ := p.figures()
	if *l.PeriodS != 0.010 || *l.DeadlineS != 0.010 || l.TimerClock != "ros" {
		t.Errorf("%+v", l)
	}
	p = newLoopTape(t, Options{
		Loop:  LoopOptions{Period: time.Second},
		Loops: map[string]LoopOptions{"control": {Period: 20 * ms, Deadline: 5 * ms, Jitter: ms}},
	}, timeline.Entity{Period: 10 * ms, TimerClock: timeline.MonoClock})
	p.job(0, 0)
	p.job(20*ms, 0)
	p.job(41*ms, 6*ms)
	l, _ = p.figures()
	if *l.PeriodS != 0.020 || *l.DeadlineS != 0.005 || *l.JitterS != 0.001 || l.TimerClock != "steady" || *l.Missed != 1 || *l.OverPeriodPlusJitter != 0 {
		t.Errorf("%+v", l)
	}

	a := New(Options{Loop: LoopOptions{KeepFirst: true}})
	for i := range 20 {
		if i == 10 {
			a.Describe(timeline.Entity{ID: 3, Kind: timeline.TimerEntity, Name: "late", Period: 10 * ms})
		}
		at := timeline.Instant(i) * timeline.Instant(10*ms)
		a.Events([]timeline.Event{{Kind: timeline.JobStarted, Entity: 3, Number: uint64(i), At: at}, {Kind: timeline.JobEnded, Entity: 3, Number: uint64(i), At: at}})
	}
	f, _ := a.Figures()
	if l := f.Loops[0]; l.Name != "late" || l.Callbacks != 20 || *l.GridPeriods != 9 || *l.Skipped != 0 {
		t.Errorf("%+v", l)
	}
}

// Releases on the monotonic clock, events on an axis of wall time.
func TestAxisOfAnotherClock(t *testing.T) {
	p := newLoopTape(t, every(10*ms), timeline.Entity{})
	p.a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.WallClock, MonoKnown: true, MonoOffset: -int64(epoch)}})
	for i := range 10 {
		release := time.Duration(i) * 10 * ms
		p.released(release)
		p.job(time.Duration(epoch)+release+2*ms, ms)
	}
	l, _ := p.figures()
	p.want("lateness", &l.LatenessS.Max, 0.002)
	p.want("response", &l.ResponseS.Max, 0.003)
}

func TestSpanHasTheJobs(t *testing.T) {
	p := newLoopTape(t, every(10*ms), timeline.Entity{})
	p.job(5*ms, 0)
	p.job(15*ms, 0)
	p.job(25*ms, 4*ms)
	f, _ := p.a.Figures()
	if f.StartNS != int64(5*ms) || f.EndNS != int64(29*ms) || f.SpanS != 0.024 {
		t.Errorf("%d to %d, %v s", f.StartNS, f.EndNS, f.SpanS)
	}
	p.want("the first callback that counts", f.Loops[0].FirstAtS, 0.010)
	p.want("the longest interval begins", &f.Loops[0].IntervalS.MaxAtS, 0.010)
}

func TestLoopsByName(t *testing.T) {
	a := New(Options{})
	for i, name := range []string{"b", "a", "c"} {
		a.Describe(timeline.Entity{ID: timeline.EntityID(i + 1), Kind: timeline.TimerEntity, Name: name})
	}
	f, found := a.Figures()
	if len(f.Loops) != 3 || f.Loops[0].Name != "a" || f.Loops[2].Name != "c" {
		t.Errorf("%+v", f.Loops)
	}
	if len(found) != 3 || found[0].ID != "loop-never-ran" || found[0].Subject != "a" {
		t.Errorf("%+v", found)
	}
}

// sorted[round(q(n-1))]: of the intervals 1, 2, ... 10 ms the rank of 99 % is
// round(8.91) = 9, that of 50 % round(4.5) = 4, to even.
func TestNearestRank(t *testing.T) {
	p := newLoopTape(t, Options{NearestRank: true, Loop: LoopOptions{KeepFirst: true}}, timeline.Entity{})
	at := time.Duration(0)
	p.job(at, 0)
	for i := range 10 {
		at += time.Duration(i+1) * ms
		p.job(at, 0)
	}
	l, _ := p.figures()
	if s := l.IntervalS; s.P99 != 0.010 || s.P50 != 0.005 || s.P95 != 0.010 {
		t.Errorf("p50 %v, p95 %v, p99 %v", s.P50, s.P95, s.P99)
	}
}

func TestMemoryOfALoopIsBounded(t *testing.T) {
	p := newLoopTape(t, every(10*ms), timeline.Entity{})
	for i := range 10_000 {
		p.released(time.Duration(i) * 10 * ms)
		p.number += 1000 // the release is of a job that never starts
		p.start(time.Duration(i) * 10 * ms)
		p.mark(p.number + 1)
	}
	l := p.a.loops[loopID]
	if len(l.open) > waiting || len(l.releases) > waiting || cap(l.open) > 2*waiting || cap(l.releases) > 2*waiting {
		t.Errorf("%d jobs open, %d releases wait", len(l.open), len(l.releases))
	}
	f, _ := p.figures()
	p.wantCount("unfinished", &f.Unfinished, 9999)
}

func TestJobsAreDrawn(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst, o.Plots = true, true
	p := newLoopTape(t, o, timeline.Entity{})
	p.job(0, 22*ms)
	p.mark(p.number)
	p.job(22*ms, ms)
	p.job(30*ms, ms)
	got := p.a.loops[loopID].jobs.to.recent
	if len(got) != 2 { // the last may yet have releases skipped after it
		t.Fatalf("%d jobs drawn, want 2", len(got))
	}
	want := []Job{
		{Number: 1, End: timeline.Instant(22 * ms), Response: 22 * ms, Missed: true, Marked: true},
		{Number: 2, Release: timeline.Instant(10 * ms), Start: timeline.Instant(22 * ms), End: timeline.Instant(23 * ms),
			Lateness: 12 * ms, Response: 13 * ms, Missed: true, Skipped: 1},
	}
	for i, j := range got {
		if j != want[i] {
			t.Errorf("job %d: %+v, want %+v", i, j, want[i])
		}
	}
}

// Of jobs that overlap each has the releases skipped after it.
func TestOverlappingJobsAreDrawn(t *testing.T) {
	o := every(10 * ms)
	o.Loop.KeepFirst, o.Plots = true, true
	p := newLoopTape(t, o, timeline.Entity{})
	start := func(at time.Duration) uint64 {
		p.released(at)
		return p.start(at)
	}
	a := start(0)
	b := start(10 * ms)
	p.end(b, 12*ms)
	start(40 * ms)
	p.end(a, 45*ms)
	got := p.a.loops[loopID].jobs.to.recent
	if len(got) != 2 || got[0].Number != b || got[0].Skipped != 2 || got[1].Number != a || got[1].Skipped != 0 {
		t.Errorf("%+v", got)
	}
}

func TestResetIsNoStepOfROSTime(t *testing.T) {
	var r rosTime
	for i, ros := range []time.Duration{100, 110, 5, 15} {
		r.read(&job{at: timeline.Instant(i) * timeline.Instant(10*ms), ros: clock.Sim(ros * ms), hasROS: true})
	}
	if r.ros != 20*ms || r.mono != 20*ms || r.resets != 1 {
		t.Errorf("%+v", r)
	}
}
