package pcap

import (
	"maps"
	"slices"
	"strings"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rosmsg"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// maxTransforms is how many transforms are told apart.
const maxTransforms = 10_000

// entities gives what a capture speaks of its place in the timeline.
type entities struct {
	sink       timeline.Sink
	opt        Options
	last       timeline.EntityID
	topics     map[ros.Topic]timeline.EntityID // a service by its requests
	unknown    map[wire.GUID]timeline.EntityID
	endpoints  map[wire.GUID]timeline.EntityID
	transforms map[transformName]timeline.EntityID
}

type transformName struct {
	topic timeline.EntityID
	name  string
}

func (es *entities) init(sink timeline.Sink, opt Options) {
	es.sink, es.opt = sink, opt
	es.topics = map[ros.Topic]timeline.EntityID{}
	es.unknown = map[wire.GUID]timeline.EntityID{}
	es.endpoints = map[wire.GUID]timeline.EntityID{}
	es.transforms = map[transformName]timeline.EntityID{}
}

func (es *entities) next() timeline.EntityID {
	es.last++
	return es.last
}

// listed reports whether a topic or service was asked for. The graph's own
// topic is none of ROS.
func (es *entities) listed(e *Endpoint) bool {
	return e.DDSTopic != ros.DiscoveryTopic && e.Topic.Name != "" && (es.opt.Topics == nil || es.opt.Topics(e.Topic.Name))
}

// shown reports whether an endpoint is told of by itself: those of services are
// not, a service's calls say it all.
func (es *entities) shown(e *Endpoint) bool {
	return es.listed(e) && !e.service()
}

// topic returns the topic of a writer's samples, 0 if it was not asked for. An
// unknown writer's has the writer's name.
func (es *entities) topic(s *stream) timeline.EntityID {
	if s.endpoint != nil {
		return es.topicOf(s.endpoint)
	}
	name := s.Writer.String()
	if es.opt.Topics != nil && !es.opt.Topics(name) {
		return 0
	}
	id := es.unknown[s.Writer]
	if id == 0 {
		id = es.next()
		es.unknown[s.Writer] = id
		es.sink.Describe(timeline.Entity{ID: id, Kind: timeline.TopicEntity, Name: name, Publishers: 1})
	}
	return id
}

func (es *entities) topicOf(e *Endpoint) timeline.EntityID {
	if !es.listed(e) {
		return 0
	}
	key := e.Topic
	if key.Kind == ros.Reply {
		key.Kind = ros.Request
	}
	id := es.topics[key]
	if id == 0 {
		id = es.next()
		es.topics[key] = id
		es.sink.Describe(es.describeTopic(id, e, 0, e.QoS.Durability >= qos.TransientLocal && e.GUID.Entity.IsWriter()))
	}
	return id
}

func (es *entities) describeTopic(id timeline.EntityID, e *Endpoint, publishers int, old bool) timeline.Entity {
	t := timeline.Entity{
		ID: id, Kind: timeline.TopicEntity, Name: e.Topic.Name, Type: e.Type, Publishers: publishers, TransientLocal: old,
	}
	if e.service() {
		t.Type = strings.TrimSuffix(strings.TrimSuffix(e.Type, "_Request"), "_Response")
	}
	if e.Topic.Kind != ros.Message || es.opt.TimesOnly {
		return t
	}
	if e.Type == clockType {
		t.Kind = timeline.ClockEntity
	}
	if s, err := rosmsg.NewStamper(e.Type, nil); err == nil {
		t.StampSource = s.Source()
	}
	return t
}

// writer returns the entity of a writer, 0 if nothing is known of it.
func (es *entities) writer(s *stream) timeline.EntityID {
	if s.endpoint == nil || !es.shown(s.endpoint) {
		return 0
	}
	return es.endpoint(s.endpoint)
}

// endpoint returns the entity of a writer or reader, described once.
func (es *entities) endpoint(e *Endpoint) timeline.EntityID {
	id := es.endpoints[e.GUID]
	if id == 0 {
		id = es.next()
		es.endpoints[e.GUID] = id
		es.describeEndpoint(id, e, false)
	}
	return id
}

func (es *entities) describeEndpoint(id timeline.EntityID, e *Endpoint, gone bool) {
	kind, policies := timeline.ReaderEntity, e.QoS
	if e.GUID.Entity.IsWriter() {
		kind = timeline.WriterEntity
	}
	es.sink.Describe(timeline.Entity{
		ID: id, Kind: kind, Name: e.GUID.String(), Type: e.Type, Parent: es.topicOf(e),
		Node: e.Node, QoS: &policies, Left: gone,
	})
}

// transform returns the entity of a transform of a topic, 0 if there are too
// many or the topic was not asked for.
func (es *entities) transform(topic timeline.EntityID, name string) timeline.EntityID {
	key := transformName{topic, name}
	id := es.transforms[key]
	if id != 0 || topic == 0 || len(es.transforms) == maxTransforms {
		return id
	}
	id = es.next()
	es.transforms[key] = id
	es.sink.Describe(timeline.Entity{ID: id, Kind: timeline.TransformEntity, Name: name, Parent: topic, StampSource: "header.stamp"})
	return id
}

// describeAll describes topics and endpoints as they are known at the end,
// those without a sample too. Those that were there when the last sample passed
// have not left: at the end of a run all do.
func (es *entities) describeAll(g *Graph, end clock.Wall) {
	all := g.Endpoints()
	es.describeTopics(all)
	for _, e := range all {
		if es.shown(e) {
			es.describeEndpoint(es.endpoint(e), e, g.gone(e, end))
		}
	}
}

// describeTopics describes topics by all that is offered on them.
func (es *entities) describeTopics(all []*Endpoint) {
	topics := map[timeline.EntityID]timeline.Entity{}
	for _, e := range all {
		if !es.shown(e) {
			continue
		}
		id := es.topicOf(e)
		t, known := topics[id]
		writer := e.GUID.Entity.IsWriter()
		if !known || writer {
			t = es.describeTopic(id, e, t.Publishers, t.TransientLocal)
		}
		if writer {
			t.Publishers++
			t.TransientLocal = t.TransientLocal || e.QoS.Durability >= qos.TransientLocal
		}
		topics[id] = t
	}
	for _, id := range slices.Sorted(maps.Keys(topics)) {
		es.sink.Describe(topics[id])
	}
}
