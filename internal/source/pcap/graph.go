package pcap

import (
	"cmp"
	"maps"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// What one capture may make a Graph keep. Real graphs stay far below.
const (
	maxParticipants = 4096
	maxEndpoints    = 65536
	maxWriters      = 4096     // with samples
	maxDescription  = 64 << 20 // bytes of announcements, all together
)

// A Graph listens to datagrams: to discovery, to how many samples of each
// writer pass, and to what of them each reader gets. It knows only what was
// said while the capture ran. Endpoints of the protocol itself are not part of
// it.
//
// The zero Graph is ready for use.
type Graph struct {
	Tally wire.Tally // submessages, and what of them was refused
	// Refused counts announcements and samples beyond the bounds of memory.
	Refused uint64
	// BadNodes counts messages of ros_discovery_info of neither form.
	BadNodes uint64

	// The instants of the directory are nanoseconds since the capture's first
	// datagram. Its leases are left alone: what is lost follows from Heard.
	directory rtps.Directory
	events    []rtps.Event // room for those of one announcement
	first     wire.Optional[clock.Wall]

	participants map[wire.GUIDPrefix]*Participant
	endpoints    map[wire.GUID]*Endpoint
	readersOf    map[string][]*Endpoint // by DDS topic
	streams      map[wire.GUID]*stream
	receptions   map[pair]*Reception
	described    int // bytes of the announcements that participants and endpoints are known by
	changes      int // of endpoints
	spare        *room
	observer     observer             // nil: nobody
	claimed      map[wire.GUID]string // the node of an endpoint, which may not be announced yet
	last         clock.Wall           // of the latest datagram
	heard        sample               // the one that is dealt with
}

// Participants returns all that were announced, by prefix.
func (g *Graph) Participants() []*Participant {
	return slices.SortedFunc(maps.Values(g.participants), func(a, b *Participant) int {
		return slices.Compare(a.Prefix[:], b.Prefix[:])
	})
}

// Endpoints returns all writers and readers that were announced, by GUID.
func (g *Graph) Endpoints() []*Endpoint {
	return slices.SortedFunc(maps.Values(g.endpoints), func(a, b *Endpoint) int {
		return compareGUID(a.GUID, b.GUID)
	})
}

// Samples returns what passed of each writer, announced or not, by GUID.
func (g *Graph) Samples() []*Samples {
	all := make([]*Samples, 0, len(g.streams))
	for _, s := range g.streams {
		if s.Messages > 0 {
			all = append(all, &s.Samples)
		}
	}
	slices.SortFunc(all, func(a, b *Samples) int { return compareGUID(a.Writer, b.Writer) })
	return all
}

// Receptions returns what each reader got of each writer that it connects to
// and that said something, by their GUIDs.
func (g *Graph) Receptions() []*Reception {
	return slices.SortedFunc(maps.Values(g.receptions), func(a, b *Reception) int {
		return cmp.Or(compareGUID(a.Writer.GUID, b.Writer.GUID), compareGUID(a.Reader.GUID, b.Reader.GUID))
	})
}

// End settles what is still open when there are no more datagrams.
func (g *Graph) End() {
	for _, r := range g.Receptions() {
		r.end(g.last)
	}
}

func compareGUID(a, b wire.GUID) int {
	return cmp.Or(slices.Compare(a.Prefix[:], b.Prefix[:]), slices.Compare(a.Entity[:], b.Entity[:]))
}
