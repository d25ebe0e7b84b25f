package sched

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A miss is reported at its onset and again only after more than a clean time
// of 1 s without: misses at 0.01 to 0.91 s and 2 s give two reports.
func TestMissesAreReportedAtTheirOnset(t *testing.T) {
	m := newMisses(2, time.Second)
	for at := 10 * ms; at < time.Second; at += 100 * ms {
		m.note(Miss{Callback: 1, End: clock.Mono(at), Reaction: Warn})
	}
	m.note(Miss{Callback: 0, End: clock.Mono(500 * ms), Reaction: Warn})
	m.note(Miss{Callback: 1, End: clock.Mono(2 * time.Second), Reaction: Warn})
	for _, want := range []struct {
		callback int
		end      time.Duration
	}{{1, 10 * ms}, {0, 500 * ms}, {1, 2 * time.Second}} {
		got, ok := m.Take()
		if !ok || got.Callback != want.callback || got.End != clock.Mono(want.end) {
			t.Errorf("reports %+v, want %+v", got, want)
		}
	}
	if got, ok := m.Take(); ok {
		t.Errorf("reports %+v, too", got)
	}
	if _, faulted := m.Fault(); faulted {
		t.Error("a warning is a fault")
	}
}

// Reports that nobody takes are dropped and counted; the first fault is not.
func TestMissesAreBounded(t *testing.T) {
	m := newMisses(1, ms)
	for i := range 100 {
		m.note(Miss{End: clock.Mono(time.Duration(i) * time.Second), Reaction: Fault})
	}
	if first, ok := m.Fault(); !ok || first.End != 0 {
		t.Errorf("the first fault is %+v, %v", first, ok)
	}
	if oldest, _ := m.Take(); oldest.End != clock.Mono(36*time.Second) || m.Dropped() != 36 {
		t.Errorf("the oldest is %+v, %d are dropped; want 36 of 100", oldest, m.Dropped())
	}
}

// A level notes the misses of contexts that warn, and of no others.
func TestLevelReportsMisses(t *testing.T) {
	warn, quiet := &Context{Deadline: ms, OnMiss: Warn}, &Context{Deadline: ms}
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{once(0, quiet), once(0, warn)}}, 2*ms, 3*ms)
	d.run(time.Second)
	d.wantMissed(0, 1)
	m := d.machine.(*Level).Misses()
	if got, ok := m.Take(); !ok || got != (Miss{1, 0, clock.Mono(ms), clock.Mono(5 * ms), Warn}) {
		t.Errorf("reports %+v, %v", got, ok)
	}
	if got, ok := m.Take(); ok {
		t.Errorf("reports %+v, too", got)
	}
}
