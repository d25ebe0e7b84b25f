package levels

import (
	"testing"
	"time"
)

const us = time.Microsecond

// deadline is SCHED_DEADLINE as sched_setattr(2) takes it.
var deadline = Kernel{
	Mechanism: "SCHED_DEADLINE", SpawnedOnly: true, Outranks: true, NeedsCapability: true, WholeDomain: true,
	LeastAmount: 1024, LeastPeriod: 100 * us, LongestPeriod: 4194304 * us,
}

// The published table: Linux for spawned levels of the class real time, with
// the capability, on the whole root domain; NuttX for all; others never.
func TestWhoEnforces(t *testing.T) {
	capped := Budgeted{Name: "capped", RealTime: true, Amount: 2 * ms, Period: 10 * ms}
	change := func(f func(*Budgeted)) Budgeted { b := capped; f(&b); return b }
	sporadic := Kernel{Mechanism: "SCHED_SPORADIC"}
	for _, c := range []struct {
		name       string
		level      Budgeted
		kernel     Kernel
		capability bool
		request    Request
		want       string
	}{
		{"linux", capped, deadline, true, AsThePlatformCan, "capped: 2000 us/10000 us, enforced by the KERNEL: SCHED_DEADLINE"},
		{"the boot level", change(func(b *Budgeted) { b.Boot = true }), deadline, true, AsThePlatformCan, "capped: 2000 us/10000 us, enforced by the EXECUTOR: SCHED_DEADLINE is for spawned levels, and this is the boot level"},
		{"no capability", capped, deadline, false, ByKernel, "capped: 2000 us/10000 us, enforced by the EXECUTOR: SCHED_DEADLINE needs CAP_SYS_NICE, which the process does not hold"},
		{"pinned", change(func(b *Budgeted) { b.CPU, b.Narrow = 1, true }), deadline, true, AsThePlatformCan, "capped: 2000 us/10000 us, enforced by the EXECUTOR: SCHED_DEADLINE refuses a level that is pinned to fewer CPUs than its root domain"},
		{"not real time", change(func(b *Budgeted) { b.RealTime = false }), deadline, true, AsThePlatformCan, "capped: 2000 us/10000 us, enforced by the EXECUTOR: its class is not real time"},
		{"as asked for", capped, deadline, true, ByExecutor, "capped: 2000 us/10000 us, enforced by the EXECUTOR: as asked for"},
		{"no period", change(func(b *Budgeted) { b.Period = 0 }), deadline, true, AsThePlatformCan, "capped: no budget: an amount is stated but no period"},
		{"nothing", Budgeted{Name: "capped"}, deadline, true, AsThePlatformCan, "capped: no budget: none is stated"},
		{"too short", change(func(b *Budgeted) { b.Amount, b.Period = 10*us, 99*us }), deadline, true, AsThePlatformCan, "capped: 10 us/99 us, enforced by the EXECUTOR: SCHED_DEADLINE takes no period below 100 us"},
		{"parts of microseconds", change(func(b *Budgeted) { b.Amount = 1023 }), deadline, true, AsThePlatformCan, "capped: 1.023 us/10000 us, enforced by the EXECUTOR: SCHED_DEADLINE takes no amount below 1.024 us"},
		{"nuttx", change(func(b *Budgeted) { b.Boot, b.Narrow = true, true }), sporadic, false, AsThePlatformCan, "capped: 2000 us/10000 us, enforced by the KERNEL: SCHED_SPORADIC"},
		{"zephyr", capped, Kernel{}, true, ByKernel, "capped: 2000 us/10000 us, enforced by the EXECUTOR: the platform's kernel has no mechanism for it"},
	} {
		if got := Enforce([]Budgeted{c.level}, c.kernel, c.capability, c.request)[0].String(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// A telemetry level of 2 ms per 10 ms would be lifted above a loop of 1 ms,
// which then misses, unless the loop is lifted too or has the slack.
func TestOrderHazard(t *testing.T) {
	loop := Budgeted{Name: "loop", RealTime: true}
	telemetry := Budgeted{Name: "telemetry", RealTime: true, Amount: 2 * ms, Period: 10 * ms}
	for _, c := range []struct {
		name   string
		change func(loop, telemetry *Budgeted)
		kernel bool
	}{
		{"a priority above it", func(*Budgeted, *Budgeted) {}, false},
		{"which has a little slack", func(l, _ *Budgeted) { l.Slack, l.SlackKnown = 200*us, true }, false},
		{"which has the slack", func(l, _ *Budgeted) { l.Slack, l.SlackKnown = 2*ms, true }, true},
		{"which the kernel enforces too", func(l, _ *Budgeted) { l.Amount, l.Period = 500*us, ms }, true},
		{"on another CPU", func(l, t *Budgeted) { l.CPU, t.CPU = 1, 2 }, true},
		{"on the same CPU", func(l, t *Budgeted) { l.CPU, t.CPU = 1, 1 }, false},
		{"on any CPU", func(_, t *Budgeted) { t.CPU = 2 }, false},
	} {
		l, m := loop, telemetry
		c.change(&l, &m)
		got := Enforce([]Budgeted{l, m}, deadline, true, AsThePlatformCan)
		if got[1].Kernel != c.kernel {
			t.Errorf("%s: %v", c.name, got[1])
		}
	}
	want := "telemetry: 2000 us/10000 us, enforced by the EXECUTOR: SCHED_DEADLINE outranks every priority, and the more urgent level loop has a priority and no known slack for 2000 us"
	if got := Enforce([]Budgeted{loop, telemetry}, deadline, true, AsThePlatformCan)[1].String(); got != want {
		t.Error(got)
	}
}

func TestMicroseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 us", 1: "0.001 us", 2 * ms: "2000 us", 1500: "1.5 us", -1500: "-1.5 us", 100 * us: "100 us"} {
		if got := micros(d); got != want {
			t.Errorf("%d ns: %s, want %s", d, got, want)
		}
	}
}
