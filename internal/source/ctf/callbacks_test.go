package ctf

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/timeline"
)

// jobsByName returns how often each callback ran.
func (g *reading) jobsByName() map[string]int {
	jobs := map[string]int{}
	for id, starts := range g.starts {
		jobs[g.entities[id].Name] += len(starts)
	}
	return jobs
}

func (w *world) wantJobs(g *reading, want map[string]int) {
	w.Helper()
	got := g.jobsByName()
	for name, n := range want {
		if got[name] != n {
			w.Errorf("%s ran %d times, want %d", name, got[name], n)
		}
	}
	if len(got) != len(want) {
		w.Errorf("callbacks %v, want %v", got, want)
	}
}

// Two processes have different things at the same address.
func TestAddressesAreOfTheirProcess(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.who = tracetest.Thread{Proc: "other", PID: 20, TID: 20}
	w.ev("rcl_init", 1, "8.2.2")
	w.ev("rcl_node_init", 2, "m", "/ns")
	w.subscription("/a", 50, 4)
	w.job(4, made+5*ms, made+6*ms)
	w.who = tracetest.Thread{Proc: "node", PID: 10, TID: 10}
	w.job(4, made+10*ms, made+11*ms)
	w.wantJobs(w.read(), map[string]int{"/n timer 10ms": 1, "/ns/m subscription /a": 1})
}

// What is made at an address where something was is something new.
func TestAddressThatComesAgain(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.timer(made, 3, 4, 10*ms)
	w.job(4, made+10*ms, made+11*ms)
	w.subscription("/a", 50, 4)
	w.job(4, made+15*ms, made+16*ms)
	w.job(4, made+17*ms, made+18*ms)
	w.wantJobs(w.read(), map[string]int{"/n timer 10ms": 1, "/n subscription /a": 2})
}

// CARET tells a second time of what was made before tracing began.
func TestWhatIsToldTwice(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	for range 2 {
		w.node("8.2.2")
		w.ev("rcl_publisher_init", 40, 2, 41, "/b")
		w.subscription("/a", 50, 60)
		w.ev("rcl_timer_init", 3, int64(10*ms))
		w.ev("rclcpp_timer_callback_added", 3, 4)
		w.ev("rclcpp_timer_link_node", 3, 2)
	}
	w.job(60, made, made+ms)
	w.job(4, made+2*ms, made+3*ms)
	g := w.read()
	w.wantJobs(g, map[string]int{"/n timer 10ms": 1, "/n subscription /a": 1})
	if n := g.nodes(); !slices.Equal(n, []string{"/n"}) {
		t.Errorf("nodes %q", n)
	}
	if n := len(g.named(timeline.WriterEntity)) + len(g.named(timeline.ReaderEntity)); n != 2 {
		t.Errorf("%d endpoints, want 2", n)
	}
}

func TestServiceCallback(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.ev("rcl_service_init", 70, 2, "/n/get_parameters")
	w.ev("rclcpp_service_callback_added", 70, 71)
	w.job(71, made, made+ms)
	g := w.read()
	w.wantJobs(g, map[string]int{"/n service /n/get_parameters": 1})
	all := g.source.Callbacks()
	if len(all) != 1 || all[0].Kind != "service" || all[0].On != "/n/get_parameters" || all[0].Node != "/n" || all[0].PID != 10 {
		t.Errorf("%+v", all)
	}
}

// A message within the process that CARET saw being copied is known by the
// address of the copy.
func TestMessageThatWasCopied(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("2.3.0")
	w.ev("rcl_publisher_init", 40, 2, 41, "/a")
	w.subscription("/a", 50, 60)
	w.at(made, "rclcpp_intra_publish", 40, 90)
	w.ev("message_construct", 90, 91)
	w.at(made+ms, "dispatch_intra_process_subscription_callback", 91, 60, 0)
	w.job(60, made+ms+time.Microsecond, made+2*ms)
	g := w.read()
	j := g.of(timeline.JobStarted, g.entity(t, timeline.CallbackEntity, "/n subscription /a").ID)[0]
	if j.Cause.Entity != g.writers("/a", "/n")[0] || j.Cause.Number != 1 || j.Sent != timeline.Instant(made) {
		t.Errorf("job %+v", j)
	}
}

// What lay in a buffer when it was cleared is taken by nobody.
func TestClearedBuffer(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.ev("rcl_publisher_init", 40, 2, 41, "/a")
	w.ev("rclcpp_construct_ring_buffer", 200, 2)
	w.ev("rclcpp_buffer_to_ipb", 200, 201)
	w.ev("rclcpp_ipb_to_subscription", 201, 52)
	w.subscription("/a", 50, 60)
	w.ev("rclcpp_intra_publish", 40, 90)
	w.ev("rclcpp_ring_buffer_enqueue", 200, 0, 1, 0)
	w.ev("rclcpp_ring_buffer_clear", 200)
	w.ev("rclcpp_ring_buffer_dequeue", 200, 0, 0)
	w.job(60, made, made+ms)
	g := w.read()
	j := g.of(timeline.JobStarted, g.entity(t, timeline.CallbackEntity, "/n subscription /a").ID)[0]
	if j.Cause != (timeline.Cause{}) {
		t.Errorf("job is caused by %+v", j.Cause)
	}
}
