package plan

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

func timer(name string, period, takes time.Duration) model.Callback {
	return model.Callback{
		Name: name, Kind: model.TimerCallback, Timer: model.Timer{Period: period},
		Execution: model.Execution{Typical: takes, Worst: takes},
	}
}

func subscription(name, topic string, takes time.Duration) model.Callback {
	return model.Callback{
		Name: name, Kind: model.SubscriptionCallback, Inputs: []model.Input{{Topic: topic, Depth: 10}},
		Execution: model.Execution{Typical: takes, Worst: takes},
	}
}

func design(cpus int, callbacks ...model.Callback) *model.Design {
	return &model.Design{Machine: model.Machine{CPUs: cpus}, Nodes: []model.Node{{Name: "n", Callbacks: callbacks}}}
}

// onItsOwn gives each callback of a design a thread.
func onItsOwn(d *model.Design) (list []loadThread) {
	for _, c := range callbacksOf(d) {
		list = append(list, loadThread{name: "thread of " + c.name, callbacks: []string{c.name}})
	}
	return list
}

func noSamples(string) []time.Duration { return nil }

func wantLoad(t *testing.T, what string, d demand, typical, worst string) {
	t.Helper()
	said := func(x interface{ RatString() string }, known bool) string {
		if !known {
			return "unknown"
		}
		return x.RatString()
	}
	if got := said(d.typical, d.typical != nil); got != typical {
		t.Errorf("%s: typical %s, want %s", what, got, typical)
	}
	if got := said(d.worst, d.worst != nil); got != worst {
		t.Errorf("%s: worst %s, want %s", what, got, worst)
	}
}

// mixedRates is the scenario of mixed rates, S4: 0.5/1 + 100/100 + 200/200 +
// 2/20 = 2.6 CPUs.
func mixedRates(cpus int) *model.Design {
	return design(cpus, timer("control", ms, ms/2), timer("dnn", 100*ms, 100*ms), timer("planner", 200*ms, 200*ms), timer("log", 20*ms, 2*ms))
}

func TestMixedRatesAreInfeasibleOnTwoCPUsOnly(t *testing.T) {
	for _, cpus := range []int{1, 2, 3} {
		d := mixedRates(cpus)
		l := newLoad(d, onItsOwn(d), noSamples)
		wantLoad(t, "in all", l.all.demand, "13/5", "13/5")
		found := l.infeasible()
		if feasible := cpus == 3; l.feasible() != feasible || (len(found) == 0) != feasible {
			t.Errorf("on %d CPUs: feasible %v, findings %v", cpus, l.feasible(), found)
		}
	}
}

func TestInfeasibleNamesTheRemedy(t *testing.T) {
	d := mixedRates(2)
	wantInfeasible(t, newLoad(d, onItsOwn(d), noSamples).infeasible(), "CPUs",
		"The callbacks demand 2.6 CPUs, and there are 2: what is behind falls further behind",
		"Give the system 3 CPUs. Or take 0.6 of a CPU off the callbacks: n/dnn demands 1, n/planner demands 1, n/control demands 0.5. "+
			// 1 - 0.6 = 0.4 CPUs are left to dnn: 40 ms of 100 ms, or 100 ms of 250 ms.
			"n/dnn fits with at most 40 ms a run instead of 100 ms, or with a run every 250 ms instead of every 100 ms.")
}

func wantInfeasible(t *testing.T, list []timeline.Finding, subject, text, remedy string) {
	t.Helper()
	i := slices.IndexFunc(list, func(f timeline.Finding) bool { return f.Subject == subject })
	if i < 0 {
		t.Fatalf("nothing about %s in %v", subject, list)
	}
	f := list[i]
	if f.ID != InfeasibleFinding || f.Severity != timeline.Error || !strings.HasPrefix(f.Text, text) || !strings.Contains(f.Remedy, remedy) {
		t.Errorf("found\n%+v\nwant\n%s\n%s", f, text, remedy)
	}
}

// 8 ms of every 10 ms and 3 ms of every 10 ms do not fit on one thread, though
// two CPUs would do.
func TestAThreadAloneIsOver(t *testing.T) {
	d := design(2, timer("a", 10*ms, 8*ms), timer("b", 10*ms, 3*ms))
	one := []loadThread{{name: "x/l", callbacks: []string{"n/a", "n/b"}}}
	l := newLoad(d, one, noSamples)
	found := l.infeasible()
	if len(found) != 1 || l.feasible() {
		t.Fatalf("feasible %v, findings %v", l.feasible(), found)
	}
	wantInfeasible(t, found, "x/l", "Its callbacks demand 1.1 CPUs, and a thread is on one CPU at a time: what is behind falls",
		"n/a fits with at most 7 ms a run instead of 8 ms, or with a run every 11.429 ms instead of every 10 ms.")
	one[0].width = 2
	if l := newLoad(d, one, noSamples); !l.feasible() {
		t.Errorf("a pool of two threads: %v", l.infeasible())
	}
}

func TestAPinnedCPUIsOver(t *testing.T) {
	d := design(2, timer("a", 10*ms, 6*ms), timer("b", 10*ms, 5*ms))
	threads := onItsOwn(d)
	threads[0].cpu, threads[1].cpu = 2, 2
	l := newLoad(d, threads, noSamples)
	wantLoad(t, "CPU 1", l.perCPU[0].demand, "0", "0")
	wantLoad(t, "CPU 2", l.perCPU[1].demand, "11/10", "11/10")
	wantInfeasible(t, l.infeasible(), "CPU 2", "The threads pinned to it demand 1.1 CPUs of its 1", "Pin a thread to another CPU. Or take 0.1 of a CPU off")
}

// What fits as a rule and not at worst is called infeasible, and says so.
func TestInfeasibleAtWorstOnly(t *testing.T) {
	c := timer("a", 10*ms, 0)
	c.Execution = model.Execution{Typical: 4 * ms, Worst: 12 * ms}
	d := design(1, c)
	wantInfeasible(t, newLoad(d, onItsOwn(d), noSamples).infeasible(), "thread of n/a",
		"Its callbacks demand 1.2 CPUs at worst (0.4 typically), and a thread is on one CPU at a time: while runs take their worst times it falls behind", "")
}

func TestWhatARunTakes(t *testing.T) {
	for _, c := range []struct {
		what           string
		e              model.Execution
		samples        []time.Duration
		typical, worst string
	}{
		{"worst only", model.Execution{Worst: 5 * ms}, nil, "1/200", "1/200"},
		{"typical only", model.Execution{Typical: 5 * ms}, nil, "1/200", "1/200"},
		{"both", model.Execution{Typical: 2 * ms, Worst: 5 * ms}, nil, "1/500", "1/200"},
		// (10 + 10 + 10) ms / 4, the fourth taking none: a mean and not the given typical time.
		{"pattern", model.Execution{Pattern: []time.Duration{10 * ms, 10 * ms, 10 * ms, 0}, Typical: 10 * ms}, nil, "3/400", "3/400"},
		{"a worst above the pattern", model.Execution{Pattern: []time.Duration{10 * ms}, Worst: 20 * ms}, nil, "1/100", "1/50"},
		{"uniform", model.Execution{Distribution: model.Distribution{Kind: model.Uniform, Low: ms, High: 3 * ms}}, nil, "1/500", "3/1000"},
		{"normal without an end", model.Execution{Distribution: model.Distribution{Kind: model.Normal, Mean: ms, Deviation: ms}}, nil, "1/1000", "unknown"},
		{"normal cut off", model.Execution{Distribution: model.Distribution{Kind: model.Normal, Mean: ms, Deviation: ms, High: 5 * ms}}, nil, "1/1000", "1/200"},
		{"samples unread", model.Execution{Samples: "f"}, nil, "unknown", "unknown"},
		{"samples", model.Execution{Samples: "f"}, []time.Duration{ms, 3 * ms}, "1/500", "3/1000"},
	} {
		wantLoad(t, c.what, runOf(&c.e, c.samples), c.typical, c.worst)
	}
}

func wantRate(t *testing.T, d *model.Design, callback, hz string) {
	t.Helper()
	got := "unknown"
	if r := newRates(d).callbacks[callback]; r != nil {
		got = r.RatString()
	}
	if got != hz {
		t.Errorf("%s: %s Hz, want %s", callback, got, hz)
	}
}

// A sensor of 33 ms and a timer of 50 ms publish on one topic, whose subscription
// hands each message on twice; a client asks a service 20 times a second.
func TestRatesFollowTheMessages(t *testing.T) {
	tick := timer("tick", 50*ms, ms)
	tick.Publishes, tick.Calls = []string{"/in"}, []string{"/ask"}
	relay := subscription("relay", "/in", ms)
	relay.Publishes = []string{"/out", "/out"}
	server := model.Callback{Name: "server", Kind: model.ServiceCallback, Inputs: []model.Input{{Topic: "/ask"}}}
	answer := model.Callback{Name: "answer", Kind: model.ClientCallback, Inputs: []model.Input{{Topic: "/ask"}}}
	once := timer("once", 50*ms, ms)
	once.Timer.Once = true
	d := design(1, subscription("sink", "/out", ms), relay, tick, server, answer, once)
	d.Sensors = []model.Sensor{{Name: "camera", Publishes: []string{"/in"}, Period: 33 * ms}}
	wantRate(t, d, "n/tick", "20")
	wantRate(t, d, "n/relay", "1660/33") // 20 + 1000/33
	wantRate(t, d, "n/sink", "3320/33")
	wantRate(t, d, "n/server", "20")
	wantRate(t, d, "n/answer", "20")
	wantRate(t, d, "n/once", "0")
}

func TestRatesOfTriggers(t *testing.T) {
	trigger := model.Callback{Name: "fuse", Kind: model.TriggerCallback, Inputs: []model.Input{{Topic: "/a"}, {Topic: "/b"}}}
	d := design(1, trigger)
	d.Sensors = []model.Sensor{{Publishes: []string{"/a"}, Period: 10 * ms}, {Publishes: []string{"/b"}, Period: 100 * ms}}
	wantRate(t, d, "n/fuse", "10")
	d.Nodes[0].Callbacks[0].Any = true
	wantRate(t, d, "n/fuse", "110")
}

// A trigger that needs what goes round and a sensor is as fast as the sensor;
// what only feeds itself has a rate that nothing tells.
func TestRatesOfWhatFeedsItself(t *testing.T) {
	fuse := model.Callback{Name: "fuse", Kind: model.TriggerCallback, Inputs: []model.Input{{Topic: "/back"}, {Topic: "/a"}}, Publishes: []string{"/on"}}
	back := subscription("back", "/on", ms)
	back.Publishes = []string{"/back"}
	self := subscription("self", "/self", ms)
	self.Publishes = []string{"/self"}
	d := design(1, back, fuse, self, subscription("deaf", "/nobody", ms))
	d.Sensors = []model.Sensor{{Publishes: []string{"/a"}, Period: 10 * ms}}
	wantRate(t, d, "n/fuse", "100")
	wantRate(t, d, "n/back", "100")
	wantRate(t, d, "n/self", "unknown")
	wantRate(t, d, "n/deaf", "0")
	l := newLoad(d, nil, noSamples)
	if want := []string{"n/self"}; !slices.Equal(l.all.unknown, want) {
		t.Errorf("unknown are %v, want %v", l.all.unknown, want)
	}
}

// At a real time factor of 4 a timer of 10 ms on simulated time runs 400 times
// a second; ticks of 5 ms of simulated time come 800 times a second, ticks of 20
// ms 200 times, and a tick serves one release.
func TestRatesOnSimulatedTime(t *testing.T) {
	c := timer("a", 10*ms, ms)
	c.Timer.OnROS = true
	d := design(1, c, subscription("frame", "/camera", ms))
	d.Nodes[0].UseSimTime = true
	d.Sensors = []model.Sensor{{Publishes: []string{"/camera"}, Period: 40 * ms, OnSim: true}}
	d.Simulation = &model.Simulation{RTF: 4, Step: 5 * ms}
	wantRate(t, d, "n/a", "400")
	wantRate(t, d, "n/frame", "100")
	d.Simulation.Step = 20 * ms
	wantRate(t, d, "n/a", "200")
	d.Simulation = &model.Simulation{RTF: 0.1, Rate: 250}
	wantRate(t, d, "n/a", "10")
	wantRate(t, d, "n/frame", "5/2")
	d.Nodes[0].UseSimTime = false
	wantRate(t, d, "n/a", "100")
}

// How often it runs depends on how late it is.
func TestRateOfWhatTakesAll(t *testing.T) {
	d := design(1, subscription("a", "/t", 15*ms))
	d.Nodes[0].Callbacks[0].TakeAll = true
	d.Sensors = []model.Sensor{{Publishes: []string{"/t"}, Period: 10 * ms}}
	wantRate(t, d, "n/a", "unknown")
	if l := newLoad(d, onItsOwn(d), noSamples); !l.feasible() {
		t.Errorf("infeasible: %v", l.infeasible())
	}
}

func TestRateOfGivenTimes(t *testing.T) {
	d := design(1, subscription("a", "/t", ms))
	d.Sensors = []model.Sensor{{Publishes: []string{"/t"}, Times: []time.Duration{0, 10 * ms, 40 * ms}}}
	wantRate(t, d, "n/a", "50") // two intervals in 40 ms
	d.Sensors[0].Times = []time.Duration{ms}
	wantRate(t, d, "n/a", "0")
}
