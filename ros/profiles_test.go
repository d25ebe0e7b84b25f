package ros

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/takt-rt/takt/qos"
)

// The table is that of rmw/qos_profiles.h, seen on the wire of Jazzy nodes for
// default, services, parameters, rosout, clock and ros_discovery_info.
func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		name    string
		got     qos.Policies
		history string
		qos     string // reliability, durability
	}{
		{"default", DefaultQoS(), "keep last 10", "reliable, volatile"},
		{"sensor_data", SensorDataQoS(), "keep last 5", "best effort, volatile"},
		{"services_default", ServicesQoS(), "keep last 10", "reliable, volatile"},
		{"parameters", ParametersQoS(), "keep last 1000", "reliable, volatile"},
		{"parameter_events", ParametersQoS(), "keep last 1000", "reliable, volatile"},
		{"rosout", RosoutQoS(), "keep last 1000", "reliable, transient local"},
		{"clock", ClockQoS(), "keep last 1", "best effort, volatile"},
		{"action_status", ActionStatusQoS(), "keep last 1", "reliable, transient local"},
		{"tf", TFQoS(), "keep last 100", "reliable, volatile"},
		{"tf_static", TFStaticQoS(), "keep last 1", "reliable, transient local"},
		{"", DiscoveryWriterQoS(), "keep last 1", "reliable, transient local"},
		{"", DiscoveryReaderQoS(), "keep all", "reliable, transient local"},
	} {
		if got := c.got.Reliability.String() + ", " + c.got.Durability.String(); got != c.qos || c.got.History.String() != c.history {
			t.Errorf("%s: %v, %s; want %s, %s", c.name, c.got.History, got, c.history, c.qos)
		}
		if c.name == "" {
			continue
		}
		if p, err := Profile(c.name); err != nil || !cmp.Equal(p, c.got, cmp.AllowUnexported(qos.Limit{})) {
			t.Errorf("%s by name: %v, %v", c.name, p, err)
		}
	}
	if got := RosoutQoS().Lifespan.String(); got != "10s" {
		t.Errorf("lifespan of rosout: %s", got)
	}
}

func TestUnknownProfile(t *testing.T) {
	if _, err := Profile("sensors"); err == nil || !strings.Contains(err.Error(), `"sensors"; write one of action_status, clock, default,`) {
		t.Error(err)
	}
}

// Best effort of a subscription matches every publisher of /clock; a reliable,
// volatile publisher every subscription.
func TestWhoHearsClock(t *testing.T) {
	for _, publisher := range []qos.Policies{ClockQoS(), DefaultQoS(), TFStaticQoS()} {
		if bad := qos.Match(publisher, ClockQoS()); len(bad) != 0 {
			t.Error(bad)
		}
	}
	for _, subscription := range []qos.Policies{ClockQoS(), DefaultQoS(), SensorDataQoS()} {
		if bad := qos.Match(DefaultQoS(), subscription); len(bad) != 0 {
			t.Error(bad)
		}
	}
	if bad := qos.Match(SensorDataQoS(), DefaultQoS()); len(bad) != 1 || bad[0].Policy != qos.ReliabilityPolicy {
		t.Errorf("the mismatch that everybody meets once: %v", bad)
	}
}

func TestBestAvailable(t *testing.T) {
	second := qos.Within(time.Second)
	offers := []qos.Policies{
		{Reliability: qos.Reliable, Durability: qos.TransientLocal, Deadline: second, Liveliness: qos.ManualByTopic},
		{Reliability: qos.Reliable, Deadline: qos.Within(time.Millisecond), Liveliness: qos.ManualByParticipant},
	}
	want := qos.Policies{Reliability: qos.Reliable, History: qos.KeepLast(10), Deadline: second}
	same := cmp.AllowUnexported(qos.Limit{})
	if diff := cmp.Diff(want, BestAvailableReader(offers), same); diff != "" {
		t.Error(diff)
	}
	want = qos.Policies{Reliability: qos.Reliable, Durability: qos.TransientLocal, History: qos.KeepLast(10), Lease: second}
	if diff := cmp.Diff(want, BestAvailableWriter([]qos.Policies{{}, {Lease: second}}), same); diff != "" {
		t.Error(diff)
	}
}

// Whatever ROS endpoints offer or request, best_available connects.
func TestBestAvailableConnects(t *testing.T) {
	limit := rapid.Custom(func(t *rapid.T) qos.Limit {
		if rapid.Bool().Draw(t, "infinite") {
			return qos.Limit{}
		}
		return qos.Within(time.Duration(rapid.IntRange(0, 3).Draw(t, "limit")))
	})
	policies := rapid.Custom(func(t *rapid.T) qos.Policies {
		return qos.Policies{
			Reliability: rapid.SampledFrom([]qos.Reliability{qos.BestEffort, qos.Reliable}).Draw(t, "reliability"),
			Durability:  rapid.SampledFrom([]qos.Durability{qos.Volatile, qos.TransientLocal}).Draw(t, "durability"),
			Liveliness:  rapid.SampledFrom([]qos.Liveliness{qos.Automatic, qos.ManualByTopic}).Draw(t, "liveliness"),
			Deadline:    limit.Draw(t, "deadline"),
			Lease:       limit.Draw(t, "lease"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		others := rapid.SliceOfN(policies, 0, 4).Draw(t, "others")
		reader, writer := BestAvailableReader(others), BestAvailableWriter(others)
		for _, o := range others {
			if bad := append(qos.Match(o, reader), qos.Match(writer, o)...); len(bad) > 0 {
				t.Fatal(bad)
			}
		}
	})
}
