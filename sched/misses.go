package sched

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Miss is a deadline that a job of a context with the reaction Warn or Fault
// has missed.
type Miss struct {
	Callback int
	Release  clock.Mono // as in its Job
	Deadline clock.Mono
	End      clock.Mono
	Reaction Reaction
}

// Misses are what a level has to report: of each callback the first miss, and
// another only after a time without. Room for reports is bounded.
type Misses struct {
	clean   time.Duration
	last    []clock.Mono // miss of each callback
	reports History[Miss]
	dropped int64
	fault   Miss
	faulted bool
}

// missReports is how many reports are kept until they are taken.
const missReports = 64

func newMisses(callbacks int, clean time.Duration) Misses {
	m := Misses{clean: clean, last: make([]clock.Mono, callbacks), reports: *NewHistory[Miss](missReports)}
	for i := range m.last {
		m.last[i] = -Never
	}
	return m
}

// note takes a miss in. With no room the oldest report goes.
func (m *Misses) note(miss Miss) {
	if miss.Reaction == Fault && !m.faulted {
		m.fault, m.faulted = miss, true
	}
	onset := miss.End.Sub(m.last[miss.Callback]) > m.clean
	m.last[miss.Callback] = miss.End
	if !onset {
		return
	}
	if _, full := m.reports.Arrive(miss); full {
		m.dropped++
	}
}

// Take takes the oldest report out; ok is false if there is none.
func (m *Misses) Take() (report Miss, ok bool) { return m.reports.Take() }

// Dropped returns how many reports were dropped because none was taken in time.
func (m *Misses) Dropped() int64 { return m.dropped }

// Fault returns the first miss with the reaction Fault; ok is false if there
// was none. It is never dropped.
func (m *Misses) Fault() (miss Miss, ok bool) { return m.fault, m.faulted }
