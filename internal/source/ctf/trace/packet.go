package trace

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tsdl"
)

// magic begins each packet of a stream (CTF 1.8.3, 5.1).
const magic = 0xC1FC1FC1

// The slots of a packet's header and context.
const (
	slotMagic = iota
	slotUUID
	slotStream
	slotContent
	slotPacket
	slotBegin
	slotEnd
	slotDiscarded
	slotNumber
	slotCPU
	packetSlots
)

var (
	headerWishes = []wish{{"magic", slotMagic}, {"uuid", slotUUID}, {"stream_id", slotStream}}
	packetWishes = []wish{
		{"content_size", slotContent}, {"packet_size", slotPacket}, {"timestamp_begin", slotBegin}, {"timestamp_end", slotEnd},
		{"events_discarded", slotDiscarded}, {"packet_seq_num", slotNumber}, {"cpu_id", slotCPU},
	}
)

// A packet is what one says of itself. Sizes are in bytes within the file.
type packet struct {
	begin, end    uint64 // counts of the clock
	hasBegin      bool
	hasEnd        bool
	discarded     uint64 // by the tracer in this stream until its end
	counted       bool
	number        uint64
	numbered      bool
	size, content uint64 // bits
}

// openPacket reads the header and context of the packet that begins at
// s.start, and leaves the position at its first event.
func (s *stream) openPacket() (p packet, err error) {
	rest := uint64(s.size-s.start) * 8
	s.rewind()
	s.dec.end = rest
	d := s.domain
	if err := s.read(d.header); err != nil {
		return p, err
	}
	if err := s.checkHeader(); err != nil {
		return p, err
	}
	id := uint64(0)
	if d.meta.PacketHeader.Field("stream_id") != nil {
		id = s.dec.ints[slotStream]
	}
	if s.kind, err = d.kind(id); err != nil {
		return p, err
	}
	if err := s.read(s.kind.packet); err != nil {
		return p, err
	}
	p, err = s.packetOf(s.kind.meta.PacketContext, rest)
	clear(s.dec.ints[:packetSlots]) // events use them for other things
	return p, err
}

func (s *stream) checkHeader() error {
	m := s.domain.meta
	if m.PacketHeader.Field("magic") != nil && s.dec.ints[slotMagic] != magic {
		return fmt.Errorf("no packet begins here: it reads %#x instead of %#x", s.dec.ints[slotMagic], uint32(magic))
	}
	if m.PacketHeader.Field("uuid") != nil && m.UUID != [16]byte{} && !bytes.Equal(s.dec.texts[slotUUID], m.UUID[:]) {
		return errors.New("the packet is of another trace than the metadata")
	}
	return nil
}

// packetOf takes what was read. Only rest bits are left in the file.
func (s *stream) packetOf(c *tsdl.Struct, rest uint64) (p packet, err error) {
	v := &s.dec.ints
	has := func(name string) bool { return c.Field(name) != nil }
	p = packet{
		begin: v[slotBegin], hasBegin: has("timestamp_begin"),
		end: v[slotEnd], hasEnd: has("timestamp_end"),
		discarded: v[slotDiscarded], counted: has("events_discarded"),
		number: v[slotNumber], numbered: has("packet_seq_num"),
		size: rest, content: rest,
	}
	if has("packet_size") {
		p.size, p.content = v[slotPacket], v[slotPacket]
	}
	if has("content_size") {
		p.content = v[slotContent]
		if !has("packet_size") {
			p.size = p.content
		}
	}
	s.cpu = -1
	if has("cpu_id") && v[slotCPU] <= math.MaxInt16 {
		s.cpu = int16(v[slotCPU])
	}
	if p.content < s.dec.pos || p.content > p.size || p.size%8 != 0 {
		return p, fmt.Errorf("it says that %d of its %d bits are used, the first %d of them by its own header", p.content, p.size, s.dec.pos)
	}
	return p, nil
}
