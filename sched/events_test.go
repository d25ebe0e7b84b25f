package sched

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

func newEventsDriver(t *testing.T, callbacks []Callback, costs ...time.Duration) *driver {
	t.Helper()
	e, err := NewEvents(callbacks)
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t: t, machine: e, costs: costs}
}

// Entries are served in the order in which they came, whatever their kind; of
// one instant, timers go first.
func TestEventsOrder(t *testing.T) {
	d := newEventsDriver(t, []Callback{of(Subscription), once(3*ms, nil), of(Service), once(3*ms, nil), once(0, nil)}, ms, ms, ms, ms, 10*ms)
	d.arrive(2, ms, 3*ms)
	d.arrive(0, 2*ms)
	d.run(time.Second)
	d.want("4@0s 2@10ms 0@11ms 1@12ms 3@13ms 2@14ms")
}

// No release is skipped: three that passed during a callback of 35 ms are
// served one after the other, each for its own instant.
func TestEventsServeEveryRelease(t *testing.T) {
	d := newEventsDriver(t, []Callback{timer(10*ms, nil), once(ms, nil)}, ms, 35*ms)
	d.run(45 * ms)
	d.want("0@0s 1@1ms 0@36ms 0@37ms 0@38ms 0@40ms")
	for i, want := range []time.Duration{10 * ms, 20 * ms, 30 * ms, 40 * ms} {
		if got := d.jobs[2+i]; got.Release != clock.Mono(want) || got.Skipped != 0 || got.Number != int64(i+1) {
			t.Errorf("%+v, want the release at %v", got.Job, want)
		}
	}
}

// Three messages into a history of depth 1 are three entries: one takes the
// newest, two find nothing. They do so while the thread has nothing else to do,
// and do not take the message after them ahead of its turn.
func TestEventsEmptyTakes(t *testing.T) {
	one := Callback{Kind: Subscription, Inputs: []Input{{1}}}
	d := newEventsDriver(t, []Callback{once(0, nil), one, of(Subscription)}, 10*ms, ms, ms)
	d.arrive(2, 20*ms)
	d.arrive(1, ms, 2*ms, 3*ms, 20*ms)
	d.run(time.Second)
	d.want("0@0s 1@10ms 2@20ms 1@21ms")
	if got := d.machine.(*Events).EmptyTakes(1); got != 2 || len(d.lost) != 2 {
		t.Errorf("%d empty takes, %d lost, want 2 and 2", got, len(d.lost))
	}
}
