package ctf

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// A node is one of a process.
type node struct {
	id      timeline.EntityID
	name    string // in full
	onClock bool   // it subscribes to /clock
}

// A writer is a publisher.
type writer struct {
	id    timeline.EntityID
	topic *topic
	count uint64 // samples published
	taken uint64 // the highest number of which a reader got the sample within the process
}

// A reader is what a subscription gets its samples by.
type reader struct {
	id    timeline.EntityID
	topic *topic
	node  *node
	group uint64
}

func (r *run) rclInit(e *trace.Event) { r.process(e).version = text(e, 0) }

func threadName(e *trace.Event) string {
	proc := e.Proc
	if i := strings.IndexByte(string(proc), 0); i >= 0 {
		proc = proc[:i]
	}
	return fmt.Sprintf("%s %d", proc, e.TID)
}

// retold reports whether an event tells again of what may have been made before:
// CARET does so when tracing begins.
func retold(e *trace.Event) bool { return strings.HasPrefix(e.Class.Name, "ros2_caret:") }

func (r *run) nodeInit(e *trace.Event) {
	p := r.process(e)
	name := strings.TrimSuffix(text(e, 2), "/") + "/" + text(e, 1)
	if known := p.nodes[e.Uint(0)]; known != nil && known.name == name {
		return // told again
	}
	n := &node{id: r.entities.next(), name: name}
	r.entities.describe(timeline.Entity{ID: n.id, Kind: timeline.NodeEntity, Name: name})
	keep(p, &p.nodes, e.Uint(0), n)
}

// nodeName returns the name of a node, "" if it is not known.
func nodeName(n *node) string {
	if n == nil {
		return ""
	}
	return n.name
}

func nodeID(n *node) timeline.EntityID {
	if n == nil {
		return 0
	}
	return n.id
}

func (r *run) rmwPublisherInit(e *trace.Event)    { r.gid(e) }
func (r *run) rmwSubscriptionInit(e *trace.Event) { r.gid(e) }

// gid notes the GUID of an endpoint, as far as it is not padding.
func (r *run) gid(e *trace.Event) {
	p := r.process(e)
	g := e.Bytes(1)
	if len(g) > 16 {
		g = g[:16]
	}
	keep(p, &p.gids, e.Uint(0), fmt.Sprintf("%x", g))
}

// endpointName returns the GUID of an endpoint if the trace has it, else where it lives.
func (p *process) endpointName(rmw, rcl uint64) string {
	if g := p.gids[rmw]; g != "" {
		return g
	}
	return fmt.Sprintf("%d:%#x", p.pid, rcl)
}

func (r *run) publisherInit(e *trace.Event) {
	p := r.process(e)
	t := r.topic(text(e, 3))
	if known := p.writers[e.Uint(0)]; known != nil && known.topic == t && (retold(e) || known.count == 0) {
		return
	}
	w := &writer{topic: t}
	if t.id != 0 {
		w.id = r.entities.next()
	}
	r.entities.describe(timeline.Entity{
		ID: w.id, Kind: timeline.WriterEntity, Name: p.endpointName(e.Uint(2), e.Uint(0)), Parent: t.id, Node: nodeName(p.nodes[e.Uint(1)]),
	})
	keep(p, &p.writers, e.Uint(0), w)
}

func (r *run) subscriptionInit(e *trace.Event) {
	p := r.process(e)
	t := r.topic(text(e, 3))
	n := p.nodes[e.Uint(1)]
	if known := p.readers[e.Uint(0)]; known != nil && known.topic == t && known.node == n {
		return // told again
	}
	t.readers++
	if n != nil && t.name == "/clock" {
		n.onClock = true
	}
	d := &reader{topic: t, node: n}
	if t.id != 0 {
		d.id = r.entities.next()
	}
	r.entities.describe(timeline.Entity{
		ID: d.id, Kind: timeline.ReaderEntity, Name: p.endpointName(e.Uint(2), e.Uint(0)), Parent: t.id, Node: nodeName(n),
	})
	keep(p, &p.readers, e.Uint(0), d)
	keep(p, &p.rmwReaders, e.Uint(2), d)
}
