package gazebo

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../../docs/gazebo-plan.schema.json"

func TestPlansAreValid(t *testing.T) {
	c := jsonschema.NewCompiler()
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("testdata/*.json")
	if len(files) == 0 {
		t.Fatal("no golden plans")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A schemaNode is one object of the schema file.
type schemaNode struct {
	Ref         string                `json:"$ref"`
	Type        string                `json:"type"`
	Description string                `json:"description"`
	Properties  map[string]schemaNode `json:"properties"`
	Required    []string              `json:"required"`
	Items       *schemaNode           `json:"items"`
	Defs        map[string]schemaNode `json:"$defs"`
}

// Every key that a plan can have is in the schema, described and of the right
// type; what is always there is required; and nothing else is there.
func TestSchemaHasEveryKey(t *testing.T) {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root schemaNode
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	walkSchema(t, "plan", reflect.TypeFor[Plan](), root, root.Defs)
}

var jsonTypes = map[reflect.Kind]string{
	reflect.Struct: "object", reflect.Slice: "array", reflect.Array: "array", reflect.String: "string",
	reflect.Float64: "number", reflect.Int: "integer", reflect.Int64: "integer", reflect.Bool: "boolean",
}

func walkSchema(t *testing.T, path string, typ reflect.Type, n schemaNode, defs map[string]schemaNode) {
	if n.Ref != "" {
		n = defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
	}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if want := jsonTypes[typ.Kind()]; n.Type != want && path != "plan.schema" {
		t.Errorf("%s: the schema says %q, want %q", path, n.Type, want)
	}
	switch typ.Kind() {
	case reflect.Slice, reflect.Array:
		if n.Items == nil {
			t.Errorf("%s: the schema has no items", path)
			return
		}
		walkSchema(t, path+"[]", typ.Elem(), *n.Items, defs)
	case reflect.Struct:
		walkObject(t, path, typ, n, defs)
	}
}

func walkObject(t *testing.T, path string, typ reflect.Type, n schemaNode, defs map[string]schemaNode) {
	known := map[string]bool{}
	for _, f := range reflect.VisibleFields(typ) {
		if !f.IsExported() {
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[key] = true
		p, ok := n.Properties[key]
		if !ok {
			t.Errorf("%s: the schema lacks %q", path, key)
			continue
		}
		if p.Description == "" {
			t.Errorf("%s.%s: no description", path, key)
		}
		if always := options != "omitempty"; slices.Contains(n.Required, key) != always {
			t.Errorf("%s.%s: always there %v, required %v", path, key, always, !always)
		}
		walkSchema(t, path+"."+key, f.Type, p, defs)
	}
	for key := range n.Properties {
		if !known[key] {
			t.Errorf("%s: nothing emits %q", path, key)
		}
	}
}
