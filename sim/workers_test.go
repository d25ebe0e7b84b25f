package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// A workerLog is what ran, as "a/0 0s-1ms" per job, with its worker, in the order
// of their ends.
type workerLog struct {
	Unobserved
	system *System
	starts map[OSThread]clock.Mono
	jobs   []string
	set    int // clocks
}

func (l *workerLog) Started(now clock.Mono, thread int, job *sched.Job) {
	l.starts[OSThread{thread, job.Worker}] = now
}

func (l *workerLog) Ended(now clock.Mono, thread int, job *sched.Job, _ bool) {
	name := l.system.Threads[thread].Callbacks[job.Callback].Name
	start := l.starts[OSThread{thread, job.Worker}]
	l.jobs = append(l.jobs, fmt.Sprintf("%s/%d %v-%v", name, job.Worker, time.Duration(start), time.Duration(now)))
}

func (l *workerLog) TickSent(clock.Mono, clock.Sim) {}

func (l *workerLog) Ticked(clock.Mono, int, clock.Sim) { l.set++ }

func runWorkers(t *testing.T, s System, until time.Duration) *workerLog {
	t.Helper()
	l := &workerLog{system: &s, starts: map[OSThread]clock.Mono{}}
	sim, err := New(s, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Run(clock.Mono(until)); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *workerLog) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(l.jobs, want) {
		t.Errorf("ran %q, want %q", l.jobs, want)
	}
}

// workers is a multi-threaded executor of these callbacks.
func workers(n, priority int, callbacks ...Callback) Thread {
	return Thread{Name: "crew", Executor: MultiThreaded, Workers: n, Priority: priority, Callbacks: callbacks}
}

func in(g *sched.Group, c Callback) Callback {
	c.Group = g
	return c
}

// reentrant puts callbacks in one reentrant group.
func reentrant(callbacks ...Callback) []Callback {
	g := &sched.Group{Reentrant: true}
	for i := range callbacks {
		callbacks[i].Group = g
	}
	return callbacks
}

// The known starvation, of two timers of 1000 ms that take 1000 ms, takes a second
// worker with a CPU: it waits anew while the first callback runs. With one CPU,
// and no time slices, it does not get to that, and the two alternate.
func TestStarvationInAGroup(t *testing.T) {
	s := System{CPUs: 2, Threads: []Thread{workers(2, 0, timer("a", 0, time.Second, time.Second), timer("b", 0, time.Second, time.Second))}}
	runWorkers(t, s, 3*time.Second+1).want(t, "a/0 0s-1s", "a/0 1s-2s", "a/0 2s-3s")
	s.CPUs = 1
	runWorkers(t, s, 3*time.Second+1).want(t, "a/0 0s-1s", "b/0 1s-2s", "a/0 2s-3s")
}

// Three messages at 0 and two workers: callbacks of a reentrant group overlap with
// themselves, if there is a CPU for each. A lock keeps them apart all the same.
func TestReentrantCallback(t *testing.T) {
	topic := &Topic{}
	scan := reentrant(subscription("scan", topic, 10, 10*ms, 4*ms, 3*ms))
	s := System{
		CPUs:    2,
		Threads: []Thread{workers(2, 0, scan...)},
		Sources: []Source{{Topic: topic, Times: []clock.Mono{0, 0, 0}}},
	}
	runWorkers(t, s, time.Second).want(t, "scan/1 0s-4ms", "scan/1 4ms-7ms", "scan/0 0s-10ms")
	s.CPUs = 1
	runWorkers(t, s, time.Second).want(t, "scan/0 0s-10ms", "scan/0 10ms-14ms", "scan/0 14ms-17ms")
	s.CPUs, s.Threads[0].Callbacks[0].Lock = 2, &Lock{}
	runWorkers(t, s, time.Second).want(t, "scan/0 0s-10ms", "scan/1 0s-14ms", "scan/0 10ms-17ms")
}

// A more urgent thread has one of two CPUs from 1 to 6 ms. It takes it from the
// worker of the higher number, since both have wanted theirs for equally long,
// until the other has nothing more to run, at 4 ms.
func TestWorkersArePreempted(t *testing.T) {
	s := System{CPUs: 2, Threads: []Thread{
		threadOf(9, timer("urgent", ms, 0, 5*ms)),
		workers(2, 1, reentrant(timer("a", 0, 0, 3*ms), timer("b", 0, 0, 3*ms), timer("c", 0, 0, ms))...),
	}}
	runWorkers(t, s, time.Second).want(t, "a/0 0s-3ms", "c/0 3ms-4ms", "urgent/0 1ms-6ms", "b/1 0s-6ms")
}

// Messages of 5 ms each, of two callbacks of one group, and a callback of another:
// while the first runs, the second worker runs the other group only.
func TestGroupsOfWorkers(t *testing.T) {
	topic := &Topic{}
	g := &sched.Group{}
	s := System{
		CPUs: 2,
		Threads: []Thread{workers(2, 0,
			in(g, subscription("a", topic, 1, 5*ms)), in(g, subscription("b", topic, 1, 5*ms)), in(&sched.Group{}, subscription("c", topic, 1, ms)))},
		Sources: []Source{{Topic: topic, Times: []clock.Mono{0}}},
	}
	runWorkers(t, s, time.Second).want(t, "c/1 0s-1ms", "a/0 0s-5ms", "b/0 5ms-10ms")
}

// A tick sets the clock of an executor once, and makes timers of two groups due
// for both workers.
func TestWorkersOnSimulatedTime(t *testing.T) {
	a, b := timer("a", 10*ms, 10*ms, 4*ms), timer("b", 10*ms, 10*ms, 4*ms)
	a.OnROS, b.OnROS, b.Group = true, true, &sched.Group{}
	th := workers(2, 0, a, b)
	th.UseSimTime = true
	s := System{CPUs: 2, Clock: &Clock{Step: 10 * ms, Interval: 10 * ms}, Threads: []Thread{th}}
	l := runWorkers(t, s, 25*ms)
	l.want(t, "a/0 10ms-14ms", "b/1 10ms-14ms", "a/0 20ms-24ms", "b/1 20ms-24ms")
	if l.set != 3 {
		t.Errorf("%d clocks set", l.set)
	}
}

// Every case with wait sets gives the same with one worker each.
func TestOneWorkerInScenarios(t *testing.T) {
	cases := 0
	for _, f := range scenarios(t, "*.json") {
		for _, c := range f.Cases {
			system := c.System.build(t)
			switched := false
			for i := range system.Threads {
				if th := &system.Threads[i]; th.Executor == WaitSet {
					th.Executor, switched = MultiThreaded, true
				}
			}
			if !switched {
				continue
			}
			cases++
			r := newRecorder(&c.System, system)
			run, err := New(system, r)
			if err != nil {
				t.Fatal(err)
			}
			if err := run.Run(c.System.Duration); err != nil {
				t.Fatal(err)
			}
			got := r.figures(run)
			got.FirstJobs = got.FirstJobs[:min(len(got.FirstJobs), len(c.Expected.FirstJobs))]
			if diff := cmp.Diff(c.Expected, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(firstJob{})); diff != "" {
				t.Errorf("%s/%s: expected (-), got (+):\n%s", f.Scenario, c.Name, diff)
			}
		}
	}
	if cases < 20 {
		t.Errorf("%d cases", cases)
	}
}

// Two jobs of one callback, of 10 and 4 ms, overlap on the two threads of an
// executor: an analysis of the timeline finds the two, with their lengths.
func TestTimelineOfWorkers(t *testing.T) {
	topic := &Topic{Name: "/scan"}
	system := System{
		CPUs:    2,
		Threads: []Thread{threadOf(9), workers(2, 0, reentrant(subscription("n/scan", topic, 10, 10*ms, 4*ms))...)},
		Sources: []Source{{Topic: topic, Times: []clock.Mono{0, 0}}},
	}
	system.Threads[0].Name = "other"
	var seen described
	a := analysis.New(analysis.Options{Loop: analysis.LoopOptions{KeepFirst: true}})
	for _, sink := range []timeline.Sink{&seen, a} {
		tl := NewTimeline(&system, sink)
		run, err := New(system, tl)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Run(clock.Mono(time.Second)); err != nil {
			t.Fatal(err)
		}
		tl.Close()
	}
	if want := []string{"other", "crew/1", "crew/2"}; !slices.Equal(seen.threads, want) {
		t.Errorf("threads %q, want %q", seen.threads, want)
	}
	var jobs []string
	for _, e := range seen.events {
		if e.Kind == timeline.JobStarted || e.Kind == timeline.JobEnded {
			jobs = append(jobs, fmt.Sprintf("%d of job %d at %v on thread %d", e.Kind, e.Number, time.Duration(e.At), e.Thread))
		}
	}
	start, end := int(timeline.JobStarted), int(timeline.JobEnded)
	want := []string{
		fmt.Sprintf("%d of job 1 at 0s on thread 2", start), fmt.Sprintf("%d of job 2 at 0s on thread 3", start),
		fmt.Sprintf("%d of job 2 at 4ms on thread 3", end), fmt.Sprintf("%d of job 1 at 10ms on thread 2", end),
	}
	if !slices.Equal(jobs, want) {
		t.Errorf("jobs %q, want %q", jobs, want)
	}
	figures, _ := a.Figures()
	if len(figures.Callbacks) != 1 || len(figures.Threads) != 2 {
		t.Fatalf("%d callbacks on %d threads", len(figures.Callbacks), len(figures.Threads))
	}
	if r := figures.Callbacks[0].ResponseS; r.Count != 2 || r.Max != 0.010 || r.Min != 0.004 {
		t.Errorf("%d responses of %v to %v s, want 2 of 0.004 to 0.010", r.Count, r.Min, r.Max)
	}
	if c := figures.Callbacks[0].CPUS; c.Count != 2 || c.Max != 0.010 || c.Min != 0.004 {
		t.Errorf("%d CPU times of %v to %v s, want 2 of 0.004 to 0.010", c.Count, c.Min, c.Max)
	}
}

type described struct {
	threads []string
	events
}

func (d *described) Describe(e timeline.Entity) {
	if e.Kind == timeline.ThreadEntity {
		d.threads = append(d.threads, e.Name)
	}
}

func TestBadWorkers(t *testing.T) {
	spinning, leveled := workers(2, 0), workers(2, 0)
	spinning.Spin.Once, leveled.Level.LET = true, true
	for _, c := range []struct {
		thread Thread
		want   string
	}{
		{Thread{Name: "a", Workers: 2}, `thread "a" has 2 workers and an executor for one`},
		{workers(-1, 0), `thread "crew" has -1 workers; give it 1 to 10000`},
		{workers(1_000_000_000, 0), `thread "crew" has 1000000000 workers`},
		{spinning, `thread "crew": options of a level, or a way to spin`},
		{leveled, `thread "crew": options of a level, or a way to spin`},
	} {
		if _, err := New(System{Threads: []Thread{c.thread}}, nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ";") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// Executors of nothing come to their end.
func TestIdleWorkers(t *testing.T) {
	runWorkers(t, System{Threads: []Thread{{Executor: MultiThreaded}, workers(3, 0)}}, time.Second).want(t)
}

// Workers allocate nothing, however many jobs they have.
func TestWorkersDoNotAllocate(t *testing.T) {
	topic := &Topic{}
	callbacks := append(reentrant(timer("a", 0, ms, 300*time.Microsecond), subscription("b", topic, 3, 2*ms)),
		timer("c", 0, 2*ms, ms), timer("d", 0, 3*ms, ms))
	s := System{CPUs: 2, Threads: []Thread{workers(3, 0, callbacks...)}, Sources: []Source{{Topic: topic, Period: ms}}}
	tl := NewTimeline(&s, discard{})
	run, err := New(s, tl)
	if err != nil {
		t.Fatal(err)
	}
	until := clock.Mono(0)
	if n := testing.AllocsPerRun(20, func() {
		until += clock.Mono(time.Second)
		if err := run.Run(until); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations in a second", n)
	}
}

// BenchmarkWorkers runs ten timers of 10 ms, in five groups, which use 1.2 CPUs of
// two. One iteration is a second of virtual time.
func BenchmarkWorkers(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("workers=%d", n), func(b *testing.B) {
			th := workers(n, 0)
			for i := range 10 {
				c := timer("", time.Duration(i)*time.Microsecond, 10*ms, 1200*time.Microsecond)
				c.Node = i / 2
				th.Callbacks = append(th.Callbacks, c)
			}
			benchmark(b, System{CPUs: 2, Threads: []Thread{th}})
		})
	}
}
