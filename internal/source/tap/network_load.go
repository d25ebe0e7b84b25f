package tap

import "time"

// A Load is what takt's presence adds to the network, discovery included, and
// what its own sockets had no room for.
type Load struct {
	// Bytes are those of the wire as udp.Traffic counts them with headers.
	SentDatagrams, SentBytes         uint64
	ReceivedDatagrams, ReceivedBytes uint64

	Samples       uint64        // handed to takt by its readers
	Dropped       uint64        // datagrams that found the receive buffer full: takt's losses
	ReceiveBuffer int           // bytes
	ClockError    time.Duration // of arrivals, either way
}

// Load returns what has been added until now. What is received counts whole,
// though some of it, such as announcements by multicast, would be sent anyway.
func (n *Network) Load() Load {
	t := n.node.Traffic()
	return Load{
		SentDatagrams: t.SentDatagrams, SentBytes: t.SentWithHeaders(),
		ReceivedDatagrams: t.ReceivedDatagrams, ReceivedBytes: t.ReceivedWithHeaders(),
		Samples: n.samples.Load(), Dropped: t.Dropped, ReceiveBuffer: t.ReceiveBuffer, ClockError: t.ClockError,
	}
}
