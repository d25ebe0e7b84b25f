package ctf

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// A Callback is what a trace tells of one. What is not known is "" or 0.
type Callback struct {
	ID      timeline.EntityID // 0: it never ran, and is no timer's
	Name    string
	Kind    string // "timer", "subscription", "service"
	PID     int64
	Address uint64 // the trace's own name for it, within the process
	Node    string
	On      string        // topic or service
	Period  time.Duration // of the timer
	Symbol  string        // the function, as the compiler knows it

	// What CARET traces.
	Group     uint64 // its address
	GroupType string // such as mutually_exclusive
	Executor  string // type
}

// A callback is one of a process. One of the three pointers says of what it is.
type callback struct {
	id        timeline.EntityID
	name      string
	address   uint64
	pid       int64
	symbol    string
	described bool
	jobs      uint64

	timer        *timer
	subscription *subscription
	service      *service
}

// A subscription is rclcpp's object, of which a reader may have two: one for
// messages within the process.
type subscription struct {
	reader   *reader // nil until it is known
	callback *callback
}

// A service is one that a node offers.
type service struct {
	name     string
	node     *node
	callback *callback
	group    uint64
}

// callback returns the callback at an address.
func (p *process) callback(address uint64) *callback {
	c := p.callbacks[address]
	if c == nil {
		c = &callback{address: address, pid: p.pid, symbol: p.symbols[address]}
		keep(p, &p.callbacks, address, c)
	}
	return c
}

// added returns the callback that is new at an address: one that was there and
// ran is gone.
func (p *process) added(address uint64) *callback {
	if c := p.callbacks[address]; c != nil && c.jobs == 0 {
		return c
	}
	c := &callback{address: address, pid: p.pid, symbol: p.symbols[address]}
	keep(p, &p.callbacks, address, c)
	return c
}

func (r *run) callbackSymbol(e *trace.Event) {
	p := r.process(e)
	if c := p.callbacks[e.Uint(0)]; c != nil {
		c.symbol = text(e, 1)
		return
	}
	keep(p, &p.symbols, e.Uint(0), text(e, 1))
}

func (r *run) serviceInit(e *trace.Event) {
	p := r.process(e)
	name := text(e, 2)
	if known := p.services[e.Uint(0)]; known != nil && known.name == name {
		return // told again
	}
	keep(p, &p.services, e.Uint(0), &service{name: name, node: p.nodes[e.Uint(1)]})
}

func (r *run) serviceCallback(e *trace.Event) {
	p := r.process(e)
	if s := p.services[e.Uint(0)]; s != nil && s.callback == nil {
		s.callback = p.added(e.Uint(1))
		s.callback.service = s
	}
}

// object returns rclcpp's subscription at an address.
func (p *process) object(address uint64) *subscription {
	s := p.subscriptions[address]
	if s == nil {
		s = &subscription{}
		keep(p, &p.subscriptions, address, s)
	}
	return s
}

// subscriptionObject and subscriptionCallback come in either order.
func (r *run) subscriptionObject(e *trace.Event) {
	p := r.process(e)
	d := p.readers[e.Uint(0)]
	s := p.object(e.Uint(1))
	if s.reader != nil && s.reader != d {
		s = &subscription{} // another lives at the address now
		keep(p, &p.subscriptions, e.Uint(1), s)
	}
	s.reader = d
}

func (r *run) subscriptionCallback(e *trace.Event) {
	p := r.process(e)
	s := p.object(e.Uint(0))
	if e.Class.Has[2] { // until Foxy by rcl's handle
		s = &subscription{reader: p.readers[e.Uint(2)]}
	}
	if s.callback != nil && s.callback.address == e.Uint(1) && s.callback.jobs == 0 {
		return // told again
	}
	s.callback = p.added(e.Uint(1))
	s.callback.subscription = s
}

// describe makes a callback known before its first job.
func (r *run) describe(c *callback) {
	c.described = true
	c.id = r.entities.next()
	e := timeline.Entity{ID: c.id, Kind: timeline.CallbackEntity}
	switch kind, n, on := c.about(); kind {
	case "timer":
		e.Kind, e.Period = timeline.TimerEntity, c.timer.period
		e.Parent = nodeID(n)
		e.Name = owner(n, c.pid) + " timer " + model.FormatDuration(e.Period)
	case "":
		r.found.unnamed++
		e.Name = fmt.Sprintf("callback %#x of process %d", c.address, c.pid)
	default:
		e.Parent = nodeID(n)
		e.Name = owner(n, c.pid) + " " + kind + " " + on
	}
	if c.id != 0 {
		e.Name = r.entities.unique(e.Name)
	}
	c.name = e.Name
	r.entities.describe(e)
}

// owner is who a callback is named after.
func owner(n *node, pid int64) string {
	if n == nil {
		return fmt.Sprintf("process %d", pid)
	}
	return n.name
}

// about returns what a callback is of: kind, node and topic or service.
func (c *callback) about() (kind string, n *node, on string) {
	switch {
	case c.timer != nil:
		return "timer", c.timer.node, ""
	case c.service != nil:
		return "service", c.service.node, c.service.name
	case c.subscription != nil && c.subscription.reader != nil:
		d := c.subscription.reader
		return "subscription", d.node, d.topic.name
	}
	return "", nil, ""
}

// reader returns what a callback gets its messages by, nil if it gets none.
func (c *callback) reader() *reader {
	if c.subscription == nil {
		return nil
	}
	return c.subscription.reader
}

// describeCallbacks returns all, by process and address.
func (r *run) describeCallbacks() (all []Callback) {
	for _, p := range r.processes {
		for _, c := range p.callbacks {
			kind, n, on := c.about()
			d := Callback{ID: c.id, Name: c.name, Kind: kind, PID: c.pid, Address: c.address, Node: nodeName(n), On: on, Symbol: c.symbol}
			switch {
			case c.timer != nil:
				d.Period, d.Group = c.timer.period, c.timer.group
			case c.service != nil:
				d.Group = c.service.group
			case c.reader() != nil:
				d.Group = c.reader().group
			}
			g := p.groups[d.Group]
			d.GroupType, d.Executor = g.kind, p.executors[g.executor]
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b Callback) int {
		return cmp.Or(cmp.Compare(a.PID, b.PID), cmp.Compare(a.Address, b.Address))
	})
	return all
}
