package plan

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/takt-rt/takt/internal/schematest"
)

// validate checks that plans, written as JSON, are what a schema file describes.
func validate(t *testing.T, file string, plans ...any) {
	t.Helper()
	s := schematest.Compile(t, file)
	for _, p := range plans {
		var b bytes.Buffer
		if err := JSON(&b, p); err != nil {
			t.Fatal(err)
		}
		schematest.Validate(t, s, b.Bytes())
	}
}

func TestFramesSchema(t *testing.T) {
	const file = "../../docs/plan-frames.schema.json"
	schematest.HasEveryKey(t, file, "", reflect.TypeFor[Frames]())
	for _, f := range someFrames(t) {
		validate(t, file, f)
	}
}

func TestSnowballSchema(t *testing.T) {
	const file = "../../docs/plan-snowball.schema.json"
	schematest.HasEveryKey(t, file, "", reflect.TypeFor[Snowball]())
	validate(t, file, NewSnowball(rat(0.2), rat(0.5), rat(1)), NewSnowball(rat(0.2), rat(0.5), rat(2.5)))
}
