package model

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// sameDesign compares what two designs say, wherever they say it.
var sameDesign = gocmp.Options{
	sameSystem,
	gocmp.FilterPath(func(p gocmp.Path) bool { return p.Last().String() == ".Line" }, gocmp.Ignore()),
	cmpopts.SortSlices(func(a, b Topic) bool { return a.Name < b.Name }),
	cmpopts.EquateEmpty(),
}

// Parse(Format(s)) is s, whatever is designed.
func TestFormatParsesBackDesigns(t *testing.T) {
	check := schemaChecks(t)
	rapid.Check(t, func(t *rapid.T) {
		want := &System{Design: anyDesign(t)}
		file := want.Format(nil)
		got, err := Parse("takt.yaml", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		if diff := gocmp.Diff(want, got, sameDesign); diff != "" {
			t.Fatalf("%s\n%s", diff, file)
		}
		if err := check(file); err != nil {
			t.Fatalf("by the schema: %v\n%s", err, file)
		}
	})
}

// anyDesign draws a design that Parse could return.
func anyDesign(t *rapid.T) *Design {
	d := &Design{Machine: machineDefaults}
	d.Machine.CPUs = rapid.IntRange(1, 8).Draw(t, "CPUs")
	d.Machine.Platform = rapid.SampledFrom(Platforms()).Draw(t, "platform")
	d.Machine.Strict = rapid.Bool().Draw(t, "strict")
	d.Machine.Reserved = []Reserve{{"driver", Band{5, rapid.IntRange(5, 9).Draw(t, "driver")}}}
	if rapid.Bool().Draw(t, "simulated") {
		d.Simulation = anySimulation(t)
	}
	for _, name := range anyNames.Draw(t, "locks") {
		d.Locks = append(d.Locks, Lock{Name: name, Plain: rapid.Bool().Draw(t, "plain")})
	}
	for _, name := range anyNames.Draw(t, "contexts") {
		x := anyContext(t)
		x.Name = name
		d.Contexts = append(d.Contexts, x)
	}
	d.Executors = anyExecutors(t)
	for i, name := range anyNames.Draw(t, "nodes") {
		e := d.Executors[i%len(d.Executors)]
		n := Node{Name: name, Executor: e.Name, UseSimTime: d.Simulation != nil}
		n.Groups = []Group{{Name: "slow", Reentrant: rapid.Bool().Draw(t, "reentrant")}}
		for j := range rapid.IntRange(1, 3).Draw(t, "callbacks") {
			c := anyCallback(t, d, e.Kind == LevelsExecutor)
			c.Name = fmt.Sprint("c", j)
			n.Callbacks = append(n.Callbacks, c)
		}
		d.Nodes = append(d.Nodes, n)
	}
	for _, name := range anyNames.Draw(t, "topics") {
		d.Topics = append(d.Topics, anyLink(t, name))
	}
	for _, name := range anyNames.Draw(t, "sensors") {
		d.Sensors = append(d.Sensors, anySensor(t, name, d.Simulation != nil))
		d.Chains = append(d.Chains, Chain{Name: name, Path: []string{name}, MaxReaction: anyLimit.Draw(t, "reaction"), MaxAge: anyLimit.Draw(t, "age")})
	}
	return d
}

var anyAmount = rapid.OneOf(rapid.Just(time.Duration(0)), anyDuration)

func anySimulation(t *rapid.T) *Simulation {
	s := &Simulation{RTF: rapid.Float64Range(1e-3, 100).Draw(t, "rtf"), Latency: anyAmount.Draw(t, "latency"), Start: anyAmount.Draw(t, "start")}
	if rapid.Bool().Draw(t, "by rate") {
		s.Rate = rapid.Float64Range(1e-3, 1e4).Draw(t, "rate")
	} else {
		s.Step = anyDuration.Draw(t, "step")
	}
	for range rapid.IntRange(0, 2).Draw(t, "jumps") {
		j := Jump{At: anyAmount.Draw(t, "at"), To: anyAmount.Draw(t, "to")}
		if rapid.Bool().Draw(t, "pauses") {
			j.To, j.PauseFor = 0, anyDuration.Draw(t, "pause")
		}
		s.Jumps = append(s.Jumps, j)
	}
	slices.SortStableFunc(s.Jumps, func(a, b Jump) int { return cmp.Compare(a.At, b.At) })
	return s
}

func anyExecutors(t *rapid.T) []Executor {
	spin := Spin{Kind: SpinForever}
	first := Executor{Name: "main", Kind: LevelsExecutor, Spin: spin, Levels: []Level{{
		Name: "top", Priority: rapid.IntRange(10, 49).Draw(t, "priority"), Greedy: true, GreedyCap: rapid.IntRange(0, 9).Draw(t, "cap"),
		SpinPeriod: 10 * time.Millisecond, CycleBudget: anyLimit.Draw(t, "cycle"), Watchdog: anyLimit.Draw(t, "watchdog"),
	}, {Name: "low"}}}
	second := Executor{
		Name: "stock", Kind: rapid.SampledFrom([]ExecutorKind{SingleThreaded, StaticExecutor, MultiThreaded, EventsExecutor, RclpyExecutor, RclpyMultiThreaded}).Draw(t, "kind"),
		Priority: rapid.IntRange(0, 99).Draw(t, "priority"), Spin: spin,
	}
	if second.Kind == SingleThreaded {
		second.Spin = Spin{Kind: SpinOnce, Period: anyAmount.Draw(t, "spin")}
	}
	if rapid.Bool().Draw(t, "clock thread") {
		no := false
		second.ClockThread = &no
	}
	return []Executor{first, second}
}

func anyContext(t *rapid.T) Context {
	c := contextDefaults
	c.Class = rapid.SampledFrom([]Class{FIFO, EDF, Sporadic, BestEffort}).Draw(t, "class")
	c.Deadline = anyDuration.Draw(t, "deadline")
	c.From = rapid.SampledFrom([]DeadlineBase{"", FromRelease, FromActivation, FromOrigin}).Draw(t, "from")
	if c.Class == Sporadic {
		c.BudgetPeriod = anyDuration.Draw(t, "budget period")
		c.Budget = c.BudgetPeriod
	}
	if rapid.Bool().Draw(t, "window") {
		c.Window = Window{Offset: time.Millisecond, Duration: 2 * time.Millisecond, Frame: 10 * time.Millisecond, RequireFit: rapid.Bool().Draw(t, "fit")}
	}
	return c
}

func anyCallback(t *rapid.T, d *Design, levels bool) Callback {
	c := Callback{Group: rapid.SampledFrom([]string{"default", "slow"}).Draw(t, "group"), Context: contextDefaults, Execution: anyExecution(t)}
	kinds := []CallbackKind{TimerCallback, SubscriptionCallback, ServiceCallback, ClientCallback, ActionCallback}
	if levels {
		kinds = append(kinds, TriggerCallback)
		switch {
		case len(d.Contexts) > 0 && rapid.Bool().Draw(t, "shared"):
			c.ContextName = d.Contexts[0].Name
		case rapid.Bool().Draw(t, "own"):
			c.Context = anyContext(t)
		}
	}
	if len(d.Locks) > 0 {
		c.Lock = d.Locks[0].Name
	}
	c.Kind = rapid.SampledFrom(kinds).Draw(t, "kind")
	depths := rapid.Custom(func(t *rapid.T) Input {
		in := Input{Topic: rapid.SampledFrom([]string{"/a", "true", "b c"}).Draw(t, "topic"), Depth: rapid.IntRange(1, 20).Draw(t, "depth")}
		if rapid.Bool().Draw(t, "all") {
			in.Depth, in.All = 0, true
		}
		return in
	})
	switch c.Kind {
	case TimerCallback:
		c.Timer = Timer{Period: anyDuration.Draw(t, "period"), Phase: anyAmount.Draw(t, "phase"), OnROS: rapid.Bool().Draw(t, "ros"), Humble: rapid.Bool().Draw(t, "humble")}
	case TriggerCallback:
		c.Inputs, c.Any = rapid.SliceOfN(depths, 1, 3).Draw(t, "inputs"), rapid.Bool().Draw(t, "any")
	default:
		c.Inputs, c.TakeAll = []Input{depths.Draw(t, "input")}, levels
	}
	c.Publishes = rapid.SliceOfN(rapid.SampledFrom([]string{"/a", "null", "#"}), 0, 3).Draw(t, "publishes")
	return c
}

func anyExecution(t *rapid.T) Execution {
	e := Execution{Typical: anyAmount.Draw(t, "typical")}
	e.Worst = max(e.Typical, anyAmount.Draw(t, "worst"))
	switch rapid.IntRange(0, 4).Draw(t, "times") {
	case 0:
		e.Pattern = rapid.SliceOfN(anyAmount, 1, 4).Draw(t, "pattern")
	case 1:
		e.Samples = "times.txt"
	case 2:
		e.Distribution = Distribution{Kind: Normal, Mean: anyDuration.Draw(t, "mean"), Deviation: anyDuration.Draw(t, "deviation"), Seed: 3}
	case 3:
		e = Execution{Distribution: Distribution{Kind: Uniform, Low: time.Millisecond, High: time.Second}, Worst: time.Second, Typical: time.Second}
	}
	return e
}

func anyLink(t *rapid.T, name string) Topic {
	to := Topic{Name: name, Latency: anyAmount.Draw(t, "latency"), Jitter: anyAmount.Draw(t, "jitter")}
	if to.Jitter > 0 {
		to.Seed = rapid.Uint64Max(1<<63-1).Draw(t, "seed")
	}
	return to
}

func anySensor(t *rapid.T, name string, simulated bool) Sensor {
	s := Sensor{Name: name, Publishes: []string{"/a"}, OnSim: simulated && rapid.Bool().Draw(t, "sim")}
	if rapid.Bool().Draw(t, "times") {
		s.Times = rapid.SliceOfN(anyAmount, 1, 5).Draw(t, "instants")
		slices.Sort(s.Times)
		return s
	}
	s.Period, s.Phase = anyDuration.Draw(t, "period"), anyAmount.Draw(t, "phase")
	return s
}

// What is written is as a person would write it.
func TestFormatDesign(t *testing.T) {
	s, err := Load("testdata/design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got := s.Format(Comments{"nodes.base.callbacks.drive": "300 runs", "nodes.base.callbacks.drive.execution.worst": "of 300", "executors.main": "pid 7"})
	want, err := os.ReadFile("testdata/design.formatted.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}
