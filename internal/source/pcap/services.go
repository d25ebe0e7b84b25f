package pcap

import (
	"encoding/binary"

	"github.com/takt-rt/takt/cdr"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// A callHeader is what the Cyclone DDS layer of ROS 2 writes in front of each
// request, and again in front of its reply:
//
//	client 8 | sequence number 8
type callHeader struct{ client, sequence uint64 }

const callHeaderLen = cdr.HeaderLen + 16

func readCallHeader(payload []byte) (h callHeader, ok bool) {
	if len(payload) < callHeaderLen {
		return h, false
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch cdr.Encapsulation(binary.BigEndian.Uint16(payload)) {
	case cdr.LittleEndian:
	case cdr.BigEndian:
		order = binary.BigEndian
	default:
		return h, false
	}
	b := payload[cdr.HeaderLen:]
	return callHeader{order.Uint64(b), order.Uint64(b[8:])}, true
}

// call tells of a request or a reply: sent at the source timestamp, received
// when it was captured. The requests are also the samples of the service.
func (r *run) call(s *stream, m *sample) {
	if s.endpoint.Vendor != wire.CycloneDDS {
		r.foreignCalls++
		return
	}
	h, ok := readCallHeader(m.payload)
	if !ok {
		r.badPayload++
		return
	}
	if s.endpoint.Topic.Kind == ros.Request {
		e := r.event(timeline.SampleArrived, m)
		e.Entity = r.entities.topicOf(s.endpoint)
		r.order.push(held{Event: e})
	}
	sent, received := timeline.RequestSent, timeline.RequestReceived
	if s.endpoint.Topic.Kind == ros.Reply {
		sent, received = timeline.ResponseSent, timeline.ResponseReceived
	}
	e := timeline.Event{
		At: timeline.Instant(m.at), Kind: timeline.ServiceEvent, Entity: r.entities.topicOf(s.endpoint),
		Number: h.sequence, Cause: timeline.Cause{Number: h.client}, Value: int64(sent), Size: m.size,
	}
	if m.sent.Set {
		e.Stamp, e.Flags = timeline.Stamp(m.sent.Value), timeline.HasStamp
	}
	r.order.push(held{Event: e})
	e.Value, e.Stamp, e.Flags = int64(received), 0, 0
	r.order.push(held{Event: e})
}
