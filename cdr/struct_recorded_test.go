package cdr

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// A recorded message comes from a real ROS 2 run, with the values in it as a
// separate program decoded them (rosmsg/testdata/README.md).
type recorded struct {
	Recording, Type, Hex string

	Fields map[string]any // by path, such as "header.stamp.sec"
}

func readRecorded(t testing.TB) (all []recorded) {
	b, err := os.ReadFile(filepath.Join("..", "rosmsg", "testdata", "messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// recordedAs are the structs of the recorded types.
var recordedAs = map[string]any{
	"example_interfaces/srv/AddTwoInts_Event": addTwoIntsEvent{},
	"gazebo_msgs/msg/PerformanceMetrics":      performanceMetrics{},
	"rcl_interfaces/msg/Log":                  logMsg{},
	"rcl_interfaces/msg/ParameterEvent":       parameterEvent{},
	"rosgraph_msgs/msg/Clock":                 clockMsg{},
	"sensor_msgs/msg/FluidPressure":           fluidPressure{},
	"sensor_msgs/msg/Imu":                     imu{},
	"sensor_msgs/msg/JointState":              jointState{},
	"std_msgs/msg/String":                     stringMsg{},
	"test_msgs/msg/BasicTypes":                BasicTypes{},
	"test_msgs/msg/Empty":                     struct{}{},
	"test_msgs/msg/Strings":                   stringsMsg{},
	"test_msgs/srv/BasicTypes_Event":          basicTypesEvent{},
	"tf2_msgs/msg/TFMessage":                  tfMessage{},
}

func TestRecordedMessages(t *testing.T) {
	fields := 0
	for _, r := range readRecorded(t) {
		as, known := recordedAs[r.Type]
		if !known {
			t.Errorf("no struct for %s", r.Type)
			continue
		}
		msg, err := hex.DecodeString(r.Hex)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.New(reflect.TypeOf(as))
		if err := Unmarshal(msg, v.Interface()); err != nil {
			t.Errorf("%s: %v", r.Recording, err)
			continue
		}
		for path, want := range r.Fields {
			if got := fieldAt(v.Elem(), path); text(got) != text(want) {
				t.Errorf("%s %s.%s: got %v, want %v", r.Recording, r.Type, path, got, want)
			}
			fields++
		}
		wantRewritten(t, r, msg, v.Interface())
	}
	if fields < 200 {
		t.Errorf("only %d fields were compared", fields)
	}
}

// wantRewritten compares what takt writes with what the node wrote, which may
// have padding at its end.
func wantRewritten(t *testing.T, r recorded, msg []byte, v any) {
	t.Helper()
	got, err := Append(nil, LittleEndian, v)
	if err != nil || len(msg)-len(got) > tail || !bytes.HasPrefix(msg, got) {
		t.Errorf("%s %s: written as\n%x, %v; recorded as\n%x", r.Recording, r.Type, got, err, msg)
	}
}

// fieldAt follows a path of member names in ROS's spelling.
func fieldAt(v reflect.Value, path string) any {
	for _, part := range strings.Split(path, ".") {
		name, rest, indexed := strings.Cut(part, "[")
		v = v.FieldByNameFunc(func(s string) bool {
			return strings.EqualFold(s, strings.ReplaceAll(name, "_", ""))
		})
		if indexed {
			i, _ := strconv.Atoi(strings.TrimSuffix(rest, "]"))
			v = v.Index(i)
		}
	}
	return v.Interface()
}

// text prints numbers of all types alike.
func text(v any) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{false: "0", true: "1"}[v]
	case json.Number:
		f, _ := v.Float64()
		if i, err := v.Int64(); err == nil && float64(i) == f {
			return strconv.FormatInt(i, 10)
		}
		return strconv.FormatFloat(f, 'g', -1, 64)
	case float64:
		return text(json.Number(strconv.FormatFloat(v, 'g', -1, 64)))
	case float32:
		return text(float64(v))
	}
	return fmt.Sprint(v)
}
