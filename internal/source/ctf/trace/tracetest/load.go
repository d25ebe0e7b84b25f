package tracetest

import "fmt"

// Load writes a trace of about so many events: nodes with a timer of 1 ms that
// publishes what a subscription of the same node gets, each in a process and on
// a CPU of its own, as tracetools 8 traces them. Every 64th callback of a timer
// takes three periods.
func Load(dir string, opt Options, nodes, events int) error {
	t := New(dir, opt)
	k := defineLoad(t)
	const jobEvents = 15
	for n := range nodes {
		k.node(t.Stream(n), n, events/nodes/jobEvents)
	}
	return t.Close()
}

// A load has the kinds of events of a load.
type load struct {
	init, node1, publisher, timer, callback, link, symbol   int
	subscription, object, listener, rmwTake, rclTake, take  int
	ready, execute, start, rclcpp, rcl, rmw, stop, waitWork int
}

func defineLoad(t *Trace) *load {
	return &load{
		init:         t.Define("ros2:rcl_init", "context_handle u64", "version string"),
		node1:        t.Define("ros2:rcl_node_init", "node_handle u64", "rmw_handle u64", "node_name string", "namespace string"),
		publisher:    t.Define("ros2:rcl_publisher_init", "publisher_handle u64", "node_handle u64", "rmw_publisher_handle u64", "topic_name string", "queue_depth u64"),
		timer:        t.Define("ros2:rcl_timer_init", "timer_handle u64", "period i64"),
		callback:     t.Define("ros2:rclcpp_timer_callback_added", "timer_handle u64", "callback u64"),
		link:         t.Define("ros2:rclcpp_timer_link_node", "timer_handle u64", "node_handle u64"),
		symbol:       t.Define("ros2:rclcpp_callback_register", "callback u64", "symbol string"),
		subscription: t.Define("ros2:rcl_subscription_init", "subscription_handle u64", "node_handle u64", "rmw_subscription_handle u64", "topic_name string", "queue_depth u64"),
		object:       t.Define("ros2:rclcpp_subscription_init", "subscription_handle u64", "subscription u64"),
		listener:     t.Define("ros2:rclcpp_subscription_callback_added", "subscription u64", "callback u64"),
		rmwTake:      t.Define("ros2:rmw_take", "rmw_subscription_handle u64", "message u64", "source_timestamp i64", "taken i32"),
		rclTake:      t.Define("ros2:rcl_take", "message u64"),
		take:         t.Define("ros2:rclcpp_take", "message u64"),
		ready:        t.Define("ros2:rclcpp_executor_get_next_ready"),
		execute:      t.Define("ros2:rclcpp_executor_execute", "handle u64"),
		start:        t.Define("ros2:callback_start", "callback u64", "is_intra_process i32"),
		rclcpp:       t.Define("ros2:rclcpp_publish", "message u64"),
		rcl:          t.Define("ros2:rcl_publish", "publisher_handle u64", "message u64"),
		rmw:          t.Define("ros2:rmw_publish", "rmw_publisher_handle u64", "message u64", "timestamp i64"),
		stop:         t.Define("ros2:callback_end", "callback u64"),
		waitWork:     t.Define("ros2:rclcpp_executor_wait_for_work", "timeout i64"),
	}
}

func (k *load) node(s *Stream, n, jobs int) {
	const period = 1_000_000
	who := Thread{fmt.Sprintf("node_%d", n), int32(1000 + n), int32(1000 + n)}
	made := uint64(1_000_000_000 + n*10_000)
	at := made - 1000
	event := func(after uint64, id int, values ...any) {
		at += after
		s.Event(at, id, who, values...)
	}
	event(0, k.init, 0x10, "8.2.2")
	event(10, k.node1, 0x20, 0x21, fmt.Sprintf("node_%d", n), "/")
	event(10, k.publisher, 0x30, 0x20, 0x31, fmt.Sprintf("/topic_%d", n), 10)
	event(10, k.subscription, 0x70, 0x20, 0x71, fmt.Sprintf("/topic_%d", n), 10)
	event(10, k.object, 0x70, 0x72)
	event(10, k.listener, 0x72, 0x73)
	at = made - 1
	event(1, k.timer, 0x40, period)
	event(10, k.callback, 0x40, 0x50)
	event(10, k.symbol, 0x50, "Load::Load()::{lambda()#1}")
	event(10, k.link, 0x40, 0x20)
	for i, due := 0, made+period; i < jobs; i++ {
		at = max(at+1000, due+50_000) // woken 50 µs after the release, or at once if it is late
		event(0, k.ready)
		event(1000, k.execute, 0x40)
		event(1000, k.start, 0x50, 0)
		event(500, k.rclcpp, 0x60)
		event(500, k.rcl, 0x30, 0x60)
		stamp := int64(at) + 600 + Offset
		event(500, k.rmw, 0x31, 0x60, stamp)
		took := uint64(100_000)
		if i%64 == 63 {
			took = 3 * period
		}
		called := at
		event(took, k.stop, 0x50)
		event(1000, k.ready)
		event(1000, k.execute, 0x70)
		event(1000, k.rmwTake, 0x71, 0x80, stamp, 1)
		event(500, k.rclTake, 0x80)
		event(500, k.take, 0x80)
		event(500, k.start, 0x73, 0)
		event(20_000, k.stop, 0x73)
		event(1000, k.waitWork, -1)
		due += period
		for due <= called-2500 {
			due += period
		}
	}
}
