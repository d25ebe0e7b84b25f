package infer_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/infer"
	"github.com/takt-rt/takt/internal/source/ctf"
	"github.com/takt-rt/takt/model"
)

const recordings = "../../testdata/recordings/ctf/"

// inferred returns the system that a trace of the recordings shows.
func inferred(t *testing.T, name string) *infer.Result {
	t.Helper()
	src, err := ctf.Open(recordings+name, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	r := infer.NewRecorder()
	if _, err := src.Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	res, err := infer.System(r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// An expectedCallback is one of expected.json, whose values were worked out from
// the text output of babeltrace2, in seconds.
type expectedCallback struct {
	Kind     string
	Topic    string
	Node     string
	PeriodS  float64 `json:"configured_period_s"`
	Starts   int
	Duration struct{ P50, Max float64 }
}

type expectedPublisher struct {
	Topic, Node string
	Count       int
}

func loadExpected(t *testing.T) (all map[string]struct {
	Path       string
	Callbacks  []expectedCallback
	Publishers []expectedPublisher
}) {
	t.Helper()
	text, err := os.ReadFile(recordings + "expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Recordings json.RawMessage }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file.Recordings, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// runs are the execution times that a callback is given.
func runs(res *infer.Result, x model.Execution) []time.Duration {
	if x.Samples != "" {
		return res.Samples[x.Samples]
	}
	return x.Pattern
}

func near(a time.Duration, seconds float64) bool {
	return math.Abs(a.Seconds()-seconds) < 2e-9
}

// Every callback that ran is there, with its node, kind, topic and period, and
// with the count, the median and the maximum of its execution times.
func TestCallbacksOfRecordings(t *testing.T) {
	for name, want := range loadExpected(t) {
		t.Run(name, func(t *testing.T) {
			res := inferred(t, strings.TrimPrefix(want.Path, "ctf/"))
			n := 0
			for _, node := range res.System.Design.Nodes {
				n += len(node.Callbacks)
			}
			if n != len(want.Callbacks) {
				t.Errorf("%d callbacks, want %d", n, len(want.Callbacks))
			}
			for _, c := range want.Callbacks {
				checkCallback(t, res, c)
			}
		})
	}
}

func checkCallback(t *testing.T, res *infer.Result, want expectedCallback) {
	t.Helper()
	what := want.Node + " " + want.Kind + " " + want.Topic
	i := slices.IndexFunc(res.System.Design.Nodes, func(n model.Node) bool { return n.Name == want.Node })
	if i < 0 {
		t.Errorf("no node %s", want.Node)
		return
	}
	callbacks := res.System.Design.Nodes[i].Callbacks
	j := slices.IndexFunc(callbacks, func(c model.Callback) bool {
		if c.Kind == model.TimerCallback {
			return want.Kind == "timer" && near(c.Timer.Period, want.PeriodS)
		}
		return string(c.Kind) == want.Kind && c.Inputs[0].Topic == want.Topic
	})
	if j < 0 {
		t.Errorf("no %s", what)
		return
	}
	x := callbacks[j].Execution
	if got := len(runs(res, x)); got != want.Starts {
		t.Errorf("%s: %d execution times, want %d", what, got, want.Starts)
	}
	if !near(x.Typical, want.Duration.P50) || !near(x.Worst, want.Duration.Max) {
		t.Errorf("%s: typical %v, worst %v, want %v and %v s", what, x.Typical, x.Worst, want.Duration.P50, want.Duration.Max)
	}
	comment := res.Comments[model.Path("nodes", want.Node, "callbacks", callbacks[j].Name, "execution", "typical")]
	if want := fmt.Sprintf("median of %d runs", want.Starts); comment != want {
		t.Errorf("%s: comment %q, want %q", what, comment, want)
	}
}

// Of a topic that a node published as often as its callback ran, that callback
// is the publisher. All nodes published five times on /parameter_events before
// they spun: no callback does.
func TestPublishersOfRecordings(t *testing.T) {
	for name, want := range loadExpected(t) {
		t.Run(name, func(t *testing.T) {
			res := inferred(t, strings.TrimPrefix(want.Path, "ctf/"))
			for _, p := range want.Publishers {
				got := publishers(res, p.Node, p.Topic)
				if p.Topic == "/parameter_events" && got != 0 || p.Topic != "/parameter_events" && got != 1 {
					t.Errorf("%d callbacks of %s publish %s", got, p.Node, p.Topic)
				}
			}
		})
	}
}

func publishers(res *infer.Result, node, topic string) (n int) {
	for _, nd := range res.System.Design.Nodes {
		for _, c := range nd.Callbacks {
			if nd.Name == node && slices.Contains(c.Publishes, topic) {
				n++
			}
		}
	}
	return n
}
