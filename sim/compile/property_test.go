package compile

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// Whatever a file says, it is refused with its place, or it runs: the simulator
// has nothing left to refuse, and ends only what does not come to rest.
func TestWhatCompilesRuns(t *testing.T) {
	compiled := 0
	rapid.Check(t, func(t *rapid.T) {
		s := &model.System{File: "takt.yaml", Design: anyDesign(t)}
		b, err := Compile(s, Options{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "takt.yaml:") || !strings.Contains(err.Error(), "; ") {
				t.Errorf("no place or remedy: %v", err)
			}
			return
		}
		compiled++
		run, err := sim.New(b.System, nil)
		if err != nil {
			t.Fatalf("what compiles is refused: %v", err)
		}
		var fault *sim.Fault
		if err := run.Run(clock.Mono(20 * ms)); err != nil && !errors.As(err, &fault) && !strings.Contains(err.Error(), "more than") {
			t.Errorf("the run ends: %v", err)
		}
	})
	if compiled == 0 {
		t.Error("nothing compiled")
	}
}

// pick draws one of the values, most often the first, so that systems have few
// faults.
func pick[T any](t *rapid.T, values ...T) T {
	if rapid.IntRange(0, 15).Draw(t, "unusual") < 15 {
		return values[0]
	}
	return rapid.SampledFrom(values).Draw(t, "value")
}

func anyDesign(t *rapid.T) *model.Design {
	d := &model.Design{
		Machine: model.Machine{
			CPUs: pick(t, 2, 0, 1, 3), Preemption: pick(t, "", model.NoPreemption), Enforcement: pick(t, "", model.ByExecutor),
			Order: pick(t, "", model.DeadlineMonotonic, model.ChainAware), MaxLevels: pick(t, 0, 1, 2), Strict: pick(t, false, true),
		},
		Locks:    []model.Lock{{Name: "l"}, {Name: "m", Plain: true}},
		Contexts: []model.Context{anyContext(t), anyContext(t)},
		Topics:   []model.Topic{{Name: "/a", Latency: pick(t, ms, 0, -1), Jitter: pick(t, 0, ms)}},
		Chains:   []model.Chain{{Name: "c", Path: pick(t, []string{"s", "n/b"}, nil, []string{"n/b", "m/b"})}},
	}
	d.Contexts[0].Name, d.Contexts[1].Name = "x", "y"
	if pick(t, true, false) {
		d.Simulation = &model.Simulation{
			RTF: pick(t, 0, 2, 0.5), Step: pick(t, ms, 0), Rate: pick(t, 0.0, 100), Latency: pick(t, 0, ms), Start: pick(t, 0, time.Second),
			Jumps: pick(t, nil, []model.Jump{{At: 5 * ms}, {At: 10 * ms, PauseFor: 3 * ms}}),
		}
	}
	for _, name := range []string{"s", "u"} {
		d.Sensors = append(d.Sensors, model.Sensor{
			Name: name, Publishes: []string{pick(t, "/a", "/b", "/clock")}, Period: pick(t, ms, 0), Times: pick(t, nil, []time.Duration{ms}),
			Phase: pick(t, 0, ms), Jitter: pick(t, 0, us), OnSim: pick(t, false, true),
		})
	}
	for _, name := range []string{"p", "q"} {
		d.Executors = append(d.Executors, anyExecutor(t, name))
	}
	for _, name := range []string{"n", "m"} {
		n := model.Node{
			Name: name, Executor: pick(t, "p", "q"), UseSimTime: pick(t, true, false),
			Groups: pick(t, nil, []model.Group{{Name: "g"}}, []model.Group{{Name: "default", Reentrant: true}}, []model.Group{{Name: "g", Level: "high"}}),
		}
		for _, c := range []string{"a", "b", "c"} {
			n.Callbacks = append(n.Callbacks, anyCallback(t, c))
		}
		d.Nodes = append(d.Nodes, n)
	}
	return d
}

func anyExecutor(t *rapid.T, name string) model.Executor {
	x := model.Executor{
		Name: name, Priority: pick(t, 0, 5), CPU: pick(t, 0, 0, 0, 1),
		Kind:    rapid.SampledFrom([]model.ExecutorKind{"", model.SingleThreaded, model.StaticExecutor, model.EventsExecutor, model.RclpyExecutor, model.MultiThreaded}).Draw(t, "executor"),
		Threads: pick(t, 0, 3), TimerThread: pick(t, false, true), ClockThread: pick(t, nil, new(bool)),
		Spin: pick(t, model.Spin{}, model.Spin{Kind: model.SpinSome, Period: ms}, model.Spin{Kind: model.SpinOnce}),
	}
	if x.Kind == "" {
		x.Levels = pick(t, nil, []model.Level{{
			Name: "high", Groups: []string{pick(t, "n", "m", "n/g", "m/default")}, Priority: pick(t, 0, 40, 75), Greedy: pick(t, false, true),
			GreedyCap: pick(t, 0, 2), SpinPeriod: pick(t, 0, ms), CycleBudget: pick(t, 0, ms), LET: pick(t, false, true),
			Budget: pick(t, 0, ms), BudgetPeriod: pick(t, 0, 5*ms),
		}})
	}
	return x
}

func anyContext(t *rapid.T) model.Context {
	return model.Context{
		Class: pick(t, "", model.EDF, model.Sporadic, model.BestEffort), Bucket: pick(t, "", model.CriticalBucket), Deadline: pick(t, 0, ms),
		From: pick(t, "", model.FromOrigin), OnMiss: pick(t, "", model.OnMissSkip, model.OnMissFault),
		Budget: pick(t, 0, ms), BudgetPeriod: pick(t, 0, 5*ms), Window: pick(t, model.Window{}, model.Window{Duration: ms, Frame: 5 * ms, RequireFit: true}),
		Trigger: pick(t, model.Trigger{}, model.Trigger{AllOf: []string{"n/b"}}, model.Trigger{AnyOf: []string{"m/b", "m/c"}}),
	}
}

func anyCallback(t *rapid.T, name string) model.Callback {
	c := model.Callback{
		Name: name, Group: pick(t, "", "g", "default"), Lock: pick(t, "", "l", "m"), ContextName: pick(t, "", "x", "y"),
		Publishes: pick(t, nil, []string{"/a"}, []string{"/b", "/b"}, []string{"/clock"}), Calls: pick(t, nil, []string{"/s"}),
		TakeAll: pick(t, false, true), Any: pick(t, false, true),
		Execution: pick(t, model.Execution{Worst: us}, model.Execution{Pattern: []time.Duration{0, ms}},
			model.Execution{Distribution: model.Distribution{Kind: model.Normal, Mean: ms, Deviation: ms}}),
	}
	c.Kind = rapid.SampledFrom([]model.CallbackKind{
		model.TimerCallback, model.SubscriptionCallback, model.ServiceCallback, model.ClientCallback, model.ActionCallback, model.TriggerCallback,
	}).Draw(t, "kind")
	switch c.Kind {
	case model.TimerCallback:
		c.Timer = model.Timer{
			Period: pick(t, ms, 0, 5*ms), Phase: pick(t, 0, ms), OnROS: pick(t, true, false), CatchUp: pick(t, false, true), Humble: pick(t, false, true), Once: pick(t, false, true),
		}
		c.TakeAll = false
	case model.TriggerCallback:
		c.Inputs = []model.Input{{Topic: "/a", Depth: 1}, {Topic: "/b"}}
	case model.ServiceCallback, model.ClientCallback, model.ActionCallback:
		c.Inputs = []model.Input{{Topic: "/s", All: pick(t, false, true)}}
	default:
		c.Inputs = []model.Input{{Topic: pick(t, "/a", "/b", "/clock"), Depth: pick(t, 0, 1)}}
	}
	return c
}
