package model

import (
	"time"

	"github.com/takt-rt/takt/sched/levels"
)

// The platforms. NuttX is two, since with one runner the kernel enforces the
// budget of every level, and with the other those of spawned levels only.
const (
	Linux     Platform = "linux"
	NuttX     Platform = "nuttx"      // with the runner in C
	NuttXRust Platform = "nuttx_rust" // with the runner in Rust
	Zephyr    Platform = "zephyr"
	FreeRTOS  Platform = "freertos"
	ThreadX   Platform = "threadx"
)

// A PlatformRule says who holds a level to its budget on one platform: the
// kernel where it can, else the executor, with the same numbers and only
// between callbacks. The rules are the table of nano-ros's chapter "The
// Real-Time Execution Model"; what SCHED_DEADLINE takes is sched(7)'s.
type PlatformRule struct {
	Platform Platform
	Name     string        // as its makers write it
	Kernel   levels.Kernel // for levels.Enforce; without a mechanism it never enforces
	When     string        // the kernel enforces, in words
}

// platformRules has one rule for each platform.
var platformRules = []PlatformRule{
	{
		Linux, "Linux",
		levels.Kernel{
			Mechanism: "SCHED_DEADLINE", SpawnedOnly: true, Outranks: true, NeedsCapability: true, WholeDomain: true,
			LeastAmount:   1024 * time.Nanosecond,
			LeastPeriod:   100 * time.Microsecond,
			LongestPeriod: 1 << 22 * time.Microsecond,
		},
		"for a spawned level, if the process holds CAP_SYS_NICE, the level is not pinned to fewer CPUs than its root domain, and no more urgent level would be outranked without having the slack",
	},
	{NuttX, "NuttX, runner in C", levels.Kernel{Mechanism: "SCHED_SPORADIC"}, "for every level with a budget, if built with CONFIG_SCHED_SPORADIC"},
	{NuttXRust, "NuttX, runner in Rust", levels.Kernel{Mechanism: "SCHED_SPORADIC", SpawnedOnly: true}, "for a spawned level, if built with CONFIG_SCHED_SPORADIC"},
	{Zephyr, "Zephyr", levels.Kernel{}, "never"},
	{FreeRTOS, "FreeRTOS", levels.Kernel{}, "never"},
	{ThreadX, "ThreadX", levels.Kernel{}, "never"},
}

// Platforms returns the platforms in the order of the table, the default first.
func Platforms() []Platform {
	all := make([]Platform, len(platformRules))
	for i := range platformRules {
		all[i] = platformRules[i].Platform
	}
	return all
}

// Rule returns who enforces budgets on p; of the empty platform as on the
// default, Linux. A platform that is none of Platforms has a kernel that never
// enforces, and its own word as its name.
func (p Platform) Rule() PlatformRule {
	if p == "" {
		p = Linux
	}
	for _, r := range platformRules {
		if r.Platform == p {
			return r
		}
	}
	return PlatformRule{Platform: p, Name: string(p), When: "never"}
}

// String says who enforces a budget, as one sentence: "Linux: the kernel
// enforces a budget (SCHED_DEADLINE) for a spawned level, if ...; else the
// executor does, between callbacks".
func (r PlatformRule) String() string {
	if r.Kernel.Mechanism == "" {
		return r.Name + ": the executor enforces a budget, between callbacks"
	}
	return r.Name + ": the kernel enforces a budget (" + r.Kernel.Mechanism + ") " + r.When + "; else the executor does, between callbacks"
}
