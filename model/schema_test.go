package model

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	Properties map[string]schemaProperty `json:"properties"`
	AnyOf      []struct {
		Required []string `json:"required"`
	} `json:"anyOf"`
	Defs map[string]schemaSection `json:"$defs"`
}

// A schemaProperty is the default that the schema states; "" if it states none.
type schemaProperty string

func (p *schemaProperty) UnmarshalJSON(data []byte) error {
	var content struct {
		Default any `json:"default"`
	}
	if string(data) == "false" { // a key that is not allowed there
		return nil
	}
	err := json.Unmarshal(data, &content)
	if content.Default != nil {
		*p = schemaProperty(fmt.Sprint(content.Default))
	}
	return err
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
	compareKeys(t, "topic", root.Defs["topic"], keysOf(topicSectionFields))
	compareKeys(t, "loop", root.Defs["loop"], keysOf(loopFields))
	compareDefaults(t, root.Defs["clock"], clockFields, &clockDefaults)
	compareDefaults(t, root.Defs["topic"], topicFields, &topicDefaults)
	compareDefaults(t, root.Defs["loop"], loopFields, &loopDefaults)
	compareSection(t, root.Defs["machine"], "machine", machineFields, machineDefaults)
	compareSection(t, root.Defs["simulation"], "simulation", simulationFields, simulationDefaults)
	compareSection(t, root.Defs["jump"], "jump", jumpFields, Jump{})
	compareSection(t, root.Defs["executor"], "executor", executorFields, executors.defaults)
	compareSection(t, root.Defs["level"], "level", levelFields, levelSections.defaults)
	compareSection(t, root.Defs["context"], "context", contextFields, contextDefaults)
	compareSection(t, root.Defs["window"], "window", windowFields, Window{})
	compareSection(t, root.Defs["node"], "node", nodeFields, nodes.defaults)
	compareSection(t, root.Defs["group"], "group", groupFields, groups.defaults)
	compareSection(t, root.Defs["callback"], "callback", callbackFields, draftDefaults)
	compareSection(t, root.Defs["input"], "input", inputFields, Input{Depth: defaultDepth})
	compareSection(t, root.Defs["execution_times"], "execution", executionFields, Execution{})
	compareSection(t, root.Defs["distribution"], "distribution", distributionFields, Distribution{})
	compareSection(t, root.Defs["sensor"], "sensor", sensorFields, sensors.defaults)
	compareSection(t, root.Defs["lock"], "lock", locks.fields, locks.defaults)
	compareSection(t, root.Defs["chain"], "chain", chains.fields, chains.defaults)
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

func compareSection[T any](t *testing.T, s schemaSection, name string, fields []field[T], defaults T) {
	t.Helper()
	compareKeys(t, name, s, keysOf(fields))
	compareDefaults(t, s, fields, &defaults)
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
		if want := string(s.Properties[f.key]); want != "" && f.write(defaults) != want {
			t.Errorf("%s: the schema's default is %s, the parser's %s", f.key, want, f.write(defaults))
		}
	}
}
