package compile

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
)

// withKind puts the system on another executor.
func withKind(s *model.System, x model.Executor) *model.System {
	x.Name = "main"
	s.Design.Executors[0] = x
	return s
}

// A message and a timer, both at 0, the message's node first. rclcpp serves the
// timer first, its static executor the message; rclpy goes node by node, but for
// the step of an action, which is first of all.
func TestOrders(t *testing.T) {
	for kind, ran := range map[model.ExecutorKind][]string{
		model.SingleThreaded: {"timer 0s-1ms", "scan 1ms-2ms", "step 2ms-3ms"},
		model.StaticExecutor: {"scan 0s-1ms", "timer 1ms-2ms", "step 2ms-3ms"},
		model.RclpyExecutor:  {"step 0s-1ms", "scan 1ms-2ms", "timer 2ms-3ms"},
		model.EventsExecutor: {"timer 0s-1ms", "scan 1ms-2ms", "step 2ms-3ms"},
	} {
		s := systemOf(on("scan", model.SubscriptionCallback, "/scan", ms))
		s.Design.Nodes = append(s.Design.Nodes, model.Node{Name: "b", Callbacks: []model.Callback{
			timer("timer", time.Hour, 0, ms), on("step", model.ActionCallback, "/go", ms),
		}})
		s.Design.Sensors = []model.Sensor{sensor("/scan", 0), sensor("/go", 0)}
		want(t, run(t, withKind(s, model.Executor{Kind: kind}), 50*ms), ran...)
	}
}

// Messages of 1 ms each come every millisecond, and one of another subscription
// at 0. The single-threaded executor serves both of a wait; the static one, from
// Jazzy on, and spin_once in a loop run one callback per wait, and the second
// subscription starves.
func TestOneCallbackPerWait(t *testing.T) {
	system := func(x model.Executor) *model.System {
		s := systemOf(on("busy", model.SubscriptionCallback, "/busy", ms), on("other", model.SubscriptionCallback, "/other", ms))
		s.Design.Sensors = []model.Sensor{{Name: "busy", Publishes: []string{"/busy"}, Period: ms}, sensor("/other", 0)}
		return withKind(s, x)
	}
	want(t, run(t, system(model.Executor{Kind: model.SingleThreaded}), 3500*us), "busy 0s-1ms", "other 1ms-2ms", "busy 2ms-3ms")
	for _, x := range []model.Executor{{Kind: model.StaticExecutor}, {Kind: model.SingleThreaded, Spin: model.Spin{Kind: model.SpinOnce}}} {
		if ran := record(t, compileWith(t, system(x), Options{}), time.Second).callbacks["other"].Started; ran != 0 {
			t.Errorf("%s: other ran %d times", x.Kind, ran)
		}
	}
}

// A loop of 10 ms around spin_some runs a timer of 5 ms at 10 ms.
func TestSpinSome(t *testing.T) {
	s := systemOf(timer("plan", time.Hour, 5*ms, ms))
	want(t, run(t, withKind(s, model.Executor{Kind: model.SingleThreaded, Spin: model.Spin{Kind: model.SpinSome, Period: 10 * ms}}), 50*ms), "plan 10ms-11ms")
}

// A message of 50 ms and a timer of 20 ms on an events executor: on one thread the
// releases of 20 and 40 ms wait for it and are both served, on a thread and a CPU
// of their own they are on time.
func TestTimersThread(t *testing.T) {
	s := systemOf(on("scan", model.SubscriptionCallback, "/scan", 50*ms), timer("tick", 20*ms, 20*ms, ms))
	s.Design.Machine.CPUs = 2
	s.Design.Sensors = []model.Sensor{sensor("/scan", 0)}
	want(t, run(t, withKind(s, model.Executor{Kind: model.EventsExecutor}), 70*ms), "scan 0s-50ms", "tick 50ms-51ms", "tick 51ms-52ms", "tick 60ms-61ms")

	s = withKind(s, model.Executor{Kind: model.EventsExecutor, TimerThread: true})
	want(t, run(t, s, 70*ms), "scan 0s-50ms", "tick 20ms-21ms", "tick 40ms-41ms", "tick 60ms-61ms")
	b := compileWith(t, s, Options{})
	if got := b.System.Threads[1].Name; got != "main/timers" || len(b.Executors[0].Threads) != 2 {
		t.Errorf("the second thread is %q", got)
	}
}

// On two CPUs: two timers of one group run one after the other, those of two
// groups side by side, and one of a reentrant group beside itself. There are as
// many threads as CPUs, but two at least.
func TestGroups(t *testing.T) {
	system := func(groups ...model.Group) *model.System {
		s := systemOf(timer("a", 30*ms, 0, 20*ms), timer("b", time.Hour, 0, 5*ms))
		s.Design.Machine.CPUs = 2
		s.Design.Nodes[0].Groups = groups
		return withKind(s, model.Executor{Kind: model.MultiThreaded})
	}
	want(t, run(t, system(), 29*ms), "a 0s-20ms", "b 20ms-25ms")

	s := system(model.Group{Name: "own"})
	s.Design.Nodes[0].Callbacks[1].Group = "own"
	want(t, run(t, s, 29*ms), "a 0s-20ms", "b 0s-5ms")

	want(t, run(t, system(model.Group{Name: "default", Reentrant: true}), 29*ms), "a 0s-20ms", "b 0s-5ms")

	s.Design.Machine.CPUs = 1
	if got := compileWith(t, s, Options{}).System.Threads[0].Workers; got != 2 {
		t.Errorf("%d threads on one CPU, want 2", got)
	}
}

// Threads of the priority that the file gives them, or all equal where the kernel
// refuses priorities.
func TestPriorities(t *testing.T) {
	s := systemOf(timer("slow", time.Hour, 0, 10*ms))
	s.Design.Executors = append(s.Design.Executors, model.Executor{Name: "urgent", Kind: model.SingleThreaded, Priority: 40})
	s.Design.Nodes[0].Executor = "main"
	s.Design.Nodes = append(s.Design.Nodes, model.Node{Name: "b", Executor: "urgent", Callbacks: []model.Callback{timer("fast", time.Hour, ms, ms)}})
	want(t, run(t, s, 20*ms), "slow 0s-11ms", "fast 1ms-2ms")
	s.Design.Machine.Preemption = model.NoPreemption
	want(t, run(t, s, 20*ms), "slow 0s-10ms", "fast 10ms-11ms")
}
