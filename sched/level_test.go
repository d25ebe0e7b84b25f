package sched

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// Buckets first; within one, EDF by absolute deadline, those without one last,
// then the rest by registration. BestEffort is the last bucket, whatever the
// bucket says.
func TestOrder(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{
		once(0, &Context{Class: BestEffort, Bucket: Critical}),
		once(0, &Context{Bucket: Last}),
		once(0, &Context{Class: Sporadic}),
		once(0, nil),
		once(0, &Context{Class: EDF}),
		once(0, &Context{Class: EDF, Deadline: 20 * ms}),
		once(0, &Context{Class: EDF, Deadline: 10 * ms}),
		once(0, &Context{Class: EDF, Deadline: 10 * ms}),
		once(0, &Context{Bucket: Critical}),
		once(0, &Context{Class: EDF, Bucket: Critical}),
	}}, ms, ms, ms, ms, ms, ms, ms, ms, ms, ms)
	d.run(time.Second)
	d.want("9@0s 8@1ms 6@2ms 7@3ms 5@4ms 4@5ms 2@6ms 3@7ms 0@8ms 1@9ms")
}

// A (deadline 10 ms) is ready at 0 and B (deadline 5 ms) at 8 ms, while the
// thread is busy until 9: A's deadline is 10, B's is 13. An order by relative
// deadline would start B first. (A latched level has only A in the first cycle.)
func TestEDFOrdersByAbsoluteDeadline(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Drain: Greedy, Callbacks: []Callback{
		once(0, &Context{Bucket: Critical}),
		subscription(1, &Context{Class: EDF, Deadline: 5 * ms}),
		subscription(1, &Context{Class: EDF, Deadline: 10 * ms}),
	}}, 9*ms, ms, ms)
	d.arrive(2, 0)
	d.arrive(1, 8*ms)
	d.run(time.Second)
	d.want("0@0s 2@9ms 1@10ms")
	d.wantMissed() // both end exactly at, or before, their deadlines
}

// Deadlines are ordered in 64 bits: beyond 71 minutes, where microseconds of
// 32 bits wrap, the earlier is still the earlier.
func TestEDFAfterManyHours(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{
		once(71*time.Minute, &Context{Class: EDF, Deadline: 36 * time.Second}),
		once(71*time.Minute, &Context{Class: EDF, Deadline: 34 * time.Second}),
	}}, ms, ms)
	d.run(2 * time.Hour)
	d.want("1@1h11m0s 0@1h11m0.001s")
}

// A deadline is missed by the finish, queueing included: a callback of 1 ms
// misses 3 ms behind one of 5 ms. To end at the deadline is to meet it.
func TestMissIncludesQueueing(t *testing.T) {
	for _, c := range []struct {
		deadline time.Duration
		missed   []int
	}{{3 * ms, []int{1}}, {6*ms - 1, []int{1}}, {6 * ms, nil}, {0, nil}} {
		d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{once(0, nil), once(0, &Context{Deadline: c.deadline})}}, 5*ms, ms)
		d.run(time.Second)
		d.wantMissed(c.missed...)
	}
}

// The deadline counts from the arrival that made the callback ready, even if
// that sample was overwritten since. The release is that of the sample taken.
func TestLaterArrivalsDoNotMoveTheDeadline(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{once(0, nil), subscription(1, &Context{Deadline: 10 * ms})}}, 10*ms, ms)
	d.arrive(1, 2*ms, 9*ms)
	d.run(time.Second)
	d.want("0@0s 1@10ms")
	if r := d.jobs[1]; r.Deadline != clock.Mono(12*ms) || r.Release != clock.Mono(9*ms) || len(d.lost) != 1 {
		t.Errorf("deadline %d, release %d, %d lost", r.Deadline, r.Release, len(d.lost))
	}
}

// If samples remain after a dispatch, the callback is ready again at once, from
// the arrival of the oldest of them.
func TestReadyAgainFromTheOldestRemaining(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{subscription(0, &Context{Deadline: 10 * ms})}}, 5*ms)
	d.arrive(0, 0, 1*ms, 2*ms)
	d.run(time.Second)
	d.want("0@0s 0@5ms 0@10ms")
	for i, want := range []time.Duration{10 * ms, 11 * ms, 12 * ms} {
		if d.jobs[i].Deadline != clock.Mono(want) || d.jobs[i].Cycle != int64(i) {
			t.Errorf("job %d: %+v", i, d.jobs[i].Job)
		}
	}
	d.wantMissed(2)
}

// After a miss, SkipRest leaves what its context has in this cycle for the
// next; other contexts go on.
func TestSkipRest(t *testing.T) {
	strict := &Context{Deadline: 3 * ms, OnMiss: SkipRest}
	for _, c := range []struct {
		context *Context
		drain   Drain
		want    string
	}{
		{&Context{Deadline: 3 * ms}, Latched, "0@0s 1@5ms 2@6ms 3@7ms"},
		{strict, Latched, "0@0s 2@5ms 1@6ms 3@7ms"},
		{strict, Greedy, "0@0s 2@5ms 1@6ms 3@7ms"},
	} {
		d := newLevelDriver(t, LevelConfig{Drain: c.drain, Callbacks: []Callback{once(0, c.context), once(0, c.context), once(0, nil), once(0, c.context)}}, 5*ms, ms, ms, ms)
		d.run(time.Second)
		d.want(c.want)
		if c.context == strict && d.jobs[2].Cycle != 1 {
			t.Errorf("the rest runs in cycle %d", d.jobs[2].Cycle)
		}
	}
}

// SkipRest does nothing without a miss, and a miss nothing without SkipRest: all
// four run in one cycle, although 0 misses by 2 ms.
func TestNothingIsSkipped(t *testing.T) {
	lenient, strict := &Context{Deadline: 3 * ms}, &Context{Deadline: time.Second, OnMiss: SkipRest}
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{once(0, lenient), once(0, strict), once(0, lenient), once(0, strict)}}, 5*ms, ms, ms, ms)
	d.run(time.Second)
	d.want("0@0s 1@5ms 2@6ms 3@7ms")
	if c := d.jobs[3].Cycle; c != 0 {
		t.Errorf("the last runs in cycle %d", c)
	}
}

// A callback that becomes ready during a cycle, however urgent, waits for the
// next if the level is latched, and not if it is greedy.
func TestDrain(t *testing.T) {
	for _, c := range []struct {
		drain Drain
		limit int
		want  string
		cycle int64 // of the last
	}{
		{Latched, 0, "1@0s 2@2ms 0@4ms", 1},
		{Greedy, 0, "1@0s 0@2ms 2@3ms", 0},
		{Greedy, 1, "1@0s 0@2ms 2@3ms", 2},
		{Greedy, 2, "1@0s 0@2ms 2@3ms", 1},
	} {
		d := newLevelDriver(t, LevelConfig{Drain: c.drain, GreedyCap: c.limit, Callbacks: []Callback{
			subscription(1, &Context{Bucket: Critical}), once(0, nil), once(0, nil),
		}}, ms, 2*ms, 2*ms)
		d.arrive(0, ms)
		d.run(time.Second)
		d.want(c.want)
		if got := d.jobs[2].Cycle; got != c.cycle {
			t.Errorf("drain %d, cap %d: the last runs in cycle %d, want %d", c.drain, c.limit, got, c.cycle)
		}
	}
}

// Every timer of a latched cycle is called with the instant at which the cycle
// began, so that a release within the cycle is served by the next.
func TestLatchedTimersAreCalledAtTheStartOfTheCycle(t *testing.T) {
	for _, c := range []struct {
		drain   Drain
		skipped int64
	}{{Latched, 0}, {Greedy, 2}} {
		d := newLevelDriver(t, LevelConfig{Drain: c.drain, Callbacks: []Callback{once(0, nil), timer(10*ms, nil)}}, 25*ms, ms)
		d.run(26 * ms)
		if got := d.jobs[1].Skipped; got != c.skipped {
			t.Errorf("drain %d: %d skipped, want %d", c.drain, got, c.skipped)
		}
	}
}

// 10 ms, 205 ms after the activation served last: one run and 19 skipped, the
// next 5 ms later; without skipping 1 and 19 replays. 500 µs, 5 ms after: 9.
// Exactly two periods after: 1.
func TestOverruns(t *testing.T) {
	for _, c := range []struct {
		period, stall time.Duration
		skip          SkipRule
		skipped       int64
		next          time.Duration // start of the run after
	}{
		{10 * ms, 205 * ms, SkipNow, 19, 210 * ms},
		{10 * ms, 205 * ms, SkipNone, 0, 205*ms + 1},
		{ms / 2, 5 * ms, SkipNow, 9, 5500 * time.Microsecond},
		{10 * ms, 20 * ms, SkipNow, 1, 30 * ms},
	} {
		tick := timer(c.period, nil)
		tick.Skip = c.skip
		d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{tick, once(0, nil)}}, 1, c.stall-1)
		d.run(time.Second / 2)
		if got := d.jobs[2]; got.Callback != 0 || got.start != clock.Mono(c.stall) || got.Release != clock.Mono(c.period) || got.Skipped != c.skipped {
			t.Errorf("%v after %v: %+v, want %d skipped", c.period, c.stall, got, c.skipped)
		}
		if got := d.jobs[3].start; got != clock.Mono(c.next) {
			t.Errorf("%v after %v: the next run starts at %d, want %v", c.period, c.stall, got, c.next)
		}
		replays := 0
		for _, r := range d.jobs[2:] {
			if r.start < clock.Mono(c.stall+time.Microsecond) {
				replays++
			}
		}
		if want := int(1 + 19 - c.skipped); c.stall == 205*ms && replays != want {
			t.Errorf("%d runs at the end of the stall, want %d", replays, want)
		}
	}
}

// A 33 ms timer on a spin period of 5 ms runs after 35 and 30 ms.
func TestTimerOffTheSpinGrid(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{SpinPeriod: 5 * ms, Callbacks: []Callback{timer(33*ms, nil)}}, ms)
	d.run(200 * ms)
	d.want("0@0s 0@35ms 0@70ms 0@100ms 0@135ms 0@165ms")
}

// 12 callbacks of 1 ms every 20 ms beside a tick of 0.2 ms every 10 ms. Only a
// budget together with a spin period keeps the tick on time; what is left over
// then ends 14.2 ms after its release.
func TestCycleBudget(t *testing.T) {
	for _, c := range []struct {
		name         string
		spin, budget time.Duration
		late         time.Duration // the tick, at most
		skipped      int64         // ticks of one second
	}{
		{"free running", 0, 0, 2200 * time.Microsecond, 0},
		{"budget, free running", 0, 8 * ms, 2200 * time.Microsecond, 0},
		// The cycle of 12.2 ms misses the instant 10; the one at 20 serves the release of 10.
		{"spin period", 10 * ms, 0, 10 * ms, 49},
		{"both", 10 * ms, 8 * ms, 0, 0},
	} {
		config := LevelConfig{SpinPeriod: c.spin, CycleBudget: c.budget, Callbacks: []Callback{timer(10*ms, &Context{Bucket: Critical})}}
		costs := []time.Duration{200 * time.Microsecond}
		for range 12 {
			config.Callbacks, costs = append(config.Callbacks, timer(20*ms, nil)), append(costs, ms)
		}
		d := newLevelDriver(t, config, costs...)
		d.run(time.Second)
		var late, response time.Duration
		var skipped int64
		for _, r := range d.jobs {
			if r.Callback == 0 {
				late, skipped = max(late, r.start.Sub(r.Release)), skipped+r.Skipped
			} else {
				response = max(response, r.end.Sub(r.Release))
			}
		}
		if late != c.late || skipped != c.skipped {
			t.Errorf("%s: the tick is %v late and %d are skipped, want %v and %d", c.name, late, skipped, c.late, c.skipped)
		}
		if want := 14200 * time.Microsecond; c.spin > 0 && c.budget > 0 && response != want {
			t.Errorf("%s: what is left over ends after %v, want %v", c.name, response, want)
		}
	}
}

// Rolled-over work goes ahead of newcomers of its own bucket only.
func TestRolledOverGoesFirst(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{SpinPeriod: 10 * ms, CycleBudget: 3 * ms, Callbacks: []Callback{
		once(10*ms, &Context{Bucket: Critical}), once(10*ms, nil), once(0, nil), once(0, nil), once(0, nil),
	}}, ms, ms, 2*ms, ms, ms)
	d.run(time.Second)
	d.want("2@0s 3@2ms 0@10ms 4@11ms 1@12ms")
}

// It does so once. Of two timers of 20 ms the first uses up the cycle budget of
// 3 ms, and the second is rolled over to the next cycle, 10 ms later. At 20 ms
// both are newcomers, and the first goes first again.
func TestRolledOverOnce(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{SpinPeriod: 10 * ms, CycleBudget: 3 * ms, Callbacks: []Callback{timer(20*ms, nil), timer(20*ms, nil)}}, 3*ms, ms)
	d.run(40 * ms)
	d.want("0@0s 1@10ms 0@20ms 1@30ms")
}

// On one level nothing is preempted: whatever its class, bucket and deadline, a
// callback can wait for the longest other.
func TestOneLevelLaw(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Drain: Greedy, Callbacks: []Callback{
		once(1, &Context{Class: EDF, Bucket: Critical, Deadline: ms}), once(0, &Context{Class: BestEffort}),
	}}, ms, 50*ms)
	d.run(time.Second)
	d.want("1@0s 0@50ms")
	d.wantMissed(1)
}

// Whatever a level is made of, Peek says what Step does (the driver checks
// it), callbacks run one at a time, no sample is invented, no timer leaves its
// grid, and each thing released was served, skipped, lost, or still waits.
func TestLevelConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawLevel(t)
		l, err := NewLevel(c)
		if err != nil {
			t.Fatal(err)
		}
		d := &driver{t: t, machine: l, probes: rapid.Bool().Draw(t, "probes")}
		arrived := 0
		for i := range c.Callbacks {
			d.costs = append(d.costs, time.Duration(rapid.IntRange(1, 5).Draw(t, "cost"))*ms)
			for in := range c.Callbacks[i].Inputs {
				for range rapid.IntRange(0, 8).Draw(t, "samples") {
					d.arrivals = append(d.arrivals, fact{time.Duration(rapid.IntRange(0, 99).Draw(t, "at")) * ms, i, in})
					arrived++
				}
			}
		}
		d.sort()
		d.run(100 * ms)
		taken, end := 0, clock.Mono(0)
		served := make([]int64, len(c.Callbacks))
		for _, r := range d.jobs {
			if r.start < end || r.Release > r.start || r.Origin > r.start {
				t.Fatalf("%+v after %d", r, end)
			}
			end = r.end
			taken += r.Taken
			if cb := c.Callbacks[r.Callback]; cb.Kind == TimerKind {
				if r.Number != served[r.Callback] || r.Release != cb.First.Add(time.Duration(r.Number)*cb.Period) {
					t.Fatalf("%+v, of %+v", r, cb)
				}
				served[r.Callback] += 1 + r.Skipped
			}
		}
		waiting := 0
		for i := range l.slots {
			for k := range l.slots[i].inputs {
				waiting += l.slots[i].inputs[k].queue.Len()
			}
		}
		if got := taken + len(d.lost) + waiting + len(d.arrivals); got != arrived {
			t.Fatalf("%d taken, %d lost, %d wait, %d of %d have not arrived", taken, len(d.lost), waiting, len(d.arrivals), arrived)
		}
	})
}

func drawLevel(t *rapid.T) LevelConfig {
	millis := func(name string, from, to int) time.Duration {
		return time.Duration(rapid.IntRange(from, to).Draw(t, name)) * ms
	}
	contexts := []*Context{nil}
	for range rapid.IntRange(0, 3).Draw(t, "contexts") {
		c := &Context{
			Class:    Class(rapid.IntRange(0, int(BestEffort)).Draw(t, "class")),
			Bucket:   Bucket(rapid.IntRange(0, int(Last)).Draw(t, "bucket")),
			Deadline: millis("deadline", 0, 20),
			OnMiss:   Reaction(rapid.IntRange(0, int(Fault)).Draw(t, "reaction")),
		}
		if c.Class == Sporadic {
			c.Budget = Budget{millis("amount", 1, 5), millis("per", 1, 20)}
		}
		if rapid.Bool().Draw(t, "window") {
			c.Window = Window{millis("offset", 0, 30), millis("duration", 0, 15), millis("frame", 0, 20), rapid.Bool().Draw(t, "fit")}
		}
		contexts = append(contexts, c)
	}
	config := LevelConfig{
		Drain:       Drain(rapid.IntRange(0, 1).Draw(t, "drain")),
		SpinPeriod:  millis("spin", 0, 5),
		CycleBudget: millis("cycle", 0, 5),
	}
	for range rapid.IntRange(1, 6).Draw(t, "callbacks") {
		c := Callback{Context: rapid.SampledFrom(contexts).Draw(t, "context"), Cost: millis("largest", 0, 5)}
		switch c.Kind = rapid.SampledFrom([]Kind{TimerKind, Subscription, Fused}).Draw(t, "kind"); c.Kind {
		case TimerKind:
			c.First, c.Period = clock.Mono(millis("first", 0, 20)), millis("period", 1, 20)
			c.Skip = SkipRule(rapid.IntRange(0, int(SkipNone)).Draw(t, "skip"))
		case Subscription:
			c.Inputs, c.TakeAll = []Input{{rapid.IntRange(0, 3).Draw(t, "depth")}}, rapid.Bool().Draw(t, "all")
		case Fused:
			c.Inputs, c.Any = []Input{{1}, {0}}, rapid.Bool().Draw(t, "any")
		}
		config.Callbacks = append(config.Callbacks, c)
	}
	return config
}
