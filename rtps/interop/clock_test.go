package interop

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// clock1kHz is /clock with the QoS of ROS 2: a reliable writer, a best-effort
// reader. Of the ticks, at most 10 % may be lost on a loaded machine, where a
// publisher that was held up sends many at once.
func clock1kHz(t *testing.T, pub, sub string) {
	count := int(*clockFor / time.Millisecond)
	names := []string{"--topic", "rt/clock", "--type", "rosgraph_msgs::msg::dds_::Clock_", "--form", "clock", "--rate", "1000"}
	subArgs := append(slices.Clone(names), "--depth", "0")
	p, s := meet(t, pub, append(names, "--reliable", "--depth", "10"), sub, append(subArgs, buffer(sub, 1<<20)...))
	var lines []string
	for last := 0; last < count; { // the publisher has no end: its last tick could be a lost one
		lines = append(lines, s.want("sample")...)
		fmt.Sscanf(lines[len(lines)-1], "sample %d", &last)
	}
	p.stop()
	if seqs := received(t, lines, 12); len(seqs) < count*90/100 {
		t.Errorf("%d of %d ticks arrived", len(seqs), count)
	}
}
