package tap

import (
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// Found takes what is known of an endpoint, when it was found and whenever more
// becomes known, such as its node. A topic is joined when its first writer that
// is not takt's is found and the budget allows it. Where only topics that are
// named are read, nothing is told of others.
func (t *Tap) Found(e Endpoint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || !t.budget.shows(e.Topic) {
		return
	}
	on := t.table.topic(e.Topic)
	if on == nil {
		return
	}
	t.describeNode(e.Node)
	known := t.table.endpoint(e.GUID, on, e.Own)
	if known == nil {
		return
	}
	known.tally(-1)
	known.entity.Type, known.entity.Node, known.entity.QoS, known.entity.Own, known.entity.Left = e.Topic.Type, e.Node, e.QoS, e.Own, false
	known.tally(1)
	t.describeTopic(on)
	t.queue.describe(known.entity)
	if known.entity.Kind == timeline.WriterEntity && !e.Own {
		t.meet(on)
	}
}

// Gone takes that an endpoint, or its participant, has left.
func (t *Tap) Gone(guid wire.GUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.table.endpoints[guid]
	if t.ended || known == nil || known.entity.Left {
		return
	}
	known.tally(-1)
	known.entity.Left = true
	t.queue.describe(known.entity)
	t.describeTopic(known.on)
}

// describeTopic tells of a topic, unless all of it has been told.
func (t *Tap) describeTopic(on *topic) {
	if on.entity != on.told {
		on.told = on.entity
		t.queue.describe(on.entity)
	}
}

// describeNode tells of a node once.
func (t *Tap) describeNode(name string) {
	if name == "" {
		return
	}
	if id, met := t.table.node(name); met {
		t.queue.describe(timeline.Entity{ID: id, Kind: timeline.NodeEntity, Name: name})
	}
}

// meet asks the budget whether a topic may be joined, once.
func (t *Tap) meet(on *topic) {
	if on.met {
		return
	}
	on.met = true
	load, ok := t.budget.Meet(Topic{on.entity.Name, on.entity.Type})
	if !ok {
		return
	}
	t.joins = append(t.joins, &stream{tap: t, topic: on, load: load})
	t.nudge()
}
