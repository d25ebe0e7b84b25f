package infer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/infer"
	"github.com/takt-rt/takt/model"
)

// The figures of jazzy-slow-timer are babeltrace2's: 973 pairs of the timer of
// 10 ms, 19 of them of 22.166 to 22.318 ms; 99 of the talker's of 100 ms and of
// the listener's subscription. It is three processes.
func TestJazzySlowTimer(t *testing.T) {
	res := inferred(t, "jazzy-slow-timer")
	if n := len(res.System.Design.Executors); n != 3 {
		t.Errorf("%d executors, want 3", n)
	}
	for _, x := range res.System.Design.Executors {
		if x.Kind != model.SingleThreaded {
			t.Errorf("%s is %s", x.Name, x.Kind)
		}
	}
	for _, c := range []struct {
		node, callback string
		period         time.Duration
		runs           int
	}{
		{"/slow_timer", "timer_10ms", 10 * time.Millisecond, 973},
		{"/talker", "timer_100ms", 100 * time.Millisecond, 99},
		{"/listener", "on_chatter", 0, 99},
	} {
		got := callback(t, res, c.node, c.callback)
		if n := len(runs(res, got.Execution)); n != c.runs || got.Timer.Period != c.period {
			t.Errorf("%s/%s: %d runs of period %v, want %d and %v", c.node, c.callback, n, got.Timer.Period, c.runs, c.period)
		}
	}
	slow := 0
	for _, d := range runs(res, callback(t, res, "/slow_timer", "timer_10ms").Execution) {
		if d > 15*time.Millisecond {
			slow++
			if d = d.Round(time.Microsecond); d < 22166*time.Microsecond || d > 22318*time.Microsecond {
				t.Errorf("a slow run took %v", d)
			}
		}
	}
	if slow != 19 {
		t.Errorf("%d slow runs, want 19", slow)
	}
}

func callback(t *testing.T, res *infer.Result, node, name string) model.Callback {
	t.Helper()
	for _, n := range res.System.Design.Nodes {
		i := slices.IndexFunc(n.Callbacks, func(c model.Callback) bool { return c.Name == name })
		if n.Name == node && i >= 0 {
			return n.Callbacks[i]
		}
	}
	t.Fatalf("no %s/%s", node, name)
	return model.Callback{}
}

// The cycle is started from outside any callback: five messages on /topic2, of
// which the callback of four runs sent one each.
func TestFirstMessageOfACycleIsASensors(t *testing.T) {
	res := inferred(t, "intra-process-cycle")
	i := slices.IndexFunc(res.System.Design.Sensors, func(s model.Sensor) bool { return slices.Contains(s.Publishes, "/topic2") })
	if i < 0 || len(res.System.Design.Sensors[i].Times) != 1 {
		t.Errorf("sensors %+v, want one message on /topic2", res.System.Design.Sensors)
	}
}

// The pipelines ran on one multi-threaded executor.
func TestSharedThreadsAreOneExecutor(t *testing.T) {
	for _, name := range []string{"pipeline-3-timers", "pipeline-cyclonedds", "pipeline-fastrtps"} {
		x := inferred(t, name).System.Design.Executors
		if len(x) != 1 || x[0].Kind != model.MultiThreaded || x[0].Threads < 2 {
			t.Errorf("%s: %+v, want one multi-threaded executor", name, x)
		}
	}
}

func TestNothingRan(t *testing.T) {
	_, err := infer.System(infer.NewRecorder())
	if err == nil || !strings.Contains(err.Error(), "no callback ran") {
		t.Errorf("%v, want that no callback ran", err)
	}
}

func TestSamplesAreWrittenOneInALine(t *testing.T) {
	var b strings.Builder
	if err := infer.WriteSamples(&b, []time.Duration{1500 * time.Microsecond, 20 * time.Millisecond}); err != nil || b.String() != "1.5ms\n20ms\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
