package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// s1 is the full load of scenario S1, its four nodes on one executor with no word
// about levels.
func s1() *model.System {
	within := func(c model.Callback, deadline time.Duration) model.Callback {
		c.Context.Deadline = deadline
		return c
	}
	node := func(name string, c model.Callback) model.Node {
		return model.Node{Name: name, Callbacks: []model.Callback{c}}
	}
	return &model.System{File: "takt.yaml", Design: &model.Design{
		Executors: []model.Executor{{Name: "main"}},
		Nodes: []model.Node{
			node("attitude", within(timer("attitude", ms, 0, 800*us), ms)),
			node("imu", within(on("imu", model.SubscriptionCallback, "/imu", 300*us), 5*ms)),
			node("mode", on("set_mode", model.ServiceCallback, "/set_mode", 2*ms)),
			node("telemetry", timer("telemetry", 100*ms, 0, 5*ms)),
		},
		Sensors: []model.Sensor{
			{Name: "imu", Publishes: []string{"/imu"}, Period: 5 * ms},
			{Name: "operator", Publishes: []string{"/set_mode"}, Period: time.Second, Phase: 3100 * us},
		},
	}}
}

func describe(b *Built) (all []string) {
	for i := range b.System.Threads {
		th := &b.System.Threads[i]
		line := fmt.Sprintf("%s %d:", th.Name, th.Priority)
		for k := range th.Callbacks {
			line += " " + th.Callbacks[k].Name
		}
		all = append(all, line)
	}
	return all
}

// Levels come from rates: one for each, and the service, of which nothing is
// known, on the least urgent. Three levels in 10..49 are at 49, 30 and 10. The
// longest responses are those of the catalogue of scenarios: 0.8, 1.9, 37.0 and
// 46.9 ms, with all deadlines met.
func TestDerivedLevels(t *testing.T) {
	b := compileWith(t, s1(), Options{})
	want(t, describe(b), "main/1ms 49: attitude/attitude", "main/5ms 30: imu/imu", "main/boot 10: mode/set_mode telemetry/telemetry")
	if x := b.Executors[0]; x.Name != "main" || !slices.Equal(x.Threads, []int{0, 1, 2}) || len(x.Levels.Levels) != 3 || len(x.Budgets) != 3 {
		t.Errorf("the executor is %+v", x)
	}
	r := record(t, b, time.Minute)
	for name, worst := range map[string]time.Duration{"attitude": 800 * us, "imu": 1900 * us, "telemetry": 37 * ms, "set_mode": 46900 * us} {
		if f := r.callbacks[name]; f.MaxResponse != worst || f.Missed > 0 || f.Skipped > 0 {
			t.Errorf("%s: %+v, want at most %v", name, f, worst)
		}
	}
}

// All pinned to one level: 660 late and 3120 skipped in a minute, as the
// catalogue has it.
func TestOneLevel(t *testing.T) {
	s := s1()
	s.Design.Executors[0].Levels = []model.Level{{Name: "only", Groups: []string{"attitude", "imu", "mode", "telemetry"}}}
	b := compileWith(t, s, Options{})
	if len(b.System.Threads) != 1 || b.System.Threads[0].Name != "main/only" {
		t.Fatalf("threads: %q", describe(b))
	}
	if f := record(t, b, time.Minute).callbacks["attitude"]; f.Missed != 660 || f.Skipped != 3120 {
		t.Errorf("attitude: %+v", f)
	}
}

// A group of a node is on the level that names it, or that it names itself; the
// rest of the node on the level that names the node, or on a derived one.
func TestPinnedGroups(t *testing.T) {
	s := s1()
	n := &s.Design.Nodes[3]
	n.Groups = []model.Group{{Name: "slow"}, {Name: "fast", Level: "high"}}
	for _, g := range []string{"slow", "fast"} {
		c := timer(g, 100*ms, 0, ms)
		c.Group = g
		n.Callbacks = append(n.Callbacks, c)
	}
	s.Design.Executors[0].Levels = []model.Level{
		{Name: "high", Priority: 45, Greedy: true, GreedyCap: 3},
		{Name: "low", Priority: 12, Groups: []string{"telemetry", "attitude/default"}, LET: true},
	}
	b := compileWith(t, s, Options{})
	want(t, describe(b), "main/5ms 49: imu/imu mode/set_mode", "main/high 45: telemetry/fast",
		"main/low 12: attitude/attitude telemetry/telemetry telemetry/slow")
	if l := b.System.Threads[1].Level; l.Drain != sched.Greedy || l.GreedyCap != 3 || !b.System.Threads[2].Level.LET {
		t.Errorf("options of levels are lost: %+v", l)
	}

	s.Design.Executors[0].Levels[1].Groups = []string{"telemetry/slow"}
	want(t, describe(compileWith(t, s, Options{})), "main/1ms 49: attitude/attitude", "main/high 45: telemetry/fast",
		"main/5ms 30: imu/imu", "main/low 12: telemetry/slow", "main/boot 10: mode/set_mode telemetry/telemetry")
}

// Deadlines, promised rates and chains order levels, too.
func TestFactsOfLevels(t *testing.T) {
	s := s1()
	s.Design.Machine.Order = model.DeadlineMonotonic
	s.Loops = []model.LoopContract{{Name: "telemetry/telemetry", Deadline: 500 * us}}
	want(t, describe(compileWith(t, s, Options{})), "main/500µs 49: telemetry/telemetry", "main/1ms 30: attitude/attitude", "main/boot 10: imu/imu mode/set_mode")

	s = s1()
	s.Design.Sensors = nil
	s.Topics = []model.TopicContract{{Name: "/imu", Rate: 2000}}
	want(t, describe(compileWith(t, s, Options{})), "main/500µs 49: imu/imu", "main/1ms 30: attitude/attitude", "main/boot 10: mode/set_mode telemetry/telemetry")

	// The callback nearer to the sink first.
	s = s1()
	s.Design.Machine.Order = model.ChainAware
	s.Design.Chains = []model.Chain{{Name: "fly", Path: []string{"imu", "imu/imu", "telemetry/telemetry"}}}
	want(t, describe(compileWith(t, s, Options{})), "main/fly/2 49: telemetry/telemetry", "main/fly/1 30: imu/imu", "main/boot 10: attitude/attitude mode/set_mode")
}

// A budget is the kernel's where it can hold it, and the executor's below a level
// without one, also one of another executor.
func TestBudgets(t *testing.T) {
	s := s1()
	s.Design.Executors[0].Levels = []model.Level{{Name: "high", Groups: []string{"attitude"}, Priority: 49, Budget: 2 * ms, BudgetPeriod: 10 * ms}}
	b := compileWith(t, s, Options{})
	if got := b.System.Threads[0]; got.Reservation != (sim.Reservation{Amount: 2 * ms, Period: 10 * ms}) || !b.Executors[0].Budgets[0].Kernel {
		t.Errorf("the most urgent level: %+v, %v", got.Reservation, b.Executors[0].Budgets[0])
	}
	byExecutor := func(why string) {
		t.Helper()
		b := compileWith(t, s, Options{})
		if got := b.System.Threads[0]; got.Level.Budget != (sched.Budget{Amount: 2 * ms, Period: 10 * ms}) || got.Reservation != (sim.Reservation{}) || !strings.Contains(b.Executors[0].Budgets[0].Why, why) {
			t.Errorf("%+v, %v; want the executor, as %s", got.Level.Budget, b.Executors[0].Budgets[0], why)
		}
	}
	s.Design.Executors = append(s.Design.Executors, model.Executor{Name: "driver", Kind: model.SingleThreaded, Priority: 60})
	s.Design.Nodes = append(s.Design.Nodes, model.Node{Name: "driver", Executor: "driver", Callbacks: []model.Callback{timer("drive", 100*ms, 0, ms)}})
	for i := range 4 {
		s.Design.Nodes[i].Executor = "main"
	}
	byExecutor("the more urgent level driver")
	s.Design.Executors[1].Priority = 0
	s.Design.Machine.Platform = "zephyr"
	byExecutor("the platform's kernel has no mechanism")
	s.Design.Machine.Platform, s.Design.Machine.Preemption = "", model.NoPreemption
	byExecutor("CAP_SYS_NICE")
	s.Design.Machine.Preemption, s.Design.Machine.Enforcement = "", model.ByExecutor
	byExecutor("as asked for")
}
