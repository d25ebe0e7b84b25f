package ros

import (
	"fmt"
	"sync"
	"time"

	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Config configures a Node. The zero Config observes domain 0 on every
// interface.
type Config struct {
	Environment Environment // of ReadEnvironment
	Interfaces  []string    // by name; none: see udp.Config

	// Name is the node's. An observer has none, and appears in no list of nodes.
	// Namespace is a full one; "" is the root, "/".
	Name, Namespace string
	// Form is that of ros_discovery_info where the user says it. UnknownForm
	// finds it out, and publishes nothing until then.
	Form GidForm

	// Gather is how long samples may wait in the socket for more to come, see
	// udp.Config.
	Gather time.Duration
	// Changed is told that the graph has changed, once for all that changed since
	// it was last told, by one goroutine. It must return soon and not call Close.
	Changed func()
}

// A Node is takt in a graph: as a node of its own, or as an observer. Its
// methods may be called by any goroutine. Linux only, as package udp.
//
// A node with a name is published in ros_discovery_info for as long as all
// others read it in one form, see FormToPublish. A newcomer that may read
// another gets none of it: the writer is taken away before anything is sent to
// the newcomer, and comes back once the newcomer's form is known. Meanwhile
// others keep showing what they read last.
type Node struct {
	c           Config
	name        NodeName
	participant *udp.Participant
	news        chan struct{} // says to the loop that there is something to do
	done        chan struct{} // closed by Close
	running     sync.WaitGroup
	closing     sync.Once

	// mu guards all below. Package udp calls discovered with a lock of its own,
	// so none of its methods is called with mu held.
	mu     sync.Mutex
	graph  Graph
	faults Faults
	self   presence
}

// Faults counts what others told that a Node could not take.
type Faults struct {
	Full     uint64 // announcements for which the graph had no room
	BadNodes uint64 // payloads of ros_discovery_info that are none, or not their writer's to tell
	Last     error  // the last of both; nil: none
	Write    error  // why ros_discovery_info could not be written at last; nil: it could
}

// Join joins the domain of the environment.
func Join(c Config) (*Node, error) {
	name, err := c.nodeName()
	if err != nil {
		return nil, err
	}
	network, err := c.network()
	if err != nil {
		return nil, err
	}
	n := &Node{c: c, name: name, news: make(chan struct{}, 1), done: make(chan struct{})}
	network.Discovered = n.discovered
	if n.participant, err = udp.Join(network); err != nil {
		return nil, err
	}
	n.running.Go(n.loop)
	if _, err := n.participant.NewReader(DiscoveryReader(), n.heard); err != nil {
		_ = n.Close() // there is nothing to lose yet
		return nil, fmt.Errorf("reading %s: %w", DiscoveryTopic, err)
	}
	return n, nil
}

// nodeName checks the name of the node.
func (c *Config) nodeName() (n NodeName, err error) {
	if c.Name == "" {
		return NodeName{Namespace: "/"}, nil
	}
	if n = (NodeName{c.Namespace, c.Name}); n.Namespace == "" {
		n.Namespace = "/"
	}
	if err := CheckNamespace(n.Namespace); err != nil {
		return n, err
	}
	return n, CheckNodeName(n.Name)
}

// Close leaves the domain; see udp.Participant.Close. Closing again does
// nothing.
func (n *Node) Close() error {
	n.closing.Do(func() { close(n.done) })
	n.running.Wait()
	return n.participant.Close()
}

// Graph hands the graph of all others to read, which must return soon: whatever
// changes the graph meanwhile keeps all that is received waiting. It must not
// keep the graph, nor call methods of the Node.
func (n *Node) Graph(read func(*Graph)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	read(&n.graph)
}

// Faults returns what could not be taken until now.
func (n *Node) Faults() Faults {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.faults
}

// Name returns the name of the node; an observer's is empty.
func (n *Node) Name() NodeName { return n.name }

// Prefix returns the GUID prefix of the participant.
func (n *Node) Prefix() wire.GUIDPrefix { return n.participant.Prefix() }

// Traffic returns what the participant has sent and received until now.
func (n *Node) Traffic() udp.Traffic { return n.participant.Traffic() }

// NewWriter adds a writer of payloads, as udp.Participant.NewWriter does, and
// names it as the node's. User data are added where there are none. Remove
// takes it away.
func (n *Node) NewWriter(c rtps.EndpointConfig) (*udp.Writer, error) {
	w, err := n.participant.NewWriter(withUserData(c))
	if err == nil {
		n.own(w.GUID())
	}
	return w, err
}

// NewReader adds a reader of payloads, as udp.Participant.NewReader does, and
// names it as the node's. User data are added where there are none. Remove
// takes it away.
func (n *Node) NewReader(c rtps.EndpointConfig, f func(*rtps.Sample)) (*udp.Reader, error) {
	r, err := n.participant.NewReader(withUserData(c), f)
	if err == nil {
		n.own(r.GUID())
	}
	return r, err
}

// withUserData gives an endpoint user data if it has none: see EndpointUserData.
func withUserData(c rtps.EndpointConfig) rtps.EndpointConfig {
	if len(c.UserData) == 0 {
		c.UserData = EndpointUserData(TypeHash{})
	}
	return c
}

// Remove takes a writer or reader of NewWriter or NewReader away. One that is
// closed by itself stays in the list of the node's.
func (n *Node) Remove(e interface {
	GUID() wire.GUID
	Close()
}) {
	n.disown(e.GUID())
	e.Close()
}
