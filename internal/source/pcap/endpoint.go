package pcap

import (
	"net/netip"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Participant is what discovery tells of one process, by its last words.
type Participant struct {
	Prefix    wire.GUIDPrefix
	UserData  string
	Enclave   string // of a ROS participant; empty: it is none
	FirstSeen clock.Wall
	Left      wire.Optional[clock.Wall] // its first farewell; one that was killed has none
	Heard     clock.Wall                // its latest datagram
	Lease     wire.Optional[time.Duration]
	Nodes     []string // full names, as ros_discovery_info named them over time

	addresses []netip.AddrPort // for user data
	size      int              // bytes of the announcement
}

// lost reports that a participant was silent for longer than its lease: at that
// instant others have dropped it.
func (p *Participant) lost(at clock.Wall) bool {
	return p.Lease.Set && !p.Left.Set && at.Sub(p.Heard) > p.Lease.Value
}

// An Endpoint is what discovery tells of a writer or reader, by its last words.
type Endpoint struct {
	GUID      wire.GUID
	Topic     ros.Topic
	Type      string // as ROS names it; of other types the DDS name
	DDSTopic  string
	DDSType   string
	UserData  string
	Vendor    wire.VendorID
	TypeHash  wire.Optional[ros.TypeHash]
	QoS       qos.Policies
	FirstSeen clock.Wall
	Left      wire.Optional[clock.Wall] // when it, or its participant, said farewell first
	Node      string                    // full name of the node that claimed it; empty: none did

	addresses []netip.AddrPort // none: those of the participant
	size      int              // bytes of the announcement
}

// service reports that the endpoint is one of a service's.
func (e *Endpoint) service() bool { return e.Topic.Kind == ros.Request || e.Topic.Kind == ros.Reply }

// gone reports whether an endpoint had left at an instant, or its participant's
// lease had run out.
func (g *Graph) gone(e *Endpoint, at clock.Wall) bool {
	p := g.participants[e.GUID.Prefix]
	return e.Left.Set && e.Left.Value < at || p != nil && p.lost(at)
}

// describe takes over an announcement, as the directory understands it.
func (e *Endpoint) describe(d *wire.EndpointData, understood *rtps.RemoteEndpoint) {
	e.Vendor, e.QoS = understood.Vendor, understood.Policies
	e.DDSTopic, e.DDSType = d.TopicName, d.TypeName
	e.Topic, e.Type = ros.ParseTopic(d.TopicName), d.TypeName
	if name, ok := ros.ParseType(d.TypeName); ok {
		e.Type = name
	}
	e.UserData, e.TypeHash = string(d.QoS.UserData), wire.Optional[ros.TypeHash]{}
	if u, err := ros.ParseUserData(d.QoS.UserData); err == nil {
		if h, given, err := u.TypeHash(); given && err == nil {
			e.TypeHash = wire.Some(h)
		}
	}
	e.addresses = addresses(d.Unicast, d.Multicast)
}
