package udp

import (
	"context"
	"errors"
	"fmt"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Writer is a writer of a Participant.
type Writer struct {
	p     *Participant
	id    wire.EntityID
	topic string
}

// NewWriter adds a writer and announces it.
func (p *Participant) NewWriter(c rtps.EndpointConfig) (*Writer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	now := kernel.Now()
	id, err := p.machine.AddWriter(now, c)
	p.settle(now)
	if err != nil {
		return nil, err
	}
	return &Writer{p, id, c.Topic}, nil
}

// GUID returns the GUID of the writer.
func (w *Writer) GUID() wire.GUID { return wire.GUID{Prefix: w.p.prefix, Entity: w.id} }

// Matched returns how many readers elsewhere it writes to.
func (w *Writer) Matched() int { return w.p.matches(w.id) }

// Write writes a sample, from the encapsulation header on; the payload is
// copied. When it returns, the kernel has been given the sample for the readers
// matched. While a writer that keeps all has no room it waits for
// acknowledgements, until ctx is done.
func (w *Writer) Write(ctx context.Context, payload []byte) error {
	err := w.write(payload)
	if !errors.Is(err, rtps.ErrFull) {
		return err
	}
	return w.p.await(ctx, "writing to "+w.topic, func() (bool, error) {
		err := w.writeLocked(payload)
		return !errors.Is(err, rtps.ErrFull), err
	})
}

func (w *Writer) write(payload []byte) error {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.writeLocked(payload)
}

func (w *Writer) writeLocked(payload []byte) error {
	err := w.put(payload)
	w.p.settle(kernel.Now())
	return err
}

// WriteAll writes samples as Write does, in order, with as many in a datagram
// as there is room for: for whoever has several at once, that costs less than
// one by one. Of an error it says at which sample; those before are written.
func (w *Writer) WriteAll(ctx context.Context, payloads [][]byte) error {
	written := 0
	for {
		n, err := w.writeSome(payloads[written:])
		written += n
		switch {
		case written == len(payloads):
			return nil
		case errors.Is(err, rtps.ErrFull):
			err = w.Write(ctx, payloads[written])
			written++
		}
		if err != nil {
			return fmt.Errorf("sample %d of %d: %w", written, len(payloads), err)
		}
	}
}

// together is how many bytes of samples WriteAll gives to the kernel at once.
const together = 256 << 10

// writeSome writes samples until there is no room, or enough to send.
func (w *Writer) writeSome(payloads [][]byte) (n int, err error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	for bytes := 0; n < len(payloads) && bytes < together; n++ {
		if err = w.put(payloads[n]); err != nil {
			break
		}
		bytes += len(payloads[n])
	}
	w.p.settle(kernel.Now())
	return n, err
}

// put gives a sample to the machine.
func (w *Writer) put(payload []byte) error {
	if w.p.closed {
		return errClosed
	}
	return w.p.machine.Write(kernel.Now(), wire.TimestampOf(kernel.Realtime()), w.id, payload)
}

// WaitAcked waits until all reliable readers have acknowledged everything
// written, or ctx is done.
func (w *Writer) WaitAcked(ctx context.Context) error {
	return w.p.await(ctx, "waiting for acknowledgements of "+w.topic, func() (bool, error) {
		return w.p.machine.Acked(w.id), nil
	})
}

// Close takes the writer away and says so.
func (w *Writer) Close() { w.p.remove(w.id) }

// await tries, with the lock, until it is done, and between that waits for
// acknowledgements.
func (p *Participant) await(ctx context.Context, doing string, try func() (done bool, err error)) error {
	for {
		moved, done, err := p.try(try)
		if done {
			return err
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("%s: not all readers have acknowledged: %w", doing, ctx.Err())
		case <-p.done:
			return fmt.Errorf("%s: %w", doing, errClosed)
		}
	}
}

func (p *Participant) try(try func() (bool, error)) (moved chan struct{}, done bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if done, err = try(); !done {
		p.waiting++
	}
	return p.moved, done, err
}

func (p *Participant) matches(id wire.EntityID) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.matched[id]
}

// remove takes an endpoint away. Nothing that waits for its readers need wait
// any more.
func (p *Participant) remove(id wire.EntityID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := kernel.Now()
	p.drop(now, id)
	p.settle(now)
}

func (p *Participant) drop(now clock.Mono, id wire.EntityID) {
	p.machine.Remove(now, id)
	delete(p.readers, id)
	delete(p.matched, id)
	p.wake()
}
