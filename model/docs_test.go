package model

import (
	"os"
	"regexp"
	"testing"
)

// Every file that the documentation shows is one.
func TestParseTheExamplesOfTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../docs/takt-yaml.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(text, -1)
	if len(examples) < 8 {
		t.Fatalf("%d examples: are they marked as yaml?", len(examples))
	}
	check := schemaChecks(t)
	for _, example := range examples {
		if err := check(example[1]); err != nil {
			t.Errorf("by the schema: %v\n%s", err, example[1])
		}
		if _, err := Parse("takt.yaml", example[1]); err != nil {
			t.Errorf("%v\n%s", err, example[1])
		}
	}
}
