package ros

import (
	"strings"
	"testing"

	"github.com/takt-rt/takt/qos"
)

// Names, types and user data are those that nodes of Jazzy announce.
func TestOwnEndpoints(t *testing.T) {
	clock, err := TypedEndpoint[Clock]("/clock", ClockQoS())
	if err != nil || clock.Topic != "rt/clock" || clock.Type != "rosgraph_msgs::msg::dds_::Clock_" ||
		string(clock.UserData) != "typehash=RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564;" {
		t.Errorf("/clock: %+v, %v", clock, err)
	}
	raw, err := MessageEndpoint("/robot1/scan", "sensor_msgs/msg/LaserScan", TypeHash{}, SensorDataQoS())
	if err != nil || raw.Topic != "rt/robot1/scan" || raw.Type != "sensor_msgs::msg::dds_::LaserScan_" || len(raw.UserData) == 0 {
		t.Errorf("/robot1/scan: %+v, %v", raw, err)
	}
	const infoType, infoHash = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_",
		"typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;"
	if w := DiscoveryWriter(ShortForm); w.Topic != "ros_discovery_info" || w.Type != infoType || string(w.UserData) != infoHash {
		t.Errorf("%+v", w)
	}
	for _, e := range []struct{ userData, typ string }{
		{string(DiscoveryWriter(LongForm).UserData), DiscoveryWriter(LongForm).Type},
		{string(DiscoveryReader().UserData), DiscoveryReader().Type},
	} {
		if e.typ != infoType || e.userData == "" || strings.Contains(e.userData, "typehash") {
			t.Errorf("%+v", e)
		}
	}
}

func TestWhatIsNoEndpoint(t *testing.T) {
	for name, c := range map[string]struct {
		topic, typ string
		qos        qos.Policies
		want       string
	}{
		"relative":  {"scan", "std_msgs/msg/String", DefaultQoS(), "does not begin with a slash"},
		"no type":   {"/scan", "String", DefaultQoS(), "is not the name of a ROS type"},
		"no depth":  {"/scan", "std_msgs/msg/String", qos.Policies{History: qos.KeepLast(-1)}, "depth"},
		"long name": {"/" + strings.Repeat("x", 300), "std_msgs/msg/String", DefaultQoS(), "longer than 247 bytes"},
	} {
		if _, err := MessageEndpoint(c.topic, c.typ, TypeHash{}, c.qos); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
