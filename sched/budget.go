package sched

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Budget is CPU time per period for the callbacks of one context, or of a level. It is
// judged before a callback starts and charged when it ends, so that a callback
// may run into debt, which later periods repay: a callback of 5 ms under 2 ms
// per 10 ms has 20 % of a CPU in the long run. It starts full at 0 and is
// refilled at every multiple of the period, never to more than one amount: a
// periodic server, not the sporadic server of POSIX, which returns each piece
// one period after its use. The zero Budget is none.
type Budget struct {
	Amount, Period time.Duration // both more than 0
}

func (b Budget) check() error {
	if b != (Budget{}) && (b.Amount <= 0 || b.Period <= 0) {
		return fmt.Errorf("a budget of %v per %v; give both more than 0, or neither", b.Amount, b.Period)
	}
	return nil
}

// A BudgetUse is how a budget fared.
type BudgetUse struct {
	Remaining time.Duration // negative is debt
	Refused   int64         // refusals since a callback last passed
	Warnings  int64         // how often that came to 100, to 1100, and so on by 1000: each is to be said aloud
	Overruns  int64         // callbacks that alone used more than the amount
	Largest   time.Duration // the most that one callback used
}

// An account keeps one budget, or none.
type account struct {
	rule Budget
	use  BudgetUse
	next clock.Mono // the next refill
}

func newAccount(b Budget) account {
	return account{rule: b, use: BudgetUse{Remaining: b.Amount}, next: clock.Mono(b.Period)}
}

// refill adds what is due up to and at now. Refills one by one, each limited
// to one amount in all, come to the same, as nothing is charged in between.
func (a *account) refill(now clock.Mono) {
	if a.rule.Period == 0 || now < a.next {
		return
	}
	n := 1 + int64(clock.Sub(now, a.next)/a.rule.Period)
	a.next = add(a.next, times(a.rule.Period, n))
	a.use.Remaining = a.after(n)
}

// after returns what remains after n more refills.
func (a *account) after(n int64) time.Duration {
	if n >= a.toFill() {
		return a.rule.Amount
	}
	return a.use.Remaining + times(a.rule.Amount, n)
}

// toFill returns how many refills fill the account.
func (a *account) toFill() int64 {
	return 1 + int64((a.rule.Amount-a.use.Remaining-1)/a.rule.Amount)
}

// open reports whether a callback may start at now, and if not, when one may.
func (a *account) open(now clock.Mono) (bool, clock.Mono) {
	if a.rule.Period == 0 {
		return true, now
	}
	remaining, next := a.use.Remaining, a.next
	if now >= next {
		n := 1 + int64(clock.Sub(now, next)/a.rule.Period)
		remaining = a.after(n)
		next = add(next, times(a.rule.Period, n))
	}
	if remaining > 0 {
		return true, now
	}
	// One refill more than the debt has amounts.
	return false, add(next, times(a.rule.Period, int64(-remaining/a.rule.Amount)))
}

// refuse counts a refusal at now, if it is this budget that refuses.
func (a *account) refuse(now clock.Mono) {
	if funded, _ := a.open(now); funded {
		return
	}
	a.use.Refused++
	if a.use.Refused >= 100 && (a.use.Refused-100)%1000 == 0 {
		a.use.Warnings++
	}
}

// charge takes the CPU time of a callback that ended at now. A refill at that
// very instant comes after it.
func (a *account) charge(now clock.Mono, cpu time.Duration) {
	if a.rule.Period == 0 {
		return
	}
	a.refill(now - 1)
	a.use.Remaining -= cpu
	if cpu > a.rule.Amount {
		a.use.Overruns++
	}
	a.use.Largest = max(a.use.Largest, cpu)
}
