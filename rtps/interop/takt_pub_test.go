package interop

import (
	"context"
	"fmt"
	"time"

	"github.com/takt-rt/takt/cdr"
	"github.com/takt-rt/takt/rtps/udp"
)

// A publisher writes the samples of takt's peer.
type publisher struct {
	o       *options
	w       *udp.Writer
	orders  *orders
	payload []byte // scratch
}

// publish greets until it is told to begin, then writes the samples.
func (p *publisher) publish() error {
	if err := p.greet(); err != nil {
		return err
	}
	n := 0
	for began := time.Now(); p.o.count == 0 || n < p.o.count; n++ {
		if !p.waitDue(began, n) {
			break
		}
		if err := p.write(n + 1); err != nil {
			return err
		}
	}
	say("done %d", n)
	if p.o.reliable && p.waitAcked() == nil {
		say("acked")
	}
	return nil
}

func (p *publisher) greet() error {
	if !p.o.greet {
		return nil
	}
	for p.sleepUntilBegin(50 * time.Millisecond) {
		if err := p.write(0); err != nil {
			return err
		}
	}
	if !p.o.reliable {
		return nil
	}
	return p.waitAcked()
}

// sleepUntilBegin sleeps for d; false once stdin has a line or has ended.
func (p *publisher) sleepUntilBegin(d time.Duration) bool {
	select {
	case <-p.orders.begin:
		return false
	case <-p.orders.stop.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// waitDue sleeps until sample n is due on the grid; false when the end came
// first.
func (p *publisher) waitDue(began time.Time, n int) bool {
	if p.o.rate > 0 {
		time.Sleep(time.Until(began.Add(time.Duration(float64(n) / p.o.rate * 1e9))))
	}
	return p.orders.stop.Err() == nil
}

func (p *publisher) write(seq int) (err error) {
	p.payload, err = cdr.Append(p.payload[:0], cdr.LittleEndian, formats[p.o.form].message(seq, p.o.size))
	if err != nil {
		return fmt.Errorf("sample %d: %w", seq, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), blocking)
	defer cancel()
	return p.w.Write(ctx, p.payload)
}

func (p *publisher) waitAcked() error {
	ctx, cancel := context.WithTimeout(context.Background(), blocking)
	defer cancel()
	return p.w.WaitAcked(ctx)
}
