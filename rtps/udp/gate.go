package udp

import (
	"net/netip"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/rtps"
)

// A gate is what all packets pass on their way out: it says through which
// interfaces they leave and lets none out that must not. Peers say where they
// are reached, so a packet may be meant for any address there is.
type gate struct {
	localhost bool           // restricted to 127.0.0.1 and multicast on loopback
	group     netip.AddrPort // where multicast may go
	via       []int          // through these interfaces; none: nowhere

	refused uint64
}

func newGate(c Config, n *network) gate {
	return gate{
		localhost: c.Localhost,
		group:     netip.AddrPortFrom(group, multicastPort(c.Domain)),
		via:       n.via,
	}
}

// admit appends the packets that may leave.
func (g *gate) admit(out []kernel.Message, packets []rtps.Packet) []kernel.Message {
	for _, p := range packets {
		switch to := p.To.Addr(); {
		case p.To == g.group && len(g.via) > 0:
			for _, i := range g.via {
				out = append(out, kernel.Message{To: p.To, Interface: i, Payload: p.Payload})
			}
		case !to.Is4() || to.IsMulticast() || g.localhost && to != localhost:
			g.refused++
		default:
			out = append(out, kernel.Message{To: p.To, Payload: p.Payload})
		}
	}
	return out
}
