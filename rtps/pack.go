package rtps

import (
	"net/netip"
	"slices"

	"github.com/takt-rt/takt/rtps/wire"
)

// A Packet is a datagram to be sent.
type Packet struct {
	To      netip.AddrPort
	Payload []byte
}

// A packer packs submessages into datagrams: those that follow each other to
// the same addresses share one as far as it reaches, and each datagram is
// packed once whatever the number of its addresses. The order is kept.
type packer struct {
	header  wire.Header
	max     int // bytes of a datagram, unless one submessage alone is longer
	packets []Packet

	blocks [][]byte // memory of the packets, used again after reset
	block  int      // the one that open is in

	open []byte           // the datagram begun; nil: none
	to   []netip.AddrPort // where it goes; not changed until flush
	dest wire.GUIDPrefix  // its INFO_DST in force
}

const (
	packerBlock = 256 << 10 // bytes; room for two of the longest datagrams
	keptBlocks  = 16        // how much memory is kept for later: 4 MiB
	infoDestLen = 16        // INFO_DST with its header
)

// reset forgets all packets.
func (k *packer) reset() {
	k.packets, k.block = k.packets[:0], 0
	if len(k.blocks) > keptBlocks {
		clear(k.blocks[keptBlocks:])
		k.blocks = k.blocks[:keptBlocks]
	}
	for i := range k.blocks {
		k.blocks[i] = k.blocks[i][:0]
	}
}

// add packs a Send; to must not be changed before the next flush. Without an
// address there is nobody to send to.
func (k *packer) add(s *Send, to []netip.AddrPort) {
	if len(to) == 0 {
		return
	}
	if k.open != nil && !slices.Equal(k.to, to) {
		k.flush()
	}
	if k.open != nil && k.put(s) {
		return
	}
	k.flush()
	k.begin(to)
	k.put(s)
}

// put appends a Send to the datagram begun, or reports that it does not fit.
// An INFO_DST that says what is in force already is left out.
func (k *packer) put(s *Send) bool {
	start := len(k.open)
	b := s.Append(k.open)
	if s.To.Prefix == k.dest {
		b = append(b[:start], b[start+infoDestLen:]...)
	}
	if len(b) > k.max && start > wire.HeaderLen {
		return false
	}
	k.open, k.dest = b, s.To.Prefix
	return true
}

// begin opens a datagram in a block with room for the longest and a part that
// turns out not to fit.
func (k *packer) begin(to []netip.AddrPort) {
	for k.block < len(k.blocks) && cap(k.blocks[k.block])-len(k.blocks[k.block]) < 2*k.max {
		k.block++
	}
	if k.block == len(k.blocks) {
		k.blocks = append(k.blocks, make([]byte, 0, packerBlock))
	}
	at := len(k.blocks[k.block])
	k.open = k.header.Append(k.blocks[k.block][at:at])
	k.to, k.dest = to, wire.GUIDPrefix{}
}

// flush ends the datagram begun.
func (k *packer) flush() {
	if k.open == nil {
		return
	}
	b := k.blocks[k.block]
	if at := len(b); at+len(k.open) <= cap(b) {
		k.blocks[k.block] = b[:at+len(k.open)]
	}
	for _, a := range k.to {
		k.packets = append(k.packets, Packet{a, k.open[:len(k.open):len(k.open)]})
	}
	k.open = nil
}
