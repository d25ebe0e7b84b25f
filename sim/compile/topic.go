package compile

import (
	"fmt"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// topic returns the topic of a name.
func (b *builder) topic(name string) (*sim.Topic, error) { return b.link(b.topics, name, name) }

// request returns the topic of the requests to a service or an action.
func (b *builder) request(name string) (*sim.Topic, error) {
	return b.link(b.requests, name, name+" request")
}

// response returns the topic of the responses of a service.
func (b *builder) response(name string) (*sim.Topic, error) {
	return b.link(b.responses, name, name+" response")
}

// link returns one of a set of topics, which travels as the file says of its
// name; that of a service is for its requests and its responses.
func (b *builder) link(topics map[string]*sim.Topic, name, called string) (*sim.Topic, error) {
	if t := topics[name]; t != nil {
		return t, nil
	}
	t := &sim.Topic{Name: called}
	topics[name] = t
	link := b.links[name]
	if link == nil {
		return t, nil
	}
	if link.Latency < 0 || link.Jitter < 0 || max(link.Latency, link.Jitter) > longest {
		return nil, b.fail(link.Line, model.Path("topics", name), fmt.Sprintf("has a latency of %v and a jitter of %v", link.Latency, link.Jitter), "write 0ms or more, up to a year")
	}
	t.Latency, t.Jitter = link.Latency, jitter(b.key("topic", called, link.Seed), link.Jitter)
	return t, nil
}

// publishes returns where a message on a name goes.
func (b *builder) publishes(name string) (*sim.Topic, error) {
	if b.served[name] && !b.heard[name] {
		return b.request(name)
	}
	return b.topic(name)
}
