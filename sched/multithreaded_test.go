package sched

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

// in puts a callback in a group.
func in(g *Group, c Callback) Callback {
	c.Group = g
	return c
}

// alone gives a callback a group of its own.
func alone(c Callback) Callback { return in(&Group{}, c) }

// Two timers of 1000 ms whose runs take 1000 ms, in one mutually exclusive group:
// the second never runs, since at every end of the first both are due and the
// first is so by its place. It is the known starvation of rclcpp. One thread
// serves what it has seen before it waits again, so that they alternate; in a
// reentrant group, or in two, each has a worker.
func TestMutuallyExclusiveTimersStarve(t *testing.T) {
	second := timer(time.Second, nil)
	for _, c := range []struct {
		name          string
		workers       int
		first, second *Group
		want          string
	}{
		{"starved", 2, nil, nil, "0@0s/0 0@1s/0 0@2s/0 0@3s/0"},
		{"starved by many", 5, nil, nil, "0@0s/0 0@1s/0 0@2s/0 0@3s/0"},
		{"one thread", 1, nil, nil, "0@0s/0 1@1s/0 0@2s/0 1@3s/0"},
		{"reentrant", 2, &Group{Reentrant: true}, nil, "0@0s/0 1@0s/1 0@1s/0 1@1s/1 0@2s/0 1@2s/1 0@3s/0 1@3s/1"},
		{"two groups", 2, nil, &Group{}, "0@0s/0 1@0s/1 0@1s/0 1@1s/1 0@2s/0 1@2s/1 0@3s/0 1@3s/1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.second == nil {
				c.second = c.first
			}
			d := newCrew(t, c.workers, []Callback{in(c.first, second), in(c.second, second)}, time.Second, time.Second)
			d.run(4 * time.Second)
			d.want(c.want)
		})
	}
}

// The first timer of 1000 ms takes 900 ms, and so does the second: the second
// runs once, at 900 ms, when the first is not due. At 1800 ms both are, and from
// then on the first is due at each of its own ends.
func TestOverloadedGroupStarvesLater(t *testing.T) {
	second := timer(time.Second, nil)
	d := newCrew(t, 2, []Callback{second, second}, 900*ms, 900*ms)
	d.run(6 * time.Second)
	d.want("0@0s/0 1@900ms/0 0@1.8s/0 0@2.7s/0 0@3.6s/0 0@4.5s/0 0@5.4s/0")
}

// Callbacks of a reentrant group run beside each other, and beside themselves.
func TestReentrant(t *testing.T) {
	d := newCrew(t, 2, []Callback{in(&Group{Reentrant: true}, of(Subscription))}, 10*ms)
	d.arrive(0, 0, 0, 0)
	d.run(time.Second)
	d.want("0@0s/0 0@0s/1 0@10ms/0")
}

// The default groups of two nodes are two.
func TestDefaultGroupOfANode(t *testing.T) {
	other := of(Subscription)
	other.Node = 1
	d := newCrew(t, 3, []Callback{of(Subscription), of(Subscription), other}, 10*ms, ms, ms)
	for i := range 3 {
		d.arrive(i, 0)
	}
	d.run(time.Second)
	d.want("0@0s/0 2@0s/1 1@10ms/0")
}

// 0 and 1 are of one group, 2 and 3 have their own, and all have a message at 0,
// callback 0 two. While 0 runs until 2 ms, the second worker passes over 1, which
// is forgotten, and runs 2 and then 3 until 6 ms. At 2 ms nothing is left of what
// the wait saw, and the next wait sees 0 and 1: 0 goes first again.
func TestPassedOverIsForgotten(t *testing.T) {
	g := &Group{}
	d := newCrew(t, 2, []Callback{in(g, of(Subscription)), in(g, of(Subscription)), alone(of(Subscription)), alone(of(Subscription))}, 2*ms, ms, ms, 5*ms)
	d.arrive(0, 0, 0)
	for i := 1; i < 4; i++ {
		d.arrive(i, 0)
	}
	d.run(time.Second)
	d.want("0@0s/0 2@0s/1 3@1ms/1 0@2ms/0 1@4ms/0")
}

// Timers that are passed over stay: the second worker passes over timer 1 and
// runs 2 until 5 ms. At 2 ms timer 0, of 1 ms, is due again, but 1 is still in
// what the first wait saw.
func TestPassedOverTimerStays(t *testing.T) {
	g := &Group{}
	d := newCrew(t, 2, []Callback{in(g, timer(ms, nil)), in(g, once(0, nil)), alone(of(Subscription))}, 2*ms, ms, 5*ms)
	d.arrive(2, 0)
	d.run(5 * ms)
	d.want("0@0s/0 2@0s/1 1@2ms/0 0@3ms/0")
	if c := d.jobs[2].Cycle; c != 0 {
		t.Errorf("timer 1 is of cycle %d", c)
	}
}

// Timers 0, until 3 ms, and 1, due at 1 ms, are of one group; 2, 3 and 4 have
// their own. 2 ends at 1 ms, and its worker waits anew, on a wait set without the
// busy group, until 3 comes at 2 ms. When 0 ends at 3 ms both workers were busy,
// so that the wait set still lacks its group: 4, which came at 2.5 ms, goes before
// timer 1.
func TestWaitSetLacksTheGroupOnceMore(t *testing.T) {
	g := &Group{}
	d := newCrew(t, 2, []Callback{in(g, once(0, nil)), in(g, once(ms, nil)), alone(of(Subscription)), alone(of(Subscription)), alone(of(Subscription))}, 3*ms, ms, ms, 5*ms, ms)
	d.arrive(2, 0)
	d.arrive(3, 2*ms)
	d.arrive(4, 2500*time.Microsecond)
	d.run(time.Second)
	d.want("0@0s/0 2@0s/1 3@2ms/1 4@3ms/0 1@4ms/0")
}

// A worker that waits is woken by the end of the group's callback, in which
// nothing else happens.
func TestEndOfCallbackWakesTheWait(t *testing.T) {
	d := newCrew(t, 2, []Callback{of(Subscription), of(Subscription)}, 3*ms, ms)
	d.arrive(0, 0)
	d.arrive(1, ms)
	d.run(time.Second)
	d.want("0@0s/0 1@3ms/0")
}

// A worker wants a CPU after the end of a callback, to wait anew on the group that
// it has freed. One that is alone does not, like a wait set.
func TestWorkersWantToWait(t *testing.T) {
	for workers := 1; workers <= 2; workers++ {
		d := newCrew(t, workers, []Callback{once(0, nil)}, ms)
		w := d.executor.Worker(0)
		w.Step(0)
		w.Done(1, 1)
		if wants, _ := w.Peek(1); wants != (workers > 1) {
			t.Errorf("one of %d wants a CPU: %v", workers, wants)
		}
		w.Step(1)
		if wants, next := w.Peek(1); wants || next != clock.Mono(time.Hour) {
			t.Errorf("one of %d that waits wants a CPU: %v, %d", workers, wants, next)
		}
	}
}

// A deadline is missed by the job that misses it, whatever else the workers run.
func TestMissOfAWorker(t *testing.T) {
	late := once(0, &Context{Deadline: 3 * ms})
	d := newCrew(t, 2, []Callback{late, alone(once(ms, nil)), alone(once(2*ms, &Context{Deadline: ms}))}, 5*ms, ms, ms)
	d.run(time.Second)
	d.want("0@0s/0 1@1ms/1 2@2ms/1")
	for i, want := range []bool{true, false, false} {
		if d.jobs[i].missed != want {
			t.Errorf("job %d missed: %v", i, d.jobs[i].missed)
		}
	}
}

// A tick makes two timers of one group due. One runs; the other stays in what the
// wait saw, until simulated time goes back and makes it undue.
func TestMultiThreadedOnSimulatedTime(t *testing.T) {
	c := Callback{Kind: TimerKind, First: clock.Mono(10 * ms), Period: 10 * ms, OnROS: true}
	m, err := NewMultiThreaded([]Callback{c, c}, 2)
	if err != nil {
		t.Fatal(err)
	}
	w := m.Worker(0)
	if job, next := w.Step(0); job != nil || next != Never {
		t.Fatalf("without a tick %+v, %d", job, next)
	}
	m.Tick(1, 0)
	m.Tick(2, clock.Sim(10*ms))
	job, _ := w.Step(2)
	if job == nil || job.Callback != 0 || job.SimRelease != clock.Sim(10*ms) || job.Release != 2 {
		t.Fatalf("ran %+v", job)
	}
	m.Tick(3, -clock.Sim(20*ms))
	w.Done(4, 1)
	if job, next := w.Step(4); job != nil || next != Never {
		t.Errorf("after the clock went back %+v, %d", job, next)
	}
}

// A timer that is canceled or reset while it is in what the wait saw does not run.
func TestMultiThreadedTimersStop(t *testing.T) {
	m, err := NewMultiThreaded([]Callback{timer(10*ms, nil), timer(10*ms, nil), timer(10*ms, nil)}, 2)
	if err != nil {
		t.Fatal(err)
	}
	w := m.Worker(1)
	if job, _ := w.Step(0); job == nil || job.Callback != 0 || job.Worker != 1 {
		t.Fatalf("ran %+v", job)
	}
	m.Cancel(1)
	m.Reset(2, 5)
	w.Done(5, 5)
	if job, next := w.Step(5); job != nil || next != clock.Mono(10*ms) {
		t.Errorf("ran %+v, %d", job, next)
	}
}

func TestBadMultiThreaded(t *testing.T) {
	all := subscription(1, nil)
	all.TakeAll = true
	for _, c := range []struct {
		callback Callback
		workers  int
		want     string
	}{
		{timer(ms, nil), 0, "an executor with 0 threads; give it 1 to 10000"},
		{timer(ms, nil), 10_001, "10001 threads"},
		{all, 2, "callback 0 takes all"},
		{once(0, &Context{Class: EDF}), 2, "context 1 orders or holds back, which a multi-threaded executor cannot"},
	} {
		if _, err := NewMultiThreaded([]Callback{c.callback}, c.workers); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// Workers do not allocate, whatever their groups.
func TestWorkersDoNotAllocate(t *testing.T) {
	callbacks := mixed(10)
	for i := range callbacks {
		callbacks[i].Node = i / 4
	}
	callbacks[2].Group = &Group{Reentrant: true}
	m, err := NewMultiThreaded(callbacks, 3)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.Mono(0)
	if got := testing.AllocsPerRun(100, func() {
		for i := 1; i < 10; i += 2 {
			m.Arrive(i, 0, Sample{Arrival: now})
		}
		for range 10 {
			var runs [3]bool
			for i := range runs {
				job, _ := m.Worker(i).Step(now)
				runs[i] = job != nil
				m.Peek(now)
			}
			now++
			for i := range runs {
				if runs[i] {
					m.Worker(i).Done(now, 1)
				}
			}
		}
		now = now.Add(10 * ms)
	}); got != 0 {
		t.Errorf("%v allocations per period", got)
	}
}
