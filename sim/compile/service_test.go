package compile

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
)

// Two nodes on executors and CPUs of their own ask for a plan at 0 and at 2 ms. It
// takes 10 ms each time, and a millisecond for each way. Each has its response:
// requests arrive at 2 and 4 ms, and are served from 2 to 12 and from 12 to 22 ms.
func TestServices(t *testing.T) {
	asker := func(node string, at time.Duration) model.Node {
		ask := timer("ask "+node, time.Hour, at, ms)
		ask.Calls = []string{"/plan"}
		return model.Node{Name: node, Executor: node, Callbacks: []model.Callback{ask, on("answer "+node, model.ClientCallback, "/plan", ms)}}
	}
	s := &model.System{Design: &model.Design{
		Machine: model.Machine{CPUs: 3},
		Executors: []model.Executor{
			{Name: "server", Kind: model.SingleThreaded}, {Name: "a", Kind: model.SingleThreaded}, {Name: "b", Kind: model.EventsExecutor},
		},
		Nodes: []model.Node{
			{Name: "server", Executor: "server", Callbacks: []model.Callback{on("plan", model.ServiceCallback, "/plan", 10*ms)}},
			asker("a", 0), asker("b", 2*ms),
		},
		Topics: []model.Topic{{Name: "/plan", Latency: ms}},
	}}
	want(t, run(t, s, time.Second), "ask a 0s-1ms", "plan 2ms-12ms", "ask b 2ms-3ms", "plan 12ms-22ms", "answer a 13ms-14ms", "answer b 23ms-24ms")
}

// A sensor that publishes on the name of a service sends a request, which nobody
// has the response of. Where somebody listens to a topic of that name, it is a
// message there: names of services and of topics are apart in ROS 2.
func TestRequestsFromOutside(t *testing.T) {
	s := systemOf(on("serve", model.ServiceCallback, "/mode", ms), on("answer", model.ClientCallback, "/mode", ms))
	s.Design.Sensors = []model.Sensor{sensor("/mode", 0)}
	want(t, run(t, s, time.Second), "serve 0s-1ms")

	s = systemOf(on("serve", model.ServiceCallback, "/mode", ms), on("mode", model.SubscriptionCallback, "/mode", ms))
	s.Design.Sensors = []model.Sensor{sensor("/mode", 0)}
	want(t, run(t, s, time.Second), "mode 0s-1ms")
}

// A goal of an action that each step continues, as in scenario S8: a timer beside
// it waits for a step at most.
func TestActions(t *testing.T) {
	step := on("step", model.ActionCallback, "/navigate", 4*ms)
	step.Publishes = []string{"/navigate"}
	start := timer("start", time.Hour, 0, 0)
	start.Calls = []string{"/navigate"}
	s := systemOf(start, step, timer("tick", 10*ms, 5*ms, ms))
	want(t, run(t, s, 20*ms), "start 0s-0s", "step 0s-4ms", "step 4ms-8ms", "tick 8ms-9ms", "step 9ms-13ms", "step 13ms-17ms", "tick 17ms-18ms")
}
