package rtps

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A pairTest is two participants whose writer and reader have found each
// other.
type pairTest struct {
	*domainTest
	a, b   *nodeTest
	writer wire.EntityID
}

func newPairTest(t testing.TB, q qos.Policies) *pairTest {
	d := newDomainTest(t, 2)
	p := &pairTest{domainTest: d, a: d.nodes[0], b: d.nodes[1]}
	p.writer = p.a.writer(topicTest(q))
	p.b.reader(topicTest(q))
	d.run(time.Second)
	return p
}

// exchange writes a sample and hands it to the other side.
func (p *pairTest) exchange(payload []byte) {
	p.now = p.now.Add(time.Microsecond)
	if err := p.a.Write(p.now, wire.Timestamp{Seconds: 1}, p.writer, payload); err != nil {
		p.Fatal(err)
	}
	for _, k := range p.a.Packets() {
		p.b.Receive(p.now, Datagram{Payload: k.Payload, Arrival: p.now, From: p.a.meta})
	}
	if got := p.b.Deliveries(); len(got) != 1 {
		p.Fatalf("%d samples", len(got))
	}
	p.b.Packets()
	p.b.Events()
	p.b.Next()
}

func TestNoAllocationPerSample(t *testing.T) {
	for _, q := range []qos.Policies{
		{History: qos.KeepLast(10)},
		{Reliability: qos.Reliable, History: qos.KeepLast(10)},
	} {
		for _, size := range []int{100, 5000} {
			t.Run(fmt.Sprintf("%v/%d", q.Reliability, size), func(t *testing.T) {
				p, payload := newPairTest(t, q), make([]byte, size)
				least := 1.0
				for range 5 { // the garbage collector may take part in one run
					least = min(least, testing.AllocsPerRun(200, func() { p.exchange(payload) }))
				}
				if least > 0 {
					t.Errorf("%v allocations for each sample", least)
				}
			})
		}
	}
}

// The next datagram of a writer, made by hand so that only Receive is measured.
func BenchmarkReceive(b *testing.B) {
	for _, size := range []int{100, 1024} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			p := newPairTest(b, qos.Policies{History: qos.KeepLast(10)})
			if err := p.a.Write(p.now, wire.Timestamp{Seconds: 1}, p.writer, make([]byte, size)); err != nil {
				b.Fatal(err)
			}
			datagram := slices.Clone(p.a.Packets()[0].Payload)
			number := len(datagram) - size - 4 // the lower half of the sequence number
			n := uint32(1)
			b.ReportAllocs()
			for b.Loop() {
				n++
				binary.LittleEndian.PutUint32(datagram[number:], n)
				p.b.Receive(p.now, Datagram{Payload: datagram, Arrival: p.now})
				if len(p.b.Deliveries()) != 1 {
					b.Fatal("not delivered")
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, readers := range []int{1, 10} {
		b.Run(fmt.Sprintf("bytes=100/readers=%d", readers), func(b *testing.B) {
			d := newDomainTest(b, 1+readers)
			a := d.nodes[0]
			w := a.writer(topicTest(bestEffortTest))
			for _, n := range d.nodes[1:] {
				n.reader(topicTest(bestEffortTest))
			}
			d.run(time.Second)
			payload := make([]byte, 100)
			b.ReportAllocs()
			for b.Loop() {
				if err := a.Write(d.now, wire.Timestamp{Seconds: 1}, w, payload); err != nil {
					b.Fatal(err)
				}
				if len(a.Packets()) != readers {
					b.Fatal("not sent")
				}
			}
		})
	}
}

// 100 participants of 10 endpoints each find each other.
func BenchmarkDiscovery(b *testing.B) {
	for b.Loop() {
		d := newDomainTest(b, 100)
		for i, n := range d.nodes {
			for j := range 5 {
				c := topicTest(reliableTest)
				c.Topic = fmt.Sprintf("rt/t%d", (i+j)%100)
				n.writer(c)
				n.reader(c)
			}
		}
		d.run(2 * time.Second)
		for _, n := range d.nodes {
			if len(n.directory.endpoints) != 990 {
				b.Fatalf("%d endpoints known", len(n.directory.endpoints))
			}
		}
		b.ReportMetric(float64(d.sent), "datagrams")
	}
}
