package page_test

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/internal/plan"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
)

// hostile is the name of a topic that tries to be more than a name.
const hostile = `/a"><script>alert(1)</script><img src="//example.invalid/x">&amp;` + "\u202e"

// reportOfTopics writes the report of 20 s of n topics beside a clock that
// stalls; every tenth topic is late once.
func reportOfTopics(n int) func(*testing.T, io.Writer) error {
	return func(_ *testing.T, w io.Writer) error {
		a := analysis.New(analysis.Options{Plots: true, Limits: map[string]analysis.Limits{"/topic_0003": {Interval: 70 * time.Millisecond, Age: 50 * time.Millisecond}}})
		a.Start(timeline.Origin{Kind: "synthetic", Base: timeline.Base{Clock: timeline.WallClock}})
		describeTopics(a, n)
		a.Events(eventsOfTopics(n))
		figures, findings := a.Figures()
		sys := &model.System{
			File:  "takt.yaml",
			Clock: &model.ClockContract{Topic: "/clock", Kind: model.Hard, MinRTF: 0.9, Window: 100 * time.Millisecond, MinWindowRTF: 0.5},
			Topics: []model.TopicContract{
				{Name: "/topic_0003", Kind: model.Hard, Rate: 20, RateTolerance: 0.05, MaxInterval: 70 * time.Millisecond, MaxAge: 50 * time.Millisecond},
				{Name: "/topic_0004", Kind: model.Hard, Rate: 20, RateTolerance: 0.05},
				{Name: "/absent", Kind: model.Hard, MaxGap: time.Second},
			},
		}
		r := report.New(timeline.Origin{Kind: "synthetic", Path: "bags/" + fmt.Sprint(n)}, timeline.Outcome{}, figures, findings, sys)
		return report.HTML(w, r, a.Plots())
	}
}

func describeTopics(a *analysis.Analyzer, n int) {
	a.Describe(timeline.Entity{ID: 1, Kind: timeline.ClockEntity, Name: "/clock", Type: "rosgraph_msgs/msg/Clock", Publishers: 1})
	a.Describe(timeline.Entity{ID: 2, Kind: timeline.TopicEntity, Name: hostile, Type: "<b>evil</b>/msg/&", Publishers: 1})
	for i := range n - 2 {
		a.Describe(timeline.Entity{ID: timeline.EntityID(i + 3), Kind: timeline.TopicEntity, Name: fmt.Sprintf("/topic_%04d", i), Type: "sensor_msgs/msg/Imu", Publishers: 1, StampSource: "header.stamp"})
	}
	a.Describe(timeline.Entity{ID: timeline.EntityID(n + 1), Kind: timeline.TopicEntity, Name: "/silent"})
}

// eventsOfTopics has a clock at 100 Hz that stands still from 4 to 5 s, and
// topics from 5 to 50 Hz that jitter by a tenth of their period.
func eventsOfTopics(n int) (all []timeline.Event) {
	const second = int64(time.Second)
	start := timeline.Instant(1_700_000_000 * second)
	random := rand.New(rand.NewPCG(1, 2))
	sim := int64(0)
	for t := int64(0); t < 20*second; t += second / 100 {
		if t > 4*second && t < 5*second {
			continue
		}
		sim += second / 100
		all = append(all, timeline.Event{Kind: timeline.TickArrived, Entity: 1, At: start + timeline.Instant(t), Value: sim})
	}
	for id := 2; id <= n; id++ {
		period := second / int64(5+(id*7)%46)
		for t := int64(id) * 1000; t < 20*second; t += period {
			at := t + random.Int64N(period/10)
			if id%10 == 6 && at > 10*second && at < 10*second+20*period {
				continue
			}
			stamp := int64(start) + at - 3_000_000 - random.Int64N(2_000_000)
			all = append(all, timeline.Event{Kind: timeline.SampleArrived, Entity: timeline.EntityID(id), At: start + timeline.Instant(at), Stamp: timeline.Stamp(stamp), Flags: timeline.HasStamp, Size: 100})
		}
	}
	slices.SortStableFunc(all, func(a, b timeline.Event) int { return int(a.At - b.At) })
	return all
}

// reportOfLoop writes the report of two loops, one of which is late at times.
func reportOfLoop(_ *testing.T, w io.Writer) error {
	const period = 10 * time.Millisecond
	a := analysis.New(analysis.Options{Plots: true, Loop: analysis.LoopOptions{Period: period, Deadline: period}})
	a.Start(timeline.Origin{Kind: "synthetic", Base: timeline.Base{Clock: timeline.MonoClock}})
	a.Describe(timeline.Entity{ID: 1, Kind: timeline.TimerEntity, Name: "control", TimerClock: timeline.MonoClock})
	a.Describe(timeline.Entity{ID: 2, Kind: timeline.TimerEntity, Name: "idle " + hostile, TimerClock: timeline.MonoClock})
	var events []timeline.Event
	busy := int64(0)
	for n, due := uint64(1), int64(period); due < int64(20*time.Second); n++ {
		start, exec := max(due, busy), int64(time.Millisecond)
		if n%50 == 25 {
			exec = int64(22 * time.Millisecond)
		}
		events = append(events, job(1, n, start, exec)...)
		events = append(events, job(2, n, due+int64(time.Microsecond), 0)...)
		for busy = start + exec; due <= start; due += int64(period) {
		}
	}
	slices.SortStableFunc(events, func(a, b timeline.Event) int { return int(a.At - b.At) })
	a.Events(events)
	figures, findings := a.Figures()
	sys := &model.System{File: "takt.yaml", Loops: []model.LoopContract{{Name: "control", Kind: model.Hard, Period: period, Deadline: period}}}
	return report.HTML(w, report.New(timeline.Origin{Kind: "synthetic", Path: "loop"}, timeline.Outcome{}, figures, findings, sys), a.Plots())
}

func job(id timeline.EntityID, n uint64, start, exec int64) []timeline.Event {
	at := timeline.Instant(clock.Mono(start))
	return []timeline.Event{
		{Kind: timeline.JobStarted, Entity: id, Number: n, At: at},
		{Kind: timeline.JobEnded, Entity: id, Number: n, At: at + timeline.Instant(exec)},
	}
}

// planOfFrames writes the published plan of a slow node.
func planOfFrames(t *testing.T, w io.Writer) error {
	p, err := plan.NewFrames(context.Background(), plan.FramesSetup{
		Rate: big.NewRat(16, 1), Processing: 250 * time.Millisecond, Worst: 375 * time.Millisecond,
		Times:  []time.Duration{250 * time.Millisecond, 250 * time.Millisecond, 250 * time.Millisecond, 375 * time.Millisecond},
		RTFs:   []*big.Rat{big.NewRat(1, 1), big.NewRat(1, 4), big.NewRat(1, 5), big.NewRat(1, 10)},
		Margin: big.NewRat(1, 5), Depth: 1, Frames: 200, Length: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p.HTML(w)
}
