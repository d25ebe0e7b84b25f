package bag

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

// recordings is where the recordings are.
const recordings = "../../../testdata/recordings"

// A collector is a sink that counts, and checks what every timeline must keep.
type collector struct {
	t        testing.TB
	origin   timeline.Origin
	started  int
	entities map[timeline.EntityID]timeline.Entity
	events   map[timeline.EntityID]*tally
	holes    []timeline.Event
	messages int
	first    int64
	last     int64
	hostile  bool // the file may break the order, and lack names
}

// A tally is what came of one entity.
type tally struct {
	count       int
	first, last int64
	stamps      int // that are not zero
	zero        int
	sent        int
	bytes       uint64
	kinds       map[timeline.Kind]int
	values      []int64
}

func newCollector(t testing.TB) *collector {
	return &collector{
		t:        t,
		entities: make(map[timeline.EntityID]timeline.Entity),
		events:   make(map[timeline.EntityID]*tally),
	}
}

func (c *collector) Start(o timeline.Origin) { c.origin = o; c.started++ }

func (c *collector) Describe(e timeline.Entity) {
	if c.started != 1 || e.ID == 0 || e.Kind == 0 || e.Name == "" && !c.hostile {
		c.t.Errorf("described before the start, or without id, kind or name: %+v", e)
	}
	c.entities[e.ID] = e
}

func (c *collector) Events(batch []timeline.Event) {
	for i := range batch {
		c.event(&batch[i])
	}
}

func (c *collector) event(e *timeline.Event) {
	if e.Kind == timeline.Hole {
		c.holes = append(c.holes, *e)
		return
	}
	if c.messages > 0 && int64(e.At) < c.last && !c.hostile {
		c.t.Errorf("an event at %d after one at %d", e.At, c.last)
	}
	entity, ok := c.entities[e.Entity]
	if !ok {
		c.t.Errorf("an event of an entity that was not described: %+v", e)
	}
	n := c.events[e.Entity]
	if n == nil {
		n = &tally{first: int64(e.At), kinds: make(map[timeline.Kind]int)}
		c.events[e.Entity] = n
	}
	n.kinds[e.Kind]++
	n.last = int64(e.At)
	c.last = int64(e.At)
	if e.Kind != timeline.SampleArrived && e.Kind != timeline.TickArrived {
		n.values = append(n.values, e.Value)
		return
	}
	n.count++
	n.bytes += uint64(e.Size)
	switch {
	case e.Has(timeline.HasStamp) && e.Stamp != 0:
		n.stamps++
	case e.Has(timeline.HasStamp):
		n.zero++
	}
	if e.Has(timeline.HasSent) {
		n.sent++
	}
	if e.Kind == timeline.TickArrived {
		n.values = append(n.values, e.Value)
	}
	if entity.Kind != timeline.TransformEntity {
		if c.messages == 0 {
			c.first = int64(e.At)
		}
		c.messages++
	}
}

// topic returns the entity of a name and what came of it.
func (c *collector) topic(name string) (timeline.Entity, *tally) {
	for id, e := range c.entities {
		if e.Name == name {
			if n := c.events[id]; n != nil {
				return e, n
			}
			return e, new(tally)
		}
	}
	c.t.Errorf("topic %s was not described", name)
	return timeline.Entity{}, new(tally)
}

// read runs the recording at a path below recordings.
func read(t testing.TB, path string, opt Options) (*collector, timeline.Outcome) {
	t.Helper()
	return readPath(t, filepath.Join(recordings, path), opt)
}

func readPath(t testing.TB, path string, opt Options) (*collector, timeline.Outcome) {
	t.Helper()
	s, err := Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := newCollector(t)
	out, err := s.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return c, out
}

// ids returns how often each id is among the findings.
func ids(out timeline.Outcome) map[string]int {
	n := make(map[string]int)
	for _, f := range out.Findings {
		n[f.ID]++
	}
	return n
}

// expected is what expected.json says of one recording.
type expected struct {
	Kind     string                   `json:"kind"`
	Path     string                   `json:"path"`
	Messages int                      `json:"message_count"`
	Start    int64                    `json:"start_ns"`
	End      int64                    `json:"end_ns"`
	Topics   map[string]expectedTopic `json:"topics"`
	Clock    *struct {
		Topic    string  `json:"topic"`
		Messages int     `json:"messages"`
		SimStart float64 `json:"sim_start_s"`
		SimEnd   float64 `json:"sim_end_s"`
	} `json:"clock"`
	Reported *struct {
		Topic   string  `json:"topic"`
		Samples int     `json:"samples"`
		Mean    float64 `json:"mean"`
	} `json:"simulator_reported_rtf"`
	Services map[string]struct {
		Events int `json:"events"`
	} `json:"service_calls"`
	Metadata *struct {
		Disagreements []string `json:"disagreements_with_data"`
	} `json:"metadata_yaml"`
}

type expectedTopic struct {
	Type       string `json:"type"`
	Count      int    `json:"count"`
	First      int64  `json:"first_ns"`
	Last       int64  `json:"last_ns"`
	OutOfOrder int    `json:"out_of_order_in_file"`
	Stamp      *struct {
		Zero    int `json:"zero_or_missing"`
		Nonzero int `json:"nonzero"`
	} `json:"stamp"`
}

// derived is what expected.json says of a file made from another.
type derived struct {
	Path        string         `json:"path"`
	Messages    int            `json:"message_count"`
	Recoverable int            `json:"recoverable_messages"`
	PerTopic    map[string]int `json:"per_topic"`
	Last        int64          `json:"last_recoverable_ns"`
}

func readExpected(t testing.TB) (map[string]expected, map[string]derived) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(recordings, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Recordings map[string]json.RawMessage `json:"recordings"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	all, made := make(map[string]expected), make(map[string]derived)
	for id, raw := range file.Recordings {
		var e expected
		if id == "derived" {
			err = json.Unmarshal(raw, &made)
		} else {
			err = json.Unmarshal(raw, &e)
			all[id] = e
		}
		if err != nil {
			t.Fatal(id, err)
		}
	}
	return all, made
}
