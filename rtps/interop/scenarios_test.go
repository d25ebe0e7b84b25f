package interop

import (
	"strconv"
	"testing"
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
		{"4 MiB", 4 << 20, 5, 10},
	} {
		all = append(all,
			scenario{name: "reliable, " + s.name, run: func(t *testing.T, pub, sub string) {
				reliable(t, pub, sub, s.size, s.count, s.hertz)
			}},
			scenario{name: "best effort, " + s.name, run: func(t *testing.T, pub, sub string) {
				bestEffort(t, pub, sub, s.size, s.count, s.hertz)
			}})
	}
	return append(all,
		scenario{name: "shared memory beside UDP, 64 KiB", run: sharedMemory, except: noSharedMemory},
		scenario{name: "std_msgs/String on /chatter", run: chatter},
		scenario{name: "late joiner gets the last 5, transient local", run: lateJoiner},
		scenario{name: "incompatible: reliability", run: incompatible("11", nil, []string{"--reliable"})},
		scenario{name: "incompatible: durability", run: incompatible("2", []string{"--reliable"}, []string{"--reliable", "--transient-local"})},
		scenario{name: "incompatible: deadline", run: incompatible("4", nil, []string{"--deadline-ms", "100"})},
		scenario{name: "incompatible: liveliness", run: incompatible("8", nil, []string{"--liveliness", "topic", "--lease-ms", "500"})},
		scenario{name: "deadline missed, said by both", run: deadline, waits: true},
		scenario{name: "manual liveliness lost, said by both", run: manualLiveliness, waits: true, except: automaticOnly},
		scenario{name: "publisher stopped: automatic liveliness lost and regained", run: automaticLiveliness, waits: true},
		scenario{name: "publisher killed and started anew, its lease runs out", run: publisherKilled, waits: true},
		scenario{name: "subscriber killed and started anew, its lease runs out", run: subscriberKilled, waits: true},
		scenario{name: "subscriber stopped for 1 s, nothing lost", run: subscriberStopped, waits: true},
		scenario{name: "/clock at 1 kHz", run: clock1kHz, waits: true},
	)
}

// noSharedMemory is the rows without Fast DDS, which alone has it.
func noSharedMemory(pub, sub string) bool { return pub != "fastdds" && sub != "fastdds" }

// automaticOnly is the rows with a writer of takt, which asserts its liveliness
// automatically.
func automaticOnly(pub, _ string) bool { return pub == "takt" }

func flags(size, count, hertz int) []string {
	return []string{"--size", strconv.Itoa(size), "--count", strconv.Itoa(count), "--rate", strconv.Itoa(hertz)}
}
