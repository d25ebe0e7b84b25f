package rosmsg

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/takt-rt/takt/cdr"
)

func TestStampPath(t *testing.T) {
	const separator = "\n================================================================================\n"
	for _, c := range []struct{ name, typeName, text, want string }{
		{"header first", "a/msg/T", "std_msgs/Header header\nint32 x", "header.stamp"},
		{"header of another name", "a/msg/T", "std_msgs/msg/Header head", "head.stamp"},
		{"header without package", "a/msg/T", "Header header", "header.stamp"},
		{"time first", "a/msg/T", "builtin_interfaces/Time when\nstd_msgs/Header header", "when"},
		{"first of its kind, not first", "a/msg/T", "string name\nfloat64 x\nbuiltin_interfaces/Time when", "when"},
		{"a duration is no stamp", "a/msg/T", "builtin_interfaces/Duration d", ""},
		{"not within other messages", "a/msg/T", "B b" + separator + "MSG: a/B\nstd_msgs/Header header", ""},
		{"not within arrays", "a/msg/T", "std_msgs/Header[] headers\nbuiltin_interfaces/Time[2] times", ""},
		{"a package's own Header", "a/msg/T", "Header header" + separator + "MSG: a/Header\nint32 x", ""},
		{"transforms", "tf2_msgs/msg/TFMessage", "geometry_msgs/TransformStamped[] transforms" + separator +
			"MSG: geometry_msgs/TransformStamped\nstd_msgs/Header header\nstring child_frame_id", "transforms[0].header.stamp"},
		{"markers", "visualization_msgs/msg/MarkerArray", "Marker[] markers" + separator +
			"MSG: visualization_msgs/Marker\nstd_msgs/Header header\nstring ns", "markers[0].header.stamp"},
		{"empty", "a/msg/T", "", ""},
	} {
		s, err := Parse(ROS2Msg, c.typeName, c.text)
		if err != nil {
			t.Fatal(err)
		}
		stamper, err := NewStamper(c.typeName, s)
		switch {
		case c.want == "" && err != ErrNoStamp:
			t.Errorf("%s: got %v, want ErrNoStamp", c.name, err)
		case c.want != "" && (err != nil || stamper.Source() != c.want):
			t.Errorf("%s: got %v, %v, want %s", c.name, stamper, err, c.want)
		}
	}
}

func TestStamperNeedsWhatLiesBefore(t *testing.T) {
	s, err := Parse(ROS2Msg, "a/msg/T", "Unknown first\nbuiltin_interfaces/Time when")
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewStamper("a/msg/T", s)
	var e *SchemaError
	if !errors.As(err, &e) || e.Line != 1 || !strings.Contains(e.Problem, "a/Unknown") {
		t.Errorf("got %v, want an error of line 1 about a/Unknown", err)
	}
}

func TestEmptyTextFallsBackToKnownTypes(t *testing.T) {
	s, err := Parse(ROS2Msg, "sensor_msgs/msg/Imu", "")
	if err != nil {
		t.Fatal(err)
	}
	stamper, err := NewStamper("sensor_msgs/msg/Imu", s)
	if err != nil || stamper.Source() != "header.stamp" {
		t.Errorf("got %v, %v", stamper, err)
	}
}

func TestKnownTypes(t *testing.T) {
	for name := range knownBeginnings() {
		if s, err := NewStamper(name, nil); err != nil || s.Source() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"rosgraph_msgs/msg/Clock":            "clock",
		"rcl_interfaces/msg/ParameterEvent":  "stamp",
		"nav_msgs/msg/Odometry":              "header.stamp",
		"tf2_msgs/msg/TFMessage":             "transforms[0].header.stamp",
		"visualization_msgs/msg/MarkerArray": "markers[0].header.stamp",
	} {
		if s, err := NewStamper(name, nil); err != nil || s.Source() != want {
			t.Errorf("%s: got %v, %v, want %s", name, s, err, want)
		}
	}
	if _, err := NewStamper("geometry_msgs/msg/Twist", nil); err != ErrNoStamp {
		t.Errorf("Twist: got %v, want ErrNoStamp", err)
	}
}

func TestStampValues(t *testing.T) {
	stamper, err := NewStamper("rosgraph_msgs/msg/Clock", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sec     int32
		nanosec uint32
		want    int64
	}{
		{0, 0, 0},
		{1, 2, 1_000_000_002},
		{-1, 999_999_999, -1}, // nanoseconds are counted up from the second below
		{1, 1_500_000_000, 2_500_000_000},
		{math.MaxInt32, math.MaxUint32, 2147483647_000000000 + 4294967295},
		{math.MinInt32, 0, -2147483648_000000000},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			msg := []byte{0, 0, 0, 0}
			if order == binary.AppendByteOrder(binary.LittleEndian) {
				msg[1] = 1
			}
			msg = order.AppendUint32(order.AppendUint32(msg, uint32(c.sec)), c.nanosec)
			if ns, ok, err := stamper.Stamp(msg); ns != c.want || !ok || err != nil {
				t.Errorf("%v %d s %d ns: got %d, %v, %v, want %d", order, c.sec, c.nanosec, ns, ok, err, c.want)
			}
		}
	}
}

func TestStampOfWhatIsNotThere(t *testing.T) {
	stamper, err := NewStamper("tf2_msgs/msg/TFMessage", nil)
	if err != nil {
		t.Fatal(err)
	}
	if ns, ok, err := stamper.Stamp([]byte{0, 1, 0, 0, 0, 0, 0, 0}); ns != 0 || ok || err != nil {
		t.Errorf("no transform: got %d, %v, %v", ns, ok, err)
	}
	for name, msg := range map[string][]byte{
		"no message":           nil,
		"header only":          {0, 1, 0, 0},
		"ends within":          {0, 1, 0, 0, 1, 0, 0, 0, 9, 9},
		"promises too much":    {0, 1, 0, 0, 255, 255, 255, 255, 1, 2, 3, 4, 1, 2, 3, 4},
		"another encoding":     {0, 3, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 1, 2, 3, 4, 0, 0, 0, 0},
		"big endian announced": {0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 1, 2, 3, 4, 0, 0, 0, 0},
	} {
		ns, ok, err := stamper.Stamp(msg)
		var e *cdr.Error
		if ns != 0 || ok || !errors.As(err, &e) {
			t.Errorf("%s: got %d, %v, %v", name, ns, ok, err)
		}
	}
}

func TestStampOfACutMessage(t *testing.T) {
	stamper, err := NewStamper("rosgraph_msgs/msg/Clock", nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := recordedMsg(t, "rosgraph_msgs/msg/Clock")
	for n := range whole {
		if ns, ok, err := stamper.Stamp(whole[:n]); ns != 0 || ok || err == nil {
			t.Errorf("%d of %d bytes: got %d, %v, %v", n, len(whole), ns, ok, err)
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	imu, err := NewStamper("sensor_msgs/msg/Imu", nil)
	if err != nil {
		t.Fatal(err)
	}
	transforms := func(Transform) {}
	msgs := map[string][]byte{}
	for _, r := range readRecorded(t) {
		msgs[r.Type] = r.msg(t)
	}
	for name, f := range map[string]func(){
		"Stamp":              func() { imu.Stamp(msgs["sensor_msgs/msg/Imu"]) },
		"EachTransform":      func() { EachTransform(msgs["tf2_msgs/msg/TFMessage"], transforms) },
		"ReadServiceEvent":   func() { ReadServiceEvent(msgs["example_interfaces/srv/AddTwoInts_Event"]) },
		"ReadPerformanceRTF": func() { ReadPerformanceRTF(msgs["gazebo_msgs/msg/PerformanceMetrics"]) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkStamp(b *testing.B) {
	for _, name := range []string{"sensor_msgs/msg/Imu", "rosgraph_msgs/msg/Clock", "tf2_msgs/msg/TFMessage"} {
		b.Run("type="+name, func(b *testing.B) {
			stamper, err := NewStamper(name, nil)
			if err != nil {
				b.Fatal(err)
			}
			msg := recordedMsg(b, name)
			b.ReportAllocs()
			for b.Loop() {
				if _, ok, err := stamper.Stamp(msg); !ok || err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// recordedMsg returns a recorded message of a type.
func recordedMsg(t testing.TB, typeName string) []byte {
	for _, r := range readRecorded(t) {
		if r.Type == typeName {
			return r.msg(t)
		}
	}
	t.Fatalf("no message of %s is recorded", typeName)
	return nil
}
