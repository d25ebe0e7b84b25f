package sim

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// The files of testdata/scenarios; its README says what they mean, and where
// their expected values come from.
type scenarioFile struct {
	Schema     string
	Scenario   string
	Cases      []scenario
	FrameCases []json.RawMessage `json:"frame_cases"`
}

type scenario struct {
	Name      string
	System    scenarioSystem
	Catalogue [][3]any
	Expected  expected
}

type scenarioSystem struct {
	Duration     clock.Mono `json:"duration_ns"`
	CPUs         int        `json:"cpus"`
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
		Class    string
		Bucket   string
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
		Phase  clock.Mono    `json:"phase_ns"`
		Period time.Duration `json:"period_ns"`
		Times  []clock.Mono  `json:"times_ns"`
	}
	Callbacks []struct {
		Name      string
		Kind      string
		Thread    string
		Context   string
		Cost      durations     `json:"cost_ns"`
		Period    time.Duration `json:"period_ns"`
		Phase     clock.Mono    `json:"phase_ns"`
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

func scenarios(tb testing.TB, pattern string) []scenarioFile {
	tb.Helper()
	names, err := filepath.Glob("../testdata/scenarios/" + pattern)
	if err != nil || len(names) == 0 {
		tb.Fatalf("no scenario files %s: %v", pattern, err)
	}
	var files []scenarioFile
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		var f scenarioFile
		if err := json.Unmarshal(text, &f); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		if f.Schema != "takt-scenario/1" {
			tb.Fatalf("%s: schema %q", name, f.Schema)
		}
		files = append(files, f)
	}
	return files
}

// Every case of every file: what becomes of every callback, its first jobs, and
// by its hash the whole sequence of jobs.
func TestScenarios(t *testing.T) {
	cases := 0
	for _, f := range scenarios(t, "*.json") {
		for _, c := range f.Cases {
			cases++
			t.Run(f.Scenario+"/"+c.Name, func(t *testing.T) {
				got := c.System.run(t)
				got.FirstJobs = got.FirstJobs[:min(len(got.FirstJobs), len(c.Expected.FirstJobs))]
				if diff := cmp.Diff(c.Expected, got, cmpopts.IgnoreUnexported(firstJob{})); diff != "" {
					t.Errorf("expected (-), got (+):\n%s", diff)
				}
				c.catalogue(t, got)
			})
		}
	}
	if cases < 206 {
		t.Errorf("%d cases", cases)
	}
}

// catalogue compares the figures that the catalogue of scenarios gives.
func (c *scenario) catalogue(t *testing.T, got expected) {
	for _, line := range c.Catalogue {
		text, _ := json.Marshal(got.Callbacks[line[0].(string)])
		var figures map[string]any
		if err := json.Unmarshal(text, &figures); err != nil {
			t.Fatal(err)
		}
		if figures[line[1].(string)] != line[2] {
			t.Errorf("%s of %s is %v, the catalogue says %v", line[1], line[0], figures[line[1].(string)], line[2])
		}
	}
}

func (s *scenarioSystem) run(tb testing.TB) expected {
	tb.Helper()
	system := s.build(tb)
	r := newRecorder(s, system)
	run, err := New(system, r)
	if err != nil {
		tb.Fatal(err)
	}
	if err := run.Run(s.Duration); err != nil {
		tb.Fatal(err)
	}
	return r.figures(run)
}

// build makes the system. A name that the file does not define fails.
func (s *scenarioSystem) build(tb testing.TB) System {
	tb.Helper()
	b := scenarioBuilder{s: s, tb: tb, topics: map[string]*Topic{}, locks: map[string]*Lock{}, contexts: map[string]*sched.Context{}}
	system := System{CPUs: s.CPUs, Equal: s.Policy == "default"}
	for _, t := range s.Topics {
		b.topics[t.Name] = &Topic{Name: t.Name, Latency: t.Latency}
	}
	b.makeContexts()
	for _, t := range s.Threads {
		thread := Thread{
			Name: t.Name, Priority: t.Priority,
			Executor:    one(tb, t.Executor, map[string]Executor{"level": Level, "wait_set": WaitSet, "events": Events}),
			Reservation: Reservation(t.KernelBudget),
			Level: LevelOptions{
				Drain:     one(tb, t.Drain, map[string]sched.Drain{"": sched.Latched, "latched": sched.Latched, "greedy": sched.Greedy}),
				GreedyCap: t.GreedyCap, SpinPeriod: t.SpinPeriod, CycleBudget: t.CycleBudget,
			},
		}
		if t.CPU != nil {
			thread.CPU = *t.CPU + 1
		}
		for i := range s.Callbacks {
			if s.Callbacks[i].Thread == t.Name {
				thread.Callbacks = append(thread.Callbacks, b.callback(i))
			}
		}
		system.Threads = append(system.Threads, thread)
	}
	for _, c := range s.Sources {
		system.Sources = append(system.Sources, Source{Topic: b.topic(c.Topic), Phase: c.Phase, Period: c.Period, Times: c.Times})
	}
	return system
}

type scenarioBuilder struct {
	s        *scenarioSystem
	tb       testing.TB
	topics   map[string]*Topic
	locks    map[string]*Lock
	contexts map[string]*sched.Context
}

func (b *scenarioBuilder) topic(name string) *Topic {
	if b.topics[name] == nil {
		b.topics[name] = &Topic{Name: name}
	}
	return b.topics[name]
}

func (b *scenarioBuilder) makeContexts() {
	for _, c := range b.s.Contexts {
		context := &sched.Context{
			Class:    one(b.tb, c.Class, map[string]sched.Class{"": sched.FIFO, "fifo": sched.FIFO, "edf": sched.EDF, "sporadic": sched.Sporadic, "best_effort": sched.BestEffort}),
			Bucket:   one(b.tb, c.Bucket, map[string]sched.Bucket{"": sched.Normal, "normal": sched.Normal, "critical": sched.Critical, "best_effort": sched.Last}),
			Deadline: c.Deadline,
			Budget:   sched.Budget(c.Budget),
			Window:   sched.Window(c.Window),
		}
		context.Trigger.Kind = one(b.tb, c.Trigger.Kind, map[string]sched.TriggerKind{"": sched.Always, "all_of": sched.AllOf, "any_of": sched.AnyOf})
		for _, name := range c.Trigger.Callbacks {
			context.Trigger.Callbacks = append(context.Trigger.Callbacks, b.registration(name))
		}
		b.contexts[c.Name] = context
	}
}

// registration returns the number of a callback within its thread.
func (b *scenarioBuilder) registration(name string) int {
	numbers := map[string]int{}
	for _, c := range b.s.Callbacks {
		if c.Name == name {
			return numbers[c.Thread]
		}
		numbers[c.Thread]++
	}
	b.tb.Fatalf("no callback %q", name)
	return 0
}

func (b *scenarioBuilder) callback(i int) Callback {
	j := &b.s.Callbacks[i]
	c := Callback{Name: j.Name, Costs: j.Cost}
	c.Kind = one(b.tb, j.Kind, map[string]sched.Kind{"timer": sched.TimerKind, "subscription": sched.Subscription, "service": sched.Service, "fused": sched.Fused})
	c.First, c.Period = j.Phase, j.Period
	c.Skip = one(b.tb, j.Overrun, map[string]sched.SkipRule{"": sched.SkipNow, "skip": sched.SkipNow, "catch_up": sched.SkipNone})
	c.TakeAll, c.Any = j.Take == "all", j.Trigger == "any_of"
	if j.Topic != "" {
		c.From, c.Inputs = []*Topic{b.topic(j.Topic)}, []sched.Input{{Depth: j.Depth}}
	}
	for _, in := range j.Inputs {
		c.From, c.Inputs = append(c.From, b.topic(in.Topic)), append(c.Inputs, sched.Input{Depth: in.Depth})
	}
	for _, name := range j.Publishes {
		c.Publishes = append(c.Publishes, b.topic(name))
	}
	if j.Context != "" {
		if c.Context = b.contexts[j.Context]; c.Context == nil {
			b.tb.Fatalf("no context %q", j.Context)
		}
	}
	if j.Lock != "" {
		if b.locks[j.Lock] == nil {
			b.locks[j.Lock] = &Lock{Name: j.Lock, Plain: b.s.LockProtocol == "none"}
		}
		c.Lock = b.locks[j.Lock]
	}
	return c
}

// one returns what a word of the file stands for.
func one[V any](tb testing.TB, word string, words map[string]V) V {
	tb.Helper()
	v, known := words[word]
	if !known {
		tb.Fatalf("unknown word %q", word)
	}
	return v
}
