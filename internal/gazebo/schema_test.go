package gazebo

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/takt-rt/takt/internal/schematest"
)

const schemaFile = "../../docs/gazebo-plan.schema.json"

func TestPlansAreValid(t *testing.T) {
	s := schematest.Compile(t, schemaFile)
	files, _ := filepath.Glob("testdata/*.json")
	if len(files) == 0 {
		t.Fatal("no golden plans")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { schematest.Validate(t, s, data) })
	}
}

func TestSchemaHasEveryKey(t *testing.T) {
	schematest.HasEveryKey(t, schemaFile, "", reflect.TypeFor[Plan]())
}
