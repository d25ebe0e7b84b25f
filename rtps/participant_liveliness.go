package rtps

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// Automatic liveliness is asserted three times in the shortest lease of the
// writers here, so that one loss does no harm.
const assertionsPerLease = 3

// setLiveliness takes over the leases of the writers here.
func (p *Participant) setLiveliness(now clock.Mono) {
	lease := time.Duration(math.MaxInt64)
	for _, w := range p.listed {
		if d, finite := w.c.QoS.Lease.Duration(); finite {
			lease = min(lease, max(d, time.Millisecond))
		}
	}
	b := &p.builtin
	if lease == math.MaxInt64 {
		b.lease, b.asserted = 0, never
	} else if lease != b.lease {
		b.lease, b.asserted = lease, now
	}
}

// assertLiveliness says that the writers here are alive, when it is due.
func (p *Participant) assertLiveliness(now clock.Mono) {
	b := &p.builtin
	if b.asserted > now {
		return
	}
	b.asserted = now.Add(b.lease / assertionsPerLease)
	message := wire.ParticipantMessage{Prefix: p.c.Prefix, Kind: wire.AssertsAutomatic}
	p.write(now, &b.writers[messages], Change{Source: p.stamp(now), Payload: message.Append(nil, little)})
}
