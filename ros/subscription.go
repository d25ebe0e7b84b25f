package ros

import (
	"fmt"
	"sync"

	"github.com/takt-rt/takt/cdr"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
)

// A Subscription hands on the messages of one type on a topic.
type Subscription[T Typed] struct {
	node   *Node
	reader *udp.Reader
	topic  string
	take   func(*T, *rtps.Sample)
	last   T // of the goroutine that receives: read anew for each sample

	mu      sync.Mutex
	bad     uint64
	lastErr error
}

// Subscribe calls f with every message on a topic, by a name as Expand takes it,
// such as /clock or scan. What udp.Participant.NewReader asks of its function
// holds for f: it must not block, and message and sample are good until it
// returns.
func Subscribe[T Typed](n *Node, topic string, p qos.Policies, f func(*T, *rtps.Sample)) (*Subscription[T], error) {
	full, err := n.name.Expand(topic)
	if err != nil {
		return nil, err
	}
	c, err := TypedEndpoint[T](full, p)
	if err != nil {
		return nil, err
	}
	s := &Subscription[T]{node: n, topic: full, take: f}
	if s.reader, err = n.NewReader(c, s.hand); err != nil {
		return nil, err
	}
	return s, nil
}

// hand reads a sample and hands the message on.
func (s *Subscription[T]) hand(sample *rtps.Sample) {
	if sample.Data.Key || sample.Data.Payload == nil {
		return // the end of an instance, which topics of ROS have not
	}
	if err := cdr.Unmarshal(sample.Data.Payload, &s.last); err != nil {
		s.refuse(fmt.Errorf("%s, sample %d of %v: %w", s.topic, sample.Sequence, sample.Writer, err))
		return
	}
	s.take(&s.last, sample)
}

func (s *Subscription[T]) refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bad++
	s.lastErr = err
}

// Refused returns how many samples could not be read as messages of the type,
// and why not the last of them; nil if there was none.
func (s *Subscription[T]) Refused() (n uint64, last error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bad, s.lastErr
}

// Reader returns the reader: to see whom it matches, and what became of their
// samples. Close takes it away.
func (s *Subscription[T]) Reader() *udp.Reader { return s.reader }

// Close takes the subscription away. Its function may still run when Close
// returns.
func (s *Subscription[T]) Close() { s.node.Remove(s.reader) }
