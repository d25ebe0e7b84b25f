package ros

import (
	"errors"
	"time"

	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
)

// calm is the least time between two turns of a Node's loop. While a graph
// comes up it changes with every packet; all changes within it cost one turn.
const calm = 50 * time.Millisecond

// discovered takes an event of discovery. It runs with a lock of the
// participant, which sends nothing more to whom it is about before it returns.
func (n *Node) discovered(e rtps.Event, d *rtps.Directory) (withdraw *udp.Writer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.graph.Take(e, d); err != nil {
		n.faults.Full++
		n.faults.Last = err
	}
	n.nudge()
	return n.withdraw()
}

// heard takes a sample of ros_discovery_info.
func (n *Node) heard(s *rtps.Sample) {
	if s.Data.Key || s.Data.Payload == nil {
		return // a writer's farewell
	}
	if w := n.take(s); w != nil {
		w.Close()
	}
	n.nudge()
}

func (n *Node) take(s *rtps.Sample) (withdraw *udp.Writer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	err := n.graph.SetNodes(s.Arrival, s.Writer.Prefix, s.Data.Payload)
	switch {
	case err == nil || errors.Is(err, ErrNotAnnounced):
	case errors.Is(err, ErrGraphFull):
		n.faults.Full++
		n.faults.Last = err
	default:
		n.faults.BadNodes++
		n.faults.Last = err
	}
	return n.withdraw()
}

// nudge says to the loop that there is something to do.
func (n *Node) nudge() {
	select {
	case n.news <- struct{}{}:
	default: // it has been said
	}
}

// loop publishes the node and tells changes of the graph, until Close.
func (n *Node) loop() {
	var told uint64 // the version of the graph
	for n.wait() {
		n.present()
		if v := n.version(); v != told && n.c.Changed != nil {
			told = v
			n.c.Changed()
		}
		n.rest()
	}
}

// wait waits for news; false after Close.
func (n *Node) wait() bool {
	select {
	case <-n.news:
		return true
	case <-n.done:
		return false
	}
}

func (n *Node) rest() {
	select {
	case <-time.After(calm):
	case <-n.done:
	}
}

func (n *Node) version() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.graph.Version()
}
