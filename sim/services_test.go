package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// client takes responses.
func client(name string, topic *Topic, number int, cost time.Duration) Callback {
	c := subscription(name, topic, 0, cost)
	c.Kind, c.Client = sched.Client, number
	return c
}

func asking(name string, first time.Duration, request *Topic, number int) Callback {
	c := timer(name, first, 0, ms)
	c.Publishes, c.Client = []*Topic{request}, number
	return c
}

// Two clients ask at 1 and 2 ms, and nobody in particular at 3 ms. The service
// takes 10 ms for each, one after the other, and each response goes to who asked;
// the last to none, but for who takes all.
func TestResponsesGoToWhoAsked(t *testing.T) {
	request, response := &Topic{Name: "request", Latency: ms}, &Topic{Name: "response", Latency: ms}
	serve := subscription("serve", request, 0, 10*ms)
	serve.Kind, serve.Reply = sched.Service, response
	s := System{
		CPUs: 3,
		Threads: []Thread{
			{Callbacks: []Callback{serve}},
			{Callbacks: []Callback{asking("ask 1", 0, request, 1), client("answer 1", response, 1, ms)}},
			{Callbacks: []Callback{asking("ask 2", ms, request, 2), client("answer 2", response, 2, ms), client("all", response, 0, 0)}},
		},
		Sources: []Source{{Topic: request, Times: []clock.Mono{clock.Mono(3 * ms)}}},
	}
	run(t, s, time.Second).want(t,
		"ask 1 0s-1ms", "ask 2 1ms-2ms", "serve 2ms-12ms", "all 13ms-13ms", "answer 1 13ms-14ms",
		"serve 12ms-22ms", "answer 2 23ms-24ms", "all 24ms-24ms",
		"serve 22ms-32ms", "all 33ms-33ms")
}

// With a depth of 1 the first of two requests that wait is lost, and its response
// with it. A service that takes all answers all.
func TestLostRequestsAreNotAnswered(t *testing.T) {
	request, response := &Topic{}, &Topic{}
	serve := subscription("serve", request, 1, 10*ms)
	serve.Kind, serve.Reply = sched.Service, response
	system := func(serve Callback) System {
		return System{CPUs: 2, Threads: []Thread{
			{Callbacks: []Callback{timer("busy", 0, 0, 5*ms), serve}},
			{Callbacks: []Callback{
				asking("ask 1", 0, request, 1), asking("ask 2", ms, request, 2),
				client("answer 1", response, 1, 0), client("answer 2", response, 2, 0),
			}},
		}}
	}
	run(t, system(serve), time.Second).want(t, "ask 1 0s-1ms", "ask 2 1ms-2ms", "busy 0s-5ms", "serve 5ms-15ms", "answer 2 15ms-15ms")

	serve.Inputs[0].Depth, serve.TakeAll = 0, true
	run(t, system(serve), time.Second).want(t, "ask 1 0s-1ms", "ask 2 1ms-2ms", "busy 0s-5ms", "serve 5ms-15ms", "answer 1 15ms-15ms", "answer 2 15ms-15ms")
}

// What draws CPU time is asked once for each job, by its number.
func TestDraw(t *testing.T) {
	c := timer("c", 0, 10*ms)
	c.Draw = func(job int64) time.Duration { return time.Duration(job-1) * ms } // -1 ms counts as 0
	run(t, System{Threads: []Thread{{Callbacks: []Callback{c}}}}, 35*ms).want(t, "c 0s-0s", "c 10ms-10ms", "c 20ms-21ms", "c 30ms-32ms")
}

// Jitter comes to the latency of a topic and to the grid of a source; a message
// that would overtake arrives with the one before.
func TestJitter(t *testing.T) {
	topic := &Topic{Latency: ms, Jitter: func(sent clock.Mono) time.Duration {
		if sent == clock.Mono(12*ms) {
			return 15 * ms
		}
		return 0
	}}
	s := System{
		Threads: []Thread{{Callbacks: []Callback{subscription("c", topic, 0, ms)}}},
		Sources: []Source{{Topic: topic, Period: 10 * ms, Jitter: func(due clock.Mono) time.Duration { return time.Duration(due) / 5 }}},
	}
	// Published at 0, 12, 24 and 36 ms.
	run(t, s, 40*ms).want(t, "c 1ms-2ms", "c 28ms-29ms", "c 29ms-30ms", "c 37ms-38ms")
}

func TestBadServices(t *testing.T) {
	topic := &Topic{}
	with := func(change func(*Callback)) System {
		c := subscription("bad", topic, 1, ms)
		change(&c)
		return System{Threads: []Thread{{Callbacks: []Callback{c}}}}
	}
	for _, c := range []struct {
		s    System
		want string
	}{
		{with(func(c *Callback) { c.Reply = topic }), "a subscription that replies; make it a service"},
		{with(func(c *Callback) { c.Client = -1 }), "a client numbered -1; number clients from 1"},
		{with(func(c *Callback) { c.Draw = func(int64) time.Duration { return 0 } }), "costs both in turn and drawn; leave one out"},
		{System{Sources: []Source{{Topic: topic, Times: []clock.Mono{0}, Jitter: func(clock.Mono) time.Duration { return 0 }}}}, "a jitter of times; give it a period"},
	} {
		if _, err := New(c.s, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// An eventSink is a sink that keeps what it gets.
type eventSink struct {
	names  map[timeline.EntityID]string
	events []timeline.Event
}

func (s *eventSink) Start(timeline.Origin)      {}
func (s *eventSink) Describe(e timeline.Entity) { s.names[e.ID] = e.Name }
func (s *eventSink) Events(batch []timeline.Event) {
	s.events = append(s.events, batch...)
}

// A timeline has a response for each request, from the service to who asked, and
// the instants at which messages that jitter were sent.
func TestTimelineOfServices(t *testing.T) {
	request := &Topic{Name: "request"}
	response := &Topic{Name: "response", Jitter: func(sent clock.Mono) time.Duration { return 3 * ms }}
	serve := subscription("a/serve", request, 0, 10*ms)
	serve.Kind, serve.Reply = sched.Service, response
	s := System{CPUs: 2, Threads: []Thread{
		{Callbacks: []Callback{serve}},
		{Callbacks: []Callback{asking("b/ask", 0, request, 1), client("b/answer", response, 1, 0), client("c/answer", response, 2, 0)}},
	}}
	sink := &eventSink{names: map[timeline.EntityID]string{}}
	l := NewTimeline(&s, sink)
	r, err := New(s, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(clock.Mono(time.Second)); err != nil {
		t.Fatal(err)
	}
	l.Close()
	var got []string
	for _, e := range sink.events {
		switch e.Kind {
		case timeline.SampleSent:
			got = append(got, fmt.Sprintf("%v sent by %s", time.Duration(e.At), sink.names[e.Entity]))
		case timeline.SampleTaken:
			got = append(got, fmt.Sprintf("%v taken by %s, sent %v", time.Duration(e.At), sink.names[e.Entity], time.Duration(e.Sent)))
		}
	}
	want := []string{
		"1ms sent by b/ask to request", "1ms taken by a/serve of request, sent 1ms",
		"11ms sent by a/serve to response", "14ms taken by b/answer of response, sent 11ms",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
