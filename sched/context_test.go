package sched

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A trigger of a context holds back its callbacks until all, or one, of those it
// names are ready. All of none is fulfilled, one of none never.
func TestTriggerOfAContext(t *testing.T) {
	for _, c := range []struct {
		trigger Trigger
		want    string
	}{
		{Trigger{}, "0@1ms 1@2ms 2@3ms"},
		{Trigger{AllOf, []int{0, 1}}, "0@2ms 1@3ms 2@4ms"},
		{Trigger{AnyOf, []int{0, 1}}, "0@1ms 1@2ms 2@3ms"},
		{Trigger{AnyOf, []int{1}}, "0@2ms 1@3ms 2@4ms"},
		{Trigger{AllOf, []int{2}}, "0@3ms 1@4ms 2@5ms"},
		{Trigger{AllOf, nil}, "0@1ms 1@2ms 2@3ms"},
		{Trigger{AnyOf, nil}, "2@3ms"},
	} {
		held := &Context{Trigger: c.trigger}
		d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{subscription(1, held), subscription(1, held), subscription(1, nil)}}, ms, ms, ms)
		d.arrive(0, ms)
		d.arrive(1, 2*ms)
		d.arrive(2, 3*ms)
		d.run(time.Second)
		d.want(c.want)
	}
}

// A trigger of the level holds back all but timers.
func TestTriggerOfTheLevel(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{
		Trigger:   Trigger{AllOf, []int{1, 2}},
		Callbacks: []Callback{once(2*ms, nil), subscription(1, nil), subscription(1, nil), subscription(1, nil)},
	}, ms, ms, ms, ms)
	d.arrive(1, 0)
	d.arrive(3, ms)
	d.arrive(2, 5*ms)
	d.run(time.Second)
	d.want("0@2ms 1@5ms 2@6ms 3@7ms")
}

// IMU at 1 kHz, magnetometer at 100 Hz, GPS at 10 Hz, each of depth 1. Fused on
// all of them the callback runs 10 times a second, on any of them 1000 times.
func TestFused(t *testing.T) {
	for _, c := range []struct {
		any  bool
		want int
	}{{false, 10}, {true, 1000}} {
		d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{{Kind: Fused, Any: c.any, Inputs: []Input{{1}, {1}, {1}}}}}, ms/10)
		for i := range 1000 {
			for input, every := range []int{1, 10, 100} {
				if i%every == 0 {
					d.arrivals = append(d.arrivals, fact{time.Duration(i) * ms, 0, input})
				}
			}
		}
		d.run(time.Second)
		if len(d.jobs) != c.want {
			t.Errorf("any %v: %d runs, want %d", c.any, len(d.jobs), c.want)
		}
	}
}

// A fused callback on all of its inputs is released when the last of them has
// something, on any of them when the first has; the deadline counts from there.
func TestFusedRelease(t *testing.T) {
	for _, c := range []struct {
		any  bool
		want time.Duration
	}{{false, 5 * ms}, {true, 2 * ms}} {
		d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{once(0, nil), {Kind: Fused, Any: c.any, Inputs: []Input{{1}, {1}}, Context: &Context{Deadline: ms}}}}, 10*ms, ms)
		d.arrivals = []fact{{2 * ms, 1, 0}, {5 * ms, 1, 1}, {7 * ms, 1, 0}}
		d.run(time.Second)
		got := d.jobs[1]
		if got.Release != clock.Mono(c.want) || got.Deadline != clock.Mono(c.want+ms) || got.Taken != 2 || got.Origin != clock.Mono(5*ms) {
			t.Errorf("any %v: %+v, want a release at %v", c.any, got.Job, c.want)
		}
	}
}

// A callback that takes all has the release and the number of the oldest, and
// the oldest origin.
func TestTakeAll(t *testing.T) {
	all := subscription(0, nil)
	all.TakeAll = true
	l, err := NewLevel(LevelConfig{Callbacks: []Callback{all}})
	if err != nil {
		t.Fatal(err)
	}
	for i, origin := range []clock.Mono{8, 3, 7} {
		l.Arrive(0, 0, Sample{Number: int64(40 + i), Arrival: clock.Mono(10 + i), Origin: origin})
	}
	job, _ := l.Step(20)
	if want := (Job{Release: 10, Deadline: Never, Origin: 3, Number: 40, Taken: 3}); *job != want {
		t.Errorf("got %+v, want %+v", *job, want)
	}
	l.Done(21, 1)
	if job, next := l.Step(21); job != nil || next != Never {
		t.Errorf("again %+v, then %d", job, next)
	}
}
