package ros

import "strings"

// overrides are variables by which nodes meet, or exchange data, in ways that
// takt does not follow. Values that change nothing for takt are harmless.
var overrides = []struct {
	variable, problem, remedy string
	concerns                  func(value string) bool
}{
	{"RMW_IMPLEMENTATION", "nodes speak Zenoh; takt speaks DDS",
		"start nodes with rmw_cyclonedds_cpp or rmw_fastrtps_cpp", func(v string) bool { return strings.Contains(v, "zenoh") }},
	{"ROS_DISCOVERY_SERVER", "nodes find each other through a discovery server only; takt does not ask one",
		"unset it for nodes to meet by multicast", always},
	{"ROS2_EASY_MODE", "nodes find each other through a discovery server only; takt does not ask one",
		"unset it for nodes to meet by multicast", always},
	{"FASTDDS_BUILTIN_TRANSPORTS", "nodes may send data otherwise than over UDPv4, where takt does not hear them",
		"write DEFAULT or UDPv4", func(v string) bool { return v != "DEFAULT" && v != "UDPv4" }},
	{"CYCLONEDDS_URI", configured, compare, always},
	{"FASTDDS_DEFAULT_PROFILES_FILE", configured, compare, always},
	{"FASTRTPS_DEFAULT_PROFILES_FILE", configured, compare, always},
}

const (
	configured = "the configuration that it names may change domain, interfaces, peers and transports; takt does not read it"
	compare    = "look there if takt does not see these nodes"
)

func always(string) bool { return true }

// Overrides returns, each as an *EnvError, the variables by which nodes started
// in this environment may escape takt: a reason to give where it sees nothing.
func Overrides(getenv func(string) string) (found []error) {
	for _, o := range overrides {
		if value := getenv(o.variable); value != "" && o.concerns(value) {
			found = append(found, &EnvError{o.variable, value, o.problem, o.remedy})
		}
	}
	return found
}
