package tap

import (
	"cmp"
	"time"

	"github.com/takt-rt/takt/clock"
)

const (
	// perDatagram is what the wire carries besides the payload: 42 bytes of
	// Ethernet, IP and UDP, 56 of RTPS, as Cyclone DDS 0.10 sends a sample.
	perDatagram = 42 + 56
	// perFragment is the payload of a datagram of a larger sample (Cyclone DDS).
	perFragment = 1344
	// largeSample is the size from which a topic counts as large: it does not
	// fit one UDP datagram, so that one lost piece costs all of it.
	largeSample = 64 << 10
	// window is the time within which the budget is spent.
	window = time.Second
)

// BudgetOptions say what takt may read. The zero value allows 5 MB/s and no
// large topic.
type BudgetOptions struct {
	BytesPerSecond int64                   // 0 means 5,000,000; an estimate of what the wire carries for it
	Named          func(topic string) bool // topics that were asked for by name; nil: none
	NamedOnly      bool                    // no other topic is joined
}

// A Budget decides which topics are joined, and which are left again since they
// turned out too large. Every joined topic's bytes count, of those named too.
// When more than a second's worth has come within a second, the topic that
// brought most is left, one that was not named before any that was. What has
// been left stays so, lest it come and go.
//
// It is a machine: it reads no clock, and is for one goroutine at a time.
type Budget struct {
	opt     BudgetOptions
	loads   []*TopicLoad // joined
	begin   clock.Mono
	spent   int64 // since begin, by topics that are joined
	leaves  []Topic
	leftOut []LeftOut
}

// A TopicLoad is what one topic brings.
type TopicLoad struct {
	topic Topic
	named bool
	bytes int64 // in this window
	left  bool
}

// A LeftOut is a topic that is not read, or no longer.
type LeftOut struct {
	Topic  Topic
	Reason Reason
	Bytes  int64         // LargeSample: of the sample; OverBudget: within Within
	Within time.Duration // OverBudget
	Named  bool          // it had been asked for
}

// A Reason says why a topic is not read.
type Reason uint8

// The reasons.
const (
	LargeType   Reason = iota + 1 // by its type, and nobody named it
	LargeSample                   // a sample was large, and nobody named it
	OverBudget                    // it brought most when the budget was spent
)

// NewBudget returns a budget that nothing has been spent of.
func NewBudget(opt BudgetOptions) *Budget {
	opt.BytesPerSecond = cmp.Or(opt.BytesPerSecond, 5_000_000)
	return &Budget{opt: opt}
}

// Meet decides on a topic that has come up: whether to join it. What is not of
// ROS, such as the two topics of a service, is joined only when named.
func (b *Budget) Meet(t Topic) (*TopicLoad, bool) {
	named := b.opt.Named != nil && b.opt.Named(t.Name)
	switch {
	case !named && (b.opt.NamedOnly || !t.isROS()):
		return nil, false
	case !named && largeTypes[t.Type]:
		b.leftOut = append(b.leftOut, LeftOut{Topic: t, Reason: LargeType})
		return nil, false
	}
	l := &TopicLoad{topic: t, named: named}
	b.loads = append(b.loads, l)
	return l, true
}

// shows reports whether a topic is told of at all. Those of services are not
// unless they are named: every node has a dozen for its parameters.
func (b *Budget) shows(t Topic) bool {
	if b.opt.Named != nil && b.opt.Named(t.Name) {
		return true
	}
	return !b.opt.NamedOnly && !t.isService()
}

// Take counts a sample of a topic, with its size in bytes, and reports whether
// Leaves has something new.
func (b *Budget) Take(l *TopicLoad, now clock.Mono, size int) (leaving bool) {
	if l.left {
		return false // it is being left
	}
	if now.Sub(b.begin) >= window {
		b.turn(now)
	}
	wire := onWire(size)
	l.bytes += wire
	b.spent += wire
	if size >= largeSample && !l.named {
		b.leave(l, LeftOut{Topic: l.topic, Reason: LargeSample, Bytes: int64(size)})
		leaving = true
	}
	for b.spent > b.allowed() && len(b.loads) > 0 {
		most := b.most()
		b.leave(most, LeftOut{Topic: most.topic, Reason: OverBudget, Bytes: most.bytes, Within: now.Sub(b.begin), Named: most.named})
		leaving = true
	}
	return leaving
}

// Leaves returns the topics to be left, once.
func (b *Budget) Leaves() []Topic {
	l := b.leaves
	b.leaves = nil
	return l
}

// LeftOut returns all topics that are not read because of their load, and why.
func (b *Budget) LeftOut() []LeftOut { return b.leftOut }

// allowed is what may be spent in one window.
func (b *Budget) allowed() int64 {
	return int64(float64(b.opt.BytesPerSecond) * window.Seconds())
}

func (b *Budget) turn(now clock.Mono) {
	b.begin, b.spent = now, 0
	for _, l := range b.loads {
		l.bytes = 0
	}
}

// most returns which topic to leave: the first of those that brought most.
func (b *Budget) most() *TopicLoad {
	most := b.loads[0]
	for _, l := range b.loads[1:] {
		if most.named && !l.named || most.named == l.named && l.bytes > most.bytes {
			most = l
		}
	}
	return most
}

func (b *Budget) leave(l *TopicLoad, why LeftOut) {
	l.left = true
	b.spent -= l.bytes
	for i := range b.loads {
		if b.loads[i] == l {
			b.loads = append(b.loads[:i], b.loads[i+1:]...)
			break
		}
	}
	b.leaves = append(b.leaves, l.topic)
	b.leftOut = append(b.leftOut, why)
}

// onWire estimates the bytes that a sample takes on the wire.
func onWire(size int) int64 {
	datagrams := max(1, (size+perFragment-1)/perFragment)
	return int64(size) + int64(datagrams)*perDatagram
}
