package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../docs/report.schema.json"

// comparisonDef is where the schema file describes a comparison.
const comparisonDef = "#/$defs/comparison"

func compileSchema(t *testing.T, fragment string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(schemaFile + fragment)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Error(err)
	}
}

func TestReportsAreValid(t *testing.T) {
	s := compileSchema(t, "")
	for name, r := range map[string]*Report{
		"judged": startup(t, promises()), "partial": short(t, nil), "empty": empty(promises()), "full": full(), "loops": ofLoops(loopPromises(), manyLoops(t)...),
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := JSON(&b, r); err != nil {
				t.Fatal(err)
			}
			validate(t, s, b.Bytes())
		})
	}
	for _, name := range []string{"judged.json", "empty.json", "loop.json"} {
		t.Run(name, func(t *testing.T) { validate(t, s, readFile(t, "testdata/"+name)) })
	}
}

func TestComparisonsAreValid(t *testing.T) {
	s := compileSchema(t, comparisonDef)
	validate(t, s, readFile(t, "testdata/comparison.json"))
	var b bytes.Buffer
	if err := Compare(full(), empty(promises())).JSON(&b); err != nil {
		t.Fatal(err)
	}
	validate(t, s, b.Bytes())
}

func TestSchemaRefusesWhatIsNoReport(t *testing.T) {
	s := compileSchema(t, "")
	for _, text := range []string{`{}`, `{"schema":"takt.report/1"}`, strings.Replace(string(readFile(t, "testdata/empty.json")), "unjudged", "fine", 1)} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.Validate(v) == nil {
			t.Errorf("valid: %s", text)
		}
	}
}

// full is a report in which every key is present: the reflection below fills
// each field, so that no key can be forgotten.
func full() *Report {
	r := &Report{}
	fill(reflect.ValueOf(r).Elem(), 0)
	r.Schema = Schema
	r.Recording.Start = "2023-11-29T00:28:10Z"
	r.Verdict.Result, r.Verdict.Contracts[0].Result = Pass, Pass
	r.Verdict.Contracts[0].Kind, r.Verdict.Contracts[0].Unit = "hard", "s"
	r.Verdict.Findings[0].Severity = "info"
	r.Topics[0].AgeS.Clock, r.Topics[0].Transforms[0].AgeS.Clock = "sim", "wall"
	return r
}

// fill sets everything below v to one, two levels deep in what contains itself.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth)
	case reflect.Struct:
		for i := range v.NumField() {
			switch itself := v.Type().Field(i).Name == "Transforms"; {
			case !itself:
				fill(v.Field(i), depth)
			case depth == 0:
				fill(v.Field(i), 1)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), depth)
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	}
}

// A schemaNode is one object of the schema file.
type schemaNode struct {
	Ref         string                `json:"$ref"`
	Type        string                `json:"type"`
	Const       string                `json:"const"`
	Description string                `json:"description"`
	Properties  map[string]schemaNode `json:"properties"`
	Required    []string              `json:"required"`
	Items       *schemaNode           `json:"items"`
	Defs        map[string]schemaNode `json:"$defs"`
}

// Every key that the Go types can emit is in the schema, described and of the
// right type; what is always emitted is required; and nothing else is there.
func TestSchemaHasEveryKey(t *testing.T) {
	var root schemaNode
	if err := json.Unmarshal(readFile(t, schemaFile), &root); err != nil {
		t.Fatal(err)
	}
	w := &schemaWalk{t: t, defs: root.Defs, seen: map[reflect.Type]bool{}}
	w.walk("report", reflect.TypeFor[Report](), root)
	w.walk("comparison", reflect.TypeFor[Comparison](), root.Defs["comparison"])
}

type schemaWalk struct {
	t    *testing.T
	defs map[string]schemaNode
	seen map[reflect.Type]bool
}

func (w *schemaWalk) walk(path string, typ reflect.Type, n schemaNode) {
	if n.Ref != "" {
		n = w.defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
	}
	switch typ.Kind() {
	case reflect.Pointer:
		w.walk(path, typ.Elem(), n)
	case reflect.Struct:
		w.want(path, n, "object")
		w.object(path, typ, n)
	case reflect.Slice, reflect.Array:
		w.want(path, n, "array")
		if n.Items == nil {
			w.t.Errorf("%s: the schema has no items", path)
			return
		}
		w.walk(path+"[]", typ.Elem(), *n.Items)
	case reflect.Float64:
		w.want(path, n, "number")
	case reflect.Int, reflect.Int64, reflect.Uint64:
		w.want(path, n, "integer")
	case reflect.Bool:
		w.want(path, n, "boolean")
	case reflect.String:
		if n.Const == "" {
			w.want(path, n, "string")
		}
	default:
		w.t.Errorf("%s: no rule for %s", path, typ)
	}
}

func (w *schemaWalk) want(path string, n schemaNode, typ string) {
	if n.Type != typ {
		w.t.Errorf("%s: the schema says %q, want %q", path, n.Type, typ)
	}
}

func (w *schemaWalk) object(path string, typ reflect.Type, n schemaNode) {
	if w.seen[typ] {
		return
	}
	w.seen[typ] = true
	known := map[string]bool{}
	for _, f := range reflect.VisibleFields(typ) {
		if f.Anonymous {
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[key] = true
		p, ok := n.Properties[key]
		if !ok {
			w.t.Errorf("%s: the schema lacks %q", path, key)
			continue
		}
		if p.Description == "" {
			w.t.Errorf("%s.%s: no description", path, key)
		}
		if always := options != "omitempty"; slices.Contains(n.Required, key) != always {
			w.t.Errorf("%s.%s: always emitted %v, required %v", path, key, always, !always)
		}
		w.walk(path+"."+key, f.Type, p)
	}
	for key := range n.Properties {
		if !known[key] {
			w.t.Errorf("%s: nothing emits %q", path, key)
		}
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
