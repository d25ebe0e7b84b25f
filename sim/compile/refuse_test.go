package compile

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
)

// What cannot be is refused, with its line, what it is, and the remedy.
func TestBadSystems(t *testing.T) {
	levels := func(l ...model.Level) []model.Executor { return []model.Executor{{Name: "main", Line: 3, Levels: l}} }
	for _, c := range []struct {
		change func(*model.Design)
		want   string
	}{
		{func(d *model.Design) { d.Executors = nil }, "takt.yaml:5: nodes.nav is on no executor"},
		{func(d *model.Design) { d.Nodes[0].Executor = "other" }, "takt.yaml:5: nodes.nav is on the executor other, which there is not"},
		{func(d *model.Design) { d.Nodes[0].UseSimTime = true }, "takt.yaml:5: nodes.nav follows simulated time, which nobody publishes"},
		{func(d *model.Design) { d.Machine.CPUs = -1 }, "takt.yaml:1: machine.cpus is -1"},
		{func(d *model.Design) { d.Machine.Preemption = "lazy" }, `machine.preemption is "lazy"`},
		{func(d *model.Design) { d.Machine.Order, d.Executors = "odd", levels() }, `machine.order is "odd"`},
		{func(d *model.Design) { d.Executors[0].Kind = "fast" }, `takt.yaml:3: executors.main is of the unknown kind "fast"`},
		{func(d *model.Design) { d.Executors[0].Kind = model.RclpyMultiThreaded }, "executors.main is rclpy's multi-threaded executor, which is not simulated"},
		{func(d *model.Design) { d.Executors[0].CPU = 2 }, "executors.main is pinned to CPU 2 of 1"},
		{func(d *model.Design) { d.Executors[0].Threads = 1_000_000 }, "has 1000000 threads"},
		{func(d *model.Design) { d.Executors[0].Spin.Period = ms }, "has a spin period without a loop"},
		{func(d *model.Design) {
			d.Executors[0].Kind, d.Executors[0].Spin.Kind = model.RclpyExecutor, model.SpinSome
		}, "which rclpy does not have"},
		{func(d *model.Design) {
			d.Executors[0].Kind, d.Executors[0].Spin.Kind = model.EventsExecutor, model.SpinSome
		}, "spins by spin_some, which is simulated of"},
		{func(d *model.Design) { d.Executors[0].TimerThread = true }, "has its timers on a thread of their own"},
		{func(d *model.Design) { d.Executors = levels(); d.Executors[0].ClockThread = new(bool) }, "has no clock thread"},
		{func(d *model.Design) {
			d.Executors = append(d.Executors, model.Executor{Name: "b", Line: 4, Kind: model.SingleThreaded, CPU: 1})
			d.Nodes[0].Executor = "main"
			d.Nodes = append(d.Nodes, model.Node{Name: "b", Executor: "b", Callbacks: d.Nodes[0].Callbacks})
		}, "takt.yaml:4: executors.b has the thread b: either that or main is pinned to a CPU, but not both"},

		{func(d *model.Design) { d.Nodes[0].Callbacks[0].Kind = "poll" }, `takt.yaml:7: nodes.nav.callbacks.plan is of the unknown kind "poll"`},
		{func(d *model.Design) { d.Nodes[0].Callbacks[0].Inputs = make([]model.Input, 1) }, "is a timer and takes messages"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[0].Timer.Period = -1 }, "has a period of -1ns and a phase of 0s"},
		{func(d *model.Design) {
			d.Nodes[0].Callbacks[0].Timer.Period, d.Executors[0].Kind = 0, model.EventsExecutor
		}, "is a timer without a period"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Inputs = nil }, "takt.yaml:8: nodes.nav.callbacks.scan is a subscription of 0 topics"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Inputs[0].Depth = -1 }, "has a depth of -1"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].TakeAll = true }, "is a trigger or takes all, which the executor main cannot"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Kind = model.TriggerCallback }, "is a trigger or takes all"},
		{func(d *model.Design) {
			d.Executors, d.Nodes[0].Callbacks[1].Kind, d.Nodes[0].Callbacks[1].Inputs = levels(), model.TriggerCallback, nil
		}, "is a trigger without topics"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Lock = "state" }, `holds the lock "state", which there is not`},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Group = "own" }, `is in the group "own", which its node does not declare`},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].ContextName = "slow" }, `has the context "slow", which there is not`},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Context.Class = "rr" }, `has a class "rr"`},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Context.Deadline = -1 }, "has a negative duration"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[1].Context.Class = model.EDF }, "of an executor that cannot (single_threaded)"},
		{func(d *model.Design) { d.Executors, d.Nodes[0].Callbacks[1].Context.Budget = levels(), ms }, "has a budget that is not an amount per period of the class sporadic"},
		{func(d *model.Design) {
			d.Executors, d.Nodes[0].Callbacks[1].Context.Trigger = levels(), model.Trigger{AllOf: []string{"a"}, AnyOf: []string{"b"}}
		}, "has all_of and any_of"},
		{func(d *model.Design) {
			d.Executors, d.Nodes[0].Callbacks[1].Context.Trigger.AllOf = levels(), []string{"nav/x"}
		}, `waits for "nav/x", which there is not`},
		{func(d *model.Design) {
			d.Executors, d.Nodes[0].Callbacks[1].Context.Trigger.AllOf = levels(), []string{"nav/plan"}
		}, "waits for nav/plan, which is a timer"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "high", Groups: []string{"nav/own"}, Priority: 40})
			d.Nodes[0].Groups = []model.Group{{Name: "own"}}
			d.Nodes[0].Callbacks[0].Group = "own"
			d.Nodes[0].Callbacks = append(d.Nodes[0].Callbacks, on("other", model.SubscriptionCallback, "/b", ms))
			d.Nodes[0].Callbacks[2].Group = "own"
			d.Nodes[0].Callbacks[1].Context.Trigger.AnyOf = []string{"nav/other"}
		}, "waits for nav/other, which is on another thread"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "high", Groups: []string{"nav/own"}, Priority: 40})
			d.Nodes[0].Groups = []model.Group{{Name: "own"}}
			d.Nodes[0].Callbacks[0].Group = "own"
			d.Contexts = []model.Context{{Name: "c", Class: model.Sporadic, Budget: ms, BudgetPeriod: 10 * ms}}
			d.Nodes[0].Callbacks[0].ContextName, d.Nodes[0].Callbacks[1].ContextName = "c", "c"
		}, "shares the budget of the context c with callbacks on the thread main/high"},

		{func(d *model.Design) { d.Nodes[0].Callbacks[0].Execution = model.Execution{Worst: -1} }, "takt.yaml:7: nodes.nav.callbacks.plan.execution is negative"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[0].Execution = model.Execution{Samples: "a.txt"} }, "takt.yaml:7: nodes.nav.callbacks.plan.execution: files of samples are not read here"},
		{func(d *model.Design) { d.Nodes[0].Callbacks[0].Execution.Pattern = []time.Duration{-1} }, "is negative"},
		{distributed(model.Distribution{Kind: "zipf"}), "is a distribution of the unknown kind zipf"},
		{distributed(model.Distribution{Kind: model.Uniform}), "is uniform without a high"},
		{distributed(model.Distribution{Kind: model.Lognormal}), "is lognormal with a mean of 0"},
		{distributed(model.Distribution{Kind: model.Normal, Low: 2, High: 1}), "has a low above its high"},
		{distributed(model.Distribution{Kind: model.Normal, Mean: -1}), "has a negative duration"},
		{func(d *model.Design) {
			distributed(model.Distribution{Kind: model.Normal, Mean: ms})(d)
			d.Executors = levels()
			d.Nodes[0].Callbacks[0].Context.Window = model.Window{Duration: ms, Frame: 10 * ms, RequireFit: true}
		}, "has no largest execution time, which a window with require_fit asks for"},

		{func(d *model.Design) { d.Executors = levels(model.Level{Name: "high", Line: 4}) }, "takt.yaml:4: executors.main.levels.high has no callbacks"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "high", Line: 4, Groups: []string{"nav/x"}})
		}, `is for the group "nav/x", which nobody on its executor declares`},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav"}}, model.Level{Name: "b", Line: 4, Groups: []string{"nav"}})
		}, "takt.yaml:4: executors.main.levels.b is for nav, as the level a is"},
		{func(d *model.Design) {
			d.Executors, d.Nodes[0].Groups = levels(), []model.Group{{Name: "own", Line: 6, Level: "high"}}
		}, `takt.yaml:6: nodes.nav.groups.own is on the level "high", which the executor main does not have`},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav/own"}}, model.Level{Name: "b", Groups: []string{"nav"}})
			d.Nodes[0].Groups = []model.Group{{Name: "own", Line: 6, Level: "b"}}
		}, "takt.yaml:6: nodes.nav.groups.own is on the level b, but a is for it, too"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav"}, Priority: 75})
		}, "takt.yaml:3: executors.main: level \"a\" is pinned at priority 75, in the reserved band transport"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Line: 4, Groups: []string{"nav"}, CPU: 2})
		}, "takt.yaml:4: executors.main.levels.a is pinned to CPU 2 of 1"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav"}, Budget: ms})
		}, "has a budget without a period"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav"}, SpinPeriod: -1})
		}, "has a negative duration or cap"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav"}, GreedyCap: 1})
		}, "has a greedy cap and is not greedy"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav"}, Greedy: true, LET: true})
		}, "samples its data at the start of a cycle and is greedy"},
		{func(d *model.Design) {
			d.Executors = levels(model.Level{Name: "a", Groups: []string{"nav"}, Budget: ms, BudgetPeriod: 10 * ms})
			d.Machine.Platform = model.NuttX
		}, "has a budget that the kernel enforces by SCHED_SPORADIC, which is not simulated"},

		{func(d *model.Design) { d.Simulation = &model.Simulation{Line: 9} }, "takt.yaml:9: simulation has a real time factor of 1, a step of 0s and a rate of 0Hz"},
		{func(d *model.Design) { d.Simulation = &model.Simulation{Line: 9, Step: ms, RTF: -1} }, "simulation has a real time factor of -1"},
		{func(d *model.Design) { d.Simulation = &model.Simulation{Line: 9, Step: 1, RTF: 10} }, "has ticks of less than a nanosecond"},
		{func(d *model.Design) { d.Simulation = &model.Simulation{Line: 9, Step: ms, RTF: 1e-12} }, "or of more than a year"},
		{func(d *model.Design) { d.Simulation = &model.Simulation{Line: 9, Step: ms, Start: -1} }, "has a negative latency, start or at"},
		{func(d *model.Design) {
			d.Simulation = &model.Simulation{Step: ms, Jumps: []model.Jump{{At: 2}, {Line: 10, At: 1}}}
		}, "takt.yaml:10: simulation.jumps are negative or not in order"},
		{func(d *model.Design) {
			d.Simulation = &model.Simulation{Step: ms, Latency: ms}
			d.Topics = []model.Topic{{Name: "/clock", Latency: ms}}
		}, "simulation.latency is given for the topic /clock, too"},

		{func(d *model.Design) {
			d.Simulation = &model.Simulation{Step: ms}
			d.Nodes[0].Callbacks[0].Publishes = []string{"/clock"}
		}, "takt.yaml:7: nodes.nav.callbacks.plan publishes /clock, as the section simulation does"},
		{func(d *model.Design) {
			d.Simulation = &model.Simulation{Step: ms}
			d.Sensors = []model.Sensor{{Name: "player", Line: 12, Period: ms, Publishes: []string{"/clock"}}}
		}, "takt.yaml:12: sensors.player publishes /clock, as the section simulation does"},

		{func(d *model.Design) { d.Topics = []model.Topic{{Name: "/scan", Line: 11, Latency: -1}} }, "takt.yaml:11: topics./scan has a latency of -1ns and a jitter of 0s"},
		{func(d *model.Design) { d.Sensors = []model.Sensor{{Name: "lidar", Line: 12}} }, "takt.yaml:12: sensors.lidar has a period and times, or neither"},
		{func(d *model.Design) { d.Sensors = []model.Sensor{{Name: "lidar", Period: ms, OnSim: true}} }, "is on simulated time, which nobody publishes"},
		{func(d *model.Design) { d.Sensors = []model.Sensor{{Name: "lidar", Period: ms, Jitter: 2 * ms}} }, "has a jitter of 2ms, more than its period of 1ms"},
		{func(d *model.Design) { d.Sensors = []model.Sensor{{Name: "lidar", Period: -1}} }, "has a period of -1ns"},
		{func(d *model.Design) { d.Sensors = []model.Sensor{{Name: "lidar", Times: []time.Duration{2, 1}}} }, "has times that are negative or not in order"},
	} {
		s := systemOf(timer("plan", 10*ms, 0, ms), on("scan", model.SubscriptionCallback, "/scan", ms))
		d := s.Design
		d.Machine.Line, d.Executors[0].Line, d.Nodes[0].Line, d.Nodes[0].Callbacks[0].Line, d.Nodes[0].Callbacks[1].Line = 1, 3, 5, 7, 8
		c.change(d)
		_, err := Compile(s, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "takt.yaml:") || !strings.Contains(err.Error(), "; ") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func distributed(m model.Distribution) func(*model.Design) {
	return func(d *model.Design) { d.Nodes[0].Callbacks[0].Execution = model.Execution{Distribution: m} }
}

// Contracts alone are no system to run.
func TestNoDesign(t *testing.T) {
	_, err := Compile(&model.System{File: "takt.yaml"}, Options{})
	var field *model.FieldError
	if !errors.As(err, &field) || field.Remedy == "" {
		t.Errorf("got %v", err)
	}
}

// A system of nothing compiles, and so does an executor without nodes.
func TestEmptySystem(t *testing.T) {
	record(t, compileWith(t, &model.System{Design: &model.Design{}}, Options{}), time.Second)
	s := &model.System{Design: &model.Design{Executors: []model.Executor{{Name: "a"}, {Name: "b", Kind: model.EventsExecutor}}}}
	if b := compileWith(t, s, Options{}); len(b.System.Threads) != 0 || len(b.Executors) != 2 {
		t.Errorf("%+v", b)
	}
}
