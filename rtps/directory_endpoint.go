package rtps

import (
	"bytes"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// takeEndpoint takes an announcement of SEDP; the order of its inline QoS is
// that in which q was read.
func (d *Directory) takeEndpoint(now clock.Mono, out []Event, source wire.GUIDPrefix, vendor wire.VendorID, data *wire.Data, q *wire.InlineQoS) ([]Event, error) {
	bye := farewell(data, q)
	e, err := wire.ParseEndpoint(data.Payload)
	if err != nil && !(bye && q.KeyHash.Set) {
		return out, err
	}
	guid, ok := identity(e.GUID, e.KeyHash, q)
	if !ok || guid.Prefix != source || !announces(data.Writer, guid.Entity) {
		d.Ignored++
		return out, nil
	}
	known := d.endpoints[guid]
	switch {
	case bye && known == nil:
		return out, nil
	case bye:
		return d.removeEndpoint(now, out, known), nil
	case known != nil && bytes.Equal(known.payload, data.Payload):
		return out, nil
	}
	return d.keepEndpoint(now, out, guid, e.Vendor.Or(vendor), data.Payload, &e), nil
}

// announces reports whether a writer of SEDP may speak of an entity: of users'
// endpoints only, one writer of writers and the other of readers.
func announces(writer, e wire.EntityID) bool {
	if writer == wire.PublicationsWriter {
		return e.IsWriter() && !e.Builtin()
	}
	return e.IsReader() && !e.Builtin()
}

// keepEndpoint notes an endpoint that is new or has changed.
func (d *Directory) keepEndpoint(now clock.Mono, out []Event, guid wire.GUID, vendor wire.VendorID, payload []byte, data *wire.EndpointData) []Event {
	known, kind := d.endpoints[guid], WriterChanged
	if known == nil {
		known, kind = &RemoteEndpoint{GUID: guid}, WriterFound
	}
	full := kind == WriterFound && len(d.endpoints) >= orLimit(d.Limits.Endpoints, 65536)
	if full || !d.room(len(payload)-len(known.payload)) {
		d.Refused++
		return out
	}
	known.Vendor, known.Data = vendor, data
	known.Policies = policiesOf(&data.QoS, guid.Entity.IsWriter(), vendor)
	known.Problem = known.Policies.Check()
	known.payload = slices.Clone(payload)
	d.index(known)
	return append(out, endpointEvent(kind, now, known))
}

func (d *Directory) index(e *RemoteEndpoint) {
	if d.endpoints == nil {
		d.endpoints = map[wire.GUID]*RemoteEndpoint{}
		d.owned = map[wire.GUIDPrefix]map[wire.EntityID]*RemoteEndpoint{}
	}
	d.endpoints[e.GUID] = e
	if d.owned[e.GUID.Prefix] == nil {
		d.owned[e.GUID.Prefix] = map[wire.EntityID]*RemoteEndpoint{}
	}
	d.owned[e.GUID.Prefix][e.GUID.Entity] = e
}

func (d *Directory) removeEndpoint(now clock.Mono, out []Event, e *RemoteEndpoint) []Event {
	delete(d.endpoints, e.GUID)
	delete(d.owned[e.GUID.Prefix], e.GUID.Entity)
	if len(d.owned[e.GUID.Prefix]) == 0 {
		delete(d.owned, e.GUID.Prefix)
	}
	d.room(-len(e.payload))
	return append(out, endpointEvent(WriterGone, now, e))
}

// endpointEvent tells of an endpoint; kind is that of a writer, whose place
// among the kinds is three before that of a reader.
func endpointEvent(kind EventKind, now clock.Mono, e *RemoteEndpoint) Event {
	if e.GUID.Entity.IsReader() {
		kind += ReaderFound - WriterFound
	}
	return Event{Kind: kind, At: now, Remote: e.GUID, Endpoint: e.Data, Vendor: e.Vendor}
}
