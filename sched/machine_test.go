package sched

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// What cannot be is refused, with what it is about and the remedy.
func TestBadConfiguration(t *testing.T) {
	level := func(c Callback) LevelConfig { return LevelConfig{Callbacks: []Callback{once(0, nil), c}} }
	context := func(c Context) LevelConfig { return level(once(0, &c)) }
	for _, c := range []struct {
		config LevelConfig
		want   string
	}{
		{level(Callback{Kind: 9}), "callback 1 has the unknown kind 9"},
		{level(Callback{Kind: TimerKind, Inputs: []Input{{}}}), "callback 1 is a timer and has inputs"},
		{level(timer(-ms, nil)), "callback 1 has a period of -1ms; give one of 0 or more"},
		{level(Callback{Kind: TimerKind, Skip: 7}), "unknown skip rule 7"},
		{level(Callback{Kind: Fused}), "without inputs"},
		{level(Callback{Kind: Fused, Inputs: []Input{{}}, TakeAll: true}), "leave TakeAll out"},
		{level(Callback{Kind: Service}), "callback 1 is a service with 0 inputs"},
		{level(Callback{Kind: Subscription, Inputs: []Input{{}, {}}}), "callback 1 is a subscription with 2 inputs"},
		{level(Callback{Kind: Client, Inputs: []Input{{-1}}}), "input 0 of callback 1 has a depth of -1"},
		{level(Callback{Kind: TimerKind, Cost: -1}), "callback 1 costs -1ns"},
		{context(Context{Class: 9}), "context 1: unknown class 9"},
		{context(Context{Bucket: 9}), "context 1: unknown bucket 9"},
		{context(Context{OnMiss: 9}), "context 1: unknown reaction"},
		{context(Context{Deadline: -ms}), "context 1: a deadline of -1ms"},
		{context(Context{Budget: Budget{ms, ms}}), "a budget without the class Sporadic"},
		{context(Context{Class: Sporadic, Budget: Budget{Amount: ms}}), "a budget of 1ms per 0s"},
		{context(Context{Class: Sporadic, Budget: Budget{Period: ms}}), "a budget of 0s per 1ms"},
		{context(Context{Window: Window{Frame: -ms}}), "a window of 0s from 0s in -1ms"},
		{context(Context{Trigger: Trigger{Kind: 9}}), "unknown trigger 9"},
		{context(Context{Trigger: Trigger{AllOf, []int{2}}}), "a trigger of callback 2, which this thread does not have; name one from 0 to 1"},
		{context(Context{Trigger: Trigger{AllOf, []int{-1}}}), "a trigger of callback -1"},
		{context(Context{Trigger: Trigger{AllOf, []int{0}}}), "a trigger of callback 0, which is a timer"},
		{LevelConfig{Trigger: Trigger{AnyOf, []int{0}}}, "level: a trigger of callback 0"},
		{LevelConfig{Drain: 9}, "unknown drain 9"},
		{LevelConfig{GreedyCap: -1, Drain: Greedy}, "a greedy cap of -1"},
		{LevelConfig{GreedyCap: 1}, "a greedy cap with the drain Latched"},
		{LevelConfig{SpinPeriod: -ms}, "a spin period of -1ms"},
		{LevelConfig{CycleBudget: -ms}, "a cycle budget of -1ms"},
		{LevelConfig{LET: true, Drain: Greedy}, "LET with the drain Greedy"},
		{LevelConfig{CleanTime: -ms}, "a clean time of -1ms"},
		{LevelConfig{Budget: Budget{Amount: ms}}, "level: a budget of 1ms per 0s"},
		{level(Callback{Kind: Service, Inputs: []Input{{}}, OnROS: true}), "callback 1 is a service with options of a timer"},
		{level(Callback{Kind: Service, Inputs: []Input{{}}, Once: true}), "leave OnROS and Once out"},
	} {
		if _, err := NewLevel(c.config); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ";") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestBadStockExecutors(t *testing.T) {
	all := subscription(1, nil)
	all.TakeAll = true
	for _, c := range []struct {
		callback Callback
		want     string // of both
	}{
		{all, "callback 0 takes all"},
		{once(0, &Context{Class: EDF}), "context 1 orders or holds back"},
		{once(0, &Context{Trigger: Trigger{Kind: AllOf}}), "context 1 orders or holds back"},
		{once(0, &Context{OnMiss: SkipRest}), "context 1 orders or holds back"},
		{once(0, &Context{Deadline: -ms}), "context 1: a deadline of -1ms"},
		{Callback{Kind: Fused, Inputs: []Input{{}}}, "callback 0 is a fused callback"},
		{Callback{Kind: Service}, "callback 0 is a service with 0 inputs"},
	} {
		_, waitSet := NewWaitSet(WaitSetConfig{Callbacks: []Callback{c.callback}})
		_, events := NewEvents([]Callback{c.callback})
		for _, err := range []error{waitSet, events} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		}
	}
	if _, err := NewEvents([]Callback{timer(0, nil)}); err == nil {
		t.Error("a timer without a period floods the queue")
	}
}

// Machines without callbacks wait for ever.
func TestNothingToRun(t *testing.T) {
	for _, m := range machines(t, nil) {
		if job, next := m.Step(0); job != nil || next != Never {
			t.Errorf("%T: %v, %d", m, job, next)
		}
	}
}

// Marks of ready callbacks are in words of 64.
func TestManyCallbacks(t *testing.T) {
	const n = 200
	for _, m := range machines(t, mixed(n)) {
		var got []int
		for i := n - 1; i > 0; i -= 2 {
			m.Arrive(i, 0, Sample{})
		}
		for {
			job, _ := m.Step(0)
			if job == nil {
				break
			}
			got = append(got, job.Callback)
			m.Done(0, 0)
		}
		slices.Sort(got)
		if len(got) != n || len(slices.Compact(got)) != n {
			t.Errorf("%T ran %d", m, got)
		}
	}
}

func machines(tb rapid.TB, callbacks []Callback) []Machine {
	tb.Helper()
	l, err := NewLevel(LevelConfig{Callbacks: callbacks})
	if err != nil {
		tb.Fatal(err)
	}
	g, err := NewLevel(LevelConfig{Callbacks: callbacks, Drain: Greedy})
	if err != nil {
		tb.Fatal(err)
	}
	w, err := NewWaitSet(WaitSetConfig{Callbacks: callbacks})
	if err != nil {
		tb.Fatal(err)
	}
	e, err := NewEvents(callbacks)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := NewWaitSet(WaitSetConfig{Callbacks: callbacks, Order: StaticOrder, Spin: Spin{Once: true}})
	if err != nil {
		tb.Fatal(err)
	}
	r, err := NewWaitSet(WaitSetConfig{Callbacks: callbacks, Order: RclpyOrder})
	if err != nil {
		tb.Fatal(err)
	}
	m, err := NewMultiThreaded(callbacks, 1)
	if err != nil {
		tb.Fatal(err)
	}
	return []Machine{l, g, w, e, s, r, m.Worker(0)}
}

// mixed are as many timers of 10 ms as subscriptions.
func mixed(n int) (callbacks []Callback) {
	for range n / 2 {
		callbacks = append(callbacks, timer(10*ms, nil), subscription(5, &Context{Deadline: 5 * ms}))
	}
	return callbacks
}

// period lets every callback of mixed run once.
func period(m Machine, n int, now clock.Mono) {
	for i := 1; i < n; i += 2 {
		m.Arrive(i, 0, Sample{Arrival: now})
	}
	for {
		job, _ := m.Step(now)
		if job == nil {
			return
		}
		now++
		m.Done(now, 1)
		m.Peek(now)
	}
}

// An executor calls its machine on the path to a callback, where it must not
// allocate.
func TestMachinesDoNotAllocate(t *testing.T) {
	const n = 10
	for _, m := range machines(t, mixed(n)) {
		now := clock.Mono(0)
		if got := testing.AllocsPerRun(100, func() {
			period(m, n, now)
			now = now.Add(10 * ms)
		}); got != 0 {
			t.Errorf("%T: %v allocations per period", m, got)
		}
	}
}

// BenchmarkMachine is what a machine takes per job: arrival, steps and end.
func BenchmarkMachine(b *testing.B) {
	for _, n := range []int{2, 10, 50} {
		for i, name := range []string{"latched", "greedy", "waitset", "events", "static", "rclpy", "worker"} {
			b.Run(fmt.Sprintf("machine=%s/callbacks=%d", name, n), func(b *testing.B) {
				m, now := machines(b, mixed(n))[i], clock.Mono(0)
				b.ReportAllocs()
				for b.Loop() {
					period(m, n, now)
					now = now.Add(10 * ms)
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N*n), "ns/job")
			})
		}
	}
}
