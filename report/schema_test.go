package report

import (
	"bytes"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/schematest"
	"github.com/takt-rt/takt/qos"
)

const schemaFile = "../docs/report.schema.json"

// comparisonDef is where the schema file describes a comparison.
const comparisonDef = "#/$defs/comparison"

func TestReportsAreValid(t *testing.T) {
	s := schematest.Compile(t, schemaFile)
	for name, r := range map[string]*Report{
		"judged": startup(t, promises()), "partial": short(t, nil), "empty": empty(promises()), "full": full(), "graph": graphReport(), "loops": ofLoops(loopPromises(), manyLoops(t)...),
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := JSON(&b, r); err != nil {
				t.Fatal(err)
			}
			schematest.Validate(t, s, b.Bytes())
		})
	}
	for _, name := range []string{"judged.json", "empty.json", "loop.json"} {
		t.Run(name, func(t *testing.T) { schematest.Validate(t, s, readFile(t, "testdata/"+name)) })
	}
}

func TestComparisonsAreValid(t *testing.T) {
	s := schematest.Compile(t, schemaFile+comparisonDef)
	schematest.Validate(t, s, readFile(t, "testdata/comparison.json"))
	var b bytes.Buffer
	if err := Compare(full(), empty(promises())).JSON(&b); err != nil {
		t.Fatal(err)
	}
	schematest.Validate(t, s, b.Bytes())
}

func TestSchemaRefusesWhatIsNoReport(t *testing.T) {
	s := schematest.Compile(t, schemaFile)
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
	r.Topics[0].Writers[0].AgeS.Clock, r.Topics[0].Transforms[0].Writers[0].AgeS.Clock = "wall", "wall"
	r.Clock.Error.Knob = analysis.KnobRate
	return r
}

// everyPolicy has no policy at its default, so that each has a key.
var everyPolicy = qos.Policies{
	Reliability: qos.Reliable, Durability: qos.TransientLocal, History: qos.KeepLast(7),
	Deadline: qos.Within(1), Lifespan: qos.Within(2), Liveliness: qos.ManualByTopic, Lease: qos.Within(3),
	Ownership: qos.Exclusive, Strength: 4, Partition: []string{"p*"},
	Presentation:     qos.Presentation{Scope: qos.GroupScope, Coherent: true, Ordered: true},
	DestinationOrder: qos.BySource, LatencyBudget: math.MaxInt64, MinSeparation: 5, Representation: []qos.Representation{qos.XCDR2},
}

// fill sets everything below v to one, two levels deep in what contains itself.
func fill(v reflect.Value, depth int) {
	if q, ok := v.Addr().Interface().(*qos.Policies); ok {
		*q = everyPolicy
		return
	}
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

func TestSchemaHasEveryKey(t *testing.T) {
	schematest.HasEveryKey(t, schemaFile, "", reflect.TypeFor[Report]())
	schematest.HasEveryKey(t, schemaFile, "comparison", reflect.TypeFor[Comparison]())
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
