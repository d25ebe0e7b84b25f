package ctf

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/timeline"
)

// A world writes a trace event by event, and reads it as a timeline.
type world struct {
	*testing.T
	dir string
	w   *tracetest.Trace
	s   *tracetest.Stream
	ids map[string]int
	now time.Duration // on the trace's clock
	who tracetest.Thread
}

// layouts are the events of tracetools 8 that tests use, and some of CARET's.
var layouts = map[string][]string{
	"ros2:rcl_init":                                     {"context_handle u64", "version string"},
	"ros2:rcl_node_init":                                {"node_handle u64", "node_name string", "namespace string"},
	"ros2:rcl_publisher_init":                           {"publisher_handle u64", "node_handle u64", "rmw_publisher_handle u64", "topic_name string"},
	"ros2:rcl_subscription_init":                        {"subscription_handle u64", "node_handle u64", "rmw_subscription_handle u64", "topic_name string"},
	"ros2:rclcpp_subscription_init":                     {"subscription_handle u64", "subscription u64"},
	"ros2:rclcpp_subscription_callback_added":           {"subscription u64", "callback u64"},
	"ros2:rcl_timer_init":                               {"timer_handle u64", "period i64"},
	"ros2:rclcpp_timer_callback_added":                  {"timer_handle u64", "callback u64"},
	"ros2:rclcpp_timer_link_node":                       {"timer_handle u64", "node_handle u64"},
	"ros2:callback_start":                               {"callback u64", "is_intra_process i32"},
	"ros2:callback_end":                                 {"callback u64"},
	"ros2:rclcpp_publish":                               {"message u64"},
	"ros2:rclcpp_intra_publish":                         {"publisher_handle u64", "message u64"},
	"ros2:rcl_publish":                                  {"publisher_handle u64", "message u64"},
	"ros2:rmw_publish":                                  {"rmw_publisher_handle u64", "message u64", "timestamp i64"},
	"ros2:rmw_take":                                     {"rmw_subscription_handle u64", "message u64", "source_timestamp i64", "taken i32"},
	"ros2:rclcpp_construct_ring_buffer":                 {"buffer u64", "capacity u64"},
	"ros2:rclcpp_buffer_to_ipb":                         {"buffer u64", "ipb u64"},
	"ros2:rclcpp_ipb_to_subscription":                   {"ipb u64", "subscription u64"},
	"ros2:rclcpp_ring_buffer_enqueue":                   {"buffer u64", "index u64", "size u64", "overwritten i32"},
	"ros2:rclcpp_ring_buffer_dequeue":                   {"buffer u64", "index u64", "size u64"},
	"ros2:rclcpp_executor_wait_for_work":                {"timeout i64"},
	"ros2:rclcpp_executor_get_next_ready":               nil,
	"ros2:rclcpp_ring_buffer_clear":                     {"buffer u64"},
	"ros2:rcl_service_init":                             {"service_handle u64", "node_handle u64", "service_name string"},
	"ros2:rclcpp_service_callback_added":                {"service_handle u64", "callback u64"},
	"ros2_caret:message_construct":                      {"original_message u64", "constructed_message u64"},
	"ros2:dispatch_intra_process_subscription_callback": {"message u64", "callback u64", "message_timestamp u64"},
	"other:event":                                       {"x u64"},
}

func newWorld(t *testing.T, opt tracetest.Options) *world {
	t.Helper()
	w := &world{T: t, dir: t.TempDir(), ids: map[string]int{}, now: time.Second}
	w.w = tracetest.New(w.dir, opt)
	for name, fields := range layouts {
		w.ids[name] = w.w.Define(name, fields...)
	}
	w.s = w.w.Stream(0)
	w.who = tracetest.Thread{Proc: "node", PID: 10, TID: 10}
	return w
}

// at adds an event of ros2 at an instant of the trace's clock.
func (w *world) at(now time.Duration, event string, values ...any) {
	w.now = now
	id, ok := w.ids["ros2:"+event]
	if !ok {
		id = w.ids["ros2_caret:"+event]
	}
	w.s.Event(uint64(now), id, w.who, values...)
}

// ev adds one a microsecond after the one before.
func (w *world) ev(event string, values ...any) { w.at(w.now+time.Microsecond, event, values...) }

// node makes a node n of a process with tracetools of a version.
func (w *world) node(version string) {
	w.ev("rcl_init", 1, version)
	w.ev("rcl_node_init", 2, "n", "/")
}

// timer makes a timer with the handle t and the callback c, at an instant.
func (w *world) timer(now time.Duration, t, c int, period time.Duration) {
	w.at(now, "rcl_timer_init", t, int64(period))
	w.ev("rclcpp_timer_callback_added", t, c)
	w.ev("rclcpp_timer_link_node", t, 2)
}

// subscription makes one with the handles s and s+1, the object s+2 and the callback c.
func (w *world) subscription(topic string, s, c int) {
	w.ev("rcl_subscription_init", s, 2, s+1, topic)
	w.ev("rclcpp_subscription_init", s, s+2)
	w.ev("rclcpp_subscription_callback_added", s+2, c)
}

// job runs a callback from start to end.
func (w *world) job(c int, start, end time.Duration) {
	w.at(start, "callback_start", c, 0)
	w.at(end, "callback_end", c)
}

func (w *world) read() *reading {
	w.Helper()
	if err := w.w.Close(); err != nil {
		w.Fatal(err)
	}
	return read(w, w.dir)
}

// releases returns those of a callback, in order.
func (g *reading) releases(id timeline.EntityID) (all []time.Duration) {
	for _, e := range g.of(timeline.JobReleased, id) {
		all = append(all, time.Duration(e.Value))
	}
	return all
}
