package tap

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/wire"
)

// A reader of takt's connects to every writer of a topic, whatever they offer.
func TestReaderMatchesEveryWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Bool().Draw(t, "every sample")
		ownership := rapid.SampledFrom([]qos.Ownership{qos.Shared, qos.Exclusive}).Draw(t, "ownership")
		var writers []ros.Endpoint
		for range rapid.IntRange(1, 4).Draw(t, "writers") {
			writers = append(writers, ros.Endpoint{QoS: qos.Policies{
				Reliability:      rapid.SampledFrom([]qos.Reliability{qos.BestEffort, qos.Reliable}).Draw(t, "reliability"),
				Durability:       rapid.SampledFrom([]qos.Durability{qos.Volatile, qos.TransientLocal}).Draw(t, "durability"),
				Deadline:         rapid.SampledFrom([]qos.Limit{{}, qos.Within(time.Second)}).Draw(t, "deadline"),
				Lease:            rapid.SampledFrom([]qos.Limit{{}, qos.Within(time.Second)}).Draw(t, "lease"),
				Liveliness:       rapid.SampledFrom([]qos.Liveliness{qos.Automatic, qos.ManualByTopic}).Draw(t, "liveliness"),
				Representation:   rapid.SampledFrom([][]qos.Representation{nil, {qos.XCDR1}, {qos.XCDR2}}).Draw(t, "representation"),
				Partition:        rapid.SampledFrom([][]string{nil, {"a"}, {"a", "b"}}).Draw(t, "partition"),
				Ownership:        ownership,
				DestinationOrder: rapid.SampledFrom([]qos.DestinationOrder{qos.ByReception, qos.BySource}).Draw(t, "order"),
			}})
		}
		p := readerQoS(writers, every)
		if p.Durability != qos.Volatile {
			t.Errorf("asks for history: %v", p)
		}
		for _, w := range writers {
			if bad := qos.Match(w.QoS, p); len(bad) > 0 {
				t.Errorf("never connects: %v", bad)
			}
		}
	})
}

func TestReliableOnRequestOnly(t *testing.T) {
	reliable := ros.Endpoint{QoS: qos.DefaultWriter()}
	bestEffort := ros.Endpoint{}
	for _, c := range []struct {
		name    string
		writers []ros.Endpoint
		every   bool
		want    qos.Reliability
	}{
		{"not asked for", []ros.Endpoint{reliable}, false, qos.BestEffort},
		{"asked for", []ros.Endpoint{reliable, reliable}, true, qos.Reliable},
		{"one writer repeats nothing", []ros.Endpoint{reliable, bestEffort}, true, qos.BestEffort},
		{"no writer any more", nil, true, qos.BestEffort},
	} {
		if got := readerQoS(c.writers, c.every).Reliability; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The names are those of the ROS 2 design articles on topic and type names.
func TestReaderIsNamedAsDDSDoes(t *testing.T) {
	keyed := ros.Endpoint{GUID: wire.GUID{Entity: wire.EntityID{3: wire.KindKeyedWriter}}}
	plain := ros.Endpoint{GUID: wire.GUID{Entity: wire.EntityID{3: wire.KindWriter}}}
	for _, c := range []struct {
		topic       Topic
		writer      ros.Endpoint
		name, typ   string
		keyed       bool
		description string
	}{
		{Topic{"/imu", "sensor_msgs/msg/Imu"}, plain, "rt/imu", "sensor_msgs::msg::dds_::Imu_", false, "a topic of ROS"},
		{Topic{"Square", "ShapeType"}, keyed, "Square", "ShapeType", true, "a topic of plain DDS with a key"},
		{Topic{"rq/addRequest", "example_interfaces/srv/AddTwoInts_Request"}, plain, "rq/addRequest", "example_interfaces::srv::dds_::AddTwoInts_Request_", false, "requests of a service"},
	} {
		t.Run(c.description, func(t *testing.T) {
			got, err := readerOf(c.topic, []ros.Endpoint{c.writer}, false)
			if err != nil {
				t.Fatal(err)
			}
			if got.Topic != c.name || got.Type != c.typ || got.Keyed != c.keyed {
				t.Errorf("%q of %q, keyed %v", got.Topic, got.Type, got.Keyed)
			}
			if len(got.UserData) == 0 {
				t.Error("no user data: nodes would warn")
			}
		})
	}
}
