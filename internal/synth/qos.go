package synth

import (
	"fmt"
	"strings"
)

// A QoS is a profile that a publisher offers, as far as a recorder notes it.
// The zero QoS is best effort and volatile, with no deadline and no lifespan.
type QoS struct {
	Reliable       bool
	TransientLocal bool
}

// profiles returns the YAML list that rosbag2 writes since Jazzy (rosbag2_storage,
// qos.cpp): depth and history are not known of a remote publisher, and
// 9223372036.854775807 s is an infinite duration.
func profiles(offered []QoS) string {
	var b strings.Builder
	for _, q := range offered {
		fmt.Fprintf(&b, profile, choose(q.Reliable, "reliable", "best_effort"), choose(q.TransientLocal, "transient_local", "volatile"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

const profile = `- history: unknown
  depth: 0
  reliability: %s
  durability: %s
  deadline:
    sec: 9223372036
    nsec: 854775807
  lifespan:
    sec: 9223372036
    nsec: 854775807
  liveliness: automatic
  liveliness_lease_duration:
    sec: 9223372036
    nsec: 854775807
  avoid_ros_namespace_conventions: false
`

func choose(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}
