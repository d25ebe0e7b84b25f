package sched

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// onROS is a timer on simulated time that was made before the clock started.
func onROS(period time.Duration) Callback {
	return Callback{Kind: TimerKind, First: clock.Mono(period), Period: period, OnROS: true}
}

// A ticked is one kind of machine whose clock a test sets.
type ticked struct {
	t *testing.T
	Machine
}

// eachTicked runs a test with every kind of machine.
func eachTicked(t *testing.T, test func(ticked), callbacks ...Callback) {
	for i, name := range []string{"latched", "greedy", "waitset", "events", "static", "rclpy", "worker"} {
		t.Run(name, func(t *testing.T) { test(ticked{t, machines(t, callbacks)[i]}) })
	}
}

func (m ticked) tick(now time.Duration, sim time.Duration) {
	m.Machine.(SimTime).Tick(clock.Mono(now), clock.Sim(sim))
}

// want takes a step that starts a job, and ends it.
func (m ticked) want(now, release, simRelease time.Duration, skipped int64) {
	m.t.Helper()
	if wants, _ := m.Peek(clock.Mono(now)); !wants {
		m.t.Fatalf("at %v wants nothing", now)
	}
	job, _ := m.Step(clock.Mono(now))
	if job == nil || job.Release != clock.Mono(release) || job.SimRelease != clock.Sim(simRelease) || job.Skipped != skipped {
		m.t.Fatalf("at %v started %+v, want the release of %v, which is %v, and %d skipped", now, job, release, simRelease, skipped)
	}
	m.Done(clock.Mono(now), 0)
}

// rest checks that nothing is to be done until a tick or an arrival.
func (m ticked) rest(now time.Duration) {
	m.t.Helper()
	job, wait := m.Step(clock.Mono(now)) // which ends a greedy cycle
	wants, next := m.Peek(clock.Mono(now))
	if wants || next != Never || job != nil || wait != Never {
		m.t.Fatalf("at %v wants %v until %d, starts %+v until %d; want rest", now, wants, next, job, wait)
	}
}

// A first value of 687.785 s is the start of the clock. A timer of 100 ms runs
// once for it, and skips none of the 6876 releases before.
func TestFirstTickIsNoOverrun(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.rest(0)
		m.rest(time.Hour)
		m.tick(time.Hour, 687785*ms)
		m.want(time.Hour+3, time.Hour, 687700*ms, 0)
		m.rest(time.Hour + 3)
		m.tick(time.Hour+10*ms, 687799*ms)
		m.rest(2 * time.Hour) // paused
		m.tick(2*time.Hour, 687800*ms)
		m.want(2*time.Hour, 2*time.Hour, 687800*ms, 0)
		m.rest(2 * time.Hour)
	}, onROS(100*ms))
}

// Ticks of 100 ms pass 5 releases of 20 ms each; one is served, 80 % skipped.
func TestTickPassesReleases(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.tick(0, 0)
		m.rest(0)
		for sim := 100 * ms; sim <= time.Second; sim += 100 * ms {
			m.tick(sim, sim)
			m.want(sim, sim, sim-80*ms, 4)
			m.rest(sim)
		}
	}, onROS(20*ms))
}

// The release is that of the tick that made it due, not of a later one.
func TestReleaseIsTheTickThatMadeItDue(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.tick(5*ms, 0)
		m.tick(10*ms, 10*ms)
		m.tick(15*ms, 19*ms)
		m.want(16*ms, 10*ms, 10*ms, 0)
		m.rest(16 * ms)
	}, onROS(10*ms))
}

// Simulated time that goes back past the last call begins the grid anew, one
// period after; if it goes back less, the release comes again.
func TestTickBack(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.tick(0, 10*time.Second)
		m.want(0, 0, 10*time.Second, 0)
		m.tick(1, 10500*ms)
		m.tick(2, 10200*ms)
		m.rest(2)
		m.tick(3, 11*time.Second)
		m.want(3, 3, 11*time.Second, 0)
		m.tick(4, 3300*ms)
		m.tick(5, 4200*ms)
		m.rest(5)
		m.tick(6, 4300*ms)
		m.want(6, 6, 4300*ms, 0)
		m.rest(6)
	}, onROS(time.Second))
}

// A timer that was due and is not any more does not run, not even if it was in
// the list of a cycle that had begun.
func TestTickBackTakesOutOfTheList(t *testing.T) {
	eachTicked(t, func(m ticked) {
		m.tick(0, 900*ms)
		m.tick(1, 1100*ms)
		job, _ := m.Step(1)
		if job == nil || job.Callback != 0 {
			t.Fatalf("started %+v", job)
		}
		m.tick(2, 950*ms)
		m.Done(2, 1)
		if job, next := m.Step(2); job != nil || next != Never {
			t.Errorf("started %+v until %d", job, next)
		}
	}, onROS(time.Second), onROS(time.Second))
}

// A release at exactly the tick that serves the one before is kept by rcl of
// Humble, and a timer that skips nothing makes up for every release.
func TestSkipRulesOnTicks(t *testing.T) {
	keep, all := onROS(20*ms), onROS(20*ms)
	keep.Skip, all.Skip = KeepNow, SkipNone
	eachTicked(t, func(m ticked) {
		m.tick(0, 0)
		m.tick(5, 100*ms)
		m.want(5, 5, 20*ms, 3)
		m.want(6, 5, 100*ms, 0)
		m.rest(6)
	}, keep)
	eachTicked(t, func(m ticked) {
		m.tick(0, 0)
		m.tick(5, 60*ms)
		m.want(5, 5, 20*ms, 0)
		m.want(6, 5, 40*ms, 0)
		m.want(7, 5, 60*ms, 0)
		m.rest(7)
	}, all)
}

// What counts its period from its last run, and not on a grid, is gated by the
// steps: 50 Hz on steps of 1/60 s to 30 Hz, every 2nd step, and 100 Hz on steps
// of 4 ms to 83.33 Hz, every 3rd. A timer that is reset by its own callback does.
func TestResetOnTicks(t *testing.T) {
	for _, c := range []struct {
		period, step time.Duration
		every        int
	}{{20 * ms, time.Second / 60, 2}, {10 * ms, 4 * ms, 3}} {
		eachTicked(t, func(m ticked) {
			runs := 0
			for i := range 300 {
				now := time.Duration(i) * c.step
				m.tick(now, now)
				if job, _ := m.Step(clock.Mono(now)); job != nil {
					m.reset(0, now)
					m.Done(clock.Mono(now), 0)
					runs++
					if i != runs*c.every {
						t.Fatalf("run %d at step %d, want every %d", runs, i, c.every)
					}
				}
			}
			if runs != 299/c.every {
				t.Errorf("%d runs in 299 steps of %v", runs, c.step)
			}
		}, onROS(c.period))
	}
}

// However ticks come, a timer runs once at most per tick, serves nothing before
// its time, and each of its releases after the first is served or skipped.
func TestTicksConserveReleases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := time.Duration(rapid.Int64Range(1, 50).Draw(t, "period"))
		m := machines(t, []Callback{onROS(period)})[rapid.IntRange(0, 6).Draw(t, "machine")]
		sim := clock.Sim(0)
		next := clock.Sim(-1) // release
		for now := range clock.Mono(50) {
			sim += clock.Sim(rapid.Int64Range(0, 200).Draw(t, "step"))
			m.(SimTime).Tick(now, sim)
			job, _ := m.Step(now)
			if job == nil {
				continue
			}
			m.Done(now, 0)
			if job.SimRelease > sim || job.Release != now || next >= 0 && job.SimRelease != next {
				t.Fatalf("at %d served %+v, want the release %d", sim, job, next)
			}
			next = job.SimRelease.Add(time.Duration(1+job.Skipped) * period)
			if next <= sim {
				t.Fatalf("the release %d after %+v is not after %d", next, job, sim)
			}
			if again, _ := m.Step(now); again != nil {
				t.Fatalf("started %+v, too", again)
			}
		}
	})
}

func TestTicksDoNotAllocate(t *testing.T) {
	for _, m := range machines(t, []Callback{onROS(ms), onROS(2 * ms)}) {
		now := clock.Mono(0)
		if got := testing.AllocsPerRun(100, func() {
			now = now.Add(ms)
			m.(SimTime).Tick(now, clock.Sim(now))
			for job, _ := m.Step(now); job != nil; job, _ = m.Step(now) {
				m.Done(now, 0)
			}
		}); got != 0 {
			t.Errorf("%T: %v allocations per tick", m, got)
		}
	}
}
