package rtps

import (
	"bytes"
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// Limits bound what a Directory keeps, whatever it is told. Each has a default
// that real graphs stay far below.
type Limits struct {
	Participants int // 0 means 4096
	Endpoints    int // of all participants; 0 means 65536
	Bytes        int // of all announcements as received; 0 means 64 MiB. The memory used is a few times that
}

// defaultLease is that of a participant that does not say it (9.6.2.2.2).
const defaultLease = 100 * time.Second

// A Directory is what discovery has told of a domain: its participants and
// their endpoints, each by its last words. It sends nothing, so a listener to
// others' datagrams can keep one too. What happens to it is told by events.
//
// An announcement counts only if it is about its sender or an endpoint of its
// sender: nobody can speak for others, except by faking the sender itself.
// The zero Directory knows nothing and is ready for use.
type Directory struct {
	Limits Limits
	// Accept says whether a participant is of interest; nil is every one.
	Accept func(*wire.ParticipantData) bool
	// Refused counts announcements beyond the limits.
	Refused uint64
	// Ignored counts announcements of what their sender cannot speak for: in
	// another's name or in nobody's, or of a lease that has already run out.
	Ignored uint64

	participants map[wire.GUIDPrefix]*RemoteParticipant
	endpoints    map[wire.GUID]*RemoteEndpoint
	owned        map[wire.GUIDPrefix]map[wire.EntityID]*RemoteEndpoint
	described    int        // bytes of the announcements kept
	lease        clock.Mono // none runs out before; 0: not known
}

// A RemoteParticipant is what a participant last announced of itself.
type RemoteParticipant struct {
	Prefix wire.GUIDPrefix
	Vendor wire.VendorID
	Data   *wire.ParticipantData // not changed: another announcement is another one
	From   netip.AddrPort        // where its last announcement came from: no address to answer to
	Lease  time.Duration         // more than 0; math.MaxInt64 never runs out
	Found  clock.Mono
	Heard  clock.Mono // the last time

	payload []byte // of the announcement
}

// A RemoteEndpoint is what a participant last announced of a writer or reader.
type RemoteEndpoint struct {
	GUID     wire.GUID
	Vendor   wire.VendorID
	Data     *wire.EndpointData // not changed: another announcement is another one
	Policies qos.Policies
	Problem  error // what in the policies contradicts itself; such an endpoint matches none

	payload []byte
}

// Participant returns a participant, or nil if it is not known.
func (d *Directory) Participant(p wire.GUIDPrefix) *RemoteParticipant { return d.participants[p] }

// Endpoint returns a writer or reader, or nil if it is not known.
func (d *Directory) Endpoint(g wire.GUID) *RemoteEndpoint { return d.endpoints[g] }

// Participants returns all participants, by prefix.
func (d *Directory) Participants() []*RemoteParticipant {
	return slices.SortedFunc(maps.Values(d.participants), func(a, b *RemoteParticipant) int {
		return slices.Compare(a.Prefix[:], b.Prefix[:])
	})
}

// Endpoints returns all writers and readers, by GUID.
func (d *Directory) Endpoints() []*RemoteEndpoint {
	return slices.SortedFunc(maps.Values(d.endpoints), compareEndpoints)
}

// EndpointsOf returns the writers and readers of one participant, by id. A
// listener that came late may know them and not the participant.
func (d *Directory) EndpointsOf(p wire.GUIDPrefix) []*RemoteEndpoint {
	return slices.SortedFunc(maps.Values(d.owned[p]), compareEndpoints)
}

func compareEndpoints(a, b *RemoteEndpoint) int { return compareGUIDs(a.GUID, b.GUID) }

func compareGUIDs(a, b wire.GUID) int {
	return cmp.Or(bytes.Compare(a.Prefix[:], b.Prefix[:]), bytes.Compare(a.Entity[:], b.Entity[:]))
}

// Take listens to a DATA as it was found in a message that came from an
// address, and appends to out what it brought about. It looks only at those of
// SPDP and SEDP, each as it comes: in order and repeated is the same to it.
func (d *Directory) Take(now clock.Mono, out []Event, m *wire.Message, s wire.Submessage, data *wire.Data, from netip.AddrPort) ([]Event, error) {
	switch data.Writer {
	case wire.ParticipantsWriter, wire.PublicationsWriter, wire.SubscriptionsWriter:
	default:
		return out, nil
	}
	var q wire.InlineQoS
	if data.InlineQoS != nil {
		var err error
		if q, err = wire.ParseInlineQoS(data.InlineQoS, s.Order(), m.Vendor); err != nil {
			return out, err
		}
	}
	if data.Writer == wire.ParticipantsWriter {
		return d.takeParticipant(now, out, m, data, &q, from)
	}
	return d.takeEndpoint(now, out, m.Source, m.Vendor, data, &q)
}

// farewell reports that what data speaks of is disposed or unregistered. Fast
// DDS says so by the status alone, Cyclone DDS with a key as the payload.
func farewell(data *wire.Data, q *wire.InlineQoS) bool {
	return data.Key || q.Status.Value&(wire.Disposed|wire.Unregistered) != 0
}

// identity returns whom an announcement is about: by its GUID, or where that
// is absent by the key hash within or beside it.
func identity(guid wire.Optional[wire.GUID], hash wire.Optional[[16]byte], q *wire.InlineQoS) (wire.GUID, bool) {
	switch {
	case guid.Set:
		return guid.Value, true
	case hash.Set:
		return wire.ParseGUID(hash.Value), true
	case q.KeyHash.Set:
		return wire.ParseGUID(q.KeyHash.Value), true
	}
	return wire.GUID{}, false
}

// room takes n bytes of those that announcements may fill, or gives back -n.
func (d *Directory) room(n int) bool {
	if n > 0 && d.described+n > cmp.Or(d.Limits.Bytes, 64<<20) {
		return false
	}
	d.described += n
	return true
}
