package ros

import (
	"slices"
	"strings"
	"testing"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

func TestPublishAndSubscribe(t *testing.T) {
	a := joinNode(t, Config{Name: "pub", Namespace: "/robot"})
	b := joinNode(t, Config{})
	for _, c := range []struct{ published, subscribed string }{
		{"/clock", "clock"},
		{"clock", "/robot/clock"},
		{"~/clock", "/robot/pub/clock"},
	} {
		t.Run(c.published, func(t *testing.T) {
			got := make(chan Clock, 10)
			s, err := Subscribe(b, c.subscribed, DefaultQoS(), func(m *Clock, s *rtps.Sample) { got <- *m })
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			p, err := Publish[Clock](a, c.published, DefaultQoS())
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			eventually(t, "they match", func() bool { return p.Writer().Matched() > 0 && s.Reader().Matched() > 0 })
			for i := range 10 {
				if err := p.Publish(within(t), &Clock{TimeOf(clock.Sim(i))}); err != nil {
					t.Fatal(err)
				}
			}
			for i := range 10 {
				if m := <-got; m.Clock.Sim() != clock.Sim(i) {
					t.Errorf("message %d is %+v", i, m)
				}
			}
		})
	}
}

// The bytes of a tick at 1.5 s are those that every Clock of ROS has.
func TestPublishedBytes(t *testing.T) {
	a, b := joinNode(t, Config{}), joinNode(t, Config{})
	c, err := MessageEndpoint("/clock", "rosgraph_msgs/msg/Clock", TypeHash{}, DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte, 1)
	if _, err := b.NewReader(c, func(s *rtps.Sample) { got <- slices.Clone(s.Data.Payload) }); err != nil {
		t.Fatal(err)
	}
	p, err := Publish[Clock](a, "/clock", DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "they match", func() bool { return p.Writer().Matched() > 0 })
	if err := p.Publish(within(t), &Clock{Time{1, 500_000_000}}); err != nil {
		t.Fatal(err)
	}
	if want := unhexed(t, "00010000010000000065cd1d"); !slices.Equal(<-got, want) {
		t.Errorf("a tick of 1.5 s is not %x", want)
	}
}

func TestUnreadableSamplesAreCounted(t *testing.T) {
	a, b := joinNode(t, Config{}), joinNode(t, Config{})
	got := make(chan Time, 1)
	s, err := Subscribe(b, "/clock", DefaultQoS(), func(m *Clock, _ *rtps.Sample) { got <- m.Clock })
	if err != nil {
		t.Fatal(err)
	}
	c, err := MessageEndpoint("/clock", "rosgraph_msgs/msg/Clock", TypeHash{}, DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	w, err := a.NewWriter(c)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "they match", func() bool { return w.Matched() > 0 && s.Reader().Matched() > 0 })
	for _, payload := range []string{"00010000", "000100000100000002000000"} {
		if err := w.Write(within(t), unhexed(t, payload)); err != nil {
			t.Fatal(err)
		}
	}
	if m := <-got; m != (Time{1, 2}) {
		t.Errorf("the message after the bad one is %+v", m)
	}
	if n, last := s.Refused(); n != 1 || last == nil || !strings.Contains(last.Error(), "/clock, sample 1") {
		t.Errorf("refused %d: %v", n, last)
	}
}

func TestBadTopicsAreRefused(t *testing.T) {
	n := joinNode(t, Config{})
	if _, err := Publish[Clock](n, "a//b", DefaultQoS()); err == nil || !strings.Contains(err.Error(), "not a ROS name") {
		t.Error(err)
	}
	if _, err := Subscribe(n, "/1", DefaultQoS(), func(*Clock, *rtps.Sample) {}); err == nil || !strings.Contains(err.Error(), "not a ROS name") {
		t.Error(err)
	}
	if _, err := Publish[Clock](n, "/clock", qos.Policies{Liveliness: qos.ManualByTopic}); err == nil {
		t.Error("a writer whose liveliness takt does not assert")
	}
}

func TestSubscriptionAllocatesNothing(t *testing.T) {
	var got Time
	s := Subscription[Clock]{take: func(m *Clock, _ *rtps.Sample) { got = m.Clock }}
	sample := rtps.Sample{Data: wire.Data{Payload: unhexed(t, "00010000010000000065cd1d")}}
	if n := testing.AllocsPerRun(1000, func() { s.hand(&sample) }); n != 0 {
		t.Errorf("%v allocations for a sample", n)
	}
	if got != (Time{1, 500_000_000}) {
		t.Errorf("read %+v", got)
	}
}
