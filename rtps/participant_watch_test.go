package rtps

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
)

// Deadline 100 ms, samples at 0 and 1.05 s: due at 0.1 s, 0.2 s .. 1.0 s, ten
// misses on either side; and none before the first sample.
func TestMissedDeadlinesAreTold(t *testing.T) {
	q := bestEffortTest
	q.Deadline = qos.Within(100 * time.Millisecond)
	p := newPairTest(t, q)
	p.run(5 * time.Second)
	p.a.write(p.writer, "0000")
	p.run(1050 * time.Millisecond)
	p.a.write(p.writer, "0001")
	p.run(time.Millisecond)
	for _, n := range p.nodes {
		misses := uint64(0)
		for _, e := range n.seen {
			if e.Kind == DeadlineMissed {
				misses += e.Count
			}
		}
		if misses != 10 {
			t.Errorf("%d misses", misses)
		}
	}
}

func TestLivelinessIsLostAndRegained(t *testing.T) {
	q := bestEffortTest
	q.Lease = qos.Within(300 * time.Millisecond)
	p := newPairTest(t, q)
	p.run(5 * time.Second)
	p.b.wantCount(LivelinessLost, p.a, 0)
	p.drop = func(*nodeTest, []byte) bool { return true }
	p.run(2 * time.Second)
	p.b.wantCount(LivelinessLost, p.a, 1)
	p.b.wantCount(LivelinessRegained, p.a, 0)
	p.drop = nil
	p.run(time.Second)
	p.b.wantCount(LivelinessLost, p.a, 1)
	p.b.wantCount(LivelinessRegained, p.a, 1)
	p.b.wantCount(ParticipantLost, p.a, 0)
}
