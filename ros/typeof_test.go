package ros

import (
	"reflect"
	"strings"
	"testing"
)

func typeOf[T Typed](t *testing.T) Type {
	t.Helper()
	typ, err := TypeOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// The hashes of a Jazzy build. Those of std_msgs are the ones that several
// independent programs publish; the others also stand in knownHashes.
func TestTypesOfMessages(t *testing.T) {
	for _, c := range []struct {
		got            Type
		name, dds, hex string
	}{
		{typeOf[Time](t), "builtin_interfaces/msg/Time", "builtin_interfaces::msg::dds_::Time_", "b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197"},
		{typeOf[Duration](t), "builtin_interfaces/msg/Duration", "builtin_interfaces::msg::dds_::Duration_", "e8d009f659816f758b75334ee1a9ca5b5c0b859843261f14c7f937349599d93b"},
		{typeOf[Header](t), "std_msgs/msg/Header", "std_msgs::msg::dds_::Header_", "f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01"},
		{typeOf[Clock](t), "rosgraph_msgs/msg/Clock", "rosgraph_msgs::msg::dds_::Clock_", "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"},
		{typeOf[MetricsMessage](t), "statistics_msgs/msg/MetricsMessage", "statistics_msgs::msg::dds_::MetricsMessage_", "36a67fb499fc2a11b8b9ff9ac735ed76e8d5a1f7775d6d5b97b625188ec68e20"},
		{typeOf[StatisticDataPoint](t), "statistics_msgs/msg/StatisticDataPoint", "statistics_msgs::msg::dds_::StatisticDataPoint_", "b7e61a407346ea912effb6954023d2d2c9adf8f7bc10f6cae576d350c445f6a5"},
		{typeOf[Log](t), "rcl_interfaces/msg/Log", "rcl_interfaces::msg::dds_::Log_", "e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac"},
		{typeOf[ParameterEvent](t), "rcl_interfaces/msg/ParameterEvent", "rcl_interfaces::msg::dds_::ParameterEvent_", "043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204"},
		{typeOf[Empty](t), "std_msgs/msg/Empty", "std_msgs::msg::dds_::Empty_", "20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312"},
		{typeOf[Bool](t), "std_msgs/msg/Bool", "std_msgs::msg::dds_::Bool_", "feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9"},
		{typeOf[String](t), "std_msgs/msg/String", "std_msgs::msg::dds_::String_", "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"},
		{typeOf[Int8](t), "std_msgs/msg/Int8", "std_msgs::msg::dds_::Int8_", "26525065a403d972cb672f0777e333f0c799ad444ae5fcd79e43d1e73bd0f440"},
		{typeOf[Int16](t), "std_msgs/msg/Int16", "std_msgs::msg::dds_::Int16_", "1dcc3464e47c288a55f943a389d337cdb06804de3f5cd7a266b0de718eee17e5"},
		{typeOf[Int32](t), "std_msgs/msg/Int32", "std_msgs::msg::dds_::Int32_", "b6578ded3c58c626cfe8d1a6fb6e04f706f97e9f03d2727c9ff4e74b1cef0deb"},
		{typeOf[Int64](t), "std_msgs/msg/Int64", "std_msgs::msg::dds_::Int64_", "8cd1048c2f186b6bd9a92472dc1ce51723c0833a221e2b7aecfff111774f4b49"},
		{typeOf[UInt8](t), "std_msgs/msg/UInt8", "std_msgs::msg::dds_::UInt8_", "6138bd83d8c3569cb80a667db03cfc1629f529fee79d944c39c34e352e72f010"},
		{typeOf[UInt64](t), "std_msgs/msg/UInt64", "std_msgs::msg::dds_::UInt64_", "fbdc52018fc13755dce18024d1a671c856aa8b4aaf63adfb095b608f98e8c943"},
		{typeOf[Float32](t), "std_msgs/msg/Float32", "std_msgs::msg::dds_::Float32_", "7170d3d8f841f7be3172ce5f4f59f3a4d7f63b0447e8b33327601ad64d83d6e2"},
		{typeOf[Float64](t), "std_msgs/msg/Float64", "std_msgs::msg::dds_::Float64_", "705ba9c3d1a09df43737eb67095534de36fd426c0587779bda2bc51fe790182a"},
	} {
		if c.got.Name != c.name || c.got.DDSName != c.dds || c.got.Hash.String() != hashPrefix+c.hex {
			t.Errorf("%s: got %v", c.name, c.got)
		}
	}
}

// The remaining types, described a second time from their definitions
// (common_interfaces, diagnostic_msgs of Jazzy).
func TestDescribedMessages(t *testing.T) {
	for name, text := range map[string]string{
		"std_msgs/msg/Byte":                    "byte data",
		"diagnostic_msgs/msg/KeyValue":         "string key|string value",
		"diagnostic_msgs/msg/DiagnosticStatus": "byte level|string name|string message|string hardware_id|diagnostic_msgs/msg/KeyValue[] values",
		"diagnostic_msgs/msg/DiagnosticArray":  "std_msgs/msg/Header header|diagnostic_msgs/msg/DiagnosticStatus[] status",
	} {
		described[name] = text
		t.Cleanup(func() { delete(described, name) })
	}
	for _, got := range []Type{typeOf[Byte](t), typeOf[KeyValue](t), typeOf[DiagnosticStatus](t), typeOf[DiagnosticArray](t)} {
		if want := describe(t, got.Name).Hash(); got.Hash != want {
			t.Errorf("%s: %v, want %v", got.Name, got.Hash, want)
		}
	}
	for _, got := range []Type{typeOf[Char](t), typeOf[UInt16](t), typeOf[UInt32](t)} {
		if got.Hash.IsZero() || !strings.HasPrefix(got.Name, "std_msgs/msg/") {
			t.Errorf("%v", got)
		}
	}
}

type (
	nameless struct{ Inner struct{ A int32 } }
	badTag   struct {
		A int32 `ros:"byte"`
	}
	badName struct{ A int32 }
	bounded struct {
		Few  []int32 `cdr:"max=3"`
		Word string  `cdr:"max=7"`
	}
	unencodable struct{ A map[string]int }
)

func (nameless) ROSType() string    { return "demo/msg/Nameless" }
func (badTag) ROSType() string      { return "demo/msg/BadTag" }
func (badName) ROSType() string     { return "BadName" }
func (bounded) ROSType() string     { return "demo/msg/Bounded" }
func (unencodable) ROSType() string { return "demo/msg/Unencodable" }

func TestWhatIsNoMessage(t *testing.T) {
	for name, c := range map[string]struct {
		err  func() error
		want string
	}{
		"nameless":    {func() error { _, err := TypeOf[nameless](); return err }, "field Inner: struct { A int32 } does not say which ROS type it is"},
		"badTag":      {func() error { _, err := TypeOf[badTag](); return err }, `the tag ros:"byte" means nothing there`},
		"badName":     {func() error { _, err := TypeOf[badName](); return err }, "is not the name of a ROS type"},
		"unencodable": {func() error { _, err := TypeOf[unencodable](); return err }, "use a slice of structs"},
		"pointer":     {func() error { _, err := TypeOf[*Header](); return err }, "is no struct"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Type ids and capacities as in the table of type_description_interfaces.
func TestBoundsInDescriptions(t *testing.T) {
	d := typeDescriber{}
	s, err := d.structure(reflect.TypeFor[bounded]())
	if err != nil {
		t.Fatal(err)
	}
	few, word := s.Fields[0].Type, s.Fields[1].Type
	if few.Element != Int32Type || few.Shape != BoundedSequence || few.Capacity != 3 {
		t.Errorf("few: %+v", few)
	}
	if word.Element != BoundedStringType || word.Shape != Single || word.StringCapacity != 7 {
		t.Errorf("word: %+v", word)
	}
}

func TestSnakeCase(t *testing.T) {
	for name, want := range map[string]string{
		"Data": "data", "FrameID": "frame_id", "MeasurementSourceName": "measurement_source_name",
		"IDOfFrame": "id_of_frame", "X": "x", "": "",
	} {
		if got := snakeCase(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
