package ros

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/takt-rt/takt/qos"
)

// The QoS profiles of ROS 2, the same from Humble to Rolling of December 2024
// (rmw/qos_profiles.h, rclcpp and rcl_action). Deadline, lifespan and lease
// are infinite where nothing else is said.

// DefaultQoS is that of topics: keep last 10, reliable, volatile.
func DefaultQoS() qos.Policies { return reliable(10) }

// SensorDataQoS is keep last 5, best effort, volatile.
func SensorDataQoS() qos.Policies { return qos.Policies{History: qos.KeepLast(5)} }

// ServicesQoS is that of requests and replies: keep last 10, reliable, volatile.
func ServicesQoS() qos.Policies { return reliable(10) }

// ParametersQoS is that of the parameter services and of /parameter_events:
// keep last 1000, reliable, volatile.
func ParametersQoS() qos.Policies { return reliable(1000) }

// RosoutQoS is that of /rosout: keep last 1000, reliable, transient local, with
// a lifespan of 10 s.
func RosoutQoS() qos.Policies {
	p := latched(1000)
	p.Lifespan = qos.Within(10 * time.Second)
	return p
}

// ClockQoS is that of rclcpp's subscription to /clock: keep last 1, best
// effort, volatile. What publishes /clock chooses its own.
func ClockQoS() qos.Policies { return qos.Policies{History: qos.KeepLast(1)} }

// ActionStatusQoS is keep last 1, reliable, transient local. The other parts of
// an action have the default.
func ActionStatusQoS() qos.Policies { return latched(1) }

// TFQoS is that of /tf: keep last 100, reliable, volatile.
func TFQoS() qos.Policies { return reliable(100) }

// TFStaticQoS is that of a publisher of /tf_static: keep last 1, reliable,
// transient local. Listeners keep the last 100.
func TFStaticQoS() qos.Policies { return latched(1) }

// DiscoveryWriterQoS is that of the writer of ros_discovery_info: keep last 1,
// reliable, transient local. Its reader keeps all.
func DiscoveryWriterQoS() qos.Policies { return latched(1) }

// DiscoveryReaderQoS is that of the reader of ros_discovery_info.
func DiscoveryReaderQoS() qos.Policies {
	p := latched(1)
	p.History = qos.KeepAll()
	return p
}

func reliable(depth int) qos.Policies {
	return qos.Policies{Reliability: qos.Reliable, History: qos.KeepLast(depth)}
}

func latched(depth int) qos.Policies {
	p := reliable(depth)
	p.Durability = qos.TransientLocal
	return p
}

// profiles are known by the names that users of ROS give them.
var profiles = map[string]func() qos.Policies{
	"action_status":    ActionStatusQoS,
	"clock":            ClockQoS,
	"default":          DefaultQoS,
	"parameter_events": ParametersQoS,
	"parameters":       ParametersQoS,
	"rosout":           RosoutQoS,
	"sensor_data":      SensorDataQoS,
	"services_default": ServicesQoS,
	"tf":               TFQoS,
	"tf_static":        TFStaticQoS,
}

// Profile returns the profile of a name such as default or sensor_data.
func Profile(name string) (qos.Policies, error) {
	policies, ok := profiles[name]
	if !ok {
		names := slices.Sorted(maps.Keys(profiles))
		return qos.Policies{}, fmt.Errorf("there is no QoS profile %q; write one of %s", name, strings.Join(names, ", "))
	}
	return policies(), nil
}

// BestAvailableReader returns the strongest policies with which a reader still
// connects to all of the writers that offer; without any, the strongest there
// are. It is the profile best_available of Iron and later, which is settled
// when the subscription is made and never again.
func BestAvailableReader(offers []qos.Policies) qos.Policies {
	p := latched(10)
	p.Liveliness = qos.ManualByTopic
	for i, o := range offers {
		p.Reliability = min(p.Reliability, o.Reliability)
		p.Durability = min(p.Durability, o.Durability)
		p.Liveliness = min(p.Liveliness, o.Liveliness)
		if i == 0 || p.Deadline.AtMost(o.Deadline) {
			p.Deadline = o.Deadline
		}
		if i == 0 || p.Lease.AtMost(o.Lease) {
			p.Lease = o.Lease
		}
	}
	if p.Liveliness == qos.ManualByParticipant {
		p.Liveliness = qos.Automatic // ROS has no such kind
	}
	return p
}

// BestAvailableWriter is best_available of a publisher: reliable and transient
// local, and for the rest as strong as the readers that request need it.
func BestAvailableWriter(requests []qos.Policies) qos.Policies {
	p := latched(10)
	for _, r := range requests {
		if r.Liveliness == qos.ManualByTopic {
			p.Liveliness = qos.ManualByTopic
		}
		if r.Deadline.AtMost(p.Deadline) {
			p.Deadline = r.Deadline
		}
		if r.Lease.AtMost(p.Lease) {
			p.Lease = r.Lease
		}
	}
	return p
}
