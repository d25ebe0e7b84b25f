package interop

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// scenarios returns the rows' scenarios in the order they run.
func scenarios() (all []scenario) {
	for _, s := range []struct {
		name               string
		size, count, hertz int
	}{
		{"12 B", 12, 100, 200},
		{"1 KiB", 1 << 10, 100, 200},
		{"64 KiB", 64 << 10, 20, 50},
		{"1 MiB", 1 << 20, 10, 20},
	} {
		all = append(all,
			scenario{"reliable, " + s.name, func(t *testing.T, pub, sub string) {
				reliable(t, pub, sub, s.size, s.count, s.hertz)
			}},
			scenario{"best effort, " + s.name, func(t *testing.T, pub, sub string) {
				bestEffort(t, pub, sub, s.size, s.count, s.hertz)
			}})
	}
	// Best effort at 4 MiB is left out: it overflows sockets of the default size.
	return append(all,
		scenario{"reliable, 4 MiB", func(t *testing.T, pub, sub string) { reliable(t, pub, sub, 4<<20, 5, 10) }},
		scenario{"std_msgs/String on /chatter", chatter},
		scenario{"late joiner gets the last 5, transient local", lateJoiner},
		scenario{"incompatible: reliability", incompatible("11", nil, []string{"--reliable"})},
		scenario{"incompatible: durability", incompatible("2", []string{"--reliable"}, []string{"--reliable", "--transient-local"})},
		scenario{"deadline missed, said by both", deadline},
		scenario{"liveliness lost, said by both", liveliness},
		scenario{"publisher killed and started anew", publisherKilled},
		scenario{"subscriber stopped for 1 s, nothing lost", subscriberStopped},
		scenario{"/clock at 1 kHz", clock1kHz},
	)
}

func flags(size, count, hertz int) []string {
	return []string{"--size", strconv.Itoa(size), "--count", strconv.Itoa(count), "--rate", strconv.Itoa(hertz)}
}

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
	p, s := meet(t, pub, args, sub, args)
	lines := s.want("sample")
	for range count {
		lines = append(lines, s.want("sample")...)
	}
	p.stop()
	received(t, append(lines, s.stop()...), size)
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

// incompatible returns a scenario in which both sides name a policy by its id
// in DDS (2.2.3) and do not match.
func incompatible(policy string, pubArgs, subArgs []string) func(*testing.T, string, string) {
	return func(t *testing.T, pub, sub string) {
		s := start(t, sub, "sub", subArgs...)
		p := start(t, pub, "pub", append([]string{"--greet"}, pubArgs...)...)
		for _, peer := range []*peer{p, s} {
			lines := peer.want("incompatible")
			if got := lines[len(lines)-1]; got != "incompatible "+policy {
				t.Errorf("%s says %q, want policy %s", peer.name, got, policy)
			}
			if len(lines) != 1 {
				t.Errorf("%s also says %q", peer.name, lines[:len(lines)-1])
			}
		}
	}
}

func deadline(t *testing.T, pub, sub string) {
	args := append(flags(12, 10, 50), "--reliable", "--deadline-ms", "300")
	p, s := meet(t, pub, args, sub, args)
	p.want("deadline 1")
	s.want("deadline 1")
}

func liveliness(t *testing.T, pub, sub string) {
	args := append(flags(12, 10, 50), "--reliable", "--liveliness", "topic", "--lease-ms", "500")
	p, s := meet(t, pub, args, sub, args)
	s.want("liveliness 1 0")
	s.want("liveliness 0 1")
	p.want("liveliness-lost 1")
}

func publisherKilled(t *testing.T, pub, sub string) {
	args := append(flags(1000, 0, 50), "--reliable", "--depth", "10")
	p, s := meet(t, pub, args, sub, args)
	wantAll(t, received(t, s.want("sample 20"), 1000), 1, 20)
	p.kill()
	p = start(t, pub, "pub", append(args, "--greet")...)
	s.want("greeting") // what the first one had under way comes before
	p.begin()
	wantAll(t, received(t, s.want("sample 20"), 1000), 1, 20)
}

func subscriberStopped(t *testing.T, pub, sub string) {
	const count = 400 // 2 s
	args := append(flags(1000, count, 200), "--reliable", "--depth", "0")
	p, s := meet(t, pub, args, sub, args)
	lines := s.want("sample 50")
	s.pause()
	time.Sleep(time.Second) // the silence is what the scenario is about
	s.resume()
	lines = append(lines, s.want("done")...)
	p.want("acked")
	wantAll(t, received(t, lines, 1000), 1, count)
}

// clock1kHz is /clock with the QoS of ROS 2: a reliable writer, a best-effort
// reader. Of the ticks, at most 5 % may be lost on a loaded machine.
func clock1kHz(t *testing.T, pub, sub string) {
	count := int(*clockFor / time.Millisecond)
	names := []string{"--topic", "rt/clock", "--type", "rosgraph_msgs::msg::dds_::Clock_", "--form", "clock", "--rate", "1000"}
	p, s := meet(t, pub, append(names, "--reliable", "--depth", "10"), sub, append(names, "--depth", "0"))
	var lines []string
	for last := 0; last < count; { // the publisher has no end: its last tick could be a lost one
		lines = append(lines, s.want("sample")...)
		fmt.Sscanf(lines[len(lines)-1], "sample %d", &last)
	}
	p.stop()
	if seqs := received(t, lines, 12); len(seqs) < count*95/100 {
		t.Errorf("%d of %d ticks arrived", len(seqs), count)
	}
}
