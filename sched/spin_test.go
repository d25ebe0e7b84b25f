package sched

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// A timer that is ready at all times and a subscription with 3 messages, of 1 ms
// each: spin alternates, and spin_once gives the subscription nothing, but in
// rclpy, which keeps the list that it has begun.
func TestOnceStarves(t *testing.T) {
	const alternating, starved = "0@0s 1@1ms 0@2ms 1@3ms 0@4ms 1@5ms", "0@0s 0@1ms 0@2ms 0@3ms 0@4ms 0@5ms"
	for _, c := range []struct {
		order Order
		spin  Spin
		want  string
	}{
		{RclcppOrder, Spin{}, alternating},
		{RclcppOrder, Spin{Once: true}, starved},
		{RclpyOrder, Spin{Once: true}, alternating},
	} {
		d := newOrderDriver(t, WaitSetConfig{Order: c.order, Spin: c.spin, Callbacks: []Callback{timer(0, nil), of(Subscription)}}, ms, ms)
		d.arrive(1, 0, 0, 0)
		d.run(6 * ms)
		d.want(c.want)
	}
}

// The static executor of rclcpp from Jazzy on: a subscription whose messages
// come as fast as they are taken keeps a timer of 1 ms from running at all; the
// snapshots of the releases before let it run in between.
func TestStaticStarvesTimers(t *testing.T) {
	for once, want := range map[bool]string{
		false: "1@0s 0@1ms 1@2ms 0@3ms",
		true:  "1@0s 1@1ms 1@2ms 1@3ms",
	} {
		d := newOrderDriver(t, WaitSetConfig{Order: StaticOrder, Spin: Spin{Once: once}, Callbacks: []Callback{timer(ms, nil), of(Subscription)}}, ms, ms)
		d.arrive(1, 0, ms, 2*ms, 3*ms)
		d.run(4 * ms)
		d.want(want)
	}
}

// A loop of 10 ms around spin_some. Messages at 1, 21 and 23 ms take 12 ms each.
// The first waits for the turn at 10 ms and ends at 22 ms, so that the turn of 20
// ms is late and begins at once, with the second message alone. It ends at 34
// ms, as late as the turn of 30 ms, which takes the third. Turns of 40 ms, at 46
// ms, and of 50 ms find nothing; a message at 55 ms waits for that of 60 ms.
func TestSpinSomeInALoop(t *testing.T) {
	d := newOrderDriver(t, WaitSetConfig{Spin: Spin{Period: 10 * ms}, Callbacks: []Callback{of(Subscription)}}, 12*ms)
	d.arrive(0, ms, 21*ms, 23*ms, 55*ms)
	d.run(time.Second)
	d.want("0@10ms 0@22ms 0@34ms 0@60ms")
}

// One turn runs all of its snapshot, but not what comes meanwhile: the second
// message of 0 and one of 1 that arrives at 11 ms wait for the turn of 20 ms.
func TestTurnIsOneSnapshot(t *testing.T) {
	d := newOrderDriver(t, WaitSetConfig{Spin: Spin{Period: 10 * ms}, Callbacks: []Callback{of(Subscription), of(Subscription), of(Subscription)}}, 2*ms, 2*ms, 2*ms)
	d.arrive(0, ms, ms)
	d.arrive(2, ms)
	d.arrive(1, 11*ms)
	d.run(time.Second)
	d.want("0@10ms 2@12ms 0@20ms 1@22ms")
	if a, b := d.jobs[1].Cycle, d.jobs[2].Cycle; a != 0 || b != 1 {
		t.Errorf("cycles %d and %d, want 0 and 1", a, b)
	}
}

// A turn that took 35 ms of a period of 10 ms gives the grid up: the turn of 10
// ms begins at once, at 35 ms, and rclcpp::Rate counts from 45 ms. The turn ends
// before that, at 36 ms, which the Rate takes for time that went back: it sleeps
// a whole period from there.
func TestLongTurn(t *testing.T) {
	d := newOrderDriver(t, WaitSetConfig{Spin: Spin{Period: 10 * ms}, Callbacks: []Callback{of(Subscription), of(Subscription)}}, 35*ms, ms)
	d.arrive(0, 0)
	d.arrive(1, 34*ms, 36*ms)
	d.run(time.Second)
	d.want("0@0s 1@35ms 1@46ms")
}

// A loop of 10 ms around spin_once, with three subscriptions that have a message
// each at 0. At 5 ms another comes for the first, which rclcpp sees at 10 ms and
// runs before the others. rclpy goes on with its list; the turn of 30 ms finds
// the end of it, and that of 40 ms looks again.
func TestSpinOnceInALoop(t *testing.T) {
	for order, want := range map[Order]string{
		RclcppOrder: "0@0s 0@10ms 1@20ms 2@30ms",
		RclpyOrder:  "0@0s 1@10ms 2@20ms 0@40ms",
	} {
		d := newOrderDriver(t, WaitSetConfig{Order: order, Spin: Spin{Once: true, Period: 10 * ms}, Callbacks: []Callback{of(Subscription), of(Subscription), of(Subscription)}}, ms, ms, ms)
		for i := range 3 {
			d.arrive(i, 0)
		}
		d.arrive(0, 5*ms)
		d.run(time.Second)
		d.want(want)
	}
}

// Simulated time that goes back before the turn has ended makes the rest of its
// snapshot undue; the loop sleeps until its next turn all the same.
func TestTickBackWithinATurn(t *testing.T) {
	w, err := NewWaitSet(WaitSetConfig{Spin: Spin{Period: 10 * ms}, Callbacks: []Callback{onROS(time.Second), onROS(time.Second)}})
	if err != nil {
		t.Fatal(err)
	}
	w.Tick(0, clock.Sim(900*ms))
	w.Tick(0, clock.Sim(1100*ms))
	if job, _ := w.Step(0); job == nil || job.Callback != 0 {
		t.Fatalf("started %+v", job)
	}
	w.Tick(1, clock.Sim(950*ms))
	w.Done(2, 1)
	if job, next := w.Step(2); job != nil || next != clock.Mono(10*ms) {
		t.Errorf("started %+v until %d, want rest until 10 ms", job, next)
	}
}

// In a loop whose callbacks take no time, everything starts at an instant of the
// grid, with Once one callback at each; and however an executor is spun, every
// message is taken, overwritten, or still there, and every release of a timer
// served, skipped or due.
func TestSpinConserves(t *testing.T) {
	const end = 60 * ms
	rapid.Check(t, func(t *rapid.T) {
		c := WaitSetConfig{Order: Order(rapid.IntRange(0, 2).Draw(t, "order"))}
		c.Spin.Once = rapid.Bool().Draw(t, "once")
		if c.Spin.Once || c.Order != RclpyOrder {
			c.Spin.Period = ms * time.Duration(rapid.IntRange(0, 7).Draw(t, "period"))
		}
		cost := ms * time.Duration(rapid.IntRange(0, 3).Draw(t, "cost"))
		var costs []time.Duration
		for range 4 {
			c.Callbacks = append(c.Callbacks, timer(ms*time.Duration(rapid.IntRange(1, 9).Draw(t, "timer")), nil), subscription(rapid.IntRange(0, 3).Draw(t, "depth"), nil))
			costs = append(costs, cost, cost)
		}
		w, err := NewWaitSet(c)
		if err != nil {
			t.Fatal(err)
		}
		d := &driver{t: t, machine: w, costs: costs}
		arrived := map[int]int{}
		for range rapid.IntRange(0, 40).Draw(t, "messages") {
			callback := 1 + 2*rapid.IntRange(0, 3).Draw(t, "callback")
			arrived[callback]++
			d.arrive(callback, ms*time.Duration(rapid.IntRange(0, int(end/ms)-1).Draw(t, "at")))
		}
		d.run(end)

		taken, next := 0, map[int]int64{}
		for i, r := range d.jobs {
			taken += r.Taken
			if c.Callbacks[r.Callback].Kind == TimerKind {
				if r.Number != next[r.Callback] {
					t.Fatalf("job %+v serves release %d, want %d", r.Job, r.Number, next[r.Callback])
				}
				next[r.Callback] += 1 + r.Skipped
			}
			if cost > 0 || c.Spin.Period == 0 {
				continue
			}
			if time.Duration(r.start)%c.Spin.Period != 0 || c.Spin.Once && i > 0 && r.start == d.jobs[i-1].start {
				t.Fatalf("job %+v starts at %v in a loop of %v", r.Job, time.Duration(r.start), c.Spin.Period)
			}
		}
		all, pending := 0, 0
		for i := range c.Callbacks {
			all += arrived[i]
			for k := range w.slots[i].inputs {
				pending += w.slots[i].inputs[k].queue.Len()
			}
		}
		all -= len(d.arrivals)
		if all != taken+len(d.lost)+pending {
			t.Fatalf("%d messages, of which %d taken, %d lost and %d pending", all, taken, len(d.lost), pending)
		}
	})
}

func TestLoopsDoNotAllocate(t *testing.T) {
	const n = 10
	w, err := NewWaitSet(WaitSetConfig{Callbacks: mixed(n), Spin: Spin{Period: 10 * ms}})
	if err != nil {
		t.Fatal(err)
	}
	now := clock.Mono(0)
	if got := testing.AllocsPerRun(100, func() {
		period(w, n, now)
		now = now.Add(10 * ms)
	}); got != 0 {
		t.Errorf("%v allocations per turn", got)
	}
}
