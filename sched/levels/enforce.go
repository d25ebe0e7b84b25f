package levels

import (
	"fmt"
	"strings"
	"time"
)

// A Kernel is what a platform can do to hold a thread to a budget.
type Kernel struct {
	Mechanism   string // such as SCHED_DEADLINE, or "" if there is none
	SpawnedOnly bool   // not for the boot level
	// Outranks says that a thread with a budget runs before every thread with
	// a priority, as with SCHED_DEADLINE.
	Outranks        bool
	NeedsCapability bool // CAP_SYS_NICE
	WholeDomain     bool // refuses a thread that is pinned to fewer CPUs than its root domain

	// What the mechanism takes; 0 is no limit.
	LeastAmount, LeastPeriod, LongestPeriod time.Duration
}

// A Budgeted is a level as far as budgets are concerned.
type Budgeted struct {
	Name           string
	Boot           bool
	RealTime       bool          // its class
	Amount, Period time.Duration // CPU time per period; one without the other is no budget
	CPU            int           // it is pinned to, from 1; 0 is none
	Narrow         bool          // to fewer CPUs than its root domain
	// Slack is the least time that any of its callbacks has left before its
	// deadline at worst, with SlackKnown: an analysis' answer.
	Slack      time.Duration
	SlackKnown bool
}

// A Request says who is to enforce budgets.
type Request int

// The requests.
const (
	AsThePlatformCan Request = iota
	ByKernel
	ByExecutor
)

// An Enforcement is who holds one level to its budget, and why. A level has
// exactly one enforcer: with two, only the second starves it.
type Enforcement struct {
	Level     string
	Budgeted  bool // else there is nothing to enforce
	Kernel    bool // else the executor, at the ends of callbacks
	Amount    time.Duration
	Period    time.Duration
	Mechanism string // of the kernel
	Why       string
}

// String writes the line that is printed at the start: "capped: 2000 us/10000
// us, enforced by the EXECUTOR: its class is not real time".
func (e Enforcement) String() string {
	if !e.Budgeted {
		return fmt.Sprintf("%s: no budget: %s", e.Level, e.Why)
	}
	by := "EXECUTOR"
	if e.Kernel {
		by = "KERNEL"
	}
	return fmt.Sprintf("%s: %s/%s, enforced by the %s: %s", e.Level, micros(e.Amount), micros(e.Period), by, e.Why)
}

// micros writes microseconds with what is left of the nanoseconds.
func micros(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	text := fmt.Sprintf("%s%d.%03d", sign, d/time.Microsecond, d%time.Microsecond)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + " us"
}

// Enforce decides about each level, the levels coming with the most urgent
// first. Capability says whether the process holds CAP_SYS_NICE.
//
// A mechanism that outranks every priority would lift a level above more urgent
// ones. So the kernel enforces only where every more urgent level on a CPU that
// both may use is enforced by it too, or has slack for the whole amount.
func Enforce(levels []Budgeted, k Kernel, capability bool, r Request) []Enforcement {
	all := make([]Enforcement, len(levels))
	for i := range levels {
		l, e := &levels[i], &all[i]
		*e = Enforcement{Level: l.Name, Amount: l.Amount, Period: l.Period}
		if e.Why = l.without(); e.Why != "" {
			continue
		}
		e.Budgeted = true
		if e.Why = k.refuses(l, capability, r); e.Why != "" {
			continue
		}
		if e.Why = k.hazard(l, levels[:i], all[:i]); e.Why != "" {
			continue
		}
		e.Kernel, e.Mechanism, e.Why = true, k.Mechanism, k.Mechanism
	}
	return all
}

// without says why there is no budget: what is absent is not guessed.
func (l *Budgeted) without() string {
	switch {
	case l.Amount <= 0 && l.Period <= 0:
		return "none is stated"
	case l.Amount <= 0:
		return "a period is stated but no amount"
	case l.Period <= 0:
		return "an amount is stated but no period"
	}
	return ""
}

// refuses says why the kernel does not take the budget, or "".
func (k *Kernel) refuses(l *Budgeted, capability bool, r Request) string {
	switch {
	case r == ByExecutor:
		return "as asked for"
	case k.Mechanism == "":
		return "the platform's kernel has no mechanism for it"
	case !l.RealTime:
		return "its class is not real time"
	case l.Boot && k.SpawnedOnly:
		return k.Mechanism + " is for spawned levels, and this is the boot level"
	case k.NeedsCapability && !capability:
		return k.Mechanism + " needs CAP_SYS_NICE, which the process does not hold"
	case k.WholeDomain && l.Narrow:
		return k.Mechanism + " refuses a level that is pinned to fewer CPUs than its root domain"
	case l.Amount > l.Period:
		return k.Mechanism + " takes no amount above the period"
	case l.Amount < k.LeastAmount:
		return fmt.Sprintf("%s takes no amount below %s", k.Mechanism, micros(k.LeastAmount))
	case l.Period < k.LeastPeriod:
		return fmt.Sprintf("%s takes no period below %s", k.Mechanism, micros(k.LeastPeriod))
	case k.LongestPeriod > 0 && l.Period > k.LongestPeriod:
		return fmt.Sprintf("%s takes no period above %s", k.Mechanism, micros(k.LongestPeriod))
	}
	return ""
}

// hazard names a more urgent level that the kernel's mechanism would put
// behind this one, or "".
func (k *Kernel) hazard(l *Budgeted, urgent []Budgeted, decided []Enforcement) string {
	if !k.Outranks {
		return ""
	}
	for i := range urgent {
		u := &urgent[i]
		switch {
		case decided[i].Kernel, u.CPU > 0 && l.CPU > 0 && u.CPU != l.CPU:
		case !u.SlackKnown:
			return fmt.Sprintf("%s outranks every priority, and the more urgent level %s has a priority and no known slack for %s", k.Mechanism, u.Name, micros(l.Amount))
		case u.Slack < l.Amount:
			return fmt.Sprintf("%s outranks every priority, and the more urgent level %s has a slack of %s, less than %s", k.Mechanism, u.Name, micros(u.Slack), micros(l.Amount))
		}
	}
	return ""
}
