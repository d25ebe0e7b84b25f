package kernel

import (
	"net/netip"

	"github.com/takt-rt/takt/clock"
)

// A UDPConfig configures a UDP socket over IPv4. Only Bind must be set.
type UDPConfig struct {
	Bind netip.AddrPort // an address of this host, 0.0.0.0 or a multicast group; port 0 picks a free one

	// Shared lets other sockets bind the same port (SO_REUSEADDR), as all
	// listeners of a multicast port must. Without it the port is ours alone.
	Shared bool

	Groups []Membership // what is received besides what is sent to this host

	// MulticastInterface is the index of the interface that multicast leaves
	// through unless a Message names another. 0 leaves it to the routes.
	MulticastInterface int

	// ReceiveBuffer is asked for in bytes; 0 means 8 MiB. Beyond
	// net.core.rmem_max it takes CAP_NET_ADMIN: see UDP.ReceiveBuffer.
	ReceiveBuffer int
}

// A Membership is a multicast group joined on one interface.
type Membership struct {
	Group     netip.Addr
	Interface int // index, more than zero
}

// A Datagram is one datagram that arrived.
type Datagram struct {
	Payload []byte // good until the handler returns
	From    netip.AddrPort
	Arrival clock.Wall // when the kernel received it; zero if it did not say

	// Dropped is how many datagrams the socket had thrown away for lack of
	// buffer when this one arrived, modulo 2^32. It stands in the first
	// datagram after a drop and stays.
	Dropped uint32
}

// A Message is one datagram to be sent.
type Message struct {
	To        netip.AddrPort
	Interface int // index of the interface it leaves through; 0 leaves it to the socket
	Payload   []byte
}

// Sent says what became of messages: the kernel took them, or refused them.
type Sent struct {
	Datagrams, Bytes uint64 // taken; bytes of UDP payload
	Refused          uint64 // datagrams lost here, as on a wire
}
