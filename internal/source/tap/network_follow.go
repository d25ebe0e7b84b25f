package tap

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// again is when a graph is looked at that has not changed: the node of an
// endpoint counts as unknown some time after the endpoint was found.
const again = time.Second

// follow runs a tap and tells it of the graph meanwhile.
func (n *Network) follow(ctx context.Context, t *Tap, run func() (timeline.Outcome, error)) (timeline.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	var following sync.WaitGroup
	following.Go(func() { n.watchGraph(ctx, t) })
	defer following.Wait()
	defer stop()
	return run()
}

// watchGraph looks at the graph whenever it has changed, of which the node tells
// only so often. Each look walks over all of it, while nothing is received: of
// a graph that is flooded, looks take a tenth of the time at most.
func (n *Network) watchGraph(ctx context.Context, t *Tap) {
	told := map[wire.GUID]Endpoint{}
	ticker := time.NewTicker(again)
	defer ticker.Stop()
	for ctx.Err() == nil {
		begin := time.Now()
		n.look(t, told)
		rest := time.After(10 * time.Since(begin))
		select {
		case <-ctx.Done():
		case <-rest:
		}
		select {
		case <-ctx.Done():
		case <-n.changed:
		case <-ticker.C:
		}
	}
}

// look tells the tap what is new in the graph, has changed or has gone.
func (n *Network) look(t *Tap, told map[wire.GUID]Endpoint) {
	here := map[wire.GUID]bool{}
	for _, e := range n.endpoints(kernel.Now()) {
		here[e.GUID] = true
		if old, known := told[e.GUID]; !known || !reflect.DeepEqual(old, e) {
			told[e.GUID] = e
			t.Found(e)
		}
	}
	for guid := range told {
		if !here[guid] {
			delete(told, guid)
			t.Gone(guid)
		}
	}
}

// endpoints returns those of the graph by topic, takt's own left out, and keeps
// the writers for Join.
func (n *Network) endpoints(now clock.Mono) (all []Endpoint) {
	writers := map[string][]ros.Endpoint{}
	n.node.Graph(func(g *ros.Graph) {
		for kind := ros.NotROS; kind <= ros.Reply; kind++ {
			for _, t := range g.Topics(now, kind) {
				if t.Topic.DDS() == ros.DiscoveryTopic {
					continue // the graph's own
				}
				for _, e := range slices.Concat(t.Writers, t.Readers) {
					found := endpointOf(e)
					all = append(all, found)
					if e.IsWriter() {
						writers[found.Topic.Name] = append(writers[found.Topic.Name], e)
					}
				}
			}
		}
	})
	n.mu.Lock()
	defer n.mu.Unlock()
	n.writers = writers
	return all
}

func endpointOf(e ros.Endpoint) Endpoint {
	found := Endpoint{GUID: e.GUID, Topic: NewTopic(e.Topic.DDS(), e.Type), Node: e.Node, QoS: &e.QoS}
	if e.Node == ros.UnknownNode || e.Node == ros.BareDDS {
		found.Node = ""
	}
	return found
}
