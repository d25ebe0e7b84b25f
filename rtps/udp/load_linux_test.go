package udp

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// loads are samples that end in small datagrams, in middling ones, and in such
// as IP cuts up for Ethernet. They come to 2 MB and more, beside which the answers
// of closed ports are few: 31 of 300 bytes to each of the six announcements that a
// participant begins with.
var loads = []struct {
	name          string
	qos           qos.Policies
	length, count int
}{
	{"small, best effort", qos.Policies{History: qos.KeepLast(10)}, 100, 10_000},
	{"small, reliable", reliable(qos.KeepAll()), 100, 10_000},
	{"middling", reliable(qos.KeepAll()), 1000, 2000},
	{"large", reliable(qos.KeepAll()), 200_000, 20},
}

// carry writes samples, as many as asked for, and waits until they have come.
func carry(t *testing.T, a, b *Participant, q qos.Policies, length, count int) {
	t.Helper()
	e := endpoint(t.Name(), q)
	w := writer(t, a, e)
	arrived := make(chan struct{}, 1)
	r := reader(t, b, e, func(*rtps.Sample) {
		select {
		case arrived <- struct{}{}:
		default: // of several greetings
		}
	})
	greet(t, w, r, func() bool { return len(arrived) > 0 })
	<-arrived
	for i := range count {
		if err := w.Write(within(t), sample(byte(i), length)); err != nil {
			t.Fatal(err)
		}
		select { // one at a time: nothing is lost, and no two share a datagram
		case <-arrived:
		case <-time.After(generous):
			t.Fatalf("sample %d did not arrive within %v", i, generous)
		}
	}
}

// What a participant says it added to the network is what the interfaces of its
// host have counted, within 10 %.
func TestTheLoadIsTrueOnANetwork(t *testing.T) {
	for _, l := range loads {
		t.Run(l.name, func(t *testing.T) {
			x, y := wired(t)
			c := patient(wide())
			a, b := x.join(t, c), y.join(t, c)
			carry(t, a, b, l.qos, l.length, l.count)
			// What b hears of itself, by multicast, has not come over the cable; it
			// is a few announcements.
			received, _ := y.counters(t, "eth0")
			said := b.Traffic()
			near(t, "received", said.ReceivedWithHeaders(), received)
			_, sent := x.counters(t, "eth0")
			_, within := x.counters(t, "lo") // announcements to this host
			said = a.Traffic()
			near(t, "sent", said.SentWithHeaders(), sent+within)
		})
	}
}

func TestTheLoadIsTrueOnLoopback(t *testing.T) {
	for _, l := range loads {
		t.Run(l.name, func(t *testing.T) {
			n := isolated(t)
			c := patient(local())
			a, b := n.join(t, c), n.join(t, c)
			carry(t, a, b, l.qos, l.length, l.count)
			_, sent := n.counters(t, "lo") // received is the same there
			one, other := a.Traffic(), b.Traffic()
			near(t, "sent by both", one.SentWithHeaders()+other.SentWithHeaders(), sent)
		})
	}
}

// patient is c with no announcements but those at the start, so that the bytes
// do not depend on how long a test takes.
func patient(c Config) Config {
	c.Interval, c.Lease = time.Hour, 3*time.Hour
	return c
}

func near(t *testing.T, what string, said, counted uint64) {
	t.Helper()
	off := float64(said)/float64(counted) - 1
	t.Logf("%s: says %d bytes, the interface counts %d: %+.1f %%", what, said, counted, 100*off)
	if off < -0.1 || off > 0.1 {
		t.Errorf("%s: not within 10 %%", what)
	}
}
