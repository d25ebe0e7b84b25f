package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// A node is one with callbacks that can be in a system file.
type node struct {
	name    string
	id      timeline.EntityID // the least of it or its callbacks: nodes come in this order
	members []*member
}

// A member is a callback of a node.
type member struct {
	*callback
	name   string // within the node
	kind   model.CallbackKind
	on     string            // topic or service
	topic  timeline.EntityID // of a subscription; 0: not known
	period time.Duration     // of a timer
	group  string            // "" is the node's own, mutually exclusive
}

// addNodes finds the nodes and their callbacks, and says what is left out.
func (b *builder) addNodes() {
	byName := map[string]*node{}
	clocked := b.clocked()
	for _, c := range b.order {
		m, of := b.member(c)
		switch {
		case m == nil:
			b.leave(c, "what makes it ready is not known", "begin to record before the nodes start")
			continue
		case len(c.runs) == 0:
			b.leave(c, "it never ran from start to end", "record for longer")
			continue
		case m.kind == model.TimerCallback && !b.time(m, clocked[of]):
			b.leave(c, "the period of the timer is not known, and it ran once", "record for longer")
			continue
		}
		n := byName[of]
		if n == nil {
			n = &node{name: of, id: b.firstOf(c)}
			byName[of] = n
			b.nodes = append(b.nodes, n)
		}
		n.members = append(n.members, m)
		b.has[c] = true
	}
	slices.SortStableFunc(b.nodes, func(x, y *node) int { return cmp.Compare(x.id, y.id) })
	for _, n := range b.nodes {
		slices.SortStableFunc(n.members, b.byRegistration)
		n.nameMembers()
	}
}

func (b *builder) leave(c *callback, why, remedy string) {
	name := b.entities[c.entity].Name
	b.find("infer-left-out", name, fmt.Sprintf("%s, with %s, is not in the system: %s", name, quantity.Count(c.starts, "run"), why), remedy)
}

// member returns what a callback is, and the name of its node; nil if it is not
// known what makes it ready. Sources name callbacks after node, kind and topic
// or service; of one that took samples the reader has the topic.
func (b *builder) member(c *callback) (m *member, of string) {
	e := b.entities[c.entity]
	m = &member{callback: c, period: e.Period}
	reader := b.entities[c.reader]
	of = b.entities[e.Parent].Name
	switch {
	case e.Kind == timeline.TimerEntity:
		m.kind = model.TimerCallback
	case reader.Parent != 0:
		m.kind, m.topic, m.on = model.SubscriptionCallback, reader.Parent, b.entities[reader.Parent].Name
	default:
		for _, kind := range []model.CallbackKind{model.SubscriptionCallback, model.ServiceCallback} {
			before, on, ok := strings.Cut(e.Name, " "+string(kind)+" ")
			if !ok {
				continue
			}
			m.kind, of = kind, cmp.Or(of, before)
			m.on, _, _ = strings.Cut(on, " #") // a second one of the node
		}
	}
	if of == "" {
		of, _, _ = strings.Cut(e.Name, " ")
	}
	if m.kind == "" || m.kind != model.TimerCallback && m.on == "" {
		return nil, of
	}
	return m, of
}

// clocked are the nodes that listen to /clock: their timers may be on it.
func (b *builder) clocked() map[string]bool {
	all := map[string]bool{}
	for _, e := range b.entities {
		if e.Kind == timeline.ReaderEntity && b.entities[e.Parent].Name == "/clock" {
			all[e.Node] = true
		}
	}
	return all
}

// time gives a timer its period on the steady clock: the source's, or if that is
// on another clock or not known, the mean interval between its starts.
func (b *builder) time(m *member, clocked bool) bool {
	e := b.entities[m.entity]
	if m.period > 0 && e.TimerClock != timeline.SimClock && (!clocked || e.TimerClock == timeline.MonoClock) {
		return true
	}
	if m.starts < 2 || m.lastRun <= m.firstRun {
		return m.period > 0
	}
	m.period, m.released = m.lastRun.Sub(m.firstRun)/time.Duration(m.starts-1), false
	if e.TimerClock == timeline.SimClock || clocked {
		b.find("infer-simulated-time", e.Name, e.Name+" is, or may be, on simulated time: the system has it on the steady clock, at the mean interval of this run",
			"write the timer's own period with timer_clock: ros, and a section simulation")
	}
	return m.period > 0
}

func (b *builder) firstOf(c *callback) timeline.EntityID {
	if parent := b.entities[c.entity].Parent; parent != 0 {
		return parent
	}
	return c.entity
}

// byRegistration orders the callbacks of a node as the executor knows them:
// timers by their creation, one period before the first release; subscriptions
// as their readers were made known; the others as they first ran.
func (b *builder) byRegistration(x, y *member) int {
	return cmp.Or(cmp.Compare(place(x.kind), place(y.kind)), cmp.Compare(x.registered(), y.registered()))
}

func place(k model.CallbackKind) int {
	return slices.Index([]model.CallbackKind{model.TimerCallback, model.SubscriptionCallback, model.ServiceCallback}, k)
}

func (m *member) registered() int64 {
	switch {
	case m.kind == model.TimerCallback:
		return int64(m.firstRelease()) - int64(m.period)
	case m.reader != 0:
		return int64(m.reader)
	}
	return int64(m.entity)
}

// firstRelease is that of a timer, or if it is not known its first start.
func (m *member) firstRelease() timeline.Instant {
	if m.released {
		return m.release
	}
	return m.firstRun
}

// nameMembers gives each callback of a node a name: timer_10ms, on_chatter,
// serve_set_mode.
func (n *node) nameMembers() {
	used := names{}
	for _, m := range n.members {
		switch m.kind {
		case model.TimerCallback:
			m.name = used.unique("timer_" + plain(model.FormatDuration(m.period)))
		case model.ServiceCallback:
			m.name = used.unique("serve_" + plain(m.on))
		default:
			m.name = used.unique("on_" + plain(m.on))
		}
	}
}

// plain is a name in the letters and digits of ASCII.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-':
			return r
		}
		return '_'
	}, strings.Trim(name, "/"))
}

// names are those given so far.
type names map[string]bool

// unique returns a name that is not among them: the one wanted, or with a number
// behind it.
func (u names) unique(want string) string {
	name := want
	for i := 2; u[name]; i++ {
		name = fmt.Sprintf("%s_%d", want, i)
	}
	u[name] = true
	return name
}
