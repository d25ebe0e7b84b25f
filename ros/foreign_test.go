package ros

import (
	"context"
	"encoding/binary"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
	"github.com/takt-rt/takt/rtps/wire"
)

// testDomain is the domain of all tests here: one that nobody else uses.
const testDomain = 41

// generous is how long a test waits for what must come. It is no measure of
// how long it takes.
const generous = 30 * time.Second

// joinNode joins the test's domain as a Node.
func joinNode(t testing.TB, c Config) *Node {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("takt's sockets need Linux")
	}
	c.Environment = Environment{Domain: testDomain, Range: Localhost}
	n, err := Join(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(generous); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", generous, what)
		}
		time.Sleep(time.Millisecond)
	}
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), generous)
	t.Cleanup(cancel)
	return ctx
}

// A foreign is another process of the domain: it notes all that it is told. By
// itself it has no endpoint but a reader of ros_discovery_info, without any user
// data, as nodes of Humble have.
type foreign struct {
	testing.TB
	*udp.Participant

	mu           sync.Mutex
	participants map[wire.GUIDPrefix]*wire.ParticipantData
	endpoints    map[wire.GUID]*wire.EndpointData
	gone         map[wire.GUID]bool // endpoints
	infos        [][]byte           // payloads of ros_discovery_info
}

const infoType = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"

// joinForeign joins as a process whose participant has user data, "enclave=/;"
// if it is one of ROS.
func joinForeign(t testing.TB, userData string) *foreign {
	t.Helper()
	f := &foreign{
		TB: t, participants: map[wire.GUIDPrefix]*wire.ParticipantData{},
		endpoints: map[wire.GUID]*wire.EndpointData{}, gone: map[wire.GUID]bool{},
	}
	var err error
	f.Participant, err = udp.Join(udp.Config{Domain: testDomain, Localhost: true, UserData: []byte(userData), Event: f.note})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Participant.Close(); err != nil {
			t.Error(err)
		}
	})
	_, err = f.NewReader(rtps.EndpointConfig{Topic: "ros_discovery_info", Type: infoType, QoS: qos.Policies{
		Reliability: qos.Reliable, Durability: qos.TransientLocal, History: qos.KeepAll(),
	}}, f.hear)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *foreign) note(e rtps.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch e.Kind {
	case rtps.ParticipantFound:
		f.participants[e.Remote.Prefix] = e.Participant
	case rtps.WriterFound, rtps.ReaderFound:
		f.endpoints[e.Remote] = e.Endpoint
	case rtps.WriterGone, rtps.ReaderGone:
		f.gone[e.Remote] = true
	}
}

func (f *foreign) hear(s *rtps.Sample) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.infos = append(f.infos, slices.Clone(s.Data.Payload))
}

// hears waits for a payload of ros_discovery_info.
func (f *foreign) hears(want []byte) {
	f.Helper()
	eventually(f, "ros_discovery_info tells of the node", func() bool { return len(f.heard()) > 0 && slices.Equal(last(f.heard()), want) })
}

func last(all [][]byte) []byte { return all[len(all)-1] }

func (f *foreign) heard() [][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.infos)
}

// sees returns how many writers of a topic a node has.
func (f *foreign) sees(n *Node, topic string) (writers int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for guid, e := range f.endpoints {
		if guid.Prefix == n.Prefix() && guid.Entity.IsWriter() && e.TopicName == topic && !f.gone[guid] {
			writers++
		}
	}
	return writers
}

// all returns all endpoints that a node ever announced.
func (f *foreign) all(n *Node) map[wire.GUID]*wire.EndpointData {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := maps.Clone(f.endpoints)
	maps.DeleteFunc(all, func(g wire.GUID, _ *wire.EndpointData) bool { return g.Prefix != n.Prefix() })
	return all
}

// writes writes a sample of ros_discovery_info, by a writer without user data.
func (f *foreign) writes(payload []byte) *udp.Writer {
	f.Helper()
	w, err := f.NewWriter(rtps.EndpointConfig{Topic: "ros_discovery_info", Type: infoType, QoS: qos.Policies{
		Reliability: qos.Reliable, Durability: qos.TransientLocal, History: qos.KeepLast(1),
	}})
	if err != nil {
		f.Fatal(err)
	}
	if err := w.Write(within(f), payload); err != nil {
		f.Fatal(err)
	}
	return w
}

// hashes announces a writer with the type hash that nodes from Iron on give.
func (f *foreign) hashes() {
	f.Helper()
	_, err := f.NewWriter(rtps.EndpointConfig{Topic: "rt/foreign", Type: "std_msgs::msg::dds_::String_",
		UserData: []byte("typehash=RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18;")})
	if err != nil {
		f.Fatal(err)
	}
}

// info returns the payload of ros_discovery_info about a node, put together
// field by field: gids have a length of 16 or 24 bytes.
func info(gid int, participant wire.GUIDPrefix, namespace, name string, readers, writers []wire.GUID) []byte {
	b := []byte{0, 1, 0, 0}
	count := func(n int) {
		b = append(b, make([]byte, (4-len(b)%4)%4)...)
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	text := func(s string) {
		count(len(s) + 1)
		b = append(append(b, s...), 0)
	}
	gids := func(all ...wire.GUID) {
		for _, g := range all {
			b = append(append(b, g.Prefix[:]...), g.Entity[:]...)
			b = append(b, make([]byte, gid-16)...)
		}
	}
	gids(wire.GUID{Prefix: participant, Entity: wire.EntityID{0, 0, 1, 0xc1}})
	if name == "" {
		count(0)
		return b
	}
	count(1)
	text(namespace)
	text(name)
	count(len(readers))
	gids(readers...)
	count(len(writers))
	gids(writers...)
	return b
}
