package ctf

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/timeline"
)

// maxEntities bounds what one trace may make known: nodes, topics, endpoints,
// callbacks and threads, all together.
const maxEntities = 1 << 17

// entities gives out the entities of a timeline, and names that none else has.
type entities struct {
	sink    timeline.Sink
	used    timeline.EntityID
	topics  map[string]*topic
	names   map[string]int // of callbacks, how often they were given
	refused *uint64
}

// next returns a new entity, 0 if there are too many.
func (es *entities) next() timeline.EntityID {
	if es.used == maxEntities {
		*es.refused++
		return 0
	}
	es.used++
	return es.used
}

// describe tells the sink of an entity, if it is one.
func (es *entities) describe(e timeline.Entity) {
	if e.ID != 0 {
		e.Name = strings.ToValidUTF8(e.Name, "\uFFFD")
		es.sink.Describe(e)
	}
}

// A topic is one, whatever processes use it.
type topic struct {
	id      timeline.EntityID // 0: it was not asked for
	name    string
	number  uint64 // among the topics
	readers int    // in the trace
}

func (r *run) topic(name string) *topic {
	es := &r.entities
	t := es.topics[name]
	if t != nil {
		return t
	}
	t = &topic{name: name, number: uint64(len(es.topics))}
	if r.opt.Topics == nil || r.opt.Topics(name) {
		t.id = es.next()
		es.describe(timeline.Entity{ID: t.id, Kind: timeline.TopicEntity, Name: name})
	}
	if es.topics == nil {
		es.topics = map[string]*topic{}
	}
	if len(es.topics) < maxEntities {
		es.topics[name] = t
	}
	return t
}

// unique returns a name for a callback: its own, with a number behind it if
// another has that already.
func (es *entities) unique(name string) string {
	if es.names == nil {
		es.names = map[string]int{}
	}
	es.names[name]++
	if n := es.names[name]; n > 1 {
		return fmt.Sprintf("%s #%d", name, n)
	}
	return name
}
