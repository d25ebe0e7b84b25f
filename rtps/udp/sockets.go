package udp

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"

	"github.com/takt-rt/takt/kernel"
)

// A sockets is what a participant is reached at, and sends from.
type sockets struct {
	index     int // of the participant, which gives the ports
	unicast   [2]*kernel.UDP
	multicast *kernel.UDP // nil without multicast
}

// A PortsError reports that all participant indices of a domain are taken.
type PortsError struct {
	Domain      int
	First, Last uint16 // the ports tried
}

func (e *PortsError) Error() string {
	return fmt.Sprintf("domain %d: UDP ports %d to %d are taken by other participants of this host; "+
		"end some, raise the last index tried, or take another domain", e.Domain, e.First, e.Last)
}

// open opens the sockets of the lowest index that is free.
func open(c Config, n *network) (*sockets, error) {
	last := c.MaxIndex
	if last == 0 {
		last = min(probed-1, maxIndexOf(c.Domain))
	}
	for i := range last + 1 {
		s, err := openIndex(c, n, i)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := s.listen(c, n); err != nil {
			s.close()
			return nil, err
		}
		return s, nil
	}
	return nil, &PortsError{c.Domain, metatrafficPort(c.Domain, 0), userPort(c.Domain, last)}
}

// openIndex binds the two ports of an index, for us alone: if others could bind
// them too, some would receive nothing.
func openIndex(c Config, n *network, index int) (*sockets, error) {
	bind := netip.IPv4Unspecified()
	if c.Localhost {
		bind = localhost
	}
	s := &sockets{index: index}
	for i, port := range []uint16{metatrafficPort(c.Domain, index), userPort(c.Domain, index)} {
		u := kernel.UDPConfig{Bind: netip.AddrPortFrom(bind, port)}
		if len(n.via) > 0 {
			u.MulticastInterface = n.via[0]
		}
		var err error
		if s.unicast[i], err = kernel.ListenUDP(u); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// listen joins the group. Its port is shared by all participants of the host.
func (s *sockets) listen(c Config, n *network) (err error) {
	if len(n.joins) == 0 {
		return nil
	}
	u := kernel.UDPConfig{Bind: netip.AddrPortFrom(group, multicastPort(c.Domain)), Shared: true}
	for _, i := range n.joins {
		u.Groups = append(u.Groups, kernel.Membership{Group: group, Interface: i})
	}
	s.multicast, err = kernel.ListenUDP(u)
	return err
}

// all returns those that are open.
func (s *sockets) all() (open []*kernel.UDP) {
	for _, u := range []*kernel.UDP{s.unicast[0], s.unicast[1], s.multicast} {
		if u != nil {
			open = append(open, u)
		}
	}
	return open
}

func (s *sockets) close() {
	for _, u := range s.all() {
		_ = u.Close()
	}
}
