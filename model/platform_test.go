package model

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/sched/levels"
)

// Every row of the published table of who enforces a budget, one case for each
// condition in it: what the row promises, and what the lack of it does.
func TestWhoEnforcesOnWhichPlatform(t *testing.T) {
	spawned := levels.Budgeted{Name: "capped", RealTime: true, Amount: 2 * time.Millisecond, Period: 10 * time.Millisecond}
	boot, pinned, ordinary := spawned, spawned, spawned
	boot.Boot = true
	pinned.CPU, pinned.Narrow = 1, true
	ordinary.RealTime = false
	const yes, no = true, false
	for _, c := range []struct {
		name       string
		platform   Platform
		level      levels.Budgeted
		capability bool
		kernel     bool
	}{
		{"Linux: a spawned level of the class real time with CAP_SYS_NICE", Linux, spawned, yes, true},
		{"Linux is the default", "", spawned, yes, true},
		{"Linux: the boot level", Linux, boot, yes, false},
		{"Linux: another class", Linux, ordinary, yes, false},
		{"Linux: no CAP_SYS_NICE", Linux, spawned, no, false},
		{"Linux: fewer CPUs than the root domain", Linux, pinned, yes, false},
		{"NuttX, C runner: every level", NuttX, boot, no, true},
		{"NuttX, C runner: a spawned one too", NuttX, spawned, no, true},
		{"NuttX, Rust runner: a spawned level", NuttXRust, spawned, no, true},
		{"NuttX, Rust runner: the boot level", NuttXRust, boot, no, false},
		{"Zephyr: never", Zephyr, spawned, yes, false},
		{"FreeRTOS: never", FreeRTOS, spawned, yes, false},
		{"ThreadX: never", ThreadX, spawned, yes, false},
		{"unknown: never", "vxworks", spawned, yes, false},
	} {
		for _, request := range []levels.Request{levels.AsThePlatformCan, levels.ByKernel} {
			if got := levels.Enforce([]levels.Budgeted{c.level}, c.platform.Rule().Kernel, c.capability, request)[0]; got.Kernel != c.kernel {
				t.Errorf("%s: %v", c.name, got)
			}
		}
	}
}

// The mechanisms are the published table's, and the limits of SCHED_DEADLINE
// those of sched(7): a runtime of 1024 ns or more, and by default a period from
// 100 us to 4,194,304 us.
func TestPlatformMechanisms(t *testing.T) {
	for p, want := range map[Platform]string{Linux: "SCHED_DEADLINE", NuttX: "SCHED_SPORADIC", NuttXRust: "SCHED_SPORADIC", Zephyr: "", FreeRTOS: "", ThreadX: ""} {
		if got := p.Rule().Kernel.Mechanism; got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
	k := Linux.Rule().Kernel
	if k.LeastAmount != 1024*time.Nanosecond || k.LeastPeriod != 100*time.Microsecond || k.LongestPeriod != 4194304*time.Microsecond {
		t.Errorf("%+v", k)
	}
}

func TestPlatformsAreListedOnce(t *testing.T) {
	all, seen := Platforms(), map[Platform]bool{}
	for _, p := range all {
		if seen[p] || p.Rule().Platform != p {
			t.Errorf("%s is there twice or has another's rule", p)
		}
		seen[p] = true
	}
	if len(all) != 6 || all[0] != Linux {
		t.Errorf("%v", all)
	}
}

func TestPlatformInWords(t *testing.T) {
	for p, want := range map[Platform]string{
		Linux:     "Linux: the kernel enforces a budget (SCHED_DEADLINE) for a spawned level, if the process holds CAP_SYS_NICE, the level is not pinned to fewer CPUs than its root domain, and no more urgent level would be outranked without having the slack; else the executor does, between callbacks",
		NuttX:     "NuttX, runner in C: the kernel enforces a budget (SCHED_SPORADIC) for every level with a budget, if built with CONFIG_SCHED_SPORADIC; else the executor does, between callbacks",
		NuttXRust: "NuttX, runner in Rust: the kernel enforces a budget (SCHED_SPORADIC) for a spawned level, if built with CONFIG_SCHED_SPORADIC; else the executor does, between callbacks",
		Zephyr:    "Zephyr: the executor enforces a budget, between callbacks",
		"vxworks": "vxworks: the executor enforces a budget, between callbacks",
	} {
		if got := p.Rule().String(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", p, got, want)
		}
	}
}
