package model

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseDesign(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	no := false
	own := contextDefaults
	deadline, window := own, own
	deadline.Deadline = 10 * ms
	window.Window = Window{Duration: 2 * ms, Frame: 10 * ms}
	want := &Design{
		Machine: Machine{
			Line: 3, CPUs: 2, Platform: Linux, Preemption: FullPreemption, Order: DeadlineMonotonic, MaxLevels: 8,
			Pool: Band{10, 49}, Reserved: []Reserve{{"transport", Band{70, 79}}, {"driver", Band{50, 50}}},
		},
		Simulation: &Simulation{
			Line: 7, RTF: 0.25, Rate: 256, Latency: ms,
			Jumps: []Jump{{Line: 11, At: 5 * time.Second}, {Line: 11, At: 7 * time.Second, PauseFor: 2 * time.Second}},
		},
		Executors: []Executor{{
			Name: "main", Line: 13, Kind: LevelsExecutor, Spin: Spin{Kind: SpinForever},
			Levels: []Level{{
				Name: "control", Line: 15, Groups: []string{"arm", "base/slow"}, Priority: 52, AboveBand: "driver", CPU: 1,
				SpinPeriod: 10 * ms, CycleBudget: 8 * ms, LET: true,
			}},
		}, {
			Name: "logging", Line: 16, Kind: SingleThreaded, CPU: 2, Spin: Spin{Kind: SpinSome}, ClockThread: &no,
		}},
		Contexts: []Context{{
			Name: "capped", Line: 18, Class: Sporadic, Bucket: NormalBucket, OnMiss: OnMissIgnore, Budget: 2 * ms, BudgetPeriod: 10 * ms,
		}},
		Nodes: []Node{{
			Name: "arm", Line: 20, Executor: "main", UseSimTime: true,
			Callbacks: []Callback{{
				Name: "step", Line: 24, Kind: TimerCallback, Group: "default",
				Timer:     Timer{Period: 33_333_333, Phase: 33_333_333, OnROS: true, Humble: true},
				Execution: Execution{Line: 24, Typical: 2 * ms, Worst: 2 * ms},
				Publishes: []string{"/cmd"}, Lock: "state", Context: deadline,
			}, {
				Name: "watch", Line: 25, Kind: TriggerCallback, Group: "default",
				Inputs: []Input{{Topic: "/imu", Line: 25, Depth: 10}, {Topic: "/gps", Line: 25, All: true}}, Any: true,
				Execution: Execution{
					Line: 25, Typical: 2 * ms, Worst: 2 * ms,
					Distribution: Distribution{Kind: Uniform, Low: ms, High: 2 * ms, Seed: 7},
				},
				ContextName: "capped", Context: own,
			}},
		}, {
			Name: "base", Line: 26, Executor: "main", Groups: []Group{{Name: "slow", Line: 28, Reentrant: true}},
			Callbacks: []Callback{{
				Name: "drive", Line: 30, Kind: SubscriptionCallback, Group: "slow",
				Inputs: []Input{{Topic: "/cmd", Line: 30, Depth: 1}}, TakeAll: true,
				Execution: Execution{Line: 30, Typical: ms, Worst: 3 * ms}, Context: window,
			}},
		}, {
			Name: "log", Line: 31, Executor: "logging",
			Callbacks: []Callback{{
				Name: "write", Line: 34, Kind: SubscriptionCallback, Group: "default",
				Inputs: []Input{{Topic: "/cmd", Line: 34, Depth: 10}}, Execution: Execution{Line: 34}, Context: own,
			}, {
				Name: "flush", Line: 35, Kind: TimerCallback, Group: "default",
				Timer:     Timer{Period: time.Second, CatchUp: true},
				Execution: Execution{Line: 35, Typical: 2 * ms, Worst: 2 * ms, Pattern: []time.Duration{2 * ms, ms}},
				Calls:     []string{"/sync"}, Context: own,
			}},
		}},
		Topics: []Topic{{Name: "/cmd", Line: 37, Latency: 100 * us, Jitter: 50 * us, Seed: 3}, {Name: "/imu", Line: 38}},
		Sensors: []Sensor{
			{Name: "imu", Line: 40, Publishes: []string{"/imu"}, Period: 2500 * us, Phase: ms, Jitter: 100 * us, OnSim: true},
			{Name: "gps", Line: 41, Publishes: []string{"/gps"}, Times: []time.Duration{0, 1050 * ms}},
		},
		Locks:  []Lock{{Name: "state", Line: 43, Plain: true}},
		Chains: []Chain{{Name: "reflex", Line: 45, Path: []string{"imu", "arm/watch", "arm/step", "base/drive"}, MaxReaction: 100 * ms}},
	}
	got, err := Load("testdata/design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Design); diff != "" {
		t.Error(diff)
	}
	contract := []TopicContract{{Name: "/cmd", Line: 37, Kind: Hard, RateTolerance: 0.05, MaxAge: 5 * ms}}
	if diff := cmp.Diff(contract, got.Topics); diff != "" {
		t.Error(diff)
	}
}

// A file without a design has none, and one with a section of it has the
// machine that every file has.
func TestDesignDefaults(t *testing.T) {
	none, err := Parse("takt.yaml", []byte("takt: 1\ntopics: {/a: {max_age: 5ms}}\n"))
	if err != nil || none.Design != nil {
		t.Fatalf("%v, %+v", err, none.Design)
	}
	some, err := Parse("takt.yaml", []byte("takt: 1\ntopics: {/a: {latency: 5ms}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(some.Topics) != 0 || some.Design.Machine.CPUs != 1 || some.Design.Machine.Pool != (Band{10, 49}) {
		t.Errorf("%+v, %+v", some.Topics, some.Design)
	}
}

// Systems whose sections are right by themselves, or not: each a file below
// "takt: 1" and one error.
var refusedDesigns = []struct{ name, file, want string }{
	{"unknown key", "machine: {cpu: 2}", "2: machine.cpu is not known; write cpus"},
	{"half a CPU", "machine: {cpus: 0.5}", `2: machine.cpus is "0.5", not a whole number from 1 to 1024; write one, such as 1`},
	{"band upside down", "machine: {pool: 49..10}", `2: machine.pool is "49..10", not a band of priorities from 1 to 99; write one such as 10..49, or 99 if it is one priority`},
	{"unknown band", "machine: {reserved: {drivers: 50}}", "2: machine.reserved.drivers is not known; write driver"},
	{"step and rate", "simulation:\n  rate: 40Hz\n  step: 1ms", "4: simulation.step does not go with rate in line 3; remove one of the two"},
	{"neither step nor rate", "simulation: {rtf: 2}", "2: simulation does not say when simulated time is published; write step: 1ms if every step of the simulator is, or rate: 40Hz"},
	{"jump to and pause", "simulation: {step: 1ms, jumps: [{at: 1s, to: 0s, pause: 1s}]}", `2: simulation.jumps[0].pause does not go with to in line 2; remove one of the two`},
	{"jumps out of order", "simulation: {step: 1ms, jumps: [{at: 2s, to: 0s}, {at: 1s, to: 0s}]}", `2: simulation.jumps[1] is before the one above it; write the earliest first`},
	{"levels of a stock executor", "executors: {a: {kind: events, levels: {b: {}}}}", "2: executors.a.levels has no meaning for an executor of the kind events; write kind: levels, or remove the section"},
	{"priority of takt's executor", "executors: {a: {priority: 3}}", "2: executors.a.priority has no meaning for an executor of the kind levels; write it in one of its levels"},
	{"threads of one", "executors: {a: {kind: static, threads: 3}}", "2: executors.a.threads has no meaning for an executor of the kind static; remove the line"},
	{"budget without a period", "executors: {a: {levels: {b: {budget: 2ms}}}}", "2: executors.a.levels.b.budget has no budget_period; write it, such as budget_period: 10ms, or remove the line"},
	{"budget above its period", "executors: {a: {levels: {b: {budget: 20ms, budget_period: 10ms}}}}", "2: executors.a.levels.b.budget is longer than budget_period, 10ms; write that or less"},
	{"cap of a latched level", "executors: {a: {levels: {b: {greedy_cap: 2}}}}", "2: executors.a.levels.b.greedy_cap is a bound of greedy cycles, and this level is latched; write drain: greedy, or remove the line"},
	{"budget of the wrong class", "contexts: {a: {class: edf, budget: 2ms, budget_period: 10ms}}", "2: contexts.a.budget has no meaning in the class edf; write class: sporadic, or remove the line"},
	{"sporadic without a budget", "contexts: {a: {class: sporadic}}", "2: contexts.a.class is sporadic without a budget; write one, such as budget: 2ms, or another class"},
	{"window across its frame", "contexts: {a: {window: {offset: 9ms, duration: 2ms, frame: 10ms}}}", "2: contexts.a.window does not end within its frame of 10ms; write an offset and a duration that are that or less together"},
	{"node without callbacks", "nodes: {a: {use_sim_time: false}}", "2: nodes.a has no callbacks; write them, such as callbacks: {plan: {timer: 100ms, execution: 5ms}}, or remove it"},
	{"missing unit", "nodes: {a: {callbacks: {b: {timer: 10, execution: 1ms}}}}", "2: nodes.a.callbacks.b.timer has no unit; write 10ms"},
	{"zero period", "nodes: {a: {callbacks: {b: {timer: 0ms, execution: 1ms}}}}", "2: nodes.a.callbacks.b.timer is zero, which cannot hold; write more, such as 10ms, or remove the line"},
	{"zero rate", "nodes: {a: {callbacks: {b: {timer: 0Hz, execution: 1ms}}}}", "2: nodes.a.callbacks.b.timer is zero, which never comes; write more, such as 100Hz"},
	{"two kinds", "nodes: {a: {callbacks: {b: {timer: 1ms, subscription: /c, execution: 1ms}}}}", "2: nodes.a.callbacks.b.subscription does not go with timer in line 2; remove one of the two"},
	{"no kind", "nodes: {a: {callbacks: {b: {execution: 1ms}}}}", "2: nodes.a.callbacks.b does not say what makes it ready; write timer, subscription, service, client, action or trigger, such as timer: 10ms"},
	{"no execution time", "nodes: {a: {callbacks: {b: {timer: 1ms}}}}", "2: nodes.a.callbacks.b does not say how much CPU time it takes; write it, such as execution: 1ms"},
	{"depth of a timer", "nodes: {a: {callbacks: {b: {timer: 1ms, depth: 2, execution: 1ms}}}}", "2: nodes.a.callbacks.b.depth has no meaning for a timer; remove the line, or of a trigger write it with its topic: {topic: /imu, depth: 1}"},
	{"context twice", "nodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms, deadline: 1ms, context: c}}}}", "2: nodes.a.callbacks.b.context does not go with deadline in line 2; remove one of the two"},
	{"pattern and samples", "nodes: {a: {callbacks: {b: {timer: 1ms, execution: {pattern: [1ms], samples: x}}}}}", "2: nodes.a.callbacks.b.execution.samples does not go with pattern in line 2; remove one of the two"},
	{"uniform without an end", "nodes: {a: {callbacks: {b: {timer: 1ms, execution: {uniform: {low: 1ms}}}}}}", "2: nodes.a.callbacks.b.execution.uniform has no high; write them as in {low: 1ms, high: 2ms}"},
	{"typical above worst", "nodes: {a: {callbacks: {b: {timer: 1ms, execution: {typical: 2ms, worst: 1ms}}}}}", "2: nodes.a.callbacks.b.execution.typical is longer than worst, 1ms; write that or less"},
	{"sensor without a rate", "sensors: {a: {publishes: [/b]}}", "2: sensors.a does not say when; write rate: 30Hz, period: 33ms or times: [0s, 1s]"},
	{"jitter above the period", "sensors: {a: {publishes: [/b], period: 1ms, jitter: 2ms}}", "2: sensors.a.jitter is longer than period, 1ms; write that or less"},
	{"rate and period", "sensors: {a: {publishes: [/b], rate: 1Hz, period: 1s}}", "2: sensors.a.period does not go with rate in line 2; remove one of the two"},
	{"seed of nothing", "topics: {/a: {seed: 1}}", "2: topics./a.seed has no jitter; write it, such as jitter: 1ms, or remove the line"},
	{"kind without a promise", "topics: {/a: {latency: 1ms, kind: hard}}", "2: topics./a promises nothing; add rate, max_interval, max_age, max_gap or max_behind, or remove it"},

	// Between sections.
	{"no executor", "nodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms}}}}", "2: nodes has callbacks, and there is no executor to run them; write one, such as executors: {main: {kind: single_threaded}}"},
	{"which executor", "executors: {m: {kind: events}, n: {kind: events}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms}}}}", "3: nodes.a does not say which executor runs it; write executor: m"},
	{"unknown executor", "executors: {main: {kind: events}}\nnodes: {a: {executor: mian, callbacks: {b: {timer: 1ms, execution: 1ms}}}}", `3: nodes.a.executor names the executor "mian", which is not there; write main, or add it to executors`},
	{"unknown group", "executors: {m: {}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms, group: slow}}}}", `3: nodes.a.callbacks.b.group names the group "slow", which is not there; write one that is in nodes.a.groups, or add it there`},
	{"group nobody declares", "executors: {m: {levels: {l: {groups: [a/slow]}}}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms}}}}", `2: executors.m.levels.l.groups names the group "a/slow", which no node has; write NODE, or NODE/GROUP with a group of the node`},
	{"group on two levels", "executors: {m: {levels: {l: {groups: [a]}, k: {groups: [a/default]}}}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms}}}}", `2: executors.m.levels.k.groups names the group "a/default", which is on the level l too; remove one of the two`},
	{"group of another executor", "executors: {m: {levels: {l: {groups: [a]}}}, o: {}}\nnodes: {a: {executor: o, callbacks: {b: {timer: 1ms, execution: 1ms}}}}", `2: executors.m.levels.l.groups names the group "a", which m does not run; write executor: m for the node, or remove it`},
	{"unknown level", "executors: {m: {}}\nnodes: {a: {groups: {g: {level: l}}, callbacks: {b: {timer: 1ms, execution: 1ms}}}}", `3: nodes.a.groups.g.level names the level "l", which is not there; write one that is in executors.m.levels, or add it there`},
	{"pin outside the pool", "executors: {m: {levels: {l: {priority: 50}}}}", "2: executors.m.levels.l.priority is 50, outside the pool 10..49; write one from 10 to 49, or change machine.pool"},
	{"pin in a reserved band", "executors: {m: {levels: {l: {priority: 75}}}}", "2: executors.m.levels.l.priority is 75, in the band reserved for transport (70..79); write one in 10..49, or above: transport if it is meant"},
	{"pin below the band", "executors: {m: {levels: {l: {priority: 60, above: transport}}}}", "2: executors.m.levels.l.priority is 60, below the band transport (70..79); write a higher one, or remove above"},
	{"two of one priority", "executors: {m: {levels: {l: {priority: 40}, k: {priority: 40}}}}", "2: executors.m.levels.k.priority is 40, as that of executors.m.levels.l is; write another, since two levels of one priority are no order"},
	{"CPU that is not there", "executors: {m: {kind: events, cpu: 2}}", "2: executors.m.cpu is 2, and the machine has 1; write a CPU from 1 to 1, or machine: {cpus: 2} if it has more"},
	{"some pinned", "executors: {m: {kind: events, cpu: 1}, o: {kind: events}}", "2: executors.o is pinned to no CPU, as executors.m.cpu in line 2 is; pin all threads, or none"},
	{"unknown context", "executors: {m: {}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms, context: c}}}}", `3: nodes.a.callbacks.b.context names the context "c", which is not there; write one that is in contexts, or add it there`},
	{"unknown lock", "executors: {m: {}}\nlocks: {state: {}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms, lock: stat}}}}", `4: nodes.a.callbacks.b.lock names the lock "stat", which is not there; write state, or add it to locks`},
	{"class on a stock executor", "executors: {m: {kind: events}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms, class: best_effort}}}}", "3: nodes.a.callbacks.b has more of a scheduling context than a deadline, which executors of the kind events do not have; remove it, or write kind: levels for m"},
	{"timer held back", "executors: {m: {}}\ncontexts: {c: {all_of: [a/b]}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms}}}}", `3: contexts.c.all_of names the timer "a/b", and timers are never held back; name callbacks that wait for messages`},
	{"nobody's simulated time", "executors: {m: {}}\nnodes: {a: {use_sim_time: true, callbacks: {b: {timer: 1ms, execution: 1ms}}}}", "3: nodes.a.use_sim_time needs simulated time, which nobody publishes; write a section simulation, such as simulation: {step: 1ms}, or remove the line"},
	{"cycle in a chain", chained + "chains: {c: {path: [a/b, a/d, a/b]}}", `4: chains.c.path has "a/b" at 1 and at 3: it is a cycle; name each callback once: data goes through a chain and does not come back`},
	{"gap in a chain", chained + "chains: {c: {path: [a/d, a/e]}}", `4: chains.c.path goes from "a/d" to "a/e", which listens to nothing that it publishes; name the callbacks between them, or let the second listen to what the first publishes`},
	{"stranger in a chain", chained + "chains: {c: {path: [a/b, a/f]}}", `4: chains.c.path names the callback "a/f", which is not there; write a/b, a/d or a/e, or add it to nodes, as NODE/CALLBACK`},
	{"sensor in a chain", chained + "sensors: {s: {publishes: /x, rate: 1Hz}}\nchains: {c: {path: [a/b, s]}}", `5: chains.c.path has the sensor "s" at 2; begin with it: nothing goes into a sensor`},
}

const chained = "executors: {m: {kind: events}}\nnodes: {a: {callbacks: {b: {timer: 1ms, execution: 1ms, publishes: /x}, " +
	"d: {subscription: /x, execution: 1ms}, e: {subscription: /y, execution: 1ms}}}}\n"

func TestRefusedDesigns(t *testing.T) {
	for _, c := range refusedDesigns {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse("takt.yaml", []byte("takt: 1\n"+c.file+"\n"))
			var file *FileError
			if !errors.As(err, &file) || s != nil {
				t.Fatalf("got %v, %v", s, err)
			}
			if got := strings.TrimPrefix(err.Error(), "takt.yaml:"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
