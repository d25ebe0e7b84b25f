package sim

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A message at 0 and a timer at 0: rclcpp's and rclpy's executors serve the timer
// first, the static one the subscription. A timer of 1 ms that is due at 1 ms,
// during the first, waits for the end of the snapshot.
func TestOrderOfKinds(t *testing.T) {
	for executor, want := range map[Executor][]string{
		WaitSet: {"timer 0s-2ms", "scan 2ms-4ms", "late 4ms-5ms"},
		Rclpy:   {"timer 0s-2ms", "scan 2ms-4ms", "late 4ms-5ms"},
		Static:  {"scan 0s-2ms", "timer 2ms-4ms", "late 4ms-5ms"},
	} {
		topic := &Topic{}
		run(t, System{
			Threads: []Thread{{Executor: executor, Callbacks: []Callback{
				timer("late", ms, 0, ms), subscription("scan", topic, 1, 2*ms), timer("timer", 0, 0, 2*ms),
			}}},
			Sources: []Source{{Topic: topic, Times: []clock.Mono{0}}},
		}, time.Second).want(t, want...)
	}
}

// The timer of a loop of 10 ms around spin_some that is released at 5 ms runs at
// 10 ms. A more urgent thread has the CPU from 9 to 13 ms: the turn begins with
// what is ready then, a message of 12 ms too, and the next turn is at 20 ms.
func TestSpinSome(t *testing.T) {
	topic := &Topic{}
	run(t, System{
		Threads: []Thread{
			{Executor: WaitSet, Spin: sched.Spin{Period: 10 * ms}, Callbacks: []Callback{timer("timer", 5*ms, 0, ms), subscription("scan", topic, 1, ms)}},
			threadOf(1, timer("urgent", 9*ms, 0, 4*ms)),
		},
		Sources: []Source{{Topic: topic, Times: []clock.Mono{clock.Mono(12 * ms), clock.Mono(16 * ms)}}},
	}, time.Second).want(t, "urgent 9ms-13ms", "timer 13ms-14ms", "scan 14ms-15ms", "scan 20ms-21ms")
}

// A message of 50 ms and a timer of 20 ms on an events executor. On one thread
// the releases of 20 and 40 ms wait for the message and are both served. On a
// thread and a CPU of its own the timer is on time; on a thread of its own that
// shares the CPU it waits as before, for equals do not preempt each other, but
// one release is skipped.
func TestTimersOfEvents(t *testing.T) {
	topic := &Topic{}
	scan, tick := subscription("scan", topic, 10, 50*ms), timer("timer", 20*ms, 20*ms, ms)
	s := System{Sources: []Source{{Topic: topic, Times: []clock.Mono{0}}}}
	s.Threads = []Thread{{Executor: Events, Callbacks: []Callback{scan, tick}}}
	run(t, s, 70*ms).want(t, "scan 0s-50ms", "timer 50ms-51ms", "timer 51ms-52ms", "timer 60ms-61ms")

	s.Threads = []Thread{{Executor: Events, Callbacks: []Callback{scan}}, {Executor: EventsTimers, Callbacks: []Callback{tick}}}
	run(t, s, 70*ms).want(t, "scan 0s-50ms", "timer 50ms-51ms", "timer 60ms-61ms")
	s.CPUs = 2
	run(t, s, 70*ms).want(t, "timer 20ms-21ms", "timer 40ms-41ms", "scan 0s-50ms", "timer 60ms-61ms")
}

// Every stock executor may take /clock by a callback of its own. As in
// TestClockCallback, a timer of 10 ms whose runs take 25 ms serves 10, 20, 40 and
// 70 of the simulated time.
func TestClockCallbackOfStockExecutors(t *testing.T) {
	for _, executor := range []Executor{WaitSet, Static, Rclpy} {
		topic := &Topic{Name: "/clock", Latency: 3 * ms}
		s := simulated(10*ms, 10*ms, subscription("clock", topic, 1, 0), onROS(10*ms, 25*ms))
		s.Clock.Topic = topic
		s.Threads[0].Executor = executor
		s.Threads[0].ClockCallback = 1
		l := observe(t, s, 100*ms)
		wantAll(t, l.set, "3ms:0s", "13ms:10ms", "38ms:30ms", "63ms:60ms", "88ms:80ms")
		wantAll(t, l.jobs, "0 3ms:0s", "0 13ms:0s", "1 13ms:10ms", "0 38ms:0s", "1 38ms:20ms", "0 63ms:0s", "1 63ms:40ms", "0 88ms:0s", "1 88ms:70ms")
	}
}
