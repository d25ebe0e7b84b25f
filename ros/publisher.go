package ros

import (
	"context"
	"sync"

	"github.com/takt-rt/takt/cdr"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/udp"
)

// A Publisher publishes messages of one type on a topic.
type Publisher[T Typed] struct {
	node   *Node
	writer *udp.Writer
	spare  sync.Pool // of *[]byte: payloads that have been written
}

// Publish returns a publisher on a topic, by a name as Expand takes it, such as
// /clock or scan.
func Publish[T Typed](n *Node, topic string, p qos.Policies) (*Publisher[T], error) {
	full, err := n.name.Expand(topic)
	if err != nil {
		return nil, err
	}
	c, err := TypedEndpoint[T](full, p)
	if err != nil {
		return nil, err
	}
	w, err := n.NewWriter(c)
	if err != nil {
		return nil, err
	}
	return &Publisher[T]{node: n, writer: w, spare: sync.Pool{New: func() any { return new([]byte) }}}, nil
}

// Publish publishes a message. It may be called by any goroutine. It waits as
// udp.Writer.Write does: only while the writer keeps all and is full, and until
// ctx is done.
func (p *Publisher[T]) Publish(ctx context.Context, m *T) error {
	b := p.spare.Get().(*[]byte)
	defer p.spare.Put(b)
	payload, err := cdr.Append((*b)[:0], cdr.LittleEndian, m)
	if err != nil {
		return err
	}
	*b = payload
	return p.writer.Write(ctx, payload)
}

// Writer returns the writer: to see whom it matches, or to wait for
// acknowledgements. Close takes it away.
func (p *Publisher[T]) Writer() *udp.Writer { return p.writer }

// Close takes the publisher away.
func (p *Publisher[T]) Close() { p.node.Remove(p.writer) }
