package gantt

import (
	"bytes"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/golden"
	"github.com/takt-rt/takt/timeline"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// The entities of the run below.
const (
	drive, log, loop, telemetry, listen, fast, boot, writer = 1, 2, 3, 4, 5, 6, 7, 8
)

// play plays a loop that preempts telemetry and publishes what a listener on
// telemetry's thread then takes, all on CPU 0 and by the monotonic clock, which
// begins an hour in:
//
//	telemetry runs 0 to 2 ms, is off its CPU to 3.5, runs to 6
//	loop      is released at 2 ms, runs 2.5 to 3.5, publishes at 3.5
//	listen    is released at 3.5 ms, runs 6 to 6.5
func play(s timeline.Sink) {
	s.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.MonoClock}})
	for _, e := range []timeline.Entity{
		{ID: drive, Kind: timeline.NodeEntity, Name: "/drive"},
		{ID: log, Kind: timeline.NodeEntity, Name: "/log"},
		{ID: loop, Kind: timeline.TimerEntity, Name: "/drive/loop", Parent: drive, TimerClock: timeline.MonoClock},
		{ID: telemetry, Kind: timeline.CallbackEntity, Name: "/log/telemetry", Parent: log},
		{ID: listen, Kind: timeline.CallbackEntity, Name: "/log/listen", Parent: log},
		{ID: fast, Kind: timeline.ThreadEntity, Name: "main/fast"},
		{ID: boot, Kind: timeline.ThreadEntity, Name: "main/boot"},
		{ID: writer, Kind: timeline.WriterEntity, Name: "/odom"},
	} {
		s.Describe(e)
	}
	const hour = 3600 * time.Second
	var all []timeline.Event
	on := func(at time.Duration, kind timeline.Kind, entity timeline.EntityID, thread int32) *timeline.Event {
		all = append(all, timeline.Event{At: timeline.Instant(hour + at), Kind: kind, Entity: entity, Number: 1, Thread: thread, Flags: timeline.HasThread | timeline.HasCPU})
		return &all[len(all)-1]
	}
	on(0, timeline.JobStarted, telemetry, 12)
	on(2*ms, timeline.SwitchedOut, boot, 12)
	on(2*ms, timeline.SwitchedIn, fast, 11)
	on(2500*us, timeline.JobReleased, loop, 11).Value = int64(hour + 2*ms)
	on(2500*us, timeline.JobStarted, loop, 11)
	on(3500*us, timeline.SampleSent, writer, 11)
	on(3500*us, timeline.JobReleased, listen, 12)
	on(3500*us, timeline.JobEnded, loop, 11)
	on(3500*us, timeline.SwitchedOut, fast, 11)
	on(3500*us, timeline.SwitchedIn, boot, 12)
	on(6*ms, timeline.JobEnded, telemetry, 12)
	on(6*ms, timeline.JobStarted, listen, 12).Cause = timeline.Cause{Entity: writer, Number: 1}
	on(6500*us, timeline.JobEnded, listen, 12)
	on(6500*us, timeline.PeriodsSkipped, loop, 11).Value = 2
	s.Events(all[:4])
	s.Events(all[4:])
}

func chart(o Options) *Chart {
	c := New(o)
	play(c)
	c.Finish()
	return c
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer) error{
		"chart.txt": func(b *bytes.Buffer) error { return chart(Options{}).Text(b, TextOptions{}) },
		"window.txt": func(b *bytes.Buffer) error {
			return chart(Options{From: 2 * ms, Length: 2 * ms}).Text(b, TextOptions{Width: 60})
		},
		"full.txt":  func(b *bytes.Buffer) error { return chart(Options{Spans: 3}).Text(b, TextOptions{Width: 1}) },
		"empty.txt": func(b *bytes.Buffer) error { return New(Options{}).Text(b, TextOptions{}) },
		"trace.json": func(b *bytes.Buffer) error {
			p := NewPerfetto(b)
			play(p)
			return p.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, name, b.Bytes())
		})
	}
}
