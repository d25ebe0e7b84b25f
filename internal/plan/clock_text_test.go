package plan

import (
	"bytes"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/takt-rt/takt/internal/golden"
	"github.com/takt-rt/takt/internal/schematest"
)

// someClocks are plans that between them have every key and every finding.
func someClocks(t *testing.T) map[string]*Clock {
	t.Helper()
	plans := map[string]*Clock{}
	for name, s := range map[string]ClockSetup{
		"article": {Latency: rat(0.005), Rate: rat(100), RTF: rat(10), Speed: rat(2), Tolerance: rat(0.02)},
		"player":  {Source: "rosbag2", RTF: rat(10), Timer: rat(100), Tolerance: rat(0.01)},
		"raised":  {Latency: rat(0.005), Rate: rat(1000), RTF: rat(10), Tolerance: rat(0.055), Ask: rat(100)},
		"stepped": {Source: "webots", Latency: new(big.Rat), Tolerance: rat(0.01), Timer: rat(100), Ask: rat(200)},
		"equal":   {Source: "gazebo-classic", Latency: rat(0.005), RTF: rat(20), Tolerance: rat(0.2)},
		"unknown": {Source: "isaac"},
	} {
		plans[name] = newClock(t, s)
	}
	return plans
}

func TestClockText(t *testing.T) {
	for name, c := range someClocks(t) {
		t.Run(name, func(t *testing.T) {
			golden.Compare(t, "clock-"+name+".txt", []byte(clockText(t, c)))
			wantNarrow(t, c)
		})
	}
}

// A fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func clockText(t fataler, c *Clock) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wantNarrow(t fataler, c *Clock) {
	t.Helper()
	for line := range strings.SplitSeq(clockText(t, c), "\n") {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Fatalf("%d columns: %s", n, line)
		}
	}
}

func TestClockSchema(t *testing.T) {
	const file = "../../docs/plan-clock.schema.json"
	schematest.HasEveryKey(t, file, "", reflect.TypeFor[Clock]())
	for _, c := range someClocks(t) {
		validate(t, file, c)
	}
}
