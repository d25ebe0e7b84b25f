package sched

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

func newTimersThreadDriver(t *testing.T, callbacks []Callback, costs ...time.Duration) *driver {
	t.Helper()
	m, err := NewTimersThread(callbacks)
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t: t, machine: m, costs: costs}
}

// Released at 0, 3 ms and 2 ms while the first runs for 10 ms: the earlier
// release goes first, and of two of one instant, that registered first.
func TestTimersThreadOrder(t *testing.T) {
	d := newTimersThreadDriver(t, []Callback{once(0, nil), once(3*ms, nil), once(2*ms, nil), once(2*ms, nil)}, 10*ms, ms, ms, ms)
	d.run(time.Second)
	d.want("0@0s 2@10ms 3@11ms 1@12ms")
}

// A timer is called at its start, not at its release: of 10, 20 and 30 ms, which
// pass while another timer runs for 35 ms, the first is served and two are
// skipped. On the queue of an events executor all are served.
func TestTimersThreadSkips(t *testing.T) {
	callbacks := []Callback{once(0, nil), {Kind: TimerKind, First: clock.Mono(10 * ms), Period: 10 * ms}}
	d := newTimersThreadDriver(t, callbacks, 35*ms, ms)
	d.run(50 * ms)
	d.want("0@0s 1@35ms 1@40ms")
	if got := d.jobs[1]; got.Release != clock.Mono(10*ms) || got.Skipped != 2 {
		t.Errorf("%+v", got.Job)
	}
	d = newEventsDriver(t, callbacks, 35*ms, ms)
	d.run(50 * ms)
	d.want("0@0s 1@35ms 1@36ms 1@37ms 1@40ms")
}

// Timers of 2 ms and 3 ms that take 1 ms each use 5/6 of the thread. The release
// of the second at 0 waits for 1 ms; those at 2, 3, 4 and 6 ms are on time.
func TestTimersThreadServesAll(t *testing.T) {
	d := newTimersThreadDriver(t, []Callback{timer(2*ms, nil), timer(3*ms, nil)}, ms, ms)
	d.run(7 * ms)
	d.want("0@0s 1@1ms 0@2ms 1@3ms 0@4ms 0@6ms")
}

func TestTimersThreadMiss(t *testing.T) {
	d := newTimersThreadDriver(t, []Callback{once(0, nil), once(0, &Context{Deadline: 3 * ms})}, 5*ms, ms)
	d.run(time.Second)
	d.wantMissed(1)
}

// A tick makes timers due as on any other thread.
func TestTimersThreadOnROS(t *testing.T) {
	m, err := NewTimersThread([]Callback{onROS(100 * ms)})
	if err != nil {
		t.Fatal(err)
	}
	th := ticked{t, m}
	th.tick(0, 0)
	th.rest(0)
	th.tick(5*ms, 350*ms)
	th.want(6*ms, 5*ms, 100*ms, 2)
	th.rest(6 * ms)
}

func TestBadTimersThread(t *testing.T) {
	for _, c := range []struct {
		callback Callback
		want     string
	}{
		{of(Subscription), "callback 0 is a subscription on the timers' thread"},
		{timer(-ms, nil), "callback 0 has a period of -1ms"},
		{once(0, &Context{Class: EDF}), "context 1 orders or holds back"},
	} {
		if _, err := NewTimersThread([]Callback{c.callback}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ";") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestTimersThreadDoesNotAllocate(t *testing.T) {
	m, err := NewTimersThread([]Callback{timer(ms, nil), timer(ms, nil)})
	if err != nil {
		t.Fatal(err)
	}
	now := clock.Mono(0)
	if got := testing.AllocsPerRun(100, func() {
		now = now.Add(ms)
		for job, _ := m.Step(now); job != nil; job, _ = m.Step(now) {
			m.Done(now, 0)
		}
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
