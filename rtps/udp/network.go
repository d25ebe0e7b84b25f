package udp

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// A link is a network interface of this host.
type link struct {
	name      string
	index     int
	loopback  bool
	multicast bool // loopback multicasts too, though Linux does not say so
	addresses []netip.Addr
}

// A network is what a participant uses of its host.
type network struct {
	links []link // whose addresses it announces
	via   []int  // interfaces that its multicast leaves through; none without multicast
	joins []int  // interfaces on which it listens to the group
}

// plan decides what is used, from what there is.
func plan(c Config) (*network, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	all, err := links()
	if err != nil {
		return nil, err
	}
	return choose(c, all)
}

func choose(c Config, all []link) (*network, error) {
	lo := slices.IndexFunc(all, func(l link) bool { return l.loopback && slices.Contains(l.addresses, localhost) })
	n := &network{}
	switch {
	case len(c.Interfaces) > 0:
		for _, name := range c.Interfaces {
			i := slices.IndexFunc(all, func(l link) bool { return l.name == name })
			if i < 0 {
				return nil, fmt.Errorf("interface %q: none of that name is up and has an IPv4 address; there are %q", name, names(all))
			}
			n.links = append(n.links, all[i])
		}
	case !c.Localhost:
		n.links = slices.DeleteFunc(slices.Clone(all), func(l link) bool { return l.loopback })
	}
	if len(n.links) == 0 {
		if lo < 0 {
			return nil, fmt.Errorf("no interface is up and has an IPv4 address, not even 127.0.0.1; run: ip link set lo up")
		}
		n.links = []link{{all[lo].name, all[lo].index, true, true, []netip.Addr{localhost}}}
	}
	if c.NoMulticast {
		return n, nil
	}
	for _, l := range n.links {
		if l.multicast || l.loopback {
			n.via = append(n.via, l.index)
		}
	}
	n.joins = slices.Clone(n.via)
	// Peers that are restricted to this host multicast on loopback.
	if lo >= 0 && !slices.Contains(n.joins, all[lo].index) {
		n.joins = append(n.joins, all[lo].index)
	}
	return n, nil
}

func (n *network) addresses() (all []netip.Addr) {
	for _, l := range n.links {
		all = append(all, l.addresses...)
	}
	return all
}

// announce returns whom discovery is sent to: the group, the participants of
// this host that listen to no multicast, and those of static peers.
func (n *network) announce(c Config, own int) (to []netip.AddrPort) {
	if len(n.via) > 0 {
		to = append(to, netip.AddrPortFrom(group, multicastPort(c.Domain)))
	}
	for _, host := range append([]netip.Addr{localhost}, c.Peers...) {
		for i := range min(probed, maxIndexOf(c.Domain)+1) {
			if host != localhost || i != own {
				to = append(to, netip.AddrPortFrom(host, metatrafficPort(c.Domain, i)))
			}
		}
	}
	return to
}

// links returns the interfaces that are up and have an IPv4 address.
func links() (all []link, err error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("listing the network interfaces: %w", err)
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 {
			continue
		}
		l := link{
			name: i.Name, index: i.Index,
			loopback: i.Flags&net.FlagLoopback != 0, multicast: i.Flags&net.FlagMulticast != 0,
		}
		addresses, err := i.Addrs()
		if err != nil {
			continue // gone since it was listed
		}
		for _, a := range addresses {
			if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() {
				l.addresses = append(l.addresses, p.Addr())
			}
		}
		if len(l.addresses) > 0 {
			all = append(all, l)
		}
	}
	return all, nil
}

func names(all []link) (n []string) {
	for _, l := range all {
		n = append(n, l.name)
	}
	return n
}
