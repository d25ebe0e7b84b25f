package bounds

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A bag at ten times its speed with 40 ticks a second, and a 100 Hz timer:
// 4 runs in a simulated second, 96 % skipped. A clock of 10 Hz and a 50 Hz
// timer: 10 Hz, 80 % skipped; of the differences of readings at 200 Hz 95 % are zero.
func TestTimersAndReadingsFromPractice(t *testing.T) {
	ms := func(n int64) *big.Rat { return big.NewRat(n, 1000) }
	same(t, "interval", FiringInterval(ms(10), ms(250)), ms(250))
	same(t, "skipped", SkippedReleases(ms(10), ms(250)), big.NewRat(96, 100))
	same(t, "interval", FiringInterval(ms(20), ms(100)), ms(100))
	same(t, "skipped", SkippedReleases(ms(20), ms(100)), big.NewRat(80, 100))
	same(t, "interval, tick shorter", FiringInterval(ms(20), ms(3)), ms(20))
	same(t, "skipped, tick shorter", SkippedReleases(ms(20), ms(3)), new(big.Rat))
	same(t, "equal", EqualReadings(big.NewRat(200, 1), big.NewRat(10, 1)), big.NewRat(95, 100))
	same(t, "equal, asked less often", EqualReadings(big.NewRat(10, 1), big.NewRat(200, 1)), new(big.Rat))
}

// A timer of package sched, turned by ticks over a whole cycle in which ticks
// and releases come to the same places again, runs as often as the closed forms
// say, whatever the phase.
func TestFiringsAreThoseOfTheTimer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.Int64Range(1, 60).Draw(t, "period")
		tick := rapid.Int64Range(1, 60).Draw(t, "tick")
		phase := rapid.Int64Range(0, tick-1).Draw(t, "phase")
		firings, skipped := turn(sched.SkipNow, period, tick, phase)
		cycle := period * tick
		every := FiringInterval(big.NewRat(period, 1), big.NewRat(tick, 1))
		if want := new(big.Rat).Quo(big.NewRat(cycle, 1), every); big.NewRat(firings, 1).Cmp(want) != 0 {
			t.Fatalf("%d firings, want %v", firings, want)
		}
		share := SkippedReleases(big.NewRat(period, 1), big.NewRat(tick, 1))
		if got := big.NewRat(skipped, firings+skipped); got.Cmp(share) != 0 {
			t.Fatalf("%v skipped, want %v", got, share)
		}
	})
}

func TestKeptReleasesFireTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.Int64Range(1, 60).Draw(t, "period")
		tick := rapid.Int64Range(1, 60).Draw(t, "tick")
		firings, _ := turn(sched.KeepNow, period, tick, 0)
		perSecond := FiringsKept(big.NewRat(period, 1), big.NewRat(tick, 1))
		if want := mul(perSecond, big.NewRat(period*tick, 1)); big.NewRat(firings, 1).Cmp(want) != 0 {
			t.Fatalf("%d firings, want %v", firings, want)
		}
	})
}

// turn counts the firings and skipped releases of one cycle of period x tick,
// after another one has passed.
func turn(rule sched.SkipRule, period, tick, phase int64) (firings, skipped int64) {
	timer := sched.NewTimer(clock.Sim(0), time.Duration(period), rule)
	for i := range 2 * period {
		now := clock.Sim(phase + i*tick)
		for timer.Due(now) {
			if _, n := timer.Call(now); i >= period {
				firings, skipped = firings+1, skipped+n
			}
		}
	}
	return firings, skipped
}

// A clock read every so many microseconds, at ticks of so many others: the
// readings are counted over a cycle, and no two phases are closer than even.
func TestReadingsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Int64Range(1, 60).Draw(t, "reading every")
		tick := rapid.Int64Range(1, 60).Draw(t, "tick every")
		equal, phases := int64(0), map[int64]bool{}
		for i := range tick {
			from, to := i*every/tick, (i+1)*every/tick
			if from == to {
				equal++
			}
			phases[i*every%tick] = true
		}
		asked, ticks := big.NewRat(1, every), big.NewRat(1, tick)
		if got, want := big.NewRat(equal, tick), EqualReadings(asked, ticks); got.Cmp(want) != 0 {
			t.Fatalf("%v equal, want %v", got, want)
		}
		if want := Phases(asked, ticks); want.Cmp(big.NewInt(int64(len(phases)))) != 0 {
			t.Fatalf("%d phases, want %v", len(phases), want)
		}
	})
}
