package tap

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/timeline"
)

// gather is how long samples may wait in the socket: it holds what comes within
// at 5 MB/s, even if net.core.rmem_max is no more than 212,992 bytes. Writers
// that wait for acknowledgements are not kept waiting so.
const gather = 10 * time.Millisecond

// A NetworkConfig says where the graph is.
type NetworkConfig struct {
	Environment ros.Environment
	Interfaces  []string // by name; none: see udp.Config
	// EverySample asks for what was lost to be sent again, wherever all writers
	// of a topic do that: more traffic, and work for the writers.
	EverySample bool
}

// A Network is an observer on a live graph: takt as a participant that
// publishes nothing and asks for no history. It is the Transport of one Tap,
// that of Run or Record.
type Network struct {
	config  NetworkConfig
	node    *ros.Node
	changed chan struct{} // has room for one
	samples atomic.Uint64 // that takt's readers got

	clocks *kernel.Clocks // of the goroutine of the Tap

	mu      sync.Mutex // guards the rest
	tap     *Tap       // nil before Run
	writers map[string][]ros.Endpoint
	unfit   mismatches
}

// JoinNetwork joins the graph as an observer.
func JoinNetwork(c NetworkConfig) (*Network, error) {
	n := &Network{config: c, changed: make(chan struct{}, 1), clocks: kernel.NewClocks()}
	on := ros.Config{Environment: c.Environment, Interfaces: c.Interfaces, Changed: n.nudge}
	if !c.EverySample {
		on.Gather = gather
	}
	node, err := ros.Join(on)
	if err != nil {
		return nil, err
	}
	n.node = node
	return n, nil
}

// Run hands the graph to the sinks until ctx is done, as Tap.Run does. Of the
// options it sets clocks, host and findings itself. It may be called once.
func (n *Network) Run(ctx context.Context, opt Options, sinks ...timeline.Sink) (timeline.Outcome, error) {
	t := n.newTap(opt)
	return n.follow(ctx, t, func() (timeline.Outcome, error) { return t.Run(ctx, timeline.Tee(sinks...)) })
}

// Record is Run into a recorder, see Record.
func (n *Network) Record(ctx context.Context, opt Options, r *Recorder, others ...timeline.Sink) (timeline.Outcome, error) {
	t := n.newTap(opt)
	return n.follow(ctx, t, func() (timeline.Outcome, error) { return Record(ctx, t, r, others...) })
}

// Close leaves the graph.
func (n *Network) Close() error { return n.node.Close() }

// newTap fills in the options and returns the tap of this network.
func (n *Network) newTap(opt Options) *Tap {
	opt.Now, opt.Offset, opt.Findings = kernel.Now, n.offset, n.Mismatches
	if opt.Name == "" {
		opt.Name = fmt.Sprintf("domain %d", n.config.Environment.Domain)
	}
	opt.Host, _ = os.Hostname() // "" is unknown
	opt.Boot = kernel.Boot()
	traffic := n.node.Traffic()
	opt.ArrivalError = traffic.ClockError
	t := New(n, opt)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tap = t
	return t
}

// offset measures the wall clock against the axis.
func (n *Network) offset() Offset {
	n.clocks.Measure()
	offset, err := n.clocks.Offset()
	return Offset{offset, err}
}

// nudge says that the graph has changed.
func (n *Network) nudge() {
	select {
	case n.changed <- struct{}{}:
	default: // said already
	}
}
