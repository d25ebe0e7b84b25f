package plan

import (
	"context"
	"fmt"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/sched"
)

// On ROS time at a third of the pace, 10 ms take 30 ms on the wall, exactly, and
// a body of 45 ms on the wall is over after 15 ms of ROS time.
func TestLoopOnSlowROSTime(t *testing.T) {
	s := loopOf(10*ms, 90*ms, 45*ms)
	s.RTF, s.Held.Budget = big.NewRat(1, 3), 40*ms
	p := planLoop(t, s)
	p.wantStarts(inMs(10, 20, 30, 50, 60, 80), inMs(10, 25, 40, 55, 70, 85))
	p.want("interval on the wall", &p.l.IntervalS.Max, 0.045)
	p.want("interval in ROS time", &p.l.IntervalRosS.Max, 0.015)
	p.want("wall per period", p.l.WallPerPeriodS, 0.030)
	p.want("spare", p.l.SpareS, 0.010)
	if p.l.TimerClock != "ros" || *p.l.OverBudget != 5 || p.l.ExecRosS != nil {
		t.Errorf("on %s, %d over the budget, execution in ROS time %v", p.l.TimerClock, *p.l.OverBudget, p.l.ExecRosS)
	}
}

// A real time factor of 3 makes 3333333.33 ns of 10 ms. A million periods later
// no start has drifted, and none is late by what was rounded.
func TestLoopDoesNotDrift(t *testing.T) {
	s := loopOf(10*ms, 10_000*time.Second, 0)
	s.RTF, s.Starts = big.NewRat(3, 1), 0
	p := planLoop(t, s)
	p.wantCounts(1_000_000, 0, 0)
	if p.l.LatenessS.Max != 0 || p.l.IntervalRosS.Min != 0.01 || p.l.IntervalRosS.Max != 0.01 {
		t.Errorf("lateness %v s, intervals in ROS time %v to %v s", p.l.LatenessS.Max, p.l.IntervalRosS.Min, p.l.IntervalRosS.Max)
	}
	p.want("the run on the wall", &p.Report.Recording.SpanS, 10_000.0/3-1e-9/3) // rounded down
}

// naiveLoop runs a timer in exact fractions of seconds of ROS time, written from
// the rule: next = previous + period; if next <= now (older: < now) those that
// have passed are skipped.
func naiveLoop(s *LoopSetup) (releases, starts []*big.Rat, skipped int) {
	period, end := seconds(s.Held.Period), seconds(s.Length)
	release, free := period, new(big.Rat)
	for n := 0; ; n++ {
		start := release
		if free.Cmp(start) > 0 {
			start = free
		}
		if start.Cmp(end) > 0 {
			return releases, starts, skipped
		}
		releases, starts = append(releases, release), append(starts, start)
		exec := new(big.Rat).Mul(seconds(s.Exec.Times[n%len(s.Exec.Times)]), s.RTF)
		free = new(big.Rat).Add(start, exec)
		release = new(big.Rat).Add(release, period)
		for c := release.Cmp(start); c < 0 || c == 0 && s.Held.Rule == sched.SkipNow; c = release.Cmp(start) {
			release = new(big.Rat).Add(release, period)
			skipped++
		}
	}
}

// The run agrees with the naive one at any real time factor of which a
// nanosecond is a whole number of nanoseconds, so that a node that reads ROS
// time in nanoseconds sees what the fractions say.
func TestLoopAgreesWithASecondOpinion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.SampledFrom([]int64{1, 2, 3, 4, 7, 10}).Draw(t, "den")
		unit := time.Duration(den) * ms / 2
		times := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.IntRange(0, 40).Draw(t, "exec")) * unit
		}), 1, 8).Draw(t, "times")
		s := LoopSetup{
			Held: analysis.LoopOptions{
				Period: 10 * ms, KeepFirst: true,
				Rule: rapid.SampledFrom([]sched.SkipRule{sched.SkipNow, sched.KeepNow}).Draw(t, "rule"),
			},
			Exec: Executions{Times: times}, RTF: big.NewRat(rapid.Int64Range(1, 30).Draw(t, "num"), den),
			Length: time.Second, Starts: 1000,
		}
		p, err := NewLoop(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		releases, starts, skipped := naiveLoop(&s)
		if len(starts) != len(p.Starts) {
			t.Fatalf("%d starts, want %d", len(p.Starts), len(starts))
		}
		sum := int64(0)
		for i, got := range p.Starts {
			if seconds(time.Duration(got.Release)).Cmp(releases[i]) != 0 || seconds(time.Duration(got.Start)).Cmp(starts[i]) != 0 {
				t.Fatalf("callback %d serves %v at %v, want %s s at %s s", i+1, got.Release, got.Start, releases[i].FloatString(9), starts[i].FloatString(9))
			}
			sum += got.Skipped
		}
		// The figures leave out what is skipped after the last start.
		if last := p.Starts[len(p.Starts)-1].Skipped; sum != int64(skipped) || *p.Report.Loops[0].Skipped != uint64(sum-last) {
			t.Fatalf("%d skipped and %d in the figures, %d after the last; want %d", sum, *p.Report.Loops[0].Skipped, last, skipped)
		}
	})
}

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		d        time.Duration
		num, den uint64
		want     time.Duration
	}{
		{10, 1, 2, 5},
		{10, 1, 3, 3},
		{1<<63 - 1, 7, 7, 1<<63 - 1},
		{1<<63 - 1, 1<<63 - 1, 1<<63 - 2, 1<<63 - 1}, // saturates
		{1<<63 - 1, 1<<63 - 1, 1, 1<<63 - 1},
		{1 << 62, 3, 6, 1 << 61},
		{0, 5, 3, 0},
	} {
		if got := scaled(c.d, c.num, c.den); got != c.want {
			t.Errorf("%d x %d / %d = %d, want %d", c.d, c.num, c.den, got, c.want)
		}
	}
}

// BenchmarkLoopMillion plans a million callbacks, one in fifty too long.
func BenchmarkLoopMillion(b *testing.B) {
	for _, rtf := range []*big.Rat{nil, big.NewRat(1, 3)} {
		b.Run(fmt.Sprintf("ros=%v", rtf != nil), func(b *testing.B) {
			s := LoopSetup{
				Held: analysis.LoopOptions{Period: ms}, RTF: rtf, Length: 1_000_000 * ms,
				Exec: Executions{Times: []time.Duration{100_000}, Every: 50, First: 25, Injected: 2 * ms},
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := NewLoop(context.Background(), s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
