package sched

import (
	"strings"
	"testing"
	"time"
)

func newOrderDriver(t *testing.T, c WaitSetConfig, costs ...time.Duration) *driver {
	t.Helper()
	w, err := NewWaitSet(c)
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t: t, machine: w, costs: costs}
}

// All kinds are ready at 0. What was registered first has the number 0.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		order Order
		want  string
	}{
		// Timers 4 and 6, subscriptions 3 and 5, service, client, waitable.
		{RclcppOrder, "4@0s 6@1ms 3@2ms 5@3ms 2@4ms 1@5ms 0@6ms"},
		// Subscriptions, timers, client, service, waitable.
		{StaticOrder, "3@0s 5@1ms 4@2ms 6@3ms 1@4ms 2@5ms 0@6ms"},
		// Waitable, timers, subscriptions, client, service.
		{RclpyOrder, "0@0s 4@1ms 6@2ms 3@3ms 5@4ms 1@5ms 2@6ms"},
	} {
		d := newOrderDriver(t, WaitSetConfig{Order: c.order, Callbacks: []Callback{
			of(Waitable), of(Client), of(Service), of(Subscription), once(0, nil), of(Subscription), once(0, nil),
		}}, ms, ms, ms, ms, ms, ms, ms)
		for i := range 4 {
			d.arrive(i, 0)
		}
		d.arrive(5, 0)
		d.run(time.Second)
		d.want(c.want)
	}
}

// Node 0 was added before node 1, but its callbacks were registered later. Its
// waitable, then that of node 1; its timer and its subscription; and only then
// the timer of node 1.
func TestRclpyServesNodeByNode(t *testing.T) {
	node := func(n int, c Callback) Callback {
		c.Node = n
		return c
	}
	callbacks := []Callback{
		node(1, once(0, nil)), node(1, of(Waitable)), node(0, of(Subscription)), node(0, once(0, nil)), node(0, of(Waitable)),
	}
	d := newOrderDriver(t, WaitSetConfig{Order: RclpyOrder, Callbacks: callbacks}, ms, ms, ms, ms, ms)
	for _, i := range []int{1, 2, 4} {
		d.arrive(i, 0)
	}
	d.run(time.Second)
	d.want("4@0s 1@1ms 3@2ms 2@3ms 0@4ms")

	// rclcpp does not ask.
	d = newOrderDriver(t, WaitSetConfig{Callbacks: callbacks}, ms, ms, ms, ms, ms)
	d.arrive(2, 0)
	d.run(time.Second)
	d.want("0@0s 3@1ms 2@2ms")
}

// The orders serve snapshots: a timer of 5 ms that is due during the
// subscriptions' 10 ms each comes after both.
func TestOrdersServeSnapshots(t *testing.T) {
	for _, order := range []Order{RclcppOrder, StaticOrder, RclpyOrder} {
		d := newOrderDriver(t, WaitSetConfig{Order: order, Callbacks: []Callback{once(5*ms, nil), of(Subscription), of(Subscription)}}, ms, 10*ms, 10*ms)
		d.arrive(1, 0)
		d.arrive(2, 0)
		d.run(time.Second)
		d.want("1@0s 2@10ms 0@20ms")
	}
}

// A timer of 1 s takes 2 s. A wait set runs it every 2 s and skips half of its
// releases; an events executor starts as often, and serves one release after
// the other, so that it falls behind by 1 s per run.
func TestTimerLongerThanItsPeriod(t *testing.T) {
	const runs = 10
	for _, order := range []Order{RclcppOrder, StaticOrder, RclpyOrder} {
		d := newOrderDriver(t, WaitSetConfig{Order: order, Callbacks: []Callback{timer(time.Second, nil)}}, 2*time.Second)
		d.run(2 * runs * time.Second)
		skipped := int64(0)
		for i, r := range d.jobs {
			skipped += r.Skipped
			if late := r.start.Sub(r.Release); r.start.Seconds() != float64(2*i) || late > time.Second {
				t.Errorf("run %d starts %v late at %v", i, late, time.Duration(r.start))
			}
		}
		// Of the releases at 0 to 18 s, 10 are served and the last skips the one
		// that is due as it starts.
		if len(d.jobs) != runs || skipped != runs-1 {
			t.Errorf("%d runs and %d skipped, want %d and %d", len(d.jobs), skipped, runs, runs-1)
		}
	}
	d := newEventsDriver(t, []Callback{timer(time.Second, nil)}, 2*time.Second)
	d.run(2 * runs * time.Second)
	for i, r := range d.jobs {
		if late := r.start.Sub(r.Release); late != time.Duration(i)*time.Second || r.Skipped != 0 {
			t.Errorf("run %d is %v late and skips %d, want %ds and 0", i, late, r.Skipped, i)
		}
	}
	if len(d.jobs) != runs {
		t.Errorf("%d runs, want %d", len(d.jobs), runs)
	}
}

func TestBadWaitSets(t *testing.T) {
	for _, c := range []struct {
		config WaitSetConfig
		want   string
	}{
		{WaitSetConfig{Order: 3}, "unknown order 3"},
		{WaitSetConfig{Spin: Spin{Period: -ms}}, "a loop with a period of -1ms"},
		{WaitSetConfig{Order: RclpyOrder, Spin: Spin{Period: ms}}, "spin_some in a loop of 1ms, which rclpy does not have"},
		{WaitSetConfig{Callbacks: []Callback{{Kind: TimerKind, Period: ms, Node: -1}}}, "callback 0 is of node -1"},
		{WaitSetConfig{Callbacks: []Callback{{Kind: TimerKind, Period: ms, Node: maxNode + 1}}}, "callback 0 is of node 1000001"},
	} {
		if _, err := NewWaitSet(c.config); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ";") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
