package ctf

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/timeline"
)

// A callback that spins within itself runs others meanwhile, which end first.
func TestCallbacksWithinCallbacks(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.subscription("/a", 50, 60)
	w.at(made+10*ms, "callback_start", 4, 0)
	w.at(made+11*ms, "callback_start", 60, 0)
	w.at(made+12*ms, "callback_end", 60)
	w.at(made+15*ms, "callback_end", 4)
	g := w.read()
	for name, want := range map[string]float64{"/n subscription /a": 0.001, "/n timer 10ms": 0.005} {
		for id, e := range g.entities {
			if got := g.durations(id); e.Name == name && !slices.Equal(got, []float64{want}) {
				t.Errorf("%s took %v, want %v s", name, got, want)
			}
		}
	}
}

// The same callback runs on two threads at once in a reentrant group.
func TestCallbackOnTwoThreads(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.at(made+10*ms, "callback_start", 4, 0)
	w.who.TID = 11
	w.at(made+20*ms, "callback_start", 4, 0)
	w.at(made+21*ms, "callback_end", 4)
	w.who.TID = 10
	w.at(made+35*ms, "callback_end", 4)
	g := w.read()
	timer := g.entity(t, timeline.TimerEntity, "/n timer 10ms")
	ends := g.of(timeline.JobEnded, timer.ID)
	if ends[0].Number != 2 || ends[0].Thread != 11 || ends[1].Number != 1 || ends[1].Thread != 10 {
		t.Errorf("ends %+v", ends)
	}
}

// Ends and starts may be lost: a job goes on until its own end.
func TestLostEndsAndStarts(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.ev("callback_end", 4)
	w.at(made+10*ms, "callback_start", 4, 0)
	w.at(made+20*ms, "callback_start", 4, 0)
	w.at(made+21*ms, "callback_end", 4)
	g := w.read()
	timer := g.entity(t, timeline.TimerEntity, "/n timer 10ms")
	if ends := g.of(timeline.JobEnded, timer.ID); len(ends) != 1 || ends[0].Number != 2 {
		t.Errorf("ends %+v", ends)
	}
	if !g.found("ends-without-start") {
		t.Errorf("findings %v", g.outcome.Findings)
	}
}

// A trace that begins after the nodes does not have what their callbacks are.
func TestTraceThatBeganLate(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.job(0xabc, made, made+ms)
	w.ev("rcl_publish", 40, 90)
	w.ev("rmw_take", 51, 99, 5, 1)
	g := w.read()
	c := g.entity(t, timeline.CallbackEntity, "callback 0xabc of process 10")
	if got := g.durations(c.ID); !slices.Equal(got, []float64{0.001}) || !g.found("callbacks-unnamed") {
		t.Errorf("took %v, findings %v", got, g.outcome.Findings)
	}
}

// Without contexts everything is one process, which is said.
func TestTraceWithoutProcesses(t *testing.T) {
	w := newWorld(t, tracetest.Options{NoContext: true})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.job(4, made+10*ms, made+11*ms)
	g := w.read()
	if len(g.starts) != 1 || !g.found("no-process") {
		t.Errorf("%d callbacks, findings %v", len(g.starts), g.outcome.Findings)
	}
}

func TestTraceOfSomethingElse(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.s.Event(1000, w.ids["other:event"], w.who, 1)
	g := w.read()
	if len(g.events) != 0 || !g.found("no-ros-events") {
		t.Errorf("events %v, findings %v", g.events, g.outcome.Findings)
	}
}

// The tracer says how many events it had no room for, and between which
// instants.
func TestGapIsAHole(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.s.Flush()
	from := w.now
	w.s.Discard(3)
	w.job(4, 2*time.Second, 3*time.Second)
	g := w.read()
	holes := g.of(timeline.Hole, 0)
	if len(holes) != 1 || holes[0].At != timeline.Instant(from) || holes[0].Value != int64(3*time.Second) {
		t.Errorf("holes %+v, want from %d", holes, from)
	}
	if !g.outcome.Partial || !g.found("events-discarded") {
		t.Errorf("findings %v", g.outcome.Findings)
	}
}

// A stream that was cut gives what is whole of it, and the loss is said: of
// babeltrace2's events of the whole trace, those of that file come after.
func TestCutStream(t *testing.T) {
	g := read(t, filepath.Join(recordings, "derived", "broken", "ctf-cut-stream"))
	whole := read(t, filepath.Join(recordings, "ctf", "talker-listener"))
	holes := g.of(timeline.Hole, 0)
	if len(holes) != 1 || holes[0].Value != math.MaxInt64 {
		t.Fatalf("holes %+v", holes)
	}
	if !g.outcome.Partial || !g.found("truncated") {
		t.Errorf("findings %v", g.outcome.Findings)
	}
	if g.run.events >= whole.run.events || g.run.events == 0 {
		t.Errorf("%d events, %d when whole", g.run.events, whole.run.events)
	}
}

func TestReadingMayBeInterrupted(t *testing.T) {
	s, err := Open(filepath.Join(recordings, "ctf", "jazzy-slow-timer"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	o, err := s.Run(ctx, &reading{entities: map[timeline.EntityID]timeline.Entity{}, starts: map[timeline.EntityID][]int64{}, calls: map[timeline.EntityID][]int64{}})
	if err != nil || !o.Partial || o.Findings[0].ID != "interrupted" {
		t.Errorf("%v, %v", o, err)
	}
}

// What an executor does between jobs are marks on its thread.
func TestExecutorIsMarked(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.ev("rclcpp_executor_wait_for_work", -1)
	w.ev("rclcpp_executor_get_next_ready")
	g := w.read()
	marks := g.of(timeline.Mark, g.entity(t, timeline.ThreadEntity, "node 10").ID)
	if len(marks) != 2 || marks[0].Value != int64(timeline.ExecutorWaits) || marks[1].Value != int64(timeline.ExecutorChooses) {
		t.Errorf("marks %+v", marks)
	}
}

// The kernel's trace lies beside that of user space. Of the 10 ms of the job
// the thread was off its CPU for 4.
func TestCPUTimeByTheKernelsTrace(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.job(4, made+10*ms, made+20*ms)
	w.job(4, made+30*ms, made+31*ms)
	both := w.dir
	for _, dir := range []string{"ust", "kernel"} {
		if err := os.Mkdir(filepath.Join(both, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	k := tracetest.New(filepath.Join(both, "kernel"), tracetest.Options{Domain: "kernel", NoContext: true, Compact: true})
	id := k.Define("sched_switch", "prev_comm bytes16", "prev_tid i32", "next_comm bytes16", "next_tid i32")
	waking := k.Define("sched_waking", "comm bytes16", "tid i32", "target_cpu i32")
	s, name := k.Stream(1), make([]byte, 16)
	change := func(at time.Duration, prev, next int) {
		s.Event(uint64(at), id, tracetest.Thread{}, name, prev, name, next)
	}
	change(made+9*ms, 0, 10)
	change(made+12*ms, 10, 77)
	s.Event(uint64(made+15*ms), waking, tracetest.Thread{}, name, 10, 1)
	change(made+16*ms, 77, 10)
	change(made+21*ms, 10, 0)
	change(made+29*ms, 0, 10)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"metadata", "ros_0"} {
		if err := os.Rename(filepath.Join(both, file), filepath.Join(both, "ust", file)); err != nil {
			t.Fatal(err)
		}
	}
	g := read(t, both)
	ends := g.of(timeline.JobEnded, g.entity(t, timeline.TimerEntity, "/n timer 10ms").ID)
	if len(ends) != 2 || !ends[0].Has(timeline.HasCPUTime) || ends[0].Value != int64(6*ms) || ends[1].Value != int64(ms) {
		t.Errorf("ends %+v, want CPU times of 6 and 1 ms", ends)
	}
	thread := g.entity(t, timeline.ThreadEntity, "node 10")
	// The thread is known from its first callback on.
	for kind, want := range map[timeline.Kind]int{timeline.SwitchedIn: 2, timeline.SwitchedOut: 2, timeline.Woken: 1} {
		if n := len(g.of(kind, thread.ID)); n != want {
			t.Errorf("%d events of kind %d, want %d", n, kind, want)
		}
	}
}

// The same load gives the same timeline in every layout.
func TestLayoutsGiveTheSame(t *testing.T) {
	var first []timeline.Event
	for _, opt := range []tracetest.Options{{}, {Compact: true, PacketSize: 4096}, {BigEndian: true, PacketSize: 700}, {BigEndian: true, Compact: true}} {
		dir := t.TempDir()
		if err := tracetest.Load(dir, opt, 3, 5000); err != nil {
			t.Fatal(err)
		}
		g := read(t, dir)
		if first == nil {
			first = g.events
		}
		if !slices.Equal(first, g.events) || len(first) < 3000 {
			t.Errorf("%+v: %d events, %d in the first layout, or others", opt, len(g.events), len(first))
		}
	}
}

// Whatever callbacks run on whatever threads, each job is there with its
// instants and its thread.
func TestAnyJobs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type job struct {
			callback   int
			tid        int32
			start, end time.Duration
		}
		w := newWorld(t, tracetest.Options{PacketSize: rapid.IntRange(400, 4000).Draw(rt, "packet"), Compact: rapid.Bool().Draw(rt, "compact")})
		w.node("8.2.2")
		want := map[string]int{}
		now := w.now
		for range rapid.IntRange(1, 40).Draw(rt, "jobs") {
			j := job{rapid.IntRange(1, 4).Draw(rt, "callback"), int32(rapid.IntRange(1, 3).Draw(rt, "thread")), 0, 0}
			j.start = now + time.Duration(rapid.Int64Range(1, 1<<34).Draw(rt, "gap"))
			j.end = j.start + time.Duration(rapid.Int64Range(1, 1<<34).Draw(rt, "length"))
			now = j.end
			w.who.TID = j.tid
			w.job(j.callback, j.start, j.end)
			want[fmt.Sprint(j)]++
		}
		got, open := map[string]int{}, map[timeline.Cause]timeline.Event{}
		g := w.read()
		address := map[timeline.EntityID]int{}
		for _, c := range g.source.Callbacks() {
			address[c.ID] = int(c.Address)
		}
		for _, e := range g.events {
			key := timeline.Cause{Entity: e.Entity, Number: e.Number}
			switch e.Kind {
			case timeline.JobStarted:
				open[key] = e
			case timeline.JobEnded:
				got[fmt.Sprint(job{address[e.Entity], e.Thread, time.Duration(open[key].At), time.Duration(e.At)})]++
			}
		}
		if !maps.Equal(got, want) {
			rt.Fatalf("got %v\nwant %v", got, want)
		}
	})
}

// CARET traces groups and executors: in this trace by babeltrace2's text one
// multi-threaded executor with six groups, one of each node.
func TestGroupsOfARecordedTrace(t *testing.T) {
	g := read(t, filepath.Join(recordings, "ctf", "pipeline-3-timers"))
	groups := map[string]uint64{}
	for _, c := range g.source.Callbacks() {
		if c.ID == 0 {
			continue
		}
		if c.Executor != "multi_threaded_executor" || c.GroupType != "mutually_exclusive" {
			t.Errorf("%s: executor %q, group %q", c.Name, c.Executor, c.GroupType)
		}
		if before, ok := groups[c.Node]; ok && before != c.Group {
			t.Errorf("%s has two groups", c.Node)
		}
		groups[c.Node] = c.Group
	}
	if len(groups) != 6 {
		t.Errorf("%d groups, want 6", len(groups))
	}
}

// A stream whose time goes back is handed on as it is, and that is said.
func TestStreamWhoseTimeGoesBack(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.job(4, made+10*ms, made+11*ms)
	w.job(4, made+5*ms, made+6*ms)
	g := w.read()
	if len(g.events) != 4 || !g.found("not-in-order") {
		t.Errorf("%d events, findings %v", len(g.events), g.outcome.Findings)
	}
}

// Of a thread more callbacks may be open than are remembered, if their ends
// are lost.
func TestManyLostEnds(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	for i := range 3 * maxNested {
		w.at(made+time.Duration(i)*ms, "callback_start", 1+i, 0)
	}
	w.at(made+time.Second, "callback_end", 3*maxNested)
	g := w.read()
	for _, p := range g.run.processes {
		for _, th := range p.threads {
			if len(th.open) != maxNested-1 {
				t.Errorf("%d open callbacks, want %d", len(th.open), maxNested-1)
			}
		}
	}
}
