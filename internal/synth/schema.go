package synth

import (
	"slices"
	"strings"
)

// Definition returns the definition of a message type as rosbag2 records it:
// its text, then those of the types that it uses, each after a line of 80
// equals signs and its name. Comments are left out. ok is false for a type
// that synth has no payload for.
func Definition(typ string) (text string, ok bool) {
	uses, ok := used[typ]
	if !ok {
		return "", false
	}
	var b strings.Builder
	b.WriteString(definitions[strings.Replace(typ, "/msg/", "/", 1)])
	for _, u := range uses {
		b.WriteString("\n" + strings.Repeat("=", 80) + "\nMSG: " + u + "\n" + definitions[u])
	}
	return b.String(), true
}

var header = []string{"std_msgs/Header", "builtin_interfaces/Time"}

// The types with a payload, and the types that each uses.
var used = map[string][]string{
	"rosgraph_msgs/msg/Clock":    {"builtin_interfaces/Time"},
	"std_msgs/msg/String":        nil,
	"sensor_msgs/msg/Imu":        slices.Concat([]string{"geometry_msgs/Quaternion", "geometry_msgs/Vector3"}, header),
	"sensor_msgs/msg/JointState": header,
	"sensor_msgs/msg/LaserScan":  header,
	"sensor_msgs/msg/Image":      header,
	"tf2_msgs/msg/TFMessage": slices.Concat([]string{"geometry_msgs/TransformStamped", "geometry_msgs/Transform",
		"geometry_msgs/Quaternion", "geometry_msgs/Vector3"}, header),
}

// The definitions, from common_interfaces and rcl_interfaces of ROS 2 Jazzy.
var definitions = map[string]string{
	"builtin_interfaces/Time": `int32 sec
uint32 nanosec
`,
	"std_msgs/Header": `builtin_interfaces/Time stamp
string frame_id
`,
	"std_msgs/String": `string data
`,
	"rosgraph_msgs/Clock": `builtin_interfaces/Time clock
`,
	"geometry_msgs/Quaternion": `float64 x 0
float64 y 0
float64 z 0
float64 w 1
`,
	"geometry_msgs/Vector3": `float64 x
float64 y
float64 z
`,
	"geometry_msgs/Transform": `Vector3 translation
Quaternion rotation
`,
	"geometry_msgs/TransformStamped": `std_msgs/Header header
string child_frame_id
Transform transform
`,
	"tf2_msgs/TFMessage": `geometry_msgs/TransformStamped[] transforms
`,
	"sensor_msgs/Imu": `std_msgs/Header header

geometry_msgs/Quaternion orientation
float64[9] orientation_covariance # Row major about x, y, z axes

geometry_msgs/Vector3 angular_velocity
float64[9] angular_velocity_covariance # Row major about x, y, z axes

geometry_msgs/Vector3 linear_acceleration
float64[9] linear_acceleration_covariance # Row major x, y z
`,
	"sensor_msgs/JointState": `std_msgs/Header header

string[] name
float64[] position
float64[] velocity
float64[] effort
`,
	"sensor_msgs/LaserScan": `std_msgs/Header header
float32 angle_min
float32 angle_max
float32 angle_increment
float32 time_increment
float32 scan_time
float32 range_min
float32 range_max
float32[] ranges
float32[] intensities
`,
	"sensor_msgs/Image": `std_msgs/Header header
uint32 height
uint32 width
string encoding
uint8 is_bigendian
uint32 step
uint8[] data
`,
}
