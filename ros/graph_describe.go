package ros

import (
	"strings"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// describeParticipant returns known with what SPDP told in its place.
func describeParticipant(known Participant, vendor wire.VendorID, d *wire.ParticipantData) Participant {
	known.Vendor, known.Tag = vendor, d.DomainTag
	u, _ := ParseUserData(d.UserData) // what does not parse is not of ROS
	known.Enclave, known.ROS = u.Enclave()
	known.Host, known.Process, known.PID, known.Kind = "", "", "", ""
	for _, p := range d.Properties {
		switch p.Name {
		case "__Hostname", "fastdds.physical_data.host": // Cyclone DDS's, Fast DDS's
			known.Host, _, _ = strings.Cut(p.Value, ":") // Fast DDS adds a number
		case "__ProcessName":
			known.Process = p.Value
		case "__Pid", "fastdds.physical_data.process":
			known.PID = p.Value
		case "PARTICIPANT_TYPE":
			known.Kind = p.Value
		}
	}
	known.SHMOnly = len(d.DefaultUnicast) > 0 && !anyUDP(d.DefaultUnicast) && !anyUDP(d.DefaultMulticast)
	return known
}

func anyUDP(locators []wire.Locator) bool {
	for _, l := range locators {
		if _, ok := l.AddrPort(); ok {
			return true
		}
	}
	return false
}

func describeEndpoint(guid wire.GUID, vendor wire.VendorID, d *wire.EndpointData, p qos.Policies) Endpoint {
	e := Endpoint{GUID: guid, Vendor: vendor, Topic: ParseTopic(d.TopicName), Type: d.TypeName, QoS: p}
	if name, ok := ParseType(d.TypeName); ok {
		e.Type = name
	}
	if u, err := ParseUserData(d.QoS.UserData); err == nil {
		e.Hash, e.hashed, _ = u.TypeHash() // one that cannot be read is unknown
		e.ofTakt = u["tool"] == "takt"
	}
	e.cost = fixedCost + len(d.TopicName) + len(d.TypeName) + 2*len(p.Representation)
	for _, name := range p.Partition {
		e.cost += 16 + len(name)
	}
	return e
}
