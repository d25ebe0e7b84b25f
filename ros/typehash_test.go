package ros

import (
	"strconv"
	"strings"
	"testing"
)

// described are the types of Jazzy, as ros2 interface show prints them without
// comments and constants.
var described = map[string]string{
	"builtin_interfaces/msg/Duration": "int32 sec|uint32 nanosec",
	"builtin_interfaces/msg/Time":     "int32 sec|uint32 nanosec",

	"geometry_msgs/msg/Point":               "float64 x|float64 y|float64 z",
	"geometry_msgs/msg/Pose":                "geometry_msgs/msg/Point position|geometry_msgs/msg/Quaternion orientation",
	"geometry_msgs/msg/PoseWithCovariance":  "geometry_msgs/msg/Pose pose|float64[36] covariance",
	"geometry_msgs/msg/Quaternion":          "float64 x|float64 y|float64 z|float64 w",
	"geometry_msgs/msg/Twist":               "geometry_msgs/msg/Vector3 linear|geometry_msgs/msg/Vector3 angular",
	"geometry_msgs/msg/TwistWithCovariance": "geometry_msgs/msg/Twist twist|float64[36] covariance",
	"geometry_msgs/msg/Vector3":             "float64 x|float64 y|float64 z",

	"nav_msgs/msg/Odometry": "std_msgs/msg/Header header|string child_frame_id|geometry_msgs/msg/PoseWithCovariance pose|geometry_msgs/msg/TwistWithCovariance twist",

	"rcl_interfaces/msg/Log":       "builtin_interfaces/msg/Time stamp|uint8 level|string name|string msg|string file|string function|uint32 line",
	"rcl_interfaces/msg/Parameter": "string name|rcl_interfaces/msg/ParameterValue value",
	"rcl_interfaces/msg/ParameterEvent": "builtin_interfaces/msg/Time stamp|string node|rcl_interfaces/msg/Parameter[] new_parameters" +
		"|rcl_interfaces/msg/Parameter[] changed_parameters|rcl_interfaces/msg/Parameter[] deleted_parameters",
	"rcl_interfaces/msg/ParameterValue": "uint8 type|bool bool_value|int64 integer_value|float64 double_value|string string_value" +
		"|byte[] byte_array_value|bool[] bool_array_value|int64[] integer_array_value|float64[] double_array_value|string[] string_array_value",

	"rmw_dds_common/msg/Gid": "uint8[16] data",
	"rmw_dds_common/msg/NodeEntitiesInfo": "string<=256 node_namespace|string<=256 node_name" +
		"|rmw_dds_common/msg/Gid[] reader_gid_seq|rmw_dds_common/msg/Gid[] writer_gid_seq",
	"rmw_dds_common/msg/ParticipantEntitiesInfo": "rmw_dds_common/msg/Gid gid|rmw_dds_common/msg/NodeEntitiesInfo[] node_entities_info_seq",

	"rosgraph_msgs/msg/Clock": "builtin_interfaces/msg/Time clock",

	"sensor_msgs/msg/Image": "std_msgs/msg/Header header|uint32 height|uint32 width|string encoding|uint8 is_bigendian|uint32 step|uint8[] data",
	"sensor_msgs/msg/Imu": "std_msgs/msg/Header header|geometry_msgs/msg/Quaternion orientation|float64[9] orientation_covariance" +
		"|geometry_msgs/msg/Vector3 angular_velocity|float64[9] angular_velocity_covariance" +
		"|geometry_msgs/msg/Vector3 linear_acceleration|float64[9] linear_acceleration_covariance",
	"sensor_msgs/msg/JointState": "std_msgs/msg/Header header|string[] name|float64[] position|float64[] velocity|float64[] effort",
	"sensor_msgs/msg/LaserScan": "std_msgs/msg/Header header|float32 angle_min|float32 angle_max|float32 angle_increment|float32 time_increment" +
		"|float32 scan_time|float32 range_min|float32 range_max|float32[] ranges|float32[] intensities",
	"sensor_msgs/msg/PointCloud2": "std_msgs/msg/Header header|uint32 height|uint32 width|sensor_msgs/msg/PointField[] fields" +
		"|bool is_bigendian|uint32 point_step|uint32 row_step|uint8[] data|bool is_dense",
	"sensor_msgs/msg/PointField": "string name|uint32 offset|uint8 datatype|uint32 count",

	"statistics_msgs/msg/MetricsMessage": "string measurement_source_name|string metrics_source|string unit" +
		"|builtin_interfaces/msg/Time window_start|builtin_interfaces/msg/Time window_stop|statistics_msgs/msg/StatisticDataPoint[] statistics",
	"statistics_msgs/msg/StatisticDataPoint": "uint8 data_type|float64 data",

	"std_msgs/msg/Header": "builtin_interfaces/msg/Time stamp|string frame_id",
	"std_msgs/msg/String": "string data",
	"std_msgs/msg/UInt64": "uint64 data",

	"std_srvs/srv/Trigger_Request":  "",
	"std_srvs/srv/Trigger_Response": "bool success|string message",
}

var elements = map[string]ElementType{
	"uint8": Uint8Type, "int32": Int32Type, "uint32": Uint32Type, "int64": Int64Type, "uint64": Uint64Type,
	"float32": FloatType, "float64": DoubleType, "bool": BooleanType, "byte": ByteType, "string": StringType,
}

func describe(t *testing.T, name string) TypeDescription {
	t.Helper()
	d := TypeDescription{Type: describeStruct(t, name)}
	seen := map[string]bool{}
	for todo := []StructType{d.Type}; len(todo) > 0; todo = todo[1:] {
		for _, f := range todo[0].Fields {
			if nested := f.Type.Nested; nested != "" && !seen[nested] {
				seen[nested] = true
				s := describeStruct(t, nested)
				d.Referenced = append(d.Referenced, s)
				todo = append(todo, s)
			}
		}
	}
	return d
}

func describeStruct(t *testing.T, name string) StructType {
	t.Helper()
	text, ok := described[name]
	if !ok {
		t.Fatalf("%s is not described", name)
	}
	s := StructType{Name: name}
	for field := range strings.SplitSeq(text, "|") {
		if typ, name, ok := strings.Cut(field, " "); ok {
			s.Fields = append(s.Fields, StructField{name, fieldType(t, typ)})
		}
	}
	return s
}

func fieldType(t *testing.T, text string) (f FieldType) {
	t.Helper()
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	base, brackets, isArray := strings.Cut(text, "[")
	switch {
	case isArray && brackets == "]":
		f.Shape = Sequence
	case isArray:
		f.Shape, f.Capacity = Array, number(strings.TrimSuffix(brackets, "]"))
	}
	if base, bound, bounded := strings.Cut(base, "<="); bounded && base == "string" {
		f.Element, f.StringCapacity = BoundedStringType, number(bound)
	} else if e, ok := elements[base]; ok {
		f.Element = e
	} else {
		f.Element, f.Nested = NestedType, base
	}
	return f
}

// The known hashes are those of a Jazzy build; eight were read from the wire.
func TestComputedHashesAreThePublishedOnes(t *testing.T) {
	for name := range knownHashes {
		want, ok := KnownTypeHash(name)
		if !ok || want.IsZero() {
			t.Errorf("%s: its known hash does not parse", name)
		}
		if got := describe(t, name).Hash(); got != want {
			t.Errorf("%s: computed %v, published %v", name, got, want)
		}
	}
	if _, ok := KnownTypeHash("std_msgs/msg/Other"); ok {
		t.Error("a hash is known of a type that does not exist")
	}
}

// The text that is hashed, written out by hand from REP 2016.
func TestHashedText(t *testing.T) {
	const want = `{"type_description": {"type_name": "demo/msg/All", "fields": [` +
		`{"name": "time", "type": {"type_id": 1, "capacity": 0, "string_capacity": 0, "nested_type_name": "builtin_interfaces/msg/Time"}}, ` +
		`{"name": "three", "type": {"type_id": 58, "capacity": 3, "string_capacity": 0, "nested_type_name": ""}}, ` +
		`{"name": "few", "type": {"type_id": 117, "capacity": 4, "string_capacity": 7, "nested_type_name": ""}}, ` +
		`{"name": "many", "type": {"type_id": 147, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}, ` +
		`"referenced_type_descriptions": [` +
		`{"type_name": "a/msg/Empty", "fields": [{"name": "structure_needs_at_least_one_member", "type": {"type_id": 3, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}, ` +
		`{"type_name": "builtin_interfaces/msg/Time", "fields": [{"name": "sec", "type": {"type_id": 6, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}]}`
	d := TypeDescription{
		Type: StructType{"demo/msg/All", []StructField{
			{"time", FieldType{Element: NestedType, Nested: "builtin_interfaces/msg/Time"}},
			{"three", FieldType{Element: FloatType, Shape: Array, Capacity: 3}},
			{"few", FieldType{Element: BoundedStringType, Shape: BoundedSequence, Capacity: 4, StringCapacity: 7}},
			{"many", FieldType{Element: Uint8Type, Shape: Sequence}},
		}},
		Referenced: []StructType{
			{"builtin_interfaces/msg/Time", []StructField{{"sec", FieldType{Element: Int32Type}}}},
			{"a/msg/Empty", nil},
		},
	}
	if got := string(d.appendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d.Referenced[0].Name != "builtin_interfaces/msg/Time" {
		t.Error("the description was put in another order")
	}
}

func TestParseTypeHash(t *testing.T) {
	const digits = "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
	for text, problem := range map[string]string{
		"RIHS01_" + digits:                  "",
		"RIHS01_" + strings.ToUpper(digits): "", // rosidl takes both cases
		"RIHS01_" + digits[1:]:              "not a type hash",
		"RIHS01_" + digits + "0":            "not a type hash",
		"RIHS01_" + digits[1:] + "g":        "invalid byte",
		"RIHS02_" + digits:                  "another version",
		"RIHS":                              "another version",
		"RIHS01_zz":                         "not a type hash",
		digits:                              "not a type hash",
		"":                                  "not a type hash",
	} {
		h, err := ParseTypeHash(text)
		switch {
		case problem == "" && (err != nil || h.String() != "RIHS01_"+digits):
			t.Errorf("%q: %v, %v", text, h, err)
		case problem != "" && (err == nil || !strings.Contains(err.Error(), problem) || !h.IsZero()):
			t.Errorf("%q: %v, %v, want an error with %q", text, h, err, problem)
		}
	}
}

func FuzzParseTypeHash(f *testing.F) {
	f.Add("RIHS01_" + strings.Repeat("0", 64))
	f.Add("RIHS01_zz")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseTypeHash(text)
		if err == nil && h.String() != hashPrefix+strings.ToLower(text[len(hashPrefix):]) {
			t.Errorf("%q comes back as %v", text, h)
		}
	})
}
