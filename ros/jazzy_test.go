package ros

import (
	"testing"

	"github.com/takt-rt/takt/qos"
)

// Endpoints that nodes of Jazzy on Cyclone DDS announced, read from captures of
// their discovery; the last column is what the nodes' own code says they are.
func TestEndpointsOfJazzyNodes(t *testing.T) {
	for _, c := range []struct {
		topic, typ, userData             string
		history, reliability, durability string

		want    Topic
		ros     string
		profile qos.Policies
	}{
		{"rt/clock", "rosgraph_msgs::msg::dds_::Clock_",
			"typehash=RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564;",
			"keep last 1", "best effort", "volatile",
			Topic{Message, "/clock"}, "rosgraph_msgs/msg/Clock", ClockQoS()},
		{"rt/chatter", "std_msgs::msg::dds_::String_",
			"typehash=RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18;",
			"keep last 10", "reliable", "volatile",
			Topic{Message, "/chatter"}, "std_msgs/msg/String", DefaultQoS()},
		{"rt/rosout", "rcl_interfaces::msg::dds_::Log_",
			"typehash=RIHS01_e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac;",
			"keep last 1000", "reliable", "transient local",
			Topic{Message, "/rosout"}, "rcl_interfaces/msg/Log", RosoutQoS()},
		{"rt/parameter_events", "rcl_interfaces::msg::dds_::ParameterEvent_",
			"typehash=RIHS01_043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204;",
			"keep last 1000", "reliable", "volatile",
			Topic{Message, "/parameter_events"}, "rcl_interfaces/msg/ParameterEvent", ParametersQoS()},
		{"rq/resetRequest", "std_srvs::srv::dds_::Trigger_Request_",
			"clientid= 1.10.89.34.9f.a8.3f.bd.5b.53.e.7.0.0.0.8;typehash=RIHS01_d010825374ce8918e72bfd826c82603e60f45419e932ea976f807b74a863a199;",
			"keep last 10", "reliable", "volatile",
			Topic{Request, "/reset"}, "std_srvs/srv/Trigger_Request", ServicesQoS()},
		{"rr/resetReply", "std_srvs::srv::dds_::Trigger_Response_",
			"serviceid= 1.10.fb.7a.d9.47.15.5.fd.25.c.1.0.0.0.8;typehash=RIHS01_2d946c21e2fc3f1e9ca6986a8191d85fcc70097a8bb7771a053564bc47009cdf;",
			"keep last 10", "reliable", "volatile",
			Topic{Reply, "/reset"}, "std_srvs/srv/Trigger_Response", ServicesQoS()},
		{"rr/trigger_server/set_parameters_atomicallyReply", "rcl_interfaces::srv::dds_::SetParametersAtomically_Response_",
			"serviceid= 1.10.fb.7a.d9.47.15.5.fd.25.c.1.0.0.0.6;typehash=RIHS01_31b1a38c5b0b9d893ee24da45f69638f4561c78461d82d52750f429b534502b8;",
			"keep last 1000", "reliable", "volatile",
			Topic{Reply, "/trigger_server/set_parameters_atomically"}, "rcl_interfaces/srv/SetParametersAtomically_Response", ParametersQoS()},
		{"rq/guest/visitor/get_type_descriptionRequest", "type_description_interfaces::srv::dds_::GetTypeDescription_Request_",
			"serviceid= 1.10.95.c9.a3.b7.8f.29.e4.a1.f8.a7.0.0.0.7;typehash=RIHS01_470f56ccbcf13d55c78c8b735fb12da03e639e5acded994426c89d94778d9e28;",
			"keep last 10", "reliable", "volatile",
			Topic{Request, "/guest/visitor/get_type_description"}, "type_description_interfaces/srv/GetTypeDescription_Request", ServicesQoS()},
		{"ros_discovery_info", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_",
			"typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;",
			"keep last 1", "reliable", "transient local",
			Topic{NotROS, DiscoveryTopic}, "rmw_dds_common/msg/ParticipantEntitiesInfo", DiscoveryWriterQoS()},
	} {
		if got := ParseTopic(c.topic); got != c.want {
			t.Errorf("%s: %v, want %v", c.topic, got, c.want)
		}
		if got, ok := ParseType(c.typ); got != c.ros || !ok {
			t.Errorf("%s: type %s, %v, want %s", c.topic, got, ok, c.ros)
		}
		if p := c.profile; p.History.String() != c.history || p.Reliability.String() != c.reliability || p.Durability.String() != c.durability {
			t.Errorf("%s: announced %s, %s, %s; its profile is %v", c.topic, c.history, c.reliability, c.durability, p)
		}
		u, err := ParseUserData([]byte(c.userData))
		if err != nil {
			t.Fatal(err)
		}
		hash, given, err := u.TypeHash()
		if known, ok := KnownTypeHash(c.ros); !given || err != nil || ok && hash != known {
			t.Errorf("%s: %v, %v, %v", c.topic, hash, given, err)
		}
	}
}
