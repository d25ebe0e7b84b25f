package ros

import (
	"maps"
	"slices"
	"strings"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A GraphTopic is a topic with what writes and reads it, each by GUID.
type GraphTopic struct {
	Topic   Topic
	Types   []string // of its endpoints, each once, by name: more than one never connect
	Writers []Endpoint
	Readers []Endpoint
}

// A GraphService is a service with what serves and calls it.
type GraphService struct {
	Name    string
	Types   []string
	Servers []Endpoint // the readers of requests
	Clients []Endpoint // the writers of requests
}

// A GraphAction is an action with what serves and calls it.
type GraphAction struct {
	Name    string
	Types   []string
	Servers []Endpoint // the readers of goals
	Clients []Endpoint // the writers of goals
}

// Participants returns all participants by prefix.
func (g *Graph) Participants() (all []Participant) {
	for _, p := range g.sorted() {
		all = append(all, p.info)
	}
	return all
}

// Endpoint returns what is known of a writer or reader.
func (g *Graph) Endpoint(now clock.Mono, guid wire.GUID) (Endpoint, bool) {
	p := g.participants[guid.Prefix]
	if p == nil || p.endpoints[guid.Entity] == nil {
		return Endpoint{}, false
	}
	return p.told(now, p.endpoints[guid.Entity]), true
}

// Topics returns the topics of a kind by name. Those of services are Request
// and Reply; Services and Actions put them together.
func (g *Graph) Topics(now clock.Mono, kind TopicKind) (all []GraphTopic) {
	byName := map[string]*GraphTopic{}
	for _, p := range g.sorted() {
		for _, e := range p.sorted() {
			if e.Topic.Kind != kind {
				continue
			}
			t := byName[e.Topic.Name]
			if t == nil {
				t = &GraphTopic{Topic: e.Topic}
				byName[e.Topic.Name] = t
			}
			t.add(p.told(now, e))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		t := byName[name]
		slices.Sort(t.Types)
		t.Types = slices.Compact(t.Types)
		all = append(all, *t)
	}
	return all
}

func (t *GraphTopic) add(e Endpoint) {
	t.Types = append(t.Types, e.Type)
	if e.IsWriter() {
		t.Writers = append(t.Writers, e)
	} else {
		t.Readers = append(t.Readers, e)
	}
}

// Services returns the services by name, without those that are part of an
// action.
func (g *Graph) Services(now clock.Mono) (all []GraphService) {
	for _, t := range g.Topics(now, Request) {
		if _, _, isAction := t.Topic.Action(); !isAction {
			all = append(all, GraphService{t.Topic.Name, interfaces(t.Types), t.Readers, t.Writers})
		}
	}
	return all
}

// Actions returns the actions by name.
func (g *Graph) Actions(now clock.Mono) (all []GraphAction) {
	for _, t := range g.Topics(now, Request) {
		if name, part, ok := t.Topic.Action(); ok && part == "send_goal" {
			all = append(all, GraphAction{name, interfaces(t.Types), t.Readers, t.Writers})
		}
	}
	return all
}

// interfaces returns the services or actions that types are part of.
func interfaces(types []string) (all []string) {
	for _, t := range types {
		all = append(all, Interface(t))
	}
	return slices.Compact(all)
}

// told returns an endpoint with the name of its node.
func (p *participant) told(now clock.Mono, e *Endpoint) Endpoint {
	t := *e
	t.Node = p.node(now, e)
	return t
}

func (g *Graph) sorted() []*participant {
	all := slices.Collect(maps.Values(g.participants))
	slices.SortFunc(all, func(a, b *participant) int { return slices.Compare(a.info.Prefix[:], b.info.Prefix[:]) })
	return all
}

func (p *participant) sorted() []*Endpoint {
	all := slices.Collect(maps.Values(p.endpoints))
	slices.SortFunc(all, func(a, b *Endpoint) int { return strings.Compare(string(a.GUID.Entity[:]), string(b.GUID.Entity[:])) })
	return all
}
