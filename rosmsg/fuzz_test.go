package rosmsg

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func FuzzParseMsg(f *testing.F) {
	f.Add(branching)
	f.Add("int8 a\n---\nHeader b\n---\nstring<=3[<=4] C=2 # d")
	fuzzParse(f, ROS2Msg)
}

func FuzzParseIDL(f *testing.F) {
	f.Add("module a{module msg{typedef long l[2][3];enum E{A};struct T{@x(y)l m;sequence<E,3>e;wstring<4>w;};};};")
	fuzzParse(f, ROS2IDL)
}

// fuzzParse parses any text, then compiles paths into the fields of what came
// of it and reads a message by them: nothing may panic or run away.
func fuzzParse(f *testing.F, encoding string) {
	files, err := filepath.Glob(filepath.Join("testdata", "schemas", "*."+encoding))
	if err != nil || len(files) == 0 {
		f.Fatal("no schemas to begin with: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	msg := recordedMsg(f, "sensor_msgs/msg/Imu")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(encoding, "a/msg/T", text)
		if err != nil {
			if s != nil || !strings.Contains(err.Error(), "a/msg/T") {
				t.Fatalf("got %v and %v", s, err)
			}
			return
		}
		for _, m := range s.root().members[:min(8, len(s.root().members))] {
			for _, path := range []string{m.name, m.name + "[0]", m.name + ".x"} {
				if field, err := s.Field(path); err == nil {
					readAll(field, msg)
				}
			}
		}
		if stamper, err := NewStamper("a/msg/T", s); err == nil {
			stamper.Stamp(msg)
		}
	})
}

func readAll(f *Field, msg []byte) {
	f.Int64(msg)
	f.Float64(msg)
	f.Bytes(msg)
}

// FuzzWalk gives any bytes to paths that go through all kinds of steps.
func FuzzWalk(f *testing.F) {
	var fields []*Field
	for _, c := range []struct {
		text  string
		paths []string
	}{
		{branching, []string{"bs[1].c", "pair[1].b", "bytes", "end"}},
		{"wstring w\nstring[3] names\nB[2] fixed\nB[<=4] many\nfloat64 end\n====\nMSG: pkg/B\nstring[] a\nuint16[] b\nwstring[] c\n",
			[]string{"names[2]", "fixed[1].a[1]", "many[1].b[0]", "end"}},
	} {
		s := mustParse(f, c.text)
		for _, path := range c.paths {
			field, err := s.Field(path)
			if err != nil {
				f.Fatal(err)
			}
			fields = append(fields, field)
		}
	}
	f.Add(branchingMsg(f))
	for _, r := range readRecorded(f) {
		f.Add(r.msg(f))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, field := range fields {
			readAll(field, msg)
		}
		ReadServiceEvent(msg)
		ReadPerformanceRTF(msg)
	})
}

// FuzzEachTransform also compares the walk with the stamp that the compiled
// path of the same type finds.
func FuzzEachTransform(f *testing.F) {
	stamper, err := NewStamper(tfMessage, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(transformMsg())
	f.Add(recordedMsg(f, "tf2_msgs/msg/TFMessage"))
	f.Fuzz(func(t *testing.T, msg []byte) {
		var stamps []int64
		err := EachTransform(msg, func(tr Transform) { stamps = append(stamps, tr.Stamp) })
		if len(stamps)*leastTransform > len(msg) {
			t.Fatalf("%d transforms in %d bytes", len(stamps), len(msg))
		}
		if err != nil {
			return
		}
		ns, ok, err := stamper.Stamp(msg)
		if err != nil || ok != (len(stamps) > 0) || ok && ns != stamps[0] {
			t.Fatalf("stamps %d, but the path gives %d, %v, %v", stamps, ns, ok, err)
		}
	})
}
