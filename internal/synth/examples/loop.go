package main

import (
	"fmt"
	"strings"
	"time"
)

// loopRows are the rows that a node's recorder writes of a 100 Hz timer on
// simulated time in 5 s at a real time factor of 1, as package rows reads them,
// had nothing disturbed the published experiment: every 50th callback, from the
// 25th on, takes 22 ms and is marked; the others take no time. The first release
// is one period after the start. A callback that comes late starts when the one
// before it ends, and the releases at or before that are skipped. ROS time has
// steps of 1 ms, began at 1 s, and stands still while a callback runs.
func loopRows() string {
	const (
		ms       = time.Millisecond
		period   = 10 * ms
		boot     = 5000 * time.Second // on the monotonic clock
		simStart = time.Second
	)
	var b strings.Builder
	b.WriteString("start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark\n")
	var end time.Duration // of the callback before
	for n, release := 1, period; release <= 5*time.Second; n++ {
		start, mark := max(release, end), "False"
		end = start
		if n%50 == 25 {
			end, mark = start+22*ms, "True"
		}
		fmt.Fprintf(&b, "%d,%d,%d,%d,%s\n", boot+start, simStart+start, boot+end, simStart+start, mark)
		release += period
		if start >= release {
			release += (1 + (start-release)/period) * period
		}
	}
	return b.String()
}
