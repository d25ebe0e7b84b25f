package plan

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
)

func (s *SystemSweep) callback(t *testing.T, name string) SweptCallback {
	t.Helper()
	for _, c := range s.Callbacks {
		if c.Callback == name {
			return c
		}
	}
	t.Fatalf("no callback %s", name)
	return SweptCallback{}
}

// On one thread a takes 3 ms and b 2 ms of every 10 ms, and in the file they do
// not meet. All together, set 1, b waits for all of a. The starters are a, as it
// takes longer, and b: set 5 has b a nanosecond after a, set 4 before, when a
// waits for the rest of b; so does set 3, which comes first.
func TestSweepFindsTheWorstPhases(t *testing.T) {
	b := timer("b", 10*ms, 2*ms)
	b.Timer.Phase = 5 * ms
	s := planSystem(t, SystemSetup{System: threaded(timer("a", 10*ms, 3*ms), b), Length: time.Second, Sets: 30}).Sweep
	if s.Sets != 30 || s.Adverse != 5 {
		t.Errorf("%d sets, %d adverse", s.Sets, s.Adverse)
	}
	of := s.callback(t, "n/b")
	wantSeconds(t, "b's worst response", of.WorstResponse, 5*ms)
	if of.Set != 1 {
		t.Errorf("b is worst at set %d, want 1", of.Set)
	}
	of = s.callback(t, "n/a")
	wantSeconds(t, "a's worst response", of.WorstResponse, 5*ms-1)
	if of.Set != 3 {
		t.Errorf("a is worst at set %d, want 3", of.Set)
	}
	if len(s.Worst) != 2 || s.Worst[1].What != "n/a just after the rest" || s.Worst[1].Phases[0] != (Phase{"n/a", 1e-9}) || s.Worst[1].Phases[1] != (Phase{"n/b", 0}) {
		t.Errorf("%+v", s.Worst)
	}
}

// The set that gave the worst gives it again.
func TestAPhaseSetCanBeRunAgain(t *testing.T) {
	b, c := timer("b", 10*ms, 2*ms), timer("c", 10*ms, ms)
	b.Timer.Phase, c.Timer.Phase = 3*ms, 6*ms
	s := SystemSetup{System: threaded(timer("a", 10*ms, 3*ms), b, c), Length: time.Second, Seed: 7, Sets: 40}
	worst := planSystem(t, s).Sweep.callback(t, "n/c")
	if worst.Set == 0 {
		t.Fatal("no set is worse than the file's phases")
	}
	s.Sets, s.PhaseSet = 0, worst.Set
	again := planSystem(t, s)
	wantSeconds(t, "c's worst response", again.callback(t, "n/c").WorstResponse, time.Duration(*worst.WorstResponse*1e9+0.5))
}

// Of the phases drawn each is within its period, and a sensor has one, too.
func TestPhasesDrawn(t *testing.T) {
	s := threaded(timer("a", 10*ms, ms), subscription("b", "/t", 2*ms))
	s.Design.Sensors = []model.Sensor{{Name: "gps", Publishes: []string{"/t"}, Period: 100 * ms}}
	p, err := newSystemPlan(&SystemSetup{System: s, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	of := p.starters()
	if len(of) != 2 || of[0].name != "sensor gps on /t" || of[0].leads != 2*ms {
		t.Fatalf("%+v", of)
	}
	different := map[time.Duration]bool{}
	for set := adverse(of) + 1; set < 100; set++ {
		for i, phase := range phasesOf(set, of, 1) {
			if phase < 0 || phase >= of[i].period {
				t.Errorf("set %d: %v of %v", set, phase, of[i].period)
			}
			different[phase] = true
		}
	}
	if len(different) < 150 {
		t.Errorf("only %d different phases", len(different))
	}
	if got := p.phased(2); got.Sources[0].Phase != 0 || got.Threads[0].Callbacks[0].First != 1 || p.built.System.Threads[0].Callbacks[0].First != 0 {
		t.Errorf("set 2: %v, %v", got.Sources[0].Phase, got.Threads[0].Callbacks[0].First)
	}
}

// A chart is around the worst response, or where it was asked for.
func TestGanttIsWhereItIsAskedFor(t *testing.T) {
	b := timer("b", 10*ms, 2*ms)
	b.Context.Deadline = 4 * ms
	s := SystemSetup{System: threaded(timer("a", 10*ms, 3*ms), b), Length: time.Second, Gantt: &GanttWindow{}}
	g := planSystem(t, s).Gantt
	spans, left := g.Chart.Spans()
	if g.Of != "n/b" || left != 0 || len(spans) != 3 { // a runs; b waits and runs
		t.Errorf("around %s: %v", g.Of, spans)
	}
	s.Gantt = &GanttWindow{From: 21 * ms, To: 29 * ms}
	if spans, _ := planSystem(t, s).Gantt.Chart.Spans(); len(spans) != 3 || spans[0].To != 23e6 {
		t.Errorf("in the window: %v", spans)
	}
}
