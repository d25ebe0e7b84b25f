package ros

import (
	"fmt"
	"strings"
)

// DDSType returns the name in DDS of a ROS type: that of std_msgs/msg/String is
// std_msgs::msg::dds_::String_. The two halves of a service are types of their
// own, such as std_srvs/srv/Trigger_Request.
func DDSType(name string) (string, error) {
	parts := strings.Split(name, "/")
	if len(parts) != 3 || !areTokens(parts) {
		return "", fmt.Errorf("%q is not the name of a ROS type; write package/msg/Type, such as std_msgs/msg/String", name)
	}
	return parts[0] + "::" + parts[1] + "::dds_::" + parts[2] + "_", nil
}

// ParseType returns the name in ROS of a DDS type, or false if it is not of ROS.
func ParseType(dds string) (name string, ok bool) {
	parts := strings.Split(dds, "::")
	if len(parts) != 4 || parts[2] != "dds_" {
		return "", false
	}
	last, mangled := strings.CutSuffix(parts[3], "_")
	parts = []string{parts[0], parts[1], last}
	if !mangled || !areTokens(parts) {
		return "", false
	}
	return strings.Join(parts, "/"), true
}

// Interface returns the service or action that a ROS type is part of: of
// std_srvs/srv/Trigger_Request that is std_srvs/srv/Trigger. A message is its
// own interface.
func Interface(name string) string {
	dir, last := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir, last = name[:i], name[i:]
	}
	if !strings.HasSuffix(dir, "/srv") && !strings.HasSuffix(dir, "/action") {
		return name
	}
	last, _, _ = strings.Cut(last, "_") // an underscore is never the interface's own: those are in CamelCase
	return dir + last
}

func areTokens(parts []string) bool {
	for _, p := range parts {
		if _, problem := checkToken(p); problem != "" {
			return false
		}
	}
	return true
}
