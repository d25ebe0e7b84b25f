package ros

import (
	"context"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/rtps/udp"
	"github.com/takt-rt/takt/rtps/wire"
)

// A presence is what a node tells of itself in ros_discovery_info. An observer's
// stays empty.
type presence struct {
	readers, writers []wire.GUID
	stale            bool        // what was written last is no longer so
	writer           *udp.Writer // nil while nothing may be published
	form             GidForm     // of what the writer writes
}

// Form returns the form in which the node may be published now, or UnknownForm
// if it must not, and why.
func (n *Node) Form() (form GidForm, reason string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.formNow()
}

func (n *Node) formNow() (form GidForm, reason string) {
	if n.c.Form == UnknownForm && n.faults.Full > 0 {
		return UnknownForm, "the graph had no room for participants, which may be of any form"
	}
	return n.graph.FormToPublish(n.c.Form)
}

// own notes an endpoint of the node.
func (n *Node) own(g wire.GUID) {
	if n.c.Name == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.self.list(g)
	*list = append(*list, g)
	n.self.stale = true
	n.nudge()
}

// disown forgets an endpoint of the node.
func (n *Node) disown(g wire.GUID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.self.list(g)
	*list = slices.DeleteFunc(*list, func(other wire.GUID) bool { return other == g })
	n.self.stale = true
	n.nudge()
}

func (p *presence) list(g wire.GUID) *[]wire.GUID {
	if g.Entity.IsWriter() {
		return &p.writers
	}
	return &p.readers
}

// withdraw returns the writer, to be taken away, if its form is no longer that
// of all others. It is called with mu held.
func (n *Node) withdraw() (w *udp.Writer) {
	if n.self.writer == nil {
		return nil
	}
	if form, _ := n.formNow(); form == n.self.form {
		return nil
	}
	w, n.self.writer = n.self.writer, nil
	return w
}

// present publishes the node, if it has a name and may be, when what was
// published last is no longer so. The loop alone calls it.
func (n *Node) present() {
	if n.c.Name == "" {
		return
	}
	err := n.appear()
	if err == nil {
		err = n.publish()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.faults.Write = err
}

// appear makes the writer if there is none and a form is known.
func (n *Node) appear() error {
	n.mu.Lock()
	form, _ := n.formNow()
	needed := form != UnknownForm && n.self.writer == nil
	n.mu.Unlock()
	if !needed {
		return nil
	}
	w, err := n.participant.NewWriter(DiscoveryWriter(form))
	if err != nil {
		return fmt.Errorf("adding the writer of %s: %w", DiscoveryTopic, err)
	}
	if !n.adopt(w, form) {
		w.Close()
	}
	return nil
}

// adopt takes a writer that has written nothing yet, unless the form is another
// one meanwhile: whoever changed it has nudged the loop. From here on discovered
// takes it away in time.
func (n *Node) adopt(w *udp.Writer, form GidForm) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if now, _ := n.formNow(); now != form {
		return false
	}
	n.self.writer, n.self.form, n.self.stale = w, form, true
	return true
}

// publish writes what the node is now. If the writer is taken away before the
// write, nothing is sent.
func (n *Node) publish() error {
	w, payload, err := n.next()
	if w == nil || err != nil {
		return err
	}
	err = w.Write(context.Background(), payload) // it keeps the last sample alone, so it does not wait
	if err != nil && n.again(w) {
		return fmt.Errorf("writing %s: %w", DiscoveryTopic, err)
	}
	return nil
}

// next returns what is to be written, and by which writer; nil if by none.
func (n *Node) next() (*udp.Writer, []byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := &n.self
	if s.writer == nil || !s.stale {
		return nil, nil, nil
	}
	s.stale = false
	e := Entities{
		Participant: wire.GUID{Prefix: n.Prefix(), Entity: wire.ParticipantEntity},
		Nodes:       []NodeEntities{{Namespace: n.name.Namespace, Name: n.name.Name, Readers: s.readers, Writers: s.writers}},
	}
	payload, err := e.Append(nil, s.form)
	return s.writer, payload, err
}

// again has a write tried again at the next turn; false if its writer was taken
// away, whose successor writes anyway.
func (n *Node) again(w *udp.Writer) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.self.writer != w {
		return false
	}
	n.self.stale = true
	return true
}
