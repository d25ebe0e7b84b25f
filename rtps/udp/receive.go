package udp

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// A handed is a sample on its way to the function of a reader.
type handed struct {
	to     func(*rtps.Sample)
	sample rtps.Sample
}

// serve receives from a socket until it is stopped.
func (p *Participant) serve(u *kernel.UDP) {
	err := u.Serve(func(batch []kernel.Datagram) {
		for i := range batch {
			p.receive(u, &batch[i])
		}
	})
	if err != nil {
		p.fail(fmt.Errorf("receiving at %s: %w", u.LocalAddr(), err))
	}
}

// receive takes one datagram and hands its samples on. What the machine has to
// send waits for that, so that an answer that a function writes goes out with
// it, in one system call.
func (p *Participant) receive(u *kernel.UDP, d *kernel.Datagram) {
	p.turn.Lock()
	defer p.turn.Unlock()
	if !p.take(u, d) {
		return
	}
	for i := range p.handed {
		p.handed[i].to(&p.handed[i].sample)
	}
	clear(p.handed)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(kernel.Now())
}

// take gives a datagram to the machine. It reports whether there are samples
// to hand on; if there are none it settles everything itself.
func (p *Participant) take(u *kernel.UDP, d *kernel.Datagram) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := kernel.Now()
	p.traffic.ReceivedDatagrams++
	p.traffic.ReceivedBytes += uint64(len(d.Payload))
	p.countDropped(u, d)
	var arrival clock.Mono
	if d.Arrival != 0 {
		arrival = p.clocks.Past(now, d.Arrival)
	}
	p.machine.Receive(now, rtps.Datagram{Payload: d.Payload, Arrival: arrival, From: d.From})
	if p.gathering && p.machine.Tally().Submessages[wire.IDDataFrag] > 0 {
		p.gather(0)
	}
	p.note(now) // before the functions may write to whom was found
	p.handed = p.handed[:0]
	for _, s := range p.machine.Deliveries() {
		if r := p.readers[s.Reader]; r != nil {
			p.handed = append(p.handed, handed{r.function, s.Sample})
		}
	}
	p.wake()
	if len(p.handed) == 0 {
		p.settle(now)
		return false
	}
	return true
}

// gather has samples gather in their socket.
func (p *Participant) gather(d time.Duration) {
	p.gathering = d > 0
	p.sockets.unicast[1].Gather(d)
}

// countDropped adds what a socket dropped since its last datagram. Its count is
// of 32 bits and wraps.
func (p *Participant) countDropped(u *kernel.UDP, d *kernel.Datagram) {
	if last := p.dropped[u]; d.Dropped != last {
		p.traffic.Dropped += uint64(d.Dropped - last)
		p.dropped[u] = d.Dropped
	}
}
