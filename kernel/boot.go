package kernel

import (
	"os"
	"strings"
)

// Boot returns what tells this run of the kernel from every other: instants of
// CLOCK_MONOTONIC mean nothing beyond it. "" if the system does not say.
func Boot() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}
