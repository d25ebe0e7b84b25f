// Package schematest holds published JSON Schemas to the Go types whose JSON
// they describe. It is for tests.
package schematest

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

// Compile returns the schema of a file, or of a part of it such as
// report.schema.json#/$defs/comparison.
func Compile(t testing.TB, file string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Validate checks a JSON text by a schema.
func Validate(t testing.TB, s *jsonschema.Schema, data []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Error(err)
	}
}

// HasEveryKey checks that every key which a type can emit is in the schema
// file, described and of the right type, that what is always emitted is
// required, and that nothing else is there. The definition is the name under
// $defs that describes the type, "" the root.
func HasEveryKey(t testing.TB, file, definition string, typ reflect.Type) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	n := root
	if definition != "" {
		n = root.Defs[definition]
	}
	w := &walk{t: t, defs: root.Defs, seen: map[reflect.Type]bool{}}
	w.value(typ.Name(), typ, n)
}

// A node is one value of a schema file.
type node struct {
	Ref         string          `json:"$ref"`
	Type        string          `json:"type"`
	Const       string          `json:"const"`
	Enum        []any           `json:"enum"`
	Description string          `json:"description"`
	Properties  map[string]node `json:"properties"`
	Required    []string        `json:"required"`
	Items       *node           `json:"items"`
	Defs        map[string]node `json:"$defs"`
}

type walk struct {
	t    testing.TB
	defs map[string]node
	seen map[reflect.Type]bool
}

var jsonTypes = map[reflect.Kind]string{
	reflect.Struct: "object", reflect.Slice: "array", reflect.Array: "array", reflect.String: "string", reflect.Bool: "boolean",
	reflect.Float64: "number", reflect.Int: "integer", reflect.Int64: "integer", reflect.Uint64: "integer",
}

func (w *walk) value(path string, typ reflect.Type, n node) {
	if n.Ref != "" {
		n = w.defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
	}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if want := jsonTypes[typ.Kind()]; n.Type != want && n.Const == "" && n.Enum == nil {
		w.t.Errorf("%s: the schema says %q, want %q", path, n.Type, want)
	}
	switch typ.Kind() {
	case reflect.Slice, reflect.Array:
		if n.Items == nil {
			w.t.Errorf("%s: the schema has no items", path)
			return
		}
		w.value(path+"[]", typ.Elem(), *n.Items)
	case reflect.Struct:
		// What writes itself has keys that its fields do not tell: Validate is what holds it to the schema.
		if !w.seen[typ] && !typ.Implements(reflect.TypeFor[json.Marshaler]()) {
			w.seen[typ] = true
			w.object(path, typ, n)
		}
	}
}

func (w *walk) object(path string, typ reflect.Type, n node) {
	known := map[string]bool{}
	for _, f := range reflect.VisibleFields(typ) {
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || key == "-" {
			continue
		}
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
		w.value(path+"."+key, f.Type, p)
	}
	for key := range n.Properties {
		if !known[key] {
			w.t.Errorf("%s: nothing emits %q", path, key)
		}
	}
}
