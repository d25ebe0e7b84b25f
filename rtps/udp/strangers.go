package udp

import "github.com/takt-rt/takt/rtps"

// Strangers returns other domains that announced themselves on our ports; see
// rtps.Participant.Strangers.
func (p *Participant) Strangers() []rtps.Stranger {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.machine.Strangers()
}
