package rtps

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

var floodFlag = flag.Int("flood", 1_000_000, "datagrams of TestFlood")

// allPackets returns the packets of the collection.
func allPacketsTest(t testing.TB) (all [][]byte) {
	t.Helper()
	err := filepath.WalkDir(packetsTest, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".bin") || strings.Contains(path, "payload_") {
			return err
		}
		b, err := os.ReadFile(path)
		all = append(all, b)
		return err
	})
	if err != nil || len(all) < 80 {
		t.Fatalf("%d packets: %v", len(all), err)
	}
	return all
}

// A flooder makes datagrams as a broken or hostile peer might send them.
type flooderTest struct {
	random  *rand.Rand
	packets [][]byte
	victim  wire.GUIDPrefix
}

func (f *flooderTest) next() []byte {
	r := f.random
	if r.IntN(20) == 0 {
		b := make([]byte, r.IntN(200))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	b := slices.Clone(f.packets[r.IntN(len(f.packets))])
	// Often it claims to be one of 5000 participants, and speaks to the victim.
	if r.IntN(2) == 0 {
		forged := wire.GUIDPrefix{9, byte(r.IntN(20)), byte(r.IntN(250))}
		b = bytes.ReplaceAll(b, slices.Clone(b[8:20]), forged[:])
	}
	if i := bytes.Index(b, []byte{0x0e, 0x01, 0x0c, 0x00}); i == 20 && r.IntN(4) > 0 {
		copy(b[24:36], f.victim[:])
	}
	for range r.IntN(4) {
		switch r.IntN(3) {
		case 0:
			b[r.IntN(len(b))] = byte(r.Uint32())
		case 1:
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		case 2:
			b = b[:1+r.IntN(len(b))]
		}
	}
	return b
}

// However much nonsense arrives, nothing panics, what is kept is bounded, and
// two participants that know each other go on exchanging samples.
func TestFlood(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	w := a.writer(topicTest(reliableTest))
	b.reader(topicTest(reliableTest))
	// One that matches writers of the packets.
	b.reader(EndpointConfig{Topic: "rt/clock", Type: "rosgraph_msgs::msg::dds_::Clock_", QoS: qos.Policies{Reliability: qos.Reliable}})
	d.run(time.Second)
	f := flooderTest{rand.New(rand.NewPCG(3, 4)), allPacketsTest(t), b.c.Prefix}
	most, wrote := 0, 0
	for i := range *floodFlag {
		b.Receive(d.now, Datagram{Payload: f.next(), From: loopbackTest(9)})
		for _, got := range b.Deliveries() {
			if got.Writer.Prefix == a.c.Prefix {
				t.Fatal("a sample that was not sent")
			}
		}
		b.Packets()
		b.Events()
		if i%1000 == 0 {
			a.write(w, fmt.Sprintf("%08d", wrote))
			wrote++
			d.run(time.Millisecond)
			most = max(most, len(b.peers))
			a.seen, b.seen = nil, nil
		}
	}
	d.run(5 * time.Second)
	f.check(t, b, most)
	want := make([]string, wrote)
	for i := range want {
		want[i] = fmt.Sprintf("%08d", i)
	}
	var got []string
	for _, s := range b.got {
		if len(s) == 8 {
			got = append(got, s)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d samples of %d", len(got), len(want))
	}
}

func (f *flooderTest) check(t *testing.T, b *nodeTest, most int) {
	t.Helper()
	dir := b.Directory()
	if most > maxPeers || len(dir.endpoints) > maxRemote || dir.described > maxAnnouncements {
		t.Errorf("%d participants, %d endpoints, %d bytes", most, len(dir.endpoints), dir.described)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 256<<20 {
		t.Errorf("%d MiB in use", m.HeapAlloc>>20)
	}
	t.Logf("%d participants, %d endpoints, %d refused, %d MiB in use", most, len(dir.endpoints), dir.Refused, m.HeapAlloc>>20)
}

func FuzzReceive(f *testing.F) {
	for _, b := range allPacketsTest(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d := newDomainTest(t, 2)
		q := topicTest(reliableTest)
		d.nodes[0].reader(q)
		d.nodes[0].writer(q)
		q.Topic, q.Type = "rt/clock", "rosgraph_msgs::msg::dds_::Clock_"
		d.nodes[0].reader(q)
		d.run(10 * time.Millisecond)
		for range 2 {
			d.nodes[0].Receive(d.now, Datagram{Payload: b, From: loopbackTest(9)})
			d.nodes[0].collect()
		}
		d.run(time.Second)
	})
}
