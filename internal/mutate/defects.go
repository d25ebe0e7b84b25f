package main

import "slices"

// Who has a defect.
const (
	nanoROS   = "nano-ros, in its public sources"
	oldRclcpp = "rclcpp up to Dashing"
	humble    = "rcl of Humble, where a later one is meant"
	kernel    = "SCHED_DEADLINE, in the kernel's documents"
)

// defects returns all mutations.
func defects() []mutation {
	return slices.Concat(order, budgets, timers, cycles, stock, multithreaded, threads)
}
