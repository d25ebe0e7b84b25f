package analysis

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

const (
	ms = time.Millisecond
	us = time.Microsecond
)

// epoch is when the test's recordings begin: far from zero, so that wall and
// simulated stamps differ.
const epoch = timeline.Instant(1_700_000_000_000_000_000)

// A tape writes a timeline event by event. Times are since the epoch.
type tape struct {
	t   *testing.T
	a   *Analyzer
	ids map[string]timeline.EntityID
}

func newTape(t *testing.T, opt Options) *tape {
	a := New(opt)
	a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.WallClock}})
	return &tape{t, a, map[string]timeline.EntityID{}}
}

func (p *tape) id(name string) timeline.EntityID {
	id, ok := p.ids[name]
	if !ok {
		id = timeline.EntityID(len(p.ids) + 1)
		p.ids[name] = id
		kind := timeline.TopicEntity
		if name == "/clock" {
			kind = timeline.ClockEntity
		}
		p.a.Describe(timeline.Entity{ID: id, Kind: kind, Name: name, StampSource: "header.stamp"})
	}
	return id
}

func (p *tape) add(e timeline.Event) { p.a.Events([]timeline.Event{e}) }

// tick brings a value of /clock.
func (p *tape) tick(at, sim time.Duration) {
	p.add(timeline.Event{Kind: timeline.TickArrived, At: epoch + timeline.Instant(at), Entity: p.id("/clock"), Value: int64(sim)})
}

// msg brings a message without a stamp.
func (p *tape) msg(name string, at time.Duration) {
	p.add(timeline.Event{Kind: timeline.SampleArrived, At: epoch + timeline.Instant(at), Entity: p.id(name)})
}

// stamped brings a message with a stamp on the simulated clock.
func (p *tape) stamped(name string, at time.Duration, stamp clock.Sim) {
	p.add(timeline.Event{Kind: timeline.SampleArrived, Flags: timeline.HasStamp, At: epoch + timeline.Instant(at),
		Entity: p.id(name), Stamp: timeline.Stamp(stamp)})
}

// dated brings a message with a stamp on the wall clock, since the epoch.
func (p *tape) dated(name string, at, stamp time.Duration) {
	p.stamped(name, at, clock.Sim(epoch)+clock.Sim(stamp))
}

func (p *tape) hole(from, to time.Duration) {
	p.add(timeline.Event{Kind: timeline.Hole, At: epoch + timeline.Instant(from), Value: int64(epoch) + int64(to)})
}

// end returns the figures, the topics by name, and the IDs of the findings with their subjects.
func (p *tape) end() (f *Figures, topics map[string]*Topic, findings []string) {
	f, found := p.a.Figures()
	topics = map[string]*Topic{}
	for _, t := range f.Topics {
		topics[t.Name] = t
	}
	for _, n := range found {
		findings = append(findings, n.Subject+" "+n.ID)
	}
	return f, topics, findings
}

func near9(a, b float64) bool { return math.Abs(a-b) <= 2e-9 }

func (p *tape) want(what string, got *float64, want float64) {
	p.t.Helper()
	switch {
	case got == nil:
		p.t.Errorf("%s is unknown, want %v", what, want)
	case math.Abs(*got-want) > 1e-6*math.Abs(want)+2e-9:
		p.t.Errorf("%s = %v, want %v", what, *got, want)
	}
}

func (p *tape) wantFinding(findings []string, want string) {
	p.t.Helper()
	if !slices.Contains(findings, want) {
		p.t.Errorf("no finding %q in %q", want, findings)
	}
}

func (p *tape) wantNoFinding(findings []string, bad string) {
	p.t.Helper()
	if slices.Contains(findings, bad) {
		p.t.Errorf("finding %q, want none such", bad)
	}
}
