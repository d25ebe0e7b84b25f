package pcap

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/netip"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/takt-rt/takt/clock"
)

// A Datagram is one RTPS message as it was captured. Payload is good only until
// the next one is read.
type Datagram struct {
	At                  clock.Wall // of the capture, by the capturing host's clock
	Source, Destination netip.AddrPort
	Payload             []byte
	Cut                 bool // bytes are missing at the end: the capture kept only the head of its packet
}

// Counts say what a capture holds.
type Counts struct {
	Frames     uint64 // packets of any kind that were read
	RTPS       uint64 // datagrams of RTPS among them, cut ones included
	Cut        uint64 // of RTPS, but kept only in part by the capture
	OtherUDP   uint64 // datagrams that are no RTPS
	Fragments  uint64 // IPv4 fragments
	Bad        uint64 // fragments that contradict others, or are cut
	GivenUp    uint64 // times that fragments in waiting filled their 16 MiB and were dropped
	Unreadable uint64 // of a link type that takt does not read; see UnknownLink
	// UnknownLink is the last such link type, by its number in the file.
	UnknownLink layers.LinkType
	// Ended is why reading stopped before the end of the file, as at a packet
	// that the end of the file cuts off; nil if it did not. All counts and
	// datagrams are of what came before.
	Ended error
}

// Read gives the RTPS datagrams of a capture to take, in the order of the file,
// which need not be that of time. It reads Ethernet with or without VLAN tags,
// Linux cooked (v1 and v2), raw IP and BSD loopback; UDP on IPv4, reassembled,
// and on IPv6 in one piece. Checksums are not checked: those of virtual
// interfaces are often wrong.
//
// The error says that there is no capture; a damaged one is told by
// Counts.Ended.
func Read(r io.Reader, take func(Datagram)) (Counts, error) {
	f, err := openFrames(r)
	if err != nil {
		return Counts{}, err
	}
	d := newDecoder(take)
	for {
		data, info, link, err := f.next()
		if err == io.EOF && info.CaptureLength == 0 { // else the file ends behind the head of a packet
			return d.counts, nil
		}
		if err != nil {
			d.counts.Ended = fmt.Errorf("the capture cannot be read on after packet %d: %w", d.counts.Frames, err)
			return d.counts, nil
		}
		d.frame(data, info, link)
	}
}

// A decoder takes packets apart. Its layers are reused for each.
type decoder struct {
	take    func(Datagram)
	counts  Counts
	parsers map[gopacket.LayerType]*gopacket.DecodingLayerParser
	decoded []gopacket.LayerType
	v4      layers.IPv4
	v6      layers.IPv6
	udp     layers.UDP
	waiting fragments
}

func newDecoder(take func(Datagram)) *decoder {
	d := &decoder{take: take, parsers: map[gopacket.LayerType]*gopacket.DecodingLayerParser{}}
	all := []gopacket.DecodingLayer{
		&layers.Ethernet{}, &layers.Dot1Q{}, &layers.LinuxSLL{}, &layers.LinuxSLL2{}, &layers.Loopback{},
		&d.v4, &d.v6, &d.udp,
	}
	for _, first := range []gopacket.LayerType{
		layers.LayerTypeEthernet, layers.LayerTypeLinuxSLL, layers.LayerTypeLinuxSLL2, layers.LayerTypeLoopback,
		layers.LayerTypeIPv4, layers.LayerTypeIPv6, layers.LayerTypeUDP,
	} {
		p := gopacket.NewDecodingLayerParser(first, all...)
		p.IgnoreUnsupported = true
		d.parsers[first] = p
	}
	return d
}

func (d *decoder) frame(data []byte, info gopacket.CaptureInfo, link layers.LinkType) {
	d.counts.Frames++
	first, ok := firstLayer(link, data)
	if !ok {
		d.counts.Unreadable++
		d.counts.UnknownLink = link
		return
	}
	p := d.parsers[first]
	// Its error says that a layer is broken; those before it stand.
	_ = p.DecodeLayers(data, &d.decoded)
	cut := p.Truncated
	var source, destination net.IP
	for _, layer := range d.decoded {
		switch layer {
		case layers.LayerTypeIPv4:
			source, destination = d.v4.SrcIP, d.v4.DstIP
			if isFragment(&d.v4) {
				d.fragment(clock.Wall(info.Timestamp.UnixNano()))
				return
			}
		case layers.LayerTypeIPv6:
			source, destination = d.v6.SrcIP, d.v6.DstIP
		case layers.LayerTypeUDP:
			d.datagram(clock.Wall(info.Timestamp.UnixNano()), source, destination, cut)
			return
		}
	}
}

// fragment keeps what d.v4 holds, and takes the datagram that it completes.
func (d *decoder) fragment(at clock.Wall) {
	d.counts.Fragments++
	whole, err := d.waiting.add(&d.v4, at)
	d.counts.GivenUp = d.waiting.givenUp
	if err != nil {
		d.counts.Bad++
		return
	}
	if whole == nil || whole.Protocol != layers.IPProtocolUDP {
		return
	}
	p := d.parsers[layers.LayerTypeUDP]
	_ = p.DecodeLayers(whole.Payload, &d.decoded)
	if len(d.decoded) == 1 {
		d.datagram(at, whole.SrcIP, whole.DstIP, p.Truncated)
	}
}

func (d *decoder) datagram(at clock.Wall, source, destination net.IP, cut bool) {
	if !bytes.HasPrefix(d.udp.Payload, []byte("RTPS")) {
		d.counts.OtherUDP++
		return
	}
	d.counts.RTPS++
	if cut {
		d.counts.Cut++
	}
	d.take(Datagram{
		At: at, Payload: d.udp.Payload, Cut: cut,
		Source:      addrPort(source, d.udp.SrcPort),
		Destination: addrPort(destination, d.udp.DstPort),
	})
}

func addrPort(ip net.IP, port layers.UDPPort) netip.AddrPort {
	a, _ := netip.AddrFromSlice(ip)
	return netip.AddrPortFrom(a, uint16(port))
}

// Raw IP by the numbers of BSD, beside LINKTYPE_RAW.
const (
	rawOfBSD     layers.LinkType = 12
	rawOfOpenBSD layers.LinkType = 14
)

func firstLayer(link layers.LinkType, data []byte) (first gopacket.LayerType, ok bool) {
	switch link {
	case layers.LinkTypeEthernet:
		return layers.LayerTypeEthernet, true
	case layers.LinkTypeLinuxSLL:
		return layers.LayerTypeLinuxSLL, true
	case layers.LinkTypeLinuxSLL2:
		return layers.LayerTypeLinuxSLL2, true
	case layers.LinkTypeNull, layers.LinkTypeLoop:
		return layers.LayerTypeLoopback, true
	case layers.LinkTypeIPv4:
		return layers.LayerTypeIPv4, true
	case layers.LinkTypeIPv6:
		return layers.LayerTypeIPv6, true
	case layers.LinkTypeRaw, rawOfBSD, rawOfOpenBSD:
		if len(data) > 0 && data[0]>>4 == 6 {
			return layers.LayerTypeIPv6, true
		}
		return layers.LayerTypeIPv4, true
	}
	return 0, false
}
