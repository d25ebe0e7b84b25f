package model

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

const schemaFile = "../docs/takt.schema.json"

// schemaChecks returns a check of a system file by the published schema alone.
func schemaChecks(t *testing.T) func(file []byte) error {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return func(file []byte) error {
		// Not YAMLToJSON, whose strings are not always JSON.
		var content any
		if err := yaml.Unmarshal(file, &content); err != nil {
			return err
		}
		text, err := json.Marshal(content)
		if err != nil {
			return err
		}
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return schema.Validate(instance)
	}
}

func TestSchemaAcceptsWhatParseAccepts(t *testing.T) {
	check := schemaChecks(t)
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := check(full); err != nil {
		t.Error(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		file := systems.Draw(t, "system").Format(nil)
		if err := check(file); err != nil {
			t.Errorf("%v\n%s", err, file)
		}
	})
}

func TestSchemaRefusesWhatParseRefuses(t *testing.T) {
	check := schemaChecks(t)
	// What is about the text and not about the values, and what compares values.
	beyond := []string{
		"not UTF-8", "two documents", "another after the end", "anchor and alias", "merge key", "tag", "marked key",
		"directive", "hexadecimal", "min above max", "interval below the period", "budget below the period",
	}
	for _, c := range refused {
		accepted := check([]byte(c.file)) == nil
		if accepted != slices.Contains(beyond, c.name) {
			t.Errorf("%s: accepted by the schema: %v", c.name, accepted)
		}
	}
}

// A schemaSection is a part of the schema that stands for a section of the file.
type schemaSection struct {
	Properties map[string]struct {
		Default string `json:"default"`
	} `json:"properties"`
	AnyOf []struct {
		Required []string `json:"required"`
	} `json:"anyOf"`
	Defs map[string]schemaSection `json:"$defs"`
}

func TestSchemaHasTheKeysOfTheParser(t *testing.T) {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root schemaSection
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	compareKeys(t, "the file", root, keysOf(systemFields))
	compareKeys(t, "clock", root.Defs["clock"], keysOf(clockFields))
	compareKeys(t, "topic", root.Defs["topic"], keysOf(topicFields))
	compareKeys(t, "loop", root.Defs["loop"], keysOf(loopFields))
	compareDefaults(t, root.Defs["clock"], clockFields, &clockDefaults)
	compareDefaults(t, root.Defs["topic"], topicFields, &topicDefaults)
	compareDefaults(t, root.Defs["loop"], loopFields, &loopDefaults)
	for name, limits := range map[string][]string{"clock": clockLimits, "topic": topicLimits, "loop": loopLimits} {
		var got []string
		for _, alternative := range root.Defs[name].AnyOf {
			got = append(got, alternative.Required...)
		}
		if diff := cmp.Diff(limits, got); diff != "" {
			t.Errorf("what %s may promise: %s", name, diff)
		}
	}
}

func compareKeys(t *testing.T, name string, s schemaSection, want []string) {
	t.Helper()
	var got []string
	for key := range s.Properties {
		got = append(got, key)
	}
	slices.Sort(got)
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), got); diff != "" {
		t.Errorf("keys of %s: %s", name, diff)
	}
}

// compareDefaults checks the defaults that the schema states beside a key.
func compareDefaults[T any](t *testing.T, s schemaSection, fields []field[T], defaults *T) {
	t.Helper()
	for _, f := range fields {
		if want := s.Properties[f.key].Default; want != "" && f.write(defaults) != want {
			t.Errorf("%s: the schema's default is %s, the parser's %s", f.key, want, f.write(defaults))
		}
	}
}
