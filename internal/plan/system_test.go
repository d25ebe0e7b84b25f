package plan

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// levelled is a system on takt's executor, whose callbacks have a node, and so
// a level, each.
func levelled(cpus int, callbacks ...model.Callback) *model.System {
	d := &model.Design{Machine: model.Machine{CPUs: cpus}, Executors: []model.Executor{{Name: "main", Kind: model.LevelsExecutor}}}
	for _, c := range callbacks {
		d.Nodes = append(d.Nodes, model.Node{Name: c.Name, Callbacks: []model.Callback{c}})
	}
	return &model.System{File: "takt.yaml", Design: d}
}

// threaded is a system of one node on rclcpp's single-threaded executor.
func threaded(callbacks ...model.Callback) *model.System {
	d := design(1, callbacks...)
	d.Executors = []model.Executor{{Name: "main", Kind: model.SingleThreaded}}
	return &model.System{File: "takt.yaml", Design: d}
}

func planSystem(t *testing.T, s SystemSetup) *System {
	t.Helper()
	a, err := NewSystem(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *System) callback(t *testing.T, name string) *SystemCallback {
	t.Helper()
	for i := range a.Callbacks {
		if a.Callbacks[i].Callback == name {
			return &a.Callbacks[i]
		}
	}
	t.Fatalf("no callback %s", name)
	return nil
}

func wantSeconds(t *testing.T, what string, got *float64, want time.Duration) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is unknown, want %v", what, want)
	} else if d := *got - want.Seconds(); d > 0.5e-9 || d < -0.5e-9 {
		t.Errorf("%s is %.9f s, want %v", what, *got, want)
	}
}

// The scenario of mixed rates as written, on two CPUs: it is infeasible, and a
// run of it gives the counts and responses of the scenario file.
func TestMixedRatesAsTheScenarioHasThem(t *testing.T) {
	data, err := os.ReadFile("../../testdata/scenarios/s04.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Name     string
			Expected struct {
				Callbacks map[string]struct {
					Released, Started, Finished, Missed, Skipped, Pending uint64
					Max                                                   *int64 `json:"max_response_ns"`
					Lateness                                              *int64 `json:"max_start_lateness_ns"`
				}
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	a := planSystem(t, SystemSetup{System: mixedRatesAsWritten(), Length: 20 * time.Second})
	if a.Load.Feasible || len(a.Findings) == 0 || a.Findings[0].ID != InfeasibleFinding {
		t.Errorf("feasible %v, findings %v", a.Load.Feasible, a.Findings)
	}
	if c := file.Cases[0]; c.Name != "as_written_two_cpus_dnn_100" {
		t.Fatalf("the first case is %s", c.Name)
	}
	for name, want := range file.Cases[0].Expected.Callbacks {
		c := a.callback(t, name+"/"+name)
		if *c.Released != want.Released || c.Started != want.Started || c.Finished != want.Finished || c.Skipped != want.Skipped || *c.Waiting != want.Pending {
			t.Errorf("%s: %+v, want %+v", name, c, want)
		}
		if c.Missed != nil && *c.Missed != want.Missed {
			t.Errorf("%s: %d missed, want %d", name, *c.Missed, want.Missed)
		}
		if want.Max != nil {
			wantSeconds(t, name+"'s worst response", c.WorstResponse, time.Duration(*want.Max))
			wantSeconds(t, name+"'s worst lateness", c.WorstLateness, time.Duration(*want.Lateness))
		}
	}
	wantSystemFinding(t, a, "starved", "log/log")
}

func mixedRatesAsWritten() *model.System {
	s := levelled(2, mixedRates(2).Nodes[0].Callbacks...)
	for i := range s.Design.Nodes {
		if c := &s.Design.Nodes[i].Callbacks[0]; c.Name != "log" {
			c.Context.Deadline = c.Timer.Period
		}
	}
	s.Design.Executors[0].Levels = []model.Level{{Name: "log", Groups: []string{"log"}, Priority: 10}}
	return s
}

func wantSystemFinding(t *testing.T, a *System, id, subject string) {
	t.Helper()
	for _, f := range a.Findings {
		if f.ID == id && f.Subject == subject {
			return
		}
	}
	t.Errorf("no finding %s of %s in %v", id, subject, a.Findings)
}

// What is infeasible is said before anything else.
func TestInfeasibleComesFirst(t *testing.T) {
	var b strings.Builder
	if err := planSystem(t, SystemSetup{System: mixedRatesAsWritten(), Length: time.Second}).Text(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "INFEASIBLE  CPUs: The callbacks demand 2.6 CPUs, and there are 2") {
		t.Errorf("the text begins with %.100s", b.String())
	}
}

// A camera of 10 ms in front of a callback of 25 ms that keeps the newest: it
// runs every 25 ms. In 100 ms frames come at 0, 10, ... 90; taken are those of 0,
// 20, 50 and 70 ms, at 0, 25, 50 and 75 ms; the frame of 50 ms arrives just as
// the callback ends and is taken. 90 is left in the queue; 10, 30, 40, 60 and 80
// are overwritten.
func TestMessagesDroppedAndTheirAges(t *testing.T) {
	c := subscription("frame", "/camera", 25*ms)
	c.Inputs[0].Depth = 1
	s := threaded(c)
	s.Design.Sensors = []model.Sensor{{Name: "camera", Publishes: []string{"/camera"}, Period: 10 * ms}}
	a := planSystem(t, SystemSetup{System: s, Length: 100 * ms})
	if len(a.Subscriptions) != 1 {
		t.Fatalf("%d subscriptions", len(a.Subscriptions))
	}
	got := a.Subscriptions[0]
	wantSeconds(t, "worst age", got.WorstAge, 5*ms) // 0, 5, 0, 5 ms
	wantSeconds(t, "mean age", got.MeanAge, 2500*time.Microsecond)
	if got.Arrived != 10 || got.Taken != 4 || got.Dropped != 5 || got.Waiting != 1 || got.Depth != 1 {
		t.Errorf("%+v", got)
	}
	if a.Load.Feasible {
		t.Error("2.5 CPUs of 1 are called feasible")
	}
}

// sense (20 ms) at 0, 100, ... publishes to act (10 ms): an output 30 ms after
// each read, and 130 ms after the read before.
func TestChainsAndWhatTheyPromise(t *testing.T) {
	sense := timer("sense", 100*ms, 20*ms)
	sense.Publishes = []string{"/sensed"}
	s := threaded(sense, subscription("act", "/sensed", 10*ms))
	s.Design.Chains = []model.Chain{{Name: "reflex", Path: []string{"n/sense", "n/act"}, MaxReaction: 120 * ms, MaxAge: 30 * ms}}
	a := planSystem(t, SystemSetup{System: s, Length: time.Second})
	c := a.Chains[0]
	wantSeconds(t, "worst reaction", c.WorstReaction, 130*ms)
	wantSeconds(t, "worst reduced age", c.WorstReducedAge, 30*ms)
	if c.Outputs != 10 || !c.BreaksReaction || c.BreaksAge {
		t.Errorf("%+v", c)
	}
	wantSystemFinding(t, a, "chain-reaction", "reflex")
}

func TestContractsAreJudged(t *testing.T) {
	s := threaded(timer("a", 10*ms, 12*ms))
	s.Loops = []model.LoopContract{{Name: "n/a", Kind: model.Hard, Period: 10 * ms, Deadline: 10 * ms}}
	a := planSystem(t, SystemSetup{System: s, Length: time.Second})
	if a.Verdict != "fail" || len(a.Contracts) == 0 {
		t.Errorf("verdict %s, contracts %v", a.Verdict, a.Contracts)
	}
}

// The same seed gives the same bytes, another one others.
func TestSystemIsTheSameForTheSameSeed(t *testing.T) {
	c := timer("a", 10*ms, 0)
	c.Execution = model.Execution{Worst: 9 * ms, Distribution: model.Distribution{Kind: model.Uniform, Low: ms, High: 9 * ms}}
	written := func(seed uint64) string {
		var b bytes.Buffer
		a := planSystem(t, SystemSetup{System: threaded(c, timer("b", 7*ms, 2*ms)), Length: time.Second, Seed: seed, Sets: 9, Explain: "n/a"})
		if err := JSON(&b, a); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := written(1)
	if written(1) != first {
		t.Error("two runs of one seed differ")
	}
	if written(2) == first {
		t.Error("two seeds give the same")
	}
}

func TestTypicalTimes(t *testing.T) {
	c := timer("a", 10*ms, 0)
	c.Execution = model.Execution{Typical: 2 * ms, Worst: 5 * ms}
	s := SystemSetup{System: threaded(c), Length: time.Second}
	wantSeconds(t, "worst", planSystem(t, s).Callbacks[0].WorstResponse, 5*ms)
	s.Typical = true
	wantSeconds(t, "typical", planSystem(t, s).Callbacks[0].WorstResponse, 2*ms)
}

// A run that was told to end is partial and has what came until then.
func TestInterruptedSystemIsPartial(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := SystemSetup{System: threaded(timer("a", 10*ms, ms)), Length: time.Minute, Sets: 3, Explain: "n/a", Gantt: &GanttWindow{}}
	s.Progress = func(share float64) {
		if share >= 0.125 { // of four runs: half of the first
			cancel()
		}
	}
	a, err := NewSystem(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if n := *a.Callbacks[0].Released; !a.Partial || n < 3000 || n > 3010 {
		t.Errorf("partial %v, %d releases", a.Partial, n)
	}
}

// Two callbacks that set each other off and take no time never come to rest.
func TestASystemThatDoesNotComeToRest(t *testing.T) {
	there, back := subscription("there", "/a", 0), subscription("back", "/b", 0)
	there.Publishes, back.Publishes = []string{"/b"}, []string{"/a"}
	s := threaded(there, back)
	s.Design.Sensors = []model.Sensor{{Name: "push", Publishes: []string{"/a"}, Times: []time.Duration{ms}}}
	a := planSystem(t, SystemSetup{System: s, Length: time.Second})
	wantSystemFinding(t, a, "run-failed", "run")
	if !a.Partial || a.Findings[len(a.Findings)-1].Severity != timeline.Error {
		t.Errorf("partial %v, findings %v", a.Partial, a.Findings)
	}
}

func TestSystemSetupsRefused(t *testing.T) {
	for _, c := range []struct {
		want  string
		setup SystemSetup
	}{
		{"a run of -1s", SystemSetup{Length: -time.Second}},
		{"sets of phases; ask for 0 to", SystemSetup{Sets: -1}},
		{"phase set -1", SystemSetup{PhaseSet: -1}},
		{"one of the two", SystemSetup{PhaseSet: 1, Sets: 1}},
		{`takt.yaml has no callback "n/b" to be explained; name one as NODE/CALLBACK: n/a`, SystemSetup{Explain: "n/b"}},
	} {
		c.setup.System = threaded(timer("a", 10*ms, ms))
		if _, err := NewSystem(context.Background(), c.setup); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
