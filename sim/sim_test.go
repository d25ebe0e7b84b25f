package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

const ms = time.Millisecond

// A log is what ran, as "a 0s-1ms" per job in the order of their ends, and the
// longest response of each callback.
type log struct {
	Unobserved
	system *System
	starts []clock.Mono // of the threads' jobs
	jobs   []string
	worst  map[string]time.Duration
}

func (l *log) Started(now clock.Mono, thread int, _ *sched.Job) { l.starts[thread] = now }

func (l *log) Ended(now clock.Mono, thread int, job *sched.Job, _ bool) {
	name := l.system.Threads[thread].Callbacks[job.Callback].Name
	l.jobs = append(l.jobs, fmt.Sprintf("%s %v-%v", name, time.Duration(l.starts[thread]), time.Duration(now)))
	l.worst[name] = max(l.worst[name], now.Sub(job.Release))
}

func run(t *testing.T, s System, until time.Duration) *log {
	t.Helper()
	l := &log{system: &s, starts: make([]clock.Mono, len(s.Threads)), worst: map[string]time.Duration{}}
	sim, err := New(s, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Run(clock.Mono(until)); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *log) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(l.jobs, want) {
		t.Errorf("ran %q, want %q", l.jobs, want)
	}
}

// timer is a callback of a timer. A period of 0 is once.
func timer(name string, first, period time.Duration, costs ...time.Duration) Callback {
	if period == 0 {
		period = time.Hour
	}
	return Callback{Name: name, Costs: costs, Callback: sched.Callback{Kind: sched.TimerKind, First: clock.Mono(first), Period: period}}
}

// threadOf is a thread of these callbacks.
func threadOf(priority int, callbacks ...Callback) Thread {
	return Thread{Priority: priority, Callbacks: callbacks}
}

// subscription is a callback on a topic.
func subscription(name string, topic *Topic, depth int, costs ...time.Duration) Callback {
	return Callback{Name: name, From: []*Topic{topic}, Costs: costs, Callback: sched.Callback{Kind: sched.Subscription, Inputs: []sched.Input{{Depth: depth}}}}
}

// Worst response times of preemptive fixed priority, after a synchronous
// release: the textbook set of four, and examples 2 and 3 of Lehoczky 1990, in
// which the worst instance is not the first.
func TestPublishedResponseTimes(t *testing.T) {
	type task struct{ cost, period, response time.Duration }
	for _, tasks := range [][]task{
		{{1, 4, 1}, {1, 5, 2}, {3, 9, 7}, {3, 18, 18}},
		{{52, 100, 52}, {52, 140, 156}},
		{{52, 140, 52}, {52, 100, 108}},
		{{26, 70, 26}, {62, 100, 118}},
	} {
		var s System
		for i, c := range tasks {
			cb := timer(fmt.Sprint(i), 0, c.period*ms, c.cost*ms)
			cb.Skip = sched.SkipNone
			s.Threads = append(s.Threads, threadOf(-i, cb))
		}
		l := run(t, s, 10*time.Second)
		for i, c := range tasks {
			if got := l.worst[fmt.Sprint(i)]; got != c.response*ms {
				t.Errorf("%v: response of %d is %v, want %v", tasks, i, got, c.response*ms)
			}
		}
	}
}

// Equal priorities do not preempt each other; which goes first is a matter of
// who has wanted the CPU for longer, then of the thread's place.
func TestEqualPriorities(t *testing.T) {
	s := System{Threads: []Thread{
		threadOf(1, timer("a", 5*ms, 0, ms)),
		threadOf(1, timer("b", 0, 0, 10*ms), timer("b2", 6*ms, 0, ms)),
		threadOf(1, timer("c", 5*ms, 0, ms)),
		threadOf(1, timer("d", 4*ms, 0, ms)),
	}}
	// b keeps its place until it wants no CPU: b2 is ready when b ends.
	want := []string{"b 0s-10ms", "b2 10ms-11ms", "d 11ms-12ms", "a 12ms-13ms", "c 13ms-14ms"}
	run(t, s, time.Second).want(t, want...)
	// So it is with unequal ones that the kernel refused.
	s.Equal = true
	for i := range s.Threads {
		s.Threads[i].Priority = 10 * i
	}
	run(t, s, time.Second).want(t, want...)
}

// A preempted callback goes on where it was; on two CPUs nothing is preempted,
// unless both threads are pinned to one of them.
func TestPreemption(t *testing.T) {
	s := System{CPUs: 1, Threads: []Thread{threadOf(1, timer("low", 0, 0, 5*ms)), threadOf(2, timer("high", 2*ms, 10*ms, 2*ms))}}
	preempted := []string{"high 2ms-4ms", "low 0s-7ms"}
	run(t, s, 10*ms).want(t, preempted...)
	s.CPUs = 2
	run(t, s, 10*ms).want(t, "high 2ms-4ms", "low 0s-5ms")
	s.Threads[0].CPU, s.Threads[1].CPU = 2, 2
	run(t, s, 10*ms).want(t, preempted...)
}

// A thread looks for what is ready only when it has a CPU: what arrived while
// it was preempted is in its snapshot.
func TestSnapshotIsTakenWithACPU(t *testing.T) {
	topic := &Topic{}
	first := subscription("first", topic, 1, ms)
	s := System{
		Threads: []Thread{threadOf(2, timer("high", 0, 0, 5*ms)), threadOf(1, first, timer("second", 0, 0, ms))},
		Sources: []Source{{Topic: topic, Times: []clock.Mono{clock.Mono(3 * ms)}}},
	}
	run(t, s, time.Second).want(t, "high 0s-5ms", "first 5ms-6ms", "second 6ms-7ms")
}

// A message arrives its latency after the end of the callback that published
// it, and carries the origin of what that callback took.
func TestChain(t *testing.T) {
	scan, cloud := &Topic{Latency: 2 * ms}, &Topic{Latency: 3 * ms}
	filter := subscription("filter", scan, 1, 4*ms)
	filter.Publishes = []*Topic{cloud}
	s := System{
		Threads: []Thread{threadOf(1, filter), threadOf(2, subscription("plan", cloud, 1, 5*ms))},
		Sources: []Source{{Topic: scan, Phase: clock.Mono(ms), Period: 100 * ms}},
	}
	l := &origins{log: log{system: &s, starts: make([]clock.Mono, 2), worst: map[string]time.Duration{}}}
	sim, err := New(s, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Run(clock.Mono(150 * ms)); err != nil {
		t.Fatal(err)
	}
	// 1 + 2 + 4 = 7, + 3 = 10.
	l.want(t, "filter 3ms-7ms", "plan 10ms-15ms", "filter 103ms-107ms", "plan 110ms-115ms")
	if want := []clock.Mono{1000000, 1000000, 101000000, 101000000}; !slices.Equal(l.origins, want) {
		t.Errorf("origins %d, want %d", l.origins, want)
	}
}

// An origins is a log of where what was taken came from.
type origins struct {
	log
	origins []clock.Mono
}

func (o *origins) Started(now clock.Mono, thread int, job *sched.Job) {
	o.log.Started(now, thread, job)
	o.origins = append(o.origins, job.Origin)
}

// A run in pieces is the run in one.
func TestRunGoesOn(t *testing.T) {
	for _, f := range scenarios(t, "random-shared.json") {
		for _, c := range f.Cases[:30] {
			r := newRecorder(&c.System, c.System.build(t))
			sim, err := New(r.system, r)
			if err != nil {
				t.Fatal(err)
			}
			for until := clock.Mono(0); until < c.System.Duration; until += 7654321 {
				if err := sim.Run(min(until, c.System.Duration)); err != nil {
					t.Fatal(err)
				}
			}
			if err := sim.Run(c.System.Duration); err != nil {
				t.Fatal(err)
			}
			if got := r.figures(sim).Sequence; got != c.Expected.Sequence {
				t.Errorf("%s: in pieces it is another sequence", c.Name)
			}
		}
	}
}

// A run allocates nothing, however many jobs it has.
func TestRunDoesNotAllocate(t *testing.T) {
	for _, f := range scenarios(t, "s*.json") {
		for _, c := range f.Cases {
			s := c.System.build(t)
			if f.Scenario == "s07" || c.Name == "ping_pong_greedy" {
				continue // their queues grow
			}
			sim, err := New(s, nil)
			if err != nil {
				t.Fatal(err)
			}
			until := clock.Mono(time.Second)
			step := func() {
				if err := sim.Run(until); err != nil {
					t.Fatal(err)
				}
				until = until.Add(time.Second / 10)
			}
			step()
			if got := testing.AllocsPerRun(10, step); got != 0 {
				t.Errorf("%s/%s: %v allocations in 0.1 s", f.Scenario, c.Name, got)
			}
		}
	}
}

// What does not come to rest is an error, and not an endless run.
func TestEndless(t *testing.T) {
	ping, pong := &Topic{}, &Topic{}
	a, b := subscription("a", ping, 1, 0), subscription("b", pong, 1, 0)
	a.Publishes, b.Publishes = []*Topic{pong}, []*Topic{ping}
	once := []Source{{Topic: ping, Times: []clock.Mono{0}}}
	always := timer("always", 0, 0, 0)
	always.Period = 0
	hoarder := subscription("hoarder", ping, 0, time.Hour)
	busy := subscription("busy", ping, 1, time.Hour)
	forwarder := timer("forwarder", 0, 1, 1)
	forwarder.Publishes = []*Topic{{Latency: time.Hour}}
	for _, c := range []struct {
		s    System
		want string
	}{
		{System{Threads: []Thread{threadOf(1, a), threadOf(2, b)}, Sources: once}, "at 0.000000000 s more than 1000 callbacks start and none takes time"},
		{System{Threads: []Thread{threadOf(1, a, b)}, Sources: once}, "none takes time"},
		{System{Threads: []Thread{{Level: LevelOptions{Drain: sched.Greedy}, Callbacks: []Callback{a, b}}}, Sources: once}, "none takes time"},
		{System{Threads: []Thread{threadOf(1, always)}}, "none takes time"},
		{System{Threads: []Thread{threadOf(1, hoarder)}, Sources: []Source{{Topic: ping, Period: 1}}}, "more than 1000 samples wait in queues"},
		{System{Threads: []Thread{threadOf(1, forwarder)}}, "or are on their way"},
		{System{Threads: []Thread{{Executor: Events, Callbacks: []Callback{busy}}}, Sources: []Source{{Topic: ping, Period: 1}}}, "more than 1000 entries wait for an events executor"},
	} {
		sim, err := New(c.s, nil)
		if err != nil {
			t.Fatal(err)
		}
		sim.limits = limits{starts: 1000, waiting: 1000}
		if err := sim.Run(clock.Mono(time.Hour)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		} else if again := sim.Run(clock.Mono(time.Hour)); again != err {
			t.Errorf("going on gives %v", again)
		}
	}
}

// Callbacks that take no time run, too.
func TestNoCost(t *testing.T) {
	s := System{Threads: []Thread{threadOf(1, timer("a", 0, 10*ms, 0)), threadOf(2, timer("b", 5*ms, 10*ms, 0, ms))}}
	run(t, s, 30*ms).want(t, "a 0s-0s", "b 5ms-5ms", "a 10ms-10ms", "b 15ms-16ms", "a 20ms-20ms", "b 25ms-25ms")
}
