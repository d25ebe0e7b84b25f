package sched

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// 5 ms under 2 ms per 10 ms, always ready. Debt is carried: from -3 at 5 ms, a
// refill of 2 at 10 leaves -1 and one at 20 leaves 1. So it starts at 0, 20,
// 50, 70, ...: 20 % of the CPU.
func TestBudgetCarriesDebt(t *testing.T) {
	capped := &Context{Class: Sporadic, Budget: Budget{2 * ms, 10 * ms}}
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{timer(ms, capped)}}, 5*ms)
	d.run(130 * ms)
	d.want("0@0s 0@20ms 0@50ms 0@70ms 0@100ms 0@120ms")
}

// The budget is judged at every start: of three callbacks that became ready
// together, each of a whole budget, one runs per period.
func TestBudgetIsJudgedAtEveryStart(t *testing.T) {
	capped := &Context{Class: Sporadic, Budget: Budget{2 * ms, 10 * ms}}
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{once(0, capped), once(0, capped), once(0, capped), once(0, nil)}}, 2*ms, 2*ms, 2*ms, ms)
	d.run(time.Second)
	d.want("0@0s 3@2ms 1@10ms 2@20ms")
}

// A callback pays for its CPU time, not for the time that it was preempted.
func TestBudgetChargesCPUTime(t *testing.T) {
	l, err := NewLevel(LevelConfig{Callbacks: []Callback{timer(5*ms, &Context{Class: Sporadic, Budget: Budget{2 * ms, 100 * ms}})}})
	if err != nil {
		t.Fatal(err)
	}
	l.Step(0)
	l.Done(clock.Mono(50*ms), ms)
	if got := l.BudgetUse(0, clock.Mono(50*ms)).Remaining; got != ms {
		t.Errorf("%v remain, want 1ms", got)
	}
}

// Refills come at multiples of the period, whenever the budget is looked at,
// and never add up to more than the amount. An end at the instant of a refill
// is charged first.
func TestBudgetRefills(t *testing.T) {
	a := newAccount(Budget{2 * ms, 10 * ms})
	a.charge(clock.Mono(7*ms), 5*ms)
	for _, c := range []struct {
		now       time.Duration
		remaining time.Duration
		open      time.Duration // when it is
	}{
		{7 * ms, -3 * ms, 20 * ms},
		{10*ms - 1, -3 * ms, 20 * ms},
		{10 * ms, -1 * ms, 20 * ms},
		{19 * ms, -1 * ms, 20 * ms},
		{20 * ms, ms, 20 * ms},
		{33 * ms, 2 * ms, 33 * ms},
		{2 * time.Hour, 2 * ms, 2 * time.Hour},
	} {
		open, at := a.open(clock.Mono(c.now))
		if open != (c.remaining > 0) || at != clock.Mono(c.open) {
			t.Errorf("at %v: open %v, at %d, want at %v", c.now, open, at, c.open)
		}
		a.refill(clock.Mono(c.now))
		if a.use.Remaining != c.remaining {
			t.Errorf("at %v %v remain, want %v", c.now, a.use.Remaining, c.remaining)
		}
	}

	full := newAccount(Budget{2 * ms, 10 * ms})
	full.charge(clock.Mono(10*ms), 2*ms)
	if open, _ := full.open(clock.Mono(10 * ms)); !open {
		t.Error("what is used up at the instant of a refill is not refilled")
	}
}

// A period below a millisecond is no shorter than it says.
func TestBudgetOfAShortPeriod(t *testing.T) {
	capped := &Context{Class: Sporadic, Budget: Budget{100, 500}}
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{timer(100, capped)}}, 200)
	d.run(3000)
	d.want("0@0s 0@1µs 0@2µs") // 100-200 is -100 at 200, 0 at 500, 100 at 1000
}

// Refusals are counted until a callback passes; runs beyond the amount always.
func TestBudgetUse(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Callbacks: []Callback{timer(ms, &Context{Class: Sporadic, Budget: Budget{2 * ms, 10 * ms}}), timer(ms, nil)}}, 5*ms, ms)
	d.run(19 * ms)
	l := d.machine.(*Level)
	// The other callback starts at 5, in the cycle in which the first ran, and at
	// 6, ..., 18; each of these 13 cycles lists the first too, and refuses it.
	if got, want := l.BudgetUse(0, clock.Mono(19*ms)), (BudgetUse{Remaining: -ms, Refused: 13, Overruns: 1, Largest: 5 * ms}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := l.BudgetUse(1, 0); got != (BudgetUse{}) {
		t.Errorf("without a budget: %+v", got)
	}
}

// Lazy refills come to the same as refills at each instant of the grid.
func TestBudgetIsLazy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := Budget{time.Duration(rapid.IntRange(1, 9).Draw(t, "amount")), time.Duration(rapid.IntRange(1, 9).Draw(t, "period"))}
		a := newAccount(rule)
		remaining, now := rule.Amount, time.Duration(0)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			to := now + time.Duration(rapid.IntRange(0, 40).Draw(t, "pass"))
			for now < to {
				if now++; now < to && now%rule.Period == 0 {
					remaining = min(rule.Amount, remaining+rule.Amount)
				}
			}
			refilled := now%rule.Period == 0 && a.next <= clock.Mono(now)
			if rapid.Bool().Draw(t, "charge") {
				cpu := time.Duration(rapid.IntRange(0, 30).Draw(t, "cpu"))
				a.charge(clock.Mono(now), cpu)
				remaining -= cpu
			}
			if refilled {
				remaining = min(rule.Amount, remaining+rule.Amount)
			}
			open, at := a.open(clock.Mono(now))
			if a.refill(clock.Mono(now)); a.use.Remaining != remaining || open != (remaining > 0) {
				t.Fatalf("at %d %d remain, want %d; open %v", now, a.use.Remaining, remaining, open)
			}
			if before, _ := a.open(at - 1); !open && before {
				t.Fatalf("opens before %d", at)
			}
			if then, _ := a.open(at); !then {
				t.Fatalf("does not open at %d", at)
			}
		}
	})
}

// The budget of a level is for all of its callbacks together: three of 5 ms
// under 2 ms per 10 ms start when one alone would, at 0, 20 and 50 ms.
func TestBudgetOfALevel(t *testing.T) {
	d := newLevelDriver(t, LevelConfig{Budget: Budget{2 * ms, 10 * ms}, Callbacks: []Callback{once(0, nil), once(0, nil), once(0, nil)}}, 5*ms, 5*ms, 5*ms)
	d.run(time.Second)
	d.want("0@0s 1@20ms 2@50ms")
	// -3 at 5, 1 at 20, -4 at 25, 2 at 50, -3 at 55, -1 at 60 and 1 at 70.
	use := d.machine.(*Level).LevelBudgetUse(clock.Mono(70 * ms))
	if use.Remaining != ms || use.Overruns != 3 || use.Largest != 5*ms {
		t.Errorf("the use is %+v", use)
	}
}

// A refusal is said aloud at the 100th in a row, and then at every 1000th more.
func TestRefusalsAreLoud(t *testing.T) {
	a := newAccount(Budget{ms, time.Hour})
	a.charge(0, ms)
	for refused, warnings := range map[int64]int64{99: 0, 100: 1, 1099: 1, 1100: 2, 2100: 3} {
		b := a
		for range refused {
			b.refuse(1)
		}
		if b.use.Refused != refused || b.use.Warnings != warnings {
			t.Errorf("%d refusals: %+v, want %d warnings", refused, b.use, warnings)
		}
	}
}
