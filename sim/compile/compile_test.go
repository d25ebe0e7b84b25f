package compile

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
)

// timer is a callback of a timer, which takes the times in turn.
func timer(name string, period, phase time.Duration, takes ...time.Duration) model.Callback {
	return model.Callback{
		Name: name, Kind: model.TimerCallback, Timer: model.Timer{Period: period, Phase: phase}, Execution: model.Execution{Pattern: takes},
	}
}

// on is a callback of the kind with one input.
func on(name string, kind model.CallbackKind, topic string, takes time.Duration) model.Callback {
	return model.Callback{Name: name, Kind: kind, Inputs: []model.Input{{Topic: topic}}, Execution: model.Execution{Worst: takes}}
}

// systemOf is one node, nav, on a single-threaded executor, main.
func systemOf(callbacks ...model.Callback) *model.System {
	return &model.System{File: "takt.yaml", Design: &model.Design{
		Executors: []model.Executor{{Name: "main", Kind: model.SingleThreaded}},
		Nodes:     []model.Node{{Name: "nav", Callbacks: callbacks}},
	}}
}

func compileWith(t *testing.T, s *model.System, o Options) *Built {
	t.Helper()
	b, err := Compile(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// run is what ran, as "control 1ms-2ms", in the order of the starts.
func run(t *testing.T, s *model.System, duration time.Duration) []string {
	t.Helper()
	return record(t, compileWith(t, s, Options{}), duration).ran()
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A message of "at" for a topic at some instants.
func sensor(topic string, at ...time.Duration) model.Sensor {
	return model.Sensor{Name: "sensor of " + topic, Publishes: []string{topic}, Times: at}
}

// The worst execution time unless the typical one is asked for; a pattern is what
// it is.
func TestTypicalAndWorst(t *testing.T) {
	both := timer("both", 10*ms, 0)
	both.Execution = model.Execution{Typical: ms, Worst: 3 * ms}
	s := systemOf(both, timer("pattern", 10*ms, 5*ms, ms, 2*ms))
	want(t, run(t, s, 20*ms), "both 0s-3ms", "pattern 5ms-6ms", "both 10ms-13ms", "pattern 15ms-17ms")
	typical := record(t, compileWith(t, s, Options{Typical: true}), 20*ms).ran()
	want(t, typical, "both 0s-1ms", "pattern 5ms-6ms", "both 10ms-11ms", "pattern 15ms-17ms")
}

// A window with require_fit asks for the worst time, also in a run with typical
// ones: 3 ms do not fit in 2 ms.
func TestGatesAskForTheWorst(t *testing.T) {
	c := timer("plan", 10*ms, 0)
	c.Execution = model.Execution{Typical: ms, Worst: 3 * ms}
	c.Context.Window = model.Window{Duration: 2 * ms, Frame: 10 * ms, RequireFit: true}
	s := systemOf(c)
	s.Design.Executors[0].Kind = model.LevelsExecutor
	want(t, record(t, compileWith(t, s, Options{Typical: true}), 50*ms).ran())
	s.Design.Nodes[0].Callbacks[0].Execution.Worst = 2 * ms
	want(t, record(t, compileWith(t, s, Options{Typical: true}), 15*ms).ran(), "plan 0s-1ms", "plan 10ms-11ms")
}

// The draws of one callback do not depend on another, and depend on the seed.
func TestDrawsAreApart(t *testing.T) {
	random := func(name string) model.Callback {
		c := timer(name, 10*ms, 0)
		c.Execution = model.Execution{Distribution: model.Distribution{Kind: model.Uniform, High: ms}}
		return c
	}
	times := func(seed uint64, callbacks ...model.Callback) (all []time.Duration) {
		for _, j := range record(t, compileWith(t, systemOf(callbacks...), Options{Seed: seed}), time.Second).all {
			if j.callback == "plan" {
				all = append(all, j.end.Sub(j.start))
			}
		}
		return all
	}
	alone := times(1, random("plan"))
	if len(alone) != 100 || !slices.Equal(alone, times(1, random("other"), random("plan"))) {
		t.Error("another callback shifts what is drawn")
	}
	if slices.Equal(alone, times(2, random("plan"))) {
		t.Error("another seed draws the same")
	}
}

// A system runs the same when it is run again.
func TestRunsAreTheSame(t *testing.T) {
	random := timer("plan", 10*ms, 0)
	random.Execution = model.Execution{Distribution: model.Distribution{Kind: model.Exponential, Mean: 5 * ms}}
	random.Publishes = []string{"/path"}
	s := systemOf(random, on("drive", model.SubscriptionCallback, "/path", ms))
	s.Design.Topics = []model.Topic{{Name: "/path", Latency: ms, Jitter: 8 * ms}}
	b := compileWith(t, s, Options{Seed: 3})
	first := record(t, b, 10*time.Second)
	if again := record(t, b, 10*time.Second); again.sequence() != first.sequence() {
		t.Error("the second run differs")
	}
	if f := first.callbacks["drive"]; f.Started < 900 {
		t.Errorf("drive ran %d times", f.Started)
	}
}

// A topic's latency is the least and its jitter comes to it, evenly; messages keep
// their order, and arrive at the earliest when the one before does.
func TestJitterOfTopics(t *testing.T) {
	scan := on("scan", model.SubscriptionCallback, "/scan", 0)
	scan.Inputs[0].All = true
	s := systemOf(scan)
	s.Design.Topics = []model.Topic{{Name: "/scan", Latency: ms, Jitter: 20 * ms}}
	s.Design.Sensors = []model.Sensor{{Name: "lidar", Publishes: []string{"/scan"}, Period: ms}}
	r := record(t, compileWith(t, s, Options{}), 10*time.Second)
	late, last := time.Duration(0), r.all[0].start
	for i, j := range r.all {
		if d := time.Duration(j.start) - time.Duration(i)*ms; d < ms || d > 21*ms {
			t.Fatalf("message %d takes %v", i, d)
		} else if j.start < last {
			t.Fatalf("message %d overtakes", i)
		} else {
			late, last = max(late, d), j.start
		}
	}
	if late < 20*ms {
		t.Errorf("no message of %d takes more than %v", len(r.all), late)
	}
}

// A sensor of 10 ms with a jitter of 4 ms publishes up to so much after its grid,
// on both of its topics at once.
func TestJitterOfSensors(t *testing.T) {
	s := systemOf(on("a", model.SubscriptionCallback, "/a", 0), on("b", model.SubscriptionCallback, "/b", 0))
	s.Design.Sensors = []model.Sensor{{Name: "lidar", Publishes: []string{"/a", "/b"}, Period: 10 * ms, Phase: 3 * ms, Jitter: 4 * ms}}
	r := record(t, compileWith(t, s, Options{}), 10*time.Second)
	if len(r.all) != 2000 {
		t.Fatalf("%d messages", len(r.all))
	}
	least, most := time.Hour, time.Duration(0)
	for i := 0; i < len(r.all); i += 2 {
		late := time.Duration(r.all[i].start) - 3*ms - time.Duration(i/2)*10*ms
		least, most = min(least, late), max(most, late)
		if r.all[i].start != r.all[i+1].start {
			t.Fatalf("message %d comes at %v and %v", i/2, r.all[i].start, r.all[i+1].start)
		}
	}
	if least < 0 || least > 100*us || most > 4*ms || most < 3900*us {
		t.Errorf("from %v to %v late, want from 0 to 4ms", least, most)
	}
}
