package tap

import (
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rosmsg"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

const (
	// maxEntities bounds what a graph, or who floods it, may make a Tap keep.
	maxEntities = 1 << 16
	clockType   = "rosgraph_msgs/msg/Clock"
)

// A table knows the entities of a timeline. It forgets none, so that one
// GUID is one entity, and takes at most maxEntities.
type table struct {
	last      timeline.EntityID
	topics    map[string]*topic
	endpoints map[wire.GUID]*endpoint
	nodes     map[string]timeline.EntityID
	refused   uint64 // entities beyond maxEntities
}

// A topic is one that an endpoint was seen on.
type topic struct {
	entity  timeline.Entity
	stamper *rosmsg.Stamper // nil: no stamp is known
	told    timeline.Entity // what the sink knows of it
	keeping int             // writers that keep samples for late joiners
	met     bool            // the budget has decided on it
	writers []*endpoint     // takt's own left out
}

// An endpoint is a writer or reader.
type endpoint struct {
	guid   wire.GUID
	on     *topic
	entity timeline.Entity
}

// newID returns the next name for an entity; 0 if there are too many.
func (t *table) newID() timeline.EntityID {
	if t.last == maxEntities {
		t.refused++
		return 0
	}
	t.last++
	return t.last
}

// topic returns the topic of a name; nil if there are too many entities. Of two
// types on one topic the first stays: its stamps are what is read.
func (t *table) topic(of Topic) *topic {
	if known := t.topics[of.Name]; known != nil {
		return known
	}
	id := t.newID()
	if id == 0 {
		return nil
	}
	n := &topic{entity: timeline.Entity{ID: id, Kind: timeline.TopicEntity, Name: of.Name, Type: of.Type}}
	if of.Type == clockType {
		n.entity.Kind = timeline.ClockEntity
	}
	// Types that are not known by name have no stamp that could be found.
	if s, err := rosmsg.NewStamper(of.Type, nil); err == nil {
		n.stamper, n.entity.StampSource = s, s.Source()
	}
	if t.topics == nil {
		t.topics = map[string]*topic{}
	}
	t.topics[of.Name] = n
	return n
}

// endpoint returns the endpoint of a GUID; nil if there are too many entities.
func (t *table) endpoint(guid wire.GUID, on *topic, own bool) *endpoint {
	if known := t.endpoints[guid]; known != nil {
		return known
	}
	id := t.newID()
	if id == 0 {
		return nil
	}
	kind := timeline.ReaderEntity
	if guid.Entity.IsWriter() {
		kind = timeline.WriterEntity
	}
	n := &endpoint{guid, on, timeline.Entity{ID: id, Kind: kind, Name: guid.String(), Parent: on.entity.ID, Own: own}}
	if t.endpoints == nil {
		t.endpoints = map[wire.GUID]*endpoint{}
	}
	t.endpoints[guid] = n
	if kind == timeline.WriterEntity && !own {
		on.writers = append(on.writers, n)
	}
	n.tally(1)
	return n
}

// node returns the entity of a node, and whether it is new; 0 if there are too
// many entities.
func (t *table) node(name string) (id timeline.EntityID, met bool) {
	if id, known := t.nodes[name]; known {
		return id, false
	}
	if id = t.newID(); id == 0 {
		return 0, false
	}
	if t.nodes == nil {
		t.nodes = map[string]timeline.EntityID{}
	}
	t.nodes[name] = id
	return id, true
}

// tally adds n times what a writer means for its topic: 1 when it comes, -1
// before it changes or goes. It is called for each change, so it must not cost
// a walk over all writers.
func (e *endpoint) tally(n int) {
	if e.entity.Kind != timeline.WriterEntity || e.entity.Own || e.entity.Left {
		return
	}
	e.on.entity.Publishers += n
	if e.entity.QoS != nil && e.entity.QoS.Durability >= qos.TransientLocal {
		e.on.keeping += n
	}
	e.on.entity.TransientLocal = e.on.keeping > 0
}

// isROS reports a topic of ROS messages: of the others the name is that of DDS.
func (t Topic) isROS() bool { return len(t.Name) > 1 && t.Name[0] == '/' }

// isService reports one of the two topics of a service.
func (t Topic) isService() bool {
	kind := ros.ParseTopic(t.Name).Kind
	return kind == ros.Request || kind == ros.Reply
}

// NewTopic returns a topic by its names in DDS. Requests and replies of
// services keep their DDS names, since a topic may have the service's.
func NewTopic(name, typ string) Topic {
	t := Topic{Name: name, Type: typ}
	if r := ros.ParseTopic(name); r.Kind == ros.Message {
		t.Name = r.Name
	}
	if r, ok := ros.ParseType(typ); ok {
		t.Type = r
	}
	return t
}
