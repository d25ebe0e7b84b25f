package compile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
)

// The files of testdata/scenarios, as its README describes them.
type scenarioFile struct {
	Scenario string
	Cases    []scenario
}

type scenario struct {
	Name     string
	System   scenarioSystem
	Expected struct {
		Callbacks map[string]figures
		Jobs      int
		Sequence  string `json:"sequence_sha256"`
	}
}

type scenarioSystem struct {
	Duration     time.Duration `json:"duration_ns"`
	CPUs         int
	Policy       string
	LockProtocol string `json:"lock_protocol"`
	Threads      []struct {
		Name         string
		Priority     int
		CPU          *int
		Executor     string
		Drain        string
		GreedyCap    int            `json:"greedy_cap"`
		SpinPeriod   time.Duration  `json:"spin_period_ns"`
		CycleBudget  time.Duration  `json:"cycle_budget_ns"`
		KernelBudget scenarioBudget `json:"kernel_budget"`
	}
	Contexts []struct {
		Name     string
		Class    model.Class
		Bucket   model.Bucket
		Deadline time.Duration `json:"deadline_ns"`
		Policy   string        `json:"deadline_policy"` // both name the same instant: rule 10
		Budget   scenarioBudget
		Window   struct {
			Offset     time.Duration `json:"offset_ns"`
			Duration   time.Duration `json:"duration_ns"`
			Frame      time.Duration `json:"frame_ns"`
			RequireFit bool          `json:"require_fit"`
		}
		Trigger struct {
			Kind      string
			Callbacks []string
		}
	}
	Topics []struct {
		Name    string
		Latency time.Duration `json:"latency_ns"`
	}
	Sources []struct {
		Topic  string
		Phase  time.Duration   `json:"phase_ns"`
		Period time.Duration   `json:"period_ns"`
		Times  []time.Duration `json:"times_ns"`
	}
	Callbacks []scenarioCallback
}

type scenarioCallback struct {
	Name      string
	Kind      string
	Thread    string
	Context   string
	Cost      durations     `json:"cost_ns"`
	Period    time.Duration `json:"period_ns"`
	Phase     time.Duration `json:"phase_ns"`
	Overrun   string
	Topic     string
	Depth     int
	Take      string
	Trigger   string
	Lock      string
	Publishes []string
	Inputs    []struct {
		Topic string
		Depth int
	}
}

type scenarioBudget struct {
	Amount time.Duration `json:"amount_ns"`
	Period time.Duration `json:"period_ns"`
}

// durations are one number or a list.
type durations []time.Duration

func (d *durations) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]time.Duration)(d))
	}
	*d = make(durations, 1)
	return json.Unmarshal(b, &(*d)[0])
}

// Every case of every file, said as a system file says it, gives what the
// scenario says: what becomes of every callback, and by its hash the whole
// sequence of jobs. What cannot be said is in unsaid.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("../../testdata/scenarios/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenario files: %v", err)
	}
	ran, left := 0, map[string]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f scenarioFile
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range f.Cases {
			if why := c.System.unsaid(); why != "" {
				left[why]++
				continue
			}
			ran++
			t.Run(f.Scenario+"/"+c.Name, func(t *testing.T) { c.check(t) })
		}
	}
	t.Logf("%d cases ran; left out: %v", ran, left)
	if ran < 200 {
		t.Errorf("%d cases ran; left out: %v", ran, left)
	}
}

// unsaid is why a system file cannot say the system.
func (s *scenarioSystem) unsaid() string {
	for _, t := range s.Threads {
		if t.KernelBudget != (scenarioBudget{}) && len(s.Threads) > 1 {
			return "a reservation of the kernel below a level without one: the executor would hold the budget"
		}
	}
	return ""
}

func (c *scenario) check(t *testing.T) {
	built, err := Compile(c.System.system(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := record(t, built, c.System.Duration)
	if got.jobs != c.Expected.Jobs {
		t.Errorf("%d jobs, want %d", got.jobs, c.Expected.Jobs)
	}
	for name, want := range c.Expected.Callbacks {
		if f := got.callbacks[name]; f != want {
			t.Errorf("%s: got %+v, want %+v", name, f, want)
		}
	}
	if hash := got.sequence(); hash != c.Expected.Sequence {
		t.Errorf("the sequence of jobs has the hash %s, want %s", hash, c.Expected.Sequence)
	}
}

// system says the scenario as a system file does: an executor for each thread,
// which those of kind levels have one level in, with one node. Priorities are
// higher by two, as 0 is none in a file, and 1 is here for what never runs.
func (s *scenarioSystem) system(t *testing.T) *model.System {
	d := &model.Design{Machine: model.Machine{
		CPUs: s.CPUs, Pool: model.Band{Low: 1, High: 99}, Reserved: []model.Reserve{},
	}}
	if s.Policy == "default" {
		d.Machine.Preemption = model.NoPreemption
	}
	for _, x := range s.Topics {
		d.Topics = append(d.Topics, model.Topic{Name: x.Name, Latency: x.Latency})
	}
	for _, x := range s.Sources {
		d.Sensors = append(d.Sensors, model.Sensor{Name: "source of " + x.Topic, Publishes: []string{x.Topic}, Period: x.Period, Phase: x.Phase, Times: x.Times})
	}
	threadOf, locks := map[string]string{}, map[string]bool{}
	for _, c := range s.Callbacks {
		threadOf[c.Name] = c.Thread
		if c.Lock != "" && !locks[c.Lock] {
			locks[c.Lock] = true
			d.Locks = append(d.Locks, model.Lock{Name: c.Lock, Plain: s.LockProtocol == "none"})
		}
	}
	for _, x := range s.Contexts {
		made := model.Context{
			Name: x.Name, Class: x.Class, Bucket: x.Bucket, Deadline: x.Deadline,
			Budget: x.Budget.Amount, BudgetPeriod: x.Budget.Period, Window: model.Window(x.Window),
		}
		names := make([]string, len(x.Trigger.Callbacks))
		for i, name := range x.Trigger.Callbacks {
			names[i] = threadOf[name] + "/" + name
		}
		switch x.Trigger.Kind {
		case "all_of":
			made.Trigger.AllOf = names
		case "any_of":
			made.Trigger.AnyOf = names
		}
		d.Contexts = append(d.Contexts, made)
	}
	for i := range s.Threads {
		s.addThread(t, d, i)
	}
	return &model.System{File: "takt.yaml", Design: d}
}

func (s *scenarioSystem) addThread(t *testing.T, d *model.Design, i int) {
	x := &s.Threads[i]
	made := model.Executor{Name: x.Name}
	cpu := 0
	if x.CPU != nil {
		cpu = *x.CPU + 1
	}
	switch x.Executor {
	case "level":
		made.Levels = []model.Level{{
			Name: "level", Groups: []string{x.Name}, Priority: x.Priority + 2, CPU: cpu,
			Greedy: x.Drain == "greedy", GreedyCap: x.GreedyCap, SpinPeriod: x.SpinPeriod, CycleBudget: x.CycleBudget,
			Budget: x.KernelBudget.Amount, BudgetPeriod: x.KernelBudget.Period,
		}}
		if x.KernelBudget != (scenarioBudget{}) {
			// The kernel has no budget for the least urgent level: there is one below.
			made.Levels = append(made.Levels, model.Level{Name: "boot", Groups: []string{"boot"}, Priority: 1})
			d.Nodes = append(d.Nodes, model.Node{Name: "boot", Executor: x.Name, Callbacks: []model.Callback{{
				Name: "boot", Kind: model.TimerCallback, Timer: model.Timer{Period: time.Hour, Phase: time.Hour},
			}}})
		}
	case "wait_set":
		made.Kind, made.Priority, made.CPU = model.SingleThreaded, x.Priority+2, cpu
	case "events":
		made.Kind, made.Priority, made.CPU = model.EventsExecutor, x.Priority+2, cpu
	default:
		t.Fatalf("unknown executor %q", x.Executor)
	}
	node := model.Node{Name: x.Name, Executor: x.Name}
	for k := range s.Callbacks {
		if s.Callbacks[k].Thread == x.Name {
			node.Callbacks = append(node.Callbacks, s.Callbacks[k].callback(t))
		}
	}
	if len(node.Callbacks) == 0 {
		made.Levels = nil
	}
	d.Executors = append(d.Executors, made)
	d.Nodes = append(d.Nodes, node)
}

func (j *scenarioCallback) callback(t *testing.T) model.Callback {
	c := model.Callback{Name: j.Name, ContextName: j.Context, Publishes: j.Publishes, Lock: j.Lock}
	c.Execution.Pattern = j.Cost
	c.TakeAll, c.Any = j.Take == "all", j.Trigger == "any_of"
	input := func(topic string, depth int) model.Input {
		return model.Input{Topic: topic, Depth: depth, All: depth == 0}
	}
	switch j.Kind {
	case "timer":
		c.Kind = model.TimerCallback
		c.Timer = model.Timer{Period: j.Period, Phase: j.Phase, CatchUp: j.Overrun == "catch_up"}
	case "subscription":
		c.Kind, c.Inputs = model.SubscriptionCallback, []model.Input{input(j.Topic, j.Depth)}
	case "service":
		c.Kind, c.Inputs = model.ServiceCallback, []model.Input{input(j.Topic, j.Depth)}
	case "fused":
		c.Kind = model.TriggerCallback
		for _, in := range j.Inputs {
			c.Inputs = append(c.Inputs, input(in.Topic, in.Depth))
		}
	default:
		t.Fatalf("unknown kind %q", j.Kind)
	}
	return c
}
