package sched

import (
	"testing"
	"time"
)

func newWaitSetDriver(t *testing.T, callbacks []Callback, costs ...time.Duration) *driver {
	t.Helper()
	w, err := NewWaitSet(WaitSetConfig{Callbacks: callbacks})
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t: t, machine: w, costs: costs}
}

func of(kind Kind) Callback { return Callback{Kind: kind, Inputs: []Input{{10}}} }

// What becomes ready while a snapshot is served waits for the next, timers too:
// the timer of 5 ms that is due during the subscriptions' 10 ms each comes after
// both.
func TestWaitSetServesItsSnapshot(t *testing.T) {
	d := newWaitSetDriver(t, []Callback{once(5*ms, nil), of(Subscription), of(Subscription)}, ms, 10*ms, 10*ms)
	d.arrive(1, 0)
	d.arrive(2, 0)
	d.run(time.Second)
	d.want("1@0s 2@10ms 0@20ms")
	if d.jobs[1].Cycle != 0 || d.jobs[2].Cycle != 1 {
		t.Errorf("cycles %d and %d", d.jobs[1].Cycle, d.jobs[2].Cycle)
	}
}

// A subscription gets one message per snapshot, so that another's single
// message is not behind all of them.
func TestWaitSetTakesOneMessage(t *testing.T) {
	d := newWaitSetDriver(t, []Callback{of(Subscription), of(Subscription)}, ms, ms)
	d.arrive(0, 0, 0, 0)
	d.arrive(1, 0)
	d.run(time.Second)
	d.want("0@0s 1@1ms 0@2ms 0@3ms")
}

// A timer is called at its dispatch: releases up to then are skipped.
func TestWaitSetCallsTimersAtTheDispatch(t *testing.T) {
	d := newWaitSetDriver(t, []Callback{once(0, nil), timer(10*ms, nil)}, 25*ms, ms)
	d.run(40 * ms)
	d.want("0@0s 1@25ms 1@30ms")
	if got := d.jobs[1]; got.Release != 0 || got.Skipped != 2 {
		t.Errorf("%+v", got.Job)
	}
}

func TestWaitSetMiss(t *testing.T) {
	d := newWaitSetDriver(t, []Callback{once(0, nil), once(0, &Context{Deadline: 3 * ms})}, 5*ms, ms)
	d.run(time.Second)
	d.wantMissed(1)
}
