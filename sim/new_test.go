package sim

import (
	"strings"
	"testing"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// What cannot be is refused, with where it is and the remedy.
func TestBadSystems(t *testing.T) {
	ok := timer("ok", 0, ms, ms)
	bad := func(change func(*Callback)) System {
		c := timer("bad", 0, ms, ms)
		change(&c)
		return System{Threads: []Thread{{Name: "main", Callbacks: []Callback{ok, c}}}}
	}
	shared := ok
	shared.Context = &sched.Context{Class: sched.Sporadic, Budget: sched.Budget{Amount: ms, Period: ms}}
	topic := &Topic{Name: "scan"}
	for _, c := range []struct {
		s    System
		want string
	}{
		{System{CPUs: -1}, "-1 CPUs"},
		{System{Threads: []Thread{{Name: "a", CPU: 2}}}, `thread "a" is pinned to CPU 2 of 1`},
		{System{Threads: []Thread{{Name: "a", CPU: -1}}}, "pinned to CPU -1"},
		{System{Threads: []Thread{{Name: "a", CPU: 1}, {Name: "b"}}}, `threads "a" and "b": one is pinned`},
		{System{Threads: []Thread{{Name: "a", Reservation: Reservation{Amount: ms}}}}, `thread "a": a reservation of 1ms per 0s`},
		{System{Threads: []Thread{{Name: "a", Reservation: Reservation{2 * ms, ms}}}}, "a reservation of 2ms per 1ms"},
		{System{Threads: []Thread{{Name: "a", Executor: 9}}}, `thread "a": unknown executor 9`},
		{System{Threads: []Thread{{Name: "a", Executor: WaitSet, Level: LevelOptions{SpinPeriod: ms}}}}, "options of a level"},
		{System{Threads: []Thread{{Name: "a", Executor: Events, Spin: sched.Spin{Once: true}}}}, `thread "a": a way to spin for an executor that is not on a wait set`},
		{System{Threads: []Thread{{Name: "a", Executor: WaitSet, Spin: sched.Spin{Period: -ms}}}}, `thread "a": a loop with a period of -1ms`},
		{System{Threads: []Thread{{Name: "a", Executor: Rclpy, Spin: sched.Spin{Period: ms}}}}, "which rclpy does not have"},
		{System{Threads: []Thread{{Name: "a", Executor: EventsTimers, Callbacks: []Callback{subscription("bad", topic, 1, ms)}}}}, "callback 0 is a subscription on the timers' thread"},
		{System{Threads: []Thread{{Name: "a", Level: LevelOptions{SpinPeriod: -ms}}}}, `thread "a": a spin period of -1ms`},
		{System{Threads: []Thread{threadOf(1, shared), threadOf(1, shared)}}, "shares its budget with a callback of another thread"},
		{bad(func(c *Callback) { c.Costs = nil }), `thread "main": callback "bad": a cost is missing`},
		{bad(func(c *Callback) { c.Costs[0] = -1 }), "a cost is missing or below 0"},
		{bad(func(c *Callback) { c.From = []*Topic{topic} }), "0 inputs from 1 topics"},
		{bad(func(c *Callback) { c.Publishes = []*Topic{nil} }), "a topic is nil"},
		{bad(func(c *Callback) { c.Publishes = []*Topic{{Name: "x", Latency: -1}} }), `topic "x" has a latency of -1ns`},
		{bad(func(c *Callback) { c.Period = -1 }), `thread "main": callback 1 has a period of -1ns`},
		{System{Sources: []Source{{}}}, "source 0: a topic is nil"},
		{System{Sources: []Source{{Topic: topic}}}, "source 0: a period of 0s and 0 times"},
		{System{Sources: []Source{{Topic: topic, Period: ms, Times: []clock.Mono{1}}}}, "a period of 1ms and 1 times"},
		{System{Sources: []Source{{Topic: topic, Times: []clock.Mono{2, 1}}}}, "not in order"},
		{System{Sources: []Source{{Topic: topic, Period: ms, OnSim: true}}}, "source 0: simulated time without a clock"},
		{System{Sources: []Source{{Topic: topic, Period: ms, Deadline: -1}}}, "a deadline of -1ns"},
		{System{Clock: &Clock{Step: ms}}, "a clock with a step of 1ms every 0s"},
		{System{Clock: &Clock{Step: ms, Interval: ms, Changes: []ClockChange{{At: 2}, {At: 1}}}}, "changes of the clock are not in order"},
		{System{Clock: &Clock{Step: ms, Interval: ms, Changes: []ClockChange{{Pause: -1}}}}, "a pause of the clock of -1ns"},
		{System{Clock: &Clock{Topic: topic, Step: ms, Interval: ms}, Sources: []Source{{Topic: topic, Period: ms}}}, "source 0 publishes on the topic of the clock"},
		{System{Threads: []Thread{{Name: "a", UseSimTime: true}}}, `thread "a": simulated time without a clock`},
		{bad(func(c *Callback) { c.OnROS = true }), `thread "main": a timer on simulated time`},
		{System{Clock: &Clock{Step: ms, Interval: ms}, Threads: []Thread{{UseSimTime: true, ClockCallback: 1}}}, "callback 1 is to take the clock, of 0"},
		{System{Clock: &Clock{Step: ms, Interval: ms}, Threads: []Thread{{UseSimTime: true, ClockCallback: 1, Callbacks: []Callback{ok}}}}, "has another topic"},
		{System{Threads: []Thread{{Name: "a", Reservation: Reservation{ms, ms}, Level: LevelOptions{Budget: sched.Budget{Amount: ms, Period: ms}}}}}, "a reservation and a budget of the level"},
	} {
		if _, err := New(c.s, nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ";") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// A system of nothing comes to its end.
func TestEmptySystem(t *testing.T) {
	run(t, System{}, 1).want(t)
	run(t, System{Threads: []Thread{{}, {Executor: WaitSet}, {Executor: Events}, {Executor: EventsTimers}, {Executor: Static}, {Executor: Rclpy}}}, 1).want(t)
}
