package udp

import (
	"time"

	"github.com/takt-rt/takt/rtps/wire"
)

// headers is what Ethernet, IP and UDP add to each datagram, in bytes: 14, 20
// and 8. Linux counts those 14 in the counters of loopback too.
const headers = 42

// Traffic is what went through the sockets of a participant, discovery
// included, and what did not.
type Traffic struct {
	// Bytes are of UDP payload. Multicast counts once for each interface it
	// left through, and is received as it comes back.
	SentDatagrams, SentBytes         uint64
	ReceivedDatagrams, ReceivedBytes uint64

	Kept     uint64 // datagrams not sent because of where they were to go: multicast elsewhere, or away from 127.0.0.1
	Unsent   uint64 // datagrams that the kernel did not take
	SendErr  error  // the last reason; nil: none
	Dropped  uint64 // datagrams that came and found the receive buffer full
	Untold   uint64 // events lost because Config.Event took too long
	Received wire.Tally

	ReceiveBuffer int           // bytes, of the socket that was granted least
	ClockError    time.Duration // of arrival times, either way
	ClockSteps    uint64        // how often CLOCK_REALTIME was set meanwhile
}

// SentWithHeaders returns the bytes sent with the headers of Ethernet, IP and
// UDP, as the counters of an interface have them. Not among them are the further
// headers of datagrams that IP cuts up, 34 bytes for each 1480 where the MTU is
// 1500, and the kernel's own answers: by ICMP, about as long as an announcement,
// for each port on this host that is announced to and nobody has.
func (t *Traffic) SentWithHeaders() uint64 { return t.SentBytes + headers*t.SentDatagrams }

// ReceivedWithHeaders returns the bytes received, in the same way.
func (t *Traffic) ReceivedWithHeaders() uint64 { return t.ReceivedBytes + headers*t.ReceivedDatagrams }

// Traffic returns what went through the sockets until now.
func (p *Participant) Traffic() Traffic {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.traffic
	t.Received = *p.machine.Tally()
	t.Kept = p.gate.refused
	t.ClockError = p.clocks.Error()
	t.ClockSteps, _ = p.clocks.Steps()
	for i, u := range p.sockets.all() {
		if b := u.ReceiveBuffer(); i == 0 || b < t.ReceiveBuffer {
			t.ReceiveBuffer = b
		}
	}
	return t
}
