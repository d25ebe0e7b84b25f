package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A clockLog is what ticks and jobs a run has.
type clockLog struct {
	Unobserved
	ticks    []string // sent
	set      []string // of threads
	jobs     []string // started, with what they serve on simulated time
	arrivals []string // of samples
	started  int64
	skipped  int64
	missed   int64
	sim      clock.Sim // of thread 0
}

func (l *clockLog) TickSent(now clock.Mono, sim clock.Sim) {
	l.ticks = append(l.ticks, at(now, sim))
}

func (l *clockLog) Ticked(now clock.Mono, thread int, sim clock.Sim) {
	if thread == 0 {
		l.sim = sim
	}
	l.set = append(l.set, at(now, sim))
}

func (l *clockLog) Arrived(_, _, _ int, s sched.Sample) {
	l.arrivals = append(l.arrivals, time.Duration(s.Arrival).String())
}

func (l *clockLog) Started(now clock.Mono, _ int, job *sched.Job) {
	l.jobs = append(l.jobs, fmt.Sprintf("%d %s", job.Callback, at(now, job.SimRelease)))
	l.started++
	l.skipped += job.Skipped
}

func (l *clockLog) Ended(_ clock.Mono, _ int, _ *sched.Job, missed bool) {
	if missed {
		l.missed++
	}
}

// at says when something was, and what the simulated time of it is.
func at(now clock.Mono, sim clock.Sim) string {
	return fmt.Sprintf("%v:%v", time.Duration(now), time.Duration(sim))
}

func observe(t *testing.T, s System, until time.Duration) *clockLog {
	t.Helper()
	l := &clockLog{}
	run, err := New(s, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Run(clock.Mono(until)); err != nil {
		t.Fatal(err)
	}
	return l
}

func wantAll(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// onROS is a timer on simulated time that was made before the clock started.
func onROS(period time.Duration, costs ...time.Duration) Callback {
	c := timer("ros", period, period, costs...)
	c.OnROS = true
	return c
}

// simulated is a thread under a clock of this step and interval.
func simulated(step, interval time.Duration, callbacks ...Callback) System {
	return System{
		Clock:   &Clock{Step: step, Interval: interval},
		Threads: []Thread{{UseSimTime: true, Callbacks: callbacks}},
	}
}

// What an executor's timer makes of the ticks of a player or simulator.
func TestTimersUnderTicks(t *testing.T) {
	for _, c := range []struct {
		name                   string
		step, interval, period time.Duration
		until                  time.Duration
		started, skipped       int64
	}{
		// 399 ticks after the first, 250 ms each, pass 9975 releases: 96 %.
		{"a bag at rate 10, 40 ticks per second, 100 Hz", 250 * ms, 25 * ms, 10 * ms, 10 * time.Second, 399, 9975 - 399},
		{"the same at 1000 ticks per second", 10 * ms, ms, 10 * ms, 10 * time.Second, 9999, 0},
		// 100 ticks after the first pass 500 releases: 80 %.
		{"10 ticks per second, 50 Hz", 100 * ms, 100 * ms, 20 * ms, 10*time.Second + 1, 100, 400},
		// A timer keeps its grid: on ticks of 4 ms, 100 Hz are 100 Hz.
		{"steps of 4 ms, 100 Hz", 4 * ms, 4 * ms, 10 * ms, 10*time.Second + 1, 1000, 0},
	} {
		l := observe(t, simulated(c.step, c.interval, onROS(c.period, 0)), c.until)
		if l.started != c.started || l.skipped != c.skipped {
			t.Errorf("%s: %d runs and %d skipped, want %d and %d", c.name, l.started, l.skipped, c.started, c.skipped)
		}
	}
}

// A clock that starts at 687.785 s skips nothing.
func TestClockStarts(t *testing.T) {
	s := simulated(10*ms, 10*ms, onROS(100*ms, 0))
	s.Clock.At, s.Clock.First = clock.Mono(30*ms), clock.Sim(687785*ms)
	l := observe(t, s, 151*ms)
	wantAll(t, l.jobs, "0 30ms:11m27.7s", "0 50ms:11m27.8s", "0 150ms:11m27.9s")
	if l.skipped != 0 {
		t.Errorf("%d skipped", l.skipped)
	}
}

// At a real time factor of 2, 10 s of a steady clock span 20 s of simulated
// time, and 10 s of simulated time take 5 s.
func TestWaits(t *testing.T) {
	ros := onROS(10*time.Second, 0)
	ros.Once = true
	steady := timer("steady", 10*time.Second, 10*time.Second, 0)
	steady.Once = true
	l := observe(t, simulated(2*ms, ms, ros, steady), time.Minute)
	wantAll(t, l.jobs, "0 5s:10s", "1 10s:0s")
	if l := observe(t, simulated(2*ms, ms, ros, steady), 10*time.Second+1); l.sim != clock.Sim(20*time.Second) {
		t.Errorf("simulated time is %v after 10 s, want 20 s", l.sim)
	}
}

// A wall timer of 50 Hz has 100 runs per simulated second at a real time factor
// of 0.5, and 25 at 2.
func TestWallTimerPerSimulatedSecond(t *testing.T) {
	for _, c := range []struct {
		step time.Duration
		want int64
	}{{ms, 100}, {4 * ms, 25}} {
		s := simulated(c.step, 2*ms, timer("wall", 0, 20*ms, 0))
		second := 2 * ms * (time.Second / c.step)
		if l := observe(t, s, second); l.started != c.want {
			t.Errorf("%d runs in %v, want %d", l.started, second, c.want)
		}
	}
}

// While the simulator is paused, nothing is due, and time goes on where it stood.
// A tick that goes back is sent at the first instant of the clock after it.
func TestClockChanges(t *testing.T) {
	s := simulated(100*ms, 100*ms, onROS(100*ms, 0))
	s.Clock.Changes = []ClockChange{{At: clock.Mono(150 * ms), Pause: time.Second}}
	l := observe(t, s, 1301*ms)
	wantAll(t, l.ticks, "0s:0s", "100ms:100ms", "1.2s:200ms", "1.3s:300ms")
	wantAll(t, l.jobs, "0 100ms:100ms", "0 1.2s:200ms", "0 1.3s:300ms")

	s.Clock.First = clock.Sim(9900 * ms)
	s.Clock.Changes = []ClockChange{{At: clock.Mono(250 * ms), To: clock.Sim(3 * time.Second)}}
	l = observe(t, s, 450*ms)
	wantAll(t, l.ticks, "0s:9.9s", "100ms:10s", "200ms:10.1s", "300ms:3s", "400ms:3.1s")
	wantAll(t, l.jobs, "0 0s:9.9s", "0 100ms:10s", "0 200ms:10.1s", "0 400ms:3.1s")
}

// A stall of 205 ms: a timer of 10 ms that makes up for its releases has 100
// runs in 1 s all the same, as if nothing had been; one that skips has 81.
func TestStallOnSimulatedTime(t *testing.T) {
	for _, c := range []struct {
		rule          sched.SkipRule
		runs, skipped int64
	}{{sched.SkipNow, 81, 19}, {sched.SkipNone, 100, 0}} {
		ros := onROS(10*ms, 0)
		ros.Skip = c.rule
		l := observe(t, simulated(ms, ms, ros, timer("stall", 0, 0, 205*ms)), 1001*ms)
		if l.started-1 != c.runs || l.skipped != c.skipped {
			t.Errorf("%v: %d runs and %d skipped, want %d and %d", c.rule, l.started-1, l.skipped, c.runs, c.skipped)
		}
	}
}

// An executor that takes /clock by a callback of its own, with a depth of 1,
// learns of ticks only between other callbacks. A timer of 10 ms whose runs take
// 25 ms serves 10, 20, 40 and 70. A clock thread learns of all of them.
func TestClockCallback(t *testing.T) {
	topic := &Topic{Name: "/clock", Latency: 3 * ms}
	s := simulated(10*ms, 10*ms, subscription("clock", topic, 1, 0), onROS(10*ms, 25*ms))
	s.Clock.Topic = topic
	s.Threads[0].ClockCallback = 1
	l := observe(t, s, 100*ms)
	wantAll(t, l.set, "3ms:0s", "13ms:10ms", "38ms:30ms", "63ms:60ms", "88ms:80ms")
	wantAll(t, l.jobs, "0 3ms:0s", "0 13ms:0s", "1 13ms:10ms", "0 38ms:0s", "1 38ms:20ms", "0 63ms:0s", "1 63ms:40ms", "0 88ms:0s", "1 88ms:70ms")
	if l.skipped != 1+2+1 {
		t.Errorf("%d skipped, want 4", l.skipped)
	}
	s.Threads[0].ClockCallback = 0
	if l := observe(t, s, 30*ms); !slices.Equal(l.set, []string{"3ms:0s", "13ms:10ms", "23ms:20ms"}) {
		t.Errorf("a clock thread sets %q", l.set)
	}
}

// A simulated sensor of 10 ms publishes at the first tick not before its
// instants: steps of 4 ms are at 12, 20, 32 and 40 ms; with steps of 25 ms it
// publishes once each.
func TestSimulatedSource(t *testing.T) {
	topic := &Topic{Name: "imu", Latency: ms}
	s := simulated(4*ms, 8*ms, subscription("imu", topic, 0, 0))
	s.Sources = []Source{{Topic: topic, Period: 10 * ms, OnSim: true}}
	wantAll(t, observe(t, s, 82*ms).arrivals, "1ms", "25ms", "41ms", "65ms", "81ms")
	s.Clock.Step, s.Clock.Interval = 25*ms, 25*ms
	wantAll(t, observe(t, s, 52*ms).arrivals, "1ms", "26ms", "51ms")

	s.Clock.Step, s.Clock.Interval = 8*ms, 8*ms
	s.Sources = []Source{{Topic: topic, Times: []clock.Mono{clock.Mono(5 * ms), clock.Mono(6 * ms), clock.Mono(20 * ms)}, OnSim: true}}
	wantAll(t, observe(t, s, 82*ms).arrivals, "9ms", "9ms", "25ms")
}

// A deadline of 10 ms from a source travels through a chain: 4 ms and 5 ms are
// in time, 6 and 5 are not.
func TestDeadlineTravels(t *testing.T) {
	for first, missed := range map[time.Duration]int64{4 * ms: 0, 6 * ms: 1} {
		in, out := &Topic{Name: "in"}, &Topic{Name: "out"}
		inherit := &sched.Context{Inherit: true}
		a, b := subscription("a", in, 1, first), subscription("b", out, 1, 5*ms)
		a.Context, b.Context = inherit, inherit
		a.Publishes = []*Topic{out}
		s := System{Threads: []Thread{{Callbacks: []Callback{a}}, {Callbacks: []Callback{b}}}, Sources: []Source{{Topic: in, Times: []clock.Mono{0}, Deadline: 10 * ms}}}
		if l := observe(t, s, time.Second); l.started != 2 || l.missed != missed {
			t.Errorf("%v and 5ms: %d started, %d missed, want %d", first, l.started, l.missed, missed)
		}
	}
}

// Ticks and what they make due do not allocate.
func TestTicksDoNotAllocate(t *testing.T) {
	run, err := New(simulated(ms, ms, onROS(10*ms, ms)), nil)
	if err != nil {
		t.Fatal(err)
	}
	until := clock.Mono(0)
	if got := testing.AllocsPerRun(100, func() {
		until = until.Add(10 * ms)
		if err := run.Run(until); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations in 10 ms", got)
	}
}
