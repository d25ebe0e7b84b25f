package ctf

import (
	"context"
	"slices"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

// A reading is what a test takes from a source.
type reading struct {
	source   *Source
	run      *run
	outcome  timeline.Outcome
	origin   timeline.Origin
	entities map[timeline.EntityID]timeline.Entity
	events   []timeline.Event

	starts map[timeline.EntityID][]int64
	calls  map[timeline.EntityID][]int64 // of publishers
}

func read(t testing.TB, path string) *reading {
	t.Helper()
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return readFrom(t, s)
}

func readFrom(t testing.TB, s *Source) *reading {
	t.Helper()
	g := &reading{
		source: s, run: s.run,
		entities: map[timeline.EntityID]timeline.Entity{},
		starts:   map[timeline.EntityID][]int64{}, calls: map[timeline.EntityID][]int64{},
	}
	var err error
	if g.outcome, err = s.Run(context.Background(), g); err != nil {
		t.Fatal(err)
	}
	return g
}

// Start is of timeline.Sink.
func (g *reading) Start(o timeline.Origin) { g.origin = o }

// Describe is of timeline.Sink.
func (g *reading) Describe(e timeline.Entity) { g.entities[e.ID] = e }

// Events is of timeline.Sink.
func (g *reading) Events(batch []timeline.Event) {
	for _, e := range batch {
		g.events = append(g.events, e)
		switch e.Kind {
		case timeline.JobStarted:
			g.starts[e.Entity] = append(g.starts[e.Entity], int64(e.At))
		case timeline.SampleSent:
			g.calls[e.Entity] = append(g.calls[e.Entity], int64(e.Sent))
		}
	}
}

// of returns the events of a kind on an entity.
func (g *reading) of(kind timeline.Kind, id timeline.EntityID) (all []timeline.Event) {
	for _, e := range g.events {
		if e.Kind == kind && e.Entity == id {
			all = append(all, e)
		}
	}
	return all
}

// durations returns how long the jobs of a callback took, in seconds.
func (g *reading) durations(id timeline.EntityID) (all []float64) {
	started := map[uint64]timeline.Instant{}
	for _, e := range g.events {
		switch {
		case e.Entity != id:
		case e.Kind == timeline.JobStarted:
			started[e.Number] = e.At
		case e.Kind == timeline.JobEnded:
			all = append(all, e.At.Sub(started[e.Number]).Seconds())
		}
	}
	return all
}

// sinceSent returns how old the samples were at the start of their jobs.
func (g *reading) sinceSent(id timeline.EntityID) (all []float64) {
	for _, e := range g.of(timeline.JobStarted, id) {
		if e.Has(timeline.HasSent) {
			all = append(all, e.At.Sub(e.Sent).Seconds())
		}
	}
	return all
}

func (g *reading) pids() (all []int64) {
	for pid := range g.run.processes {
		all = append(all, pid)
	}
	slices.Sort(all)
	return all
}

// named returns the names of the entities of a kind.
func (g *reading) named(kind timeline.EntityKind) (all []string) {
	for _, e := range g.entities {
		if e.Kind == kind {
			all = append(all, e.Name)
		}
	}
	slices.Sort(all)
	return all
}

func (g *reading) nodes() []string { return g.named(timeline.NodeEntity) }

// entity returns the one of a kind and name.
func (g *reading) entity(t testing.TB, kind timeline.EntityKind, name string) timeline.Entity {
	t.Helper()
	for _, e := range g.entities {
		if e.Kind == kind && e.Name == name {
			return e
		}
	}
	t.Fatalf("there is no %q among %q", name, g.named(kind))
	return timeline.Entity{}
}

// writers returns those of a node on a topic.
func (g *reading) writers(topic, node string) (all []timeline.EntityID) {
	for _, e := range g.entities {
		if e.Kind == timeline.WriterEntity && e.Node == node && g.entities[e.Parent].Name == topic {
			all = append(all, e.ID)
		}
	}
	return all
}

// found reports whether there is a finding.
func (g *reading) found(id string) bool {
	return slices.ContainsFunc(g.outcome.Findings, func(f timeline.Finding) bool { return f.ID == id })
}
