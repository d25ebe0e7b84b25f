package interop

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func reliable(t *testing.T, pub, sub string, size, count, hertz int) {
	args := append(flags(size, count, hertz), "--reliable", "--depth", "0")
	p, s := meet(t, pub, args, sub, args)
	lines := s.want("done")
	p.want("acked")
	p.stop()
	wantAll(t, received(t, append(lines, s.stop()...), size), 1, count)
}

// bestEffort asks for whole and ordered samples, and for some of them: how
// many of the large ones fit into a socket is the machine's affair.
func bestEffort(t *testing.T, pub, sub string, size, count, hertz int) {
	args := append(flags(size, 0, hertz), "--depth", "0")
	subArgs := args
	if size >= 1<<20 {
		needBuffer(t, size)
		subArgs = append(slices.Clone(args), buffer(sub, size)...)
	}
	p, s := meet(t, pub, args, sub, subArgs)
	lines := s.want("sample")
	for range count {
		lines = append(lines, s.want("sample")...)
	}
	p.stop()
	received(t, append(lines, s.stop()...), size)
}

// buffer returns the flag that asks for a receive buffer in which size bytes
// find room as the kernel counts them: it doubles what is asked for, and charges
// a datagram for all the memory it takes. takt asks for enough by itself.
func buffer(vendor string, size int) []string {
	if vendor == "takt" {
		return nil
	}
	return []string{"--receive-buffer", strconv.Itoa(size)}
}

// needBuffer skips a test if the system grants no such buffer.
func needBuffer(t *testing.T, size int) {
	t.Helper()
	text, err := os.ReadFile("/proc/sys/net/core/rmem_max")
	if err != nil {
		t.Fatal(err)
	}
	granted, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if granted < size {
		t.Skipf("no receive buffer for a sample of %d bytes: net.core.rmem_max is %d; set it to 4194304", size, granted)
	}
}

// sharedMemory has Fast DDS offer the transports that it has by default; the
// others have no part of it and must get all by UDP.
func sharedMemory(t *testing.T, pub, sub string) {
	args := append(flags(64<<10, 20, 50), "--reliable", "--depth", "0")
	with := func(vendor string) []string {
		if vendor == "fastdds" {
			return append(slices.Clone(args), "--shared-memory")
		}
		return args
	}
	p, s := meet(t, pub, with(pub), sub, with(sub))
	lines := s.want("done")
	p.want("acked")
	p.stop()
	wantAll(t, received(t, append(lines, s.stop()...), 64<<10), 1, 20)
}

// chatter is the ROS 2 talker and listener as their names and types appear
// in DDS. "Hello World: 1" has 14 bytes and a terminating zero, after the
// encapsulation header and the length, 4 bytes each.
func chatter(t *testing.T, pub, sub string) {
	args := []string{"--topic", "rt/chatter", "--type", "std_msgs::msg::dds_::String_", "--form", "text",
		"--reliable", "--depth", "10", "--count", "9", "--rate", "50"}
	p, s := meet(t, pub, args, sub, args)
	lines := s.want("done")
	p.stop()
	wantAll(t, received(t, lines, 4+4+14+1), 1, 9)
}

func lateJoiner(t *testing.T, pub, sub string) {
	qos := []string{"--reliable", "--transient-local", "--depth", "5"}
	p := start(t, pub, "pub", append(qos, "--count", "20", "--size", "3000")...)
	p.want("done")
	s := start(t, sub, "sub", append(qos, "--count", "5")...)
	lines := s.want("done")
	p.stop()
	wantAll(t, received(t, append(lines, s.stop()...), 3000), 16, 20)
}
