package rosmsg

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A recorded message comes from a real ROS 2 run, with the values in it as a
// separate program decoded them (testdata/README.md).
type recorded struct {
	Recording, Topic, Type, Schema, Source, Hex string

	StampNS *int64 `json:"stamp_ns"`
	Fields  map[string]any
}

func (r *recorded) msg(t testing.TB) []byte {
	b, err := hex.DecodeString(r.Hex)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (r *recorded) schema(t testing.TB) *Schema {
	if r.Schema == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join("testdata", "schemas", r.Schema))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(strings.TrimPrefix(filepath.Ext(r.Schema), "."), r.Type, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func readRecorded(t testing.TB) (all []recorded) {
	b, err := os.ReadFile(filepath.Join("testdata", "messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestFieldsOfRecordedMessages(t *testing.T) {
	read := 0
	for _, r := range readRecorded(t) {
		s, msg := r.schema(t), r.msg(t)
		if s == nil {
			continue
		}
		for path, want := range r.Fields {
			f, err := s.Field(path)
			if err != nil {
				t.Fatalf("%s %s: %v", r.Recording, r.Topic, err)
			}
			wantValue(t, r.Topic+" "+path, f, msg, want)
			read++
		}
	}
	if read < 200 {
		t.Errorf("only %d fields were read", read)
	}
}

func wantValue(t *testing.T, what string, f *Field, msg []byte, want any) {
	t.Helper()
	if want, ok := want.(string); ok {
		if got, err := f.Bytes(msg); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", what, got, err, want)
		}
		return
	}
	number := want.(json.Number)
	if n, err := number.Int64(); err == nil && f.typ.kind <= uint64Kind {
		if got, err := f.Int64(msg); err != nil || got != n {
			t.Errorf("%s: got %d, %v, want %d", what, got, err, n)
		}
		return
	}
	x, err := number.Float64()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Float64(msg); err != nil || math.Float64bits(got) != math.Float64bits(x) {
		t.Errorf("%s: got %v, %v, want %v", what, got, err, x)
	}
}

func TestStampsOfRecordedMessages(t *testing.T) {
	for _, r := range readRecorded(t) {
		for _, s := range []*Schema{r.schema(t), nil} { // the known types give the same without a schema
			stamper, err := NewStamper(r.Type, s)
			if r.StampNS == nil {
				if err != ErrNoStamp {
					t.Errorf("%s: got %v, want ErrNoStamp", r.Type, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", r.Type, err)
				continue
			}
			if stamper.Source() != r.Source {
				t.Errorf("%s: source %q, want %q", r.Type, stamper.Source(), r.Source)
			}
			if ns, ok, err := stamper.Stamp(r.msg(t)); ns != *r.StampNS || !ok || err != nil {
				t.Errorf("%s: stamp %d, %v, %v, want %d", r.Type, ns, ok, err, *r.StampNS)
			}
		}
	}
}
