package plan

import (
	"time"

	"github.com/takt-rt/takt/timeline"
)

// readers is a timeline.Sink that follows messages to the callbacks that take
// them.
type readers struct {
	list []*reader // in the order in which they are described
	of   map[timeline.EntityID]*reader

	first timeline.Instant // of the first event
	begun bool
}

// A reader is what became of the messages to one input of a callback.
type reader struct {
	arrived, taken, dropped uint64
	sum, most               time.Duration // of ages
	mostAt                  timeline.Instant
}

func newReaders() *readers { return &readers{of: map[timeline.EntityID]*reader{}} }

// Start does nothing.
func (r *readers) Start(timeline.Origin) {}

// Describe takes the description of a reader.
func (r *readers) Describe(e timeline.Entity) {
	if e.Kind == timeline.ReaderEntity {
		made := &reader{}
		r.of[e.ID] = made
		r.list = append(r.list, made)
	}
}

// Events takes what is said of readers.
func (r *readers) Events(batch []timeline.Event) {
	if len(batch) > 0 && !r.begun {
		r.first, r.begun = batch[0].At, true
	}
	for i := range batch {
		switch e := &batch[i]; e.Kind {
		case timeline.SampleArrived, timeline.SampleDropped, timeline.SampleTaken:
			if of := r.of[e.Entity]; of != nil {
				of.event(e)
			}
		}
	}
}

func (r *reader) event(e *timeline.Event) {
	switch e.Kind {
	case timeline.SampleArrived:
		r.arrived++
	case timeline.SampleDropped:
		r.dropped++
	case timeline.SampleTaken:
		age := e.At.Sub(e.Sent)
		if r.taken == 0 || age > r.most {
			r.most, r.mostAt = age, e.At
		}
		r.taken++
		r.sum += age
	}
}
