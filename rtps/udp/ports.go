package udp

import "net/netip"

// Ports by DDSI-RTPS 2.3, 9.6.1.1, with its defaults: PB 7400, DG 250, PG 2,
// d0 0, d1 10, d3 11.
const (
	portBase   = 7400
	domainGain = 250

	maxDomain = 232 // beyond it ports pass 65535
	// probed is how many indices of a host are announced to: as many as the ROS
	// layers of Fast DDS and Cyclone DDS announce to and use.
	probed = 32
)

// localhost is the one address of a participant that is restricted to its host.
var localhost = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// group is the multicast group of discovery (9.6.1.4).
var group = netip.AddrFrom4([4]byte{239, 255, 0, 1})

func multicastPort(domain int) uint16 { return uint16(portBase + domainGain*domain) }

func metatrafficPort(domain, index int) uint16 {
	return uint16(portBase + domainGain*domain + 10 + 2*index)
}

func userPort(domain, index int) uint16 { return metatrafficPort(domain, index) + 1 }

// maxIndexOf returns the last index whose ports exist in a domain.
func maxIndexOf(domain int) int { return (65535 - (portBase + domainGain*domain + 11)) / 2 }
