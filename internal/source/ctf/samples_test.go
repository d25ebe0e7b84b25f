package ctf

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/timeline"
)

// publish has a publisher with handle 40 send a message, through all layers,
// whose source timestamp is stamp on the trace's clock.
func (w *world) publish(now time.Duration, message int, stamp time.Duration) {
	w.at(now, "rclcpp_publish", message)
	w.ev("rcl_publish", 40, message)
	w.ev("rmw_publish", 41, message, int64(stamp)+tracetest.Offset)
}

// take has the subscription with handles from s on take a sample.
func (w *world) take(now time.Duration, s, c int, stamp time.Duration) {
	w.at(now, "rmw_take", s+1, 99, int64(stamp)+tracetest.Offset, 1)
	w.ev("callback_start", c, 0)
	w.ev("callback_end", c)
}

// Two readers take what one writer sends: both jobs know the sample and when it
// was sent, and the topic has it once.
func TestSampleIsKnownByItsStamp(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.ev("rcl_publisher_init", 40, 2, 41, "/a")
	w.subscription("/a", 50, 60)
	w.subscription("/a", 70, 80)
	w.publish(2*time.Second, 90, 2*time.Second+3*time.Microsecond)
	w.publish(2*time.Second+ms, 90, 2*time.Second+ms+3*time.Microsecond)
	w.take(2*time.Second+2*ms, 50, 60, 2*time.Second+3*time.Microsecond)
	w.take(2*time.Second+3*ms, 50, 60, 2*time.Second+ms+3*time.Microsecond)
	w.take(2*time.Second+4*ms, 70, 80, 2*time.Second+ms+3*time.Microsecond)
	g := w.read()

	writer := g.writers("/a", "/n")[0]
	topic := g.entity(t, timeline.TopicEntity, "/a")
	if n := len(g.of(timeline.SampleArrived, topic.ID)); n != 2 {
		t.Errorf("%d samples of the topic, want 2", n)
	}
	first := g.entity(t, timeline.CallbackEntity, "/n subscription /a")
	second := g.entity(t, timeline.CallbackEntity, "/n subscription /a #2")
	jobs := slices.Concat(g.of(timeline.JobStarted, first.ID), g.of(timeline.JobStarted, second.ID))
	for i, number := range []uint64{1, 2, 2} {
		sent := timeline.Instant(2*time.Second + time.Duration(number-1)*ms + 3*time.Microsecond)
		if jobs[i].Cause != (timeline.Cause{Entity: writer, Number: number}) || jobs[i].Sent != sent {
			t.Errorf("job %d: cause %v, sent %d, want sample %d of %d, sent %d", i, jobs[i].Cause, jobs[i].Sent, number, writer, sent)
		}
	}
}

// A sample from outside of the trace has a source timestamp and no writer.
func TestSampleFromOutside(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.subscription("/a", 50, 60)
	w.take(2*time.Second, 50, 60, 2*time.Second-5*ms)
	w.at(3*time.Second, "rmw_take", 51, 99, int64(0), 0) // nothing was there
	w.take(4*time.Second, 50, 60, 3*time.Hour)           // another clock
	g := w.read()
	jobs := g.of(timeline.JobStarted, g.entity(t, timeline.CallbackEntity, "/n subscription /a").ID)
	if jobs[0].Cause != (timeline.Cause{}) || !jobs[0].Has(timeline.HasSent) || jobs[0].Sent != timeline.Instant(2*time.Second-5*ms) {
		t.Errorf("job %+v", jobs[0])
	}
	if jobs[1].Has(timeline.HasSent) || !g.found("source-other-clock") {
		t.Errorf("job %+v, findings %v", jobs[1], g.outcome.Findings)
	}
	if n := len(g.of(timeline.SampleArrived, g.entity(t, timeline.TopicEntity, "/a").ID)); n != 2 {
		t.Errorf("%d samples of the topic, want 2", n)
	}
}

// The wall clock may be set while the trace runs: then the instant of the
// publication counts.
func TestWallClockThatWasSet(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.ev("rcl_publisher_init", 40, 2, 41, "/a")
	w.subscription("/a", 50, 60)
	w.publish(2*time.Second, 90, 62*time.Second)
	w.take(2*time.Second+ms, 50, 60, 62*time.Second)
	g := w.read()
	j := g.of(timeline.JobStarted, g.entity(t, timeline.CallbackEntity, "/n subscription /a").ID)[0]
	if j.Sent != timeline.Instant(2*time.Second) || !g.found("wall-clock-stepped") {
		t.Errorf("sent %d, findings %v", j.Sent, g.outcome.Findings)
	}
}

// A topic that nothing reads has its publications as samples.
func TestTopicWithoutReader(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.ev("rcl_publisher_init", 40, 2, 41, "/a")
	w.publish(2*time.Second, 90, 2*time.Second)
	w.publish(3*time.Second, 90, 3*time.Second)
	g := w.read()
	got := g.of(timeline.SampleArrived, g.entity(t, timeline.TopicEntity, "/a").ID)
	if len(got) != 2 || got[1].Number != 2 || got[1].Has(timeline.HasSent) {
		t.Errorf("samples %+v", got)
	}
}

// A ring of two places holds the second and third of three messages: the first
// one is overwritten before it is taken.
func TestIntraProcessBuffer(t *testing.T) {
	w := newWorld(t, tracetest.Options{})
	w.node("8.2.2")
	w.ev("rcl_publisher_init", 40, 2, 41, "/a")
	w.ev("rclcpp_construct_ring_buffer", 200, 2)
	w.ev("rclcpp_buffer_to_ipb", 200, 201)
	w.ev("rclcpp_ipb_to_subscription", 201, 52)
	w.subscription("/a", 50, 60)
	for i := range 3 {
		w.at(2*time.Second+time.Duration(i)*ms, "rclcpp_intra_publish", 40, 90+i)
		w.ev("rclcpp_ring_buffer_enqueue", 200, i%2, min(i+1, 2), i/2)
	}
	for i := 1; i < 3; i++ {
		w.at(3*time.Second+time.Duration(i)*ms, "rclcpp_ring_buffer_dequeue", 200, i%2, 2-i)
		w.ev("callback_start", 60, 1)
		w.ev("callback_end", 60)
	}
	g := w.read()
	writer := g.writers("/a", "/n")[0]
	var reader timeline.EntityID
	for _, e := range g.entities {
		if e.Kind == timeline.ReaderEntity {
			reader = e.ID
		}
	}
	dropped := g.of(timeline.SampleDropped, reader)
	if len(dropped) != 1 || dropped[0].Cause.Number != 1 || dropped[0].Value != int64(timeline.OverwrittenAtReader) {
		t.Errorf("dropped %+v", dropped)
	}
	for i, j := range g.of(timeline.JobStarted, g.entity(t, timeline.CallbackEntity, "/n subscription /a").ID) {
		want := timeline.Instant(2*time.Second + time.Duration(i+1)*ms)
		if j.Cause != (timeline.Cause{Entity: writer, Number: uint64(i + 2)}) || j.Sent != want {
			t.Errorf("job %d: cause %v, sent %d, want sample %d, sent %d", i, j.Cause, j.Sent, i+2, want)
		}
	}
}

// In the recorded cycle each node publishes, within a callback of about 1 s,
// what the other one's next callback gets through CARET's dispatch event: by
// babeltrace2's text /topic1 was published 4 times and /topic2 5 times.
func TestRecordedIntraProcessCycle(t *testing.T) {
	g := read(t, filepath.Join(recordings, "ctf", "intra-process-cycle"))
	for topic, node := range map[string]string{"/topic1": "/pipe2", "/topic2": "/pipe1"} {
		writer := g.writers(topic, node)[0]
		caused := 0
		for _, e := range g.events {
			if e.Kind == timeline.JobStarted && e.Cause.Entity == writer {
				caused++
				// The other node's callback begins at once, the first one after the node is made.
				if d := e.At.Sub(e.Sent); d < 0 || d > 5*ms {
					t.Errorf("%s: job %v after its sample", topic, d)
				}
			}
		}
		if want := map[string]int{"/topic1": 4, "/topic2": 5}[topic]; caused != want {
			t.Errorf("%s: %d jobs caused, want %d", topic, caused, want)
		}
	}
}

// Only topics that are asked for are told of, and all callbacks.
func TestTopicsThatAreAskedFor(t *testing.T) {
	s, err := Open(filepath.Join(recordings, "ctf", "talker-listener"), Options{Topics: func(name string) bool { return name == "/chatter" }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g := readFrom(t, s)
	if got := g.named(timeline.TopicEntity); !slices.Equal(got, []string{"/chatter"}) {
		t.Errorf("topics %q", got)
	}
	if n := len(g.starts); n != 4 {
		t.Errorf("%d callbacks, want 4", n)
	}
}
