package analysis

import (
	"slices"

	"github.com/takt-rt/takt/timeline"
)

// A graph is the writers and readers that the source tells of.
type graph struct {
	writers map[timeline.EntityID]*writer
	readers map[timeline.EntityID]*reader

	// The same in the order in which they were first heard of.
	writerOrder []*writer
	readerOrder []*reader
	refused     uint64 // descriptions and samples beyond endpointsKept
}

// endpointsKept bounds the writers and readers, each.
const endpointsKept = 65536

func newGraph() graph {
	return graph{writers: map[timeline.EntityID]*writer{}, readers: map[timeline.EntityID]*reader{}}
}

// describeEndpoint takes the description of a writer or a reader.
func (a *Analyzer) describeEndpoint(e timeline.Entity) {
	a.stale(e.Parent)
	if e.Kind == timeline.WriterEntity {
		if w := a.writer(e.ID); w != nil {
			a.stale(w.entity.Parent)
			w.entity = e
		}
		return
	}
	before := a.forgetTopic(e.ID)
	if r := a.reader(e.ID); r != nil {
		a.stale(r.entity.Parent)
		r.entity = e
		if before != nil {
			r.heard = true
			r.received += before.count
			r.lost.addAll(&before.lost)
		}
	}
}

// stale says that a topic's endpoints have to be matched anew.
func (a *Analyzer) stale(topic timeline.EntityID) {
	if t := a.topicAt(topic); t != nil {
		t.matched = false
	}
}

// forgetTopic takes back what was taken for a topic and turns out to be a
// reader; nil if there is no such thing.
func (a *Analyzer) forgetTopic(id timeline.EntityID) *topic {
	t := a.topicAt(id)
	if t == nil {
		return nil
	}
	a.topics[id] = nil
	a.order = slices.DeleteFunc(a.order, func(o *topic) bool { return o == t })
	a.messages -= t.count
	return t
}

func (a *Analyzer) topicAt(id timeline.EntityID) *topic {
	if int(id) >= len(a.topics) {
		return nil
	}
	return a.topics[id]
}

// writer returns the state of a writer, nil beyond endpointsKept.
func (a *Analyzer) writer(id timeline.EntityID) *writer {
	w := a.graph.writers[id]
	if w == nil {
		if len(a.graph.writerOrder) >= endpointsKept {
			a.graph.refused++
			return nil
		}
		w = newWriter(id, a.pool)
		a.graph.writers[id] = w
		a.graph.writerOrder = append(a.graph.writerOrder, w)
	}
	return w
}

// reader returns the state of a reader, nil beyond endpointsKept.
func (a *Analyzer) reader(id timeline.EntityID) *reader {
	r := a.graph.readers[id]
	if r == nil {
		if len(a.graph.readerOrder) >= endpointsKept {
			a.graph.refused++
			return nil
		}
		r = newReader(id, a.pool)
		a.graph.readers[id] = r
		a.graph.readerOrder = append(a.graph.readerOrder, r)
	}
	return r
}

// fromWriter gives a sample that came to a topic to its writer, if that is known.
func (a *Analyzer) fromWriter(e *timeline.Event) {
	if e.Cause.Entity == 0 {
		return
	}
	if w := a.writer(e.Cause.Entity); w != nil {
		w.arrive(e, a)
	}
}

// dropped takes a sample that was never given to whom it was for.
func (a *Analyzer) dropped(e *timeline.Event) {
	reason := timeline.DropReason(e.Value)
	r := a.graph.readers[e.Entity]
	own := r != nil && r.entity.Own
	switch {
	case r != nil:
		r.heard = true
		r.lost.add(reason)
	case e.Entity != 0:
		t := a.topic(e.Entity)
		t.lost.add(reason)
		t.lossKnown = true
	}
	if w := a.graph.writers[e.Cause.Entity]; w != nil {
		w.drop(reason, own)
	}
}

// deadlineMissed takes the count of a reader's deadline status.
func (a *Analyzer) deadlineMissed(e *timeline.Event) {
	if r := a.graph.readers[e.Entity]; r != nil {
		r.watched = true
		r.deadlines += uint64(max(e.Value, 0))
	}
}
