package compile

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// simulated is systemOf with a clock and a node that follows it.
func simulated(s model.Simulation, callbacks ...model.Callback) *model.System {
	made := systemOf(callbacks...)
	made.Design.Simulation = &s
	made.Design.Nodes[0].UseSimTime = true
	for i := range callbacks {
		callbacks[i].Timer.OnROS = true
	}
	return made
}

// A step at a real time factor has an interval of step/factor. A rate of F at a
// factor of R has one of 1/F and a step of R/F, both to the nanosecond.
func TestPaceOfClock(t *testing.T) {
	for _, c := range []struct {
		s              model.Simulation
		step, interval time.Duration
	}{
		{model.Simulation{Step: 4 * ms}, 4 * ms, 4 * ms},
		{model.Simulation{Step: 4 * ms, RTF: 10}, 4 * ms, 400 * us},
		{model.Simulation{Step: ms, RTF: 0.3}, ms, 3333333},
		{model.Simulation{Rate: 40, RTF: 10}, 250 * ms, 25 * ms},
		{model.Simulation{Rate: 30}, 33333333, 33333333},
	} {
		k := compileWith(t, simulated(c.s, timer("plan", ms, 0, 0)), Options{}).System.Clock
		if k.Step != c.step || k.Interval != c.interval {
			t.Errorf("%+v: %v every %v, want %v every %v", c.s, k.Step, k.Interval, c.step, c.interval)
		}
	}
}

// At a factor of 2 ticks of 10 ms are sent every 5 ms, from 3 ms on with 100 s,
// and arrive 1 ms later. A timer of 20 ms from the start, on simulated time, runs
// at 4, 14 and 24 ms, and one on the steady clock at 0 and 20 ms.
func TestTimersOnSimulatedTime(t *testing.T) {
	s := simulated(model.Simulation{RTF: 2, Step: 10 * ms, Latency: ms, Start: 100 * time.Second, At: 3 * ms},
		timer("sim", 20*ms, 0, ms), timer("steady", 20*ms, 0, ms))
	s.Design.Nodes[0].Callbacks[1].Timer.OnROS = false
	want(t, run(t, s, 30*ms), "steady 0s-1ms", "sim 4ms-5ms", "sim 14ms-15ms", "steady 20ms-21ms", "sim 24ms-25ms")

	// Without use_sim_time, ROS time is the system's.
	s.Design.Nodes[0].UseSimTime = false
	want(t, run(t, s, 30*ms), "sim 0s-1ms", "steady 1ms-2ms", "sim 20ms-21ms", "steady 21ms-22ms")
}

// Ticks of 10 ms at a factor of 1. At 35 ms no tick comes for 20 ms: that of 40 ms
// comes at 60 ms. From 75 ms on simulated time begins anew at 0: the tick at 80 ms
// is 0, and a timer of 20 ms that began anew runs with 20, at 100 ms.
func TestJumpsAndPauses(t *testing.T) {
	s := simulated(model.Simulation{Step: 10 * ms, Jumps: []model.Jump{{At: 35 * ms, PauseFor: 20 * ms}, {At: 75 * ms}}}, timer("sim", 20*ms, 20*ms, ms))
	want(t, run(t, s, 110*ms), "sim 20ms-21ms", "sim 60ms-61ms", "sim 100ms-101ms")
}

// A simulated camera of 30 ms looks at ticks of 20 ms, sent every 10 ms: frames of
// 0, 30, 60 and 90 ms come with the ticks of 0, 40, 60 and 100, at 0, 20, 30 and
// 50 ms.
func TestSensorsOnSimulatedTime(t *testing.T) {
	s := simulated(model.Simulation{RTF: 2, Step: 20 * ms, Start: time.Second})
	s.Design.Nodes[0].Callbacks = []model.Callback{on("detect", model.SubscriptionCallback, "/image", ms)}
	s.Design.Sensors = []model.Sensor{{Name: "camera", Publishes: []string{"/image"}, Period: 30 * ms, OnSim: true}}
	want(t, run(t, s, 55*ms), "detect 0s-1ms", "detect 20ms-21ms", "detect 30ms-31ms", "detect 50ms-51ms")

	s.Design.Sensors[0] = model.Sensor{Name: "camera", Publishes: []string{"/image"}, Times: []time.Duration{10 * ms, 80 * ms}, OnSim: true}
	want(t, run(t, s, 55*ms), "detect 10ms-11ms", "detect 40ms-41ms")
}

// rclcpp takes /clock on a thread of its own unless told not to; rclpy's and that
// executor have a callback for it, before those of the node. Ticks of 10 ms arrive
// 3 ms late. A timer of 10 ms whose runs take 25 ms begins when the callback has
// run: at 13, 38, 63 and 88 ms.
func TestClockCallbacks(t *testing.T) {
	no := false
	for _, x := range []model.Executor{
		{Name: "main", Kind: model.RclpyExecutor},
		{Name: "main", Kind: model.SingleThreaded, ClockThread: &no},
		{Name: "main", Kind: model.StaticExecutor, ClockThread: &no},
		{Name: "main", Kind: model.EventsExecutor, ClockThread: &no},
	} {
		s := simulated(model.Simulation{Step: 10 * ms, Latency: 3 * ms}, timer("plan", 10*ms, 10*ms, 25*ms))
		s.Design.Executors[0] = x
		b := compileWith(t, s, Options{})
		th := &b.System.Threads[0]
		if th.ClockCallback != 1 || th.Callbacks[0].Name != "nav/time source" || b.Callbacks[0][0] != nil || b.Callbacks[0][1].Name != "plan" {
			t.Errorf("%s: the callback that takes /clock is number %d", x.Kind, th.ClockCallback)
		}
		if x.Kind == model.EventsExecutor {
			continue // its queue has other instants
		}
		var starts []string
		for _, line := range record(t, b, 100*ms).ran() {
			if line[0] == 'p' {
				starts = append(starts, line)
			}
		}
		want(t, starts, "plan 13ms-38ms", "plan 38ms-63ms", "plan 63ms-88ms")
	}
	s := simulated(model.Simulation{Step: 10 * ms, Latency: 3 * ms}, timer("plan", 10*ms, 10*ms, 25*ms))
	if th := compileWith(t, s, Options{}).System.Threads[0]; th.ClockCallback != 0 || len(th.Callbacks) != 1 || !th.UseSimTime || th.Executor != sim.WaitSet {
		t.Errorf("rclcpp's default is %+v", th)
	}
}
