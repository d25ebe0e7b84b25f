package pcap

import (
	"bytes"
	"time"

	"github.com/gopacket/gopacket/ip4defrag"
	"github.com/gopacket/gopacket/layers"

	"github.com/takt-rt/takt/clock"
)

// maxWaiting bounds the bytes of fragments, with what it costs to keep each.
const (
	maxWaiting   = 16 << 20
	fragmentCost = 256
)

// fragments puts IPv4 datagrams together. Those that miss a part would wait for
// ever, so when what waits fills its bound all of it is dropped.
type fragments struct {
	parts   *ip4defrag.IPv4Defragmenter
	held    int // bytes, at least those that wait
	givenUp uint64
}

func isFragment(ip *layers.IPv4) bool {
	return ip.Flags&layers.IPv4MoreFragments != 0 || ip.FragOffset != 0
}

// add takes a copy of one fragment and returns the datagram that it completes,
// or nil.
func (f *fragments) add(ip *layers.IPv4, at clock.Wall) (whole *layers.IPv4, err error) {
	cost := len(ip.Payload) + fragmentCost
	if f.parts == nil || f.held+cost > maxWaiting {
		if f.parts != nil {
			f.givenUp++
		}
		f.parts, f.held = ip4defrag.NewIPv4Defragmenter(), 0
	}
	part := *ip
	part.Payload = bytes.Clone(ip.Payload)
	part.SrcIP, part.DstIP = bytes.Clone(ip.SrcIP), bytes.Clone(ip.DstIP)
	part.Contents, part.Options, part.Padding = nil, nil, nil
	f.held += cost
	whole, err = f.parts.DefragIPv4WithTimestamp(&part, time.Unix(0, int64(at)))
	if whole != nil {
		f.held = max(0, f.held-len(whole.Payload)-fragmentCost)
	}
	return whole, err
}
