package ros

import (
	"encoding/json"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

const captures = "../testdata/captures"

// A replay is a graph that is told what a capture holds.
type replay struct {
	graph     Graph
	directory rtps.Directory
	nodes     []string             // that appeared
	owners    map[wire.GUID]string // of endpoints, as last told
}

func replayed(t *testing.T, name string) *replay {
	t.Helper()
	f, err := os.Open(filepath.Join(captures, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := pcapgo.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	p := &replay{owners: map[wire.GUID]string{}}
	for {
		frame, info, err := r.ReadPacketData()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Fatal(err)
		}
		packet := gopacket.NewPacket(frame, r.LinkType(), gopacket.NoCopy)
		if udp, ok := packet.Layer(layers.LayerTypeUDP).(*layers.UDP); ok {
			p.take(t, clock.Mono(info.Timestamp.UnixNano()), udp.Payload)
		}
	}
}

func (p *replay) take(t *testing.T, now clock.Mono, datagram []byte) {
	m, err := wire.ParseMessage(datagram)
	if err != nil {
		return
	}
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if s.ID != wire.IDData {
			continue
		}
		d, err := wire.ParseData(s)
		if err != nil {
			t.Fatal(err)
		}
		p.data(t, now, &m, s, &d)
	}
	changes, _ := p.graph.Changes()
	for _, c := range changes {
		if c.Kind == NodeAppeared {
			p.nodes = append(p.nodes, c.Name)
		}
	}
}

func (p *replay) data(t *testing.T, now clock.Mono, m *wire.Message, s wire.Submessage, d *wire.Data) {
	events, err := p.directory.Take(now, nil, m, s, d, netip.AddrPort{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := p.graph.Take(e, &p.directory); err != nil {
			t.Fatal(err)
		}
	}
	writer := wire.GUID{Prefix: m.Source, Entity: d.Writer}
	if e, ok := p.graph.Endpoint(now, writer); !ok || e.Topic.DDS() != DiscoveryTopic || d.Payload == nil || d.Key {
		return
	}
	if err := p.graph.SetNodes(now, m.Source, d.Payload); err != nil {
		t.Fatal(err)
	}
	for kind := NotROS; kind <= Reply; kind++ {
		for _, topic := range p.graph.Topics(now, kind) {
			for _, e := range slices.Concat(topic.Writers, topic.Readers) {
				if e.Node != "" && e.Node != UnknownNode && e.Node != BareDDS {
					p.owners[e.GUID] = e.Node
				}
			}
		}
	}
}

type captured struct {
	Participants []struct {
		Prefix   string   `json:"guid_prefix"`
		UserData *string  `json:"user_data"`
		Left     *float64 `json:"left_s"`
	}
	Endpoints []struct{ GUID, Kind, Topic string }
}

func readExpected(t *testing.T) (all map[string]captured) {
	b, err := os.ReadFile(filepath.Join(captures, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Every node of Jazzy serves get_type_description below its own name, so the
// topics in expected.json, which are from Wireshark's dissection, tell the
// names of the nodes and whose these two endpoints are.
func TestNodesOfCaptures(t *testing.T) {
	for name, want := range readExpected(t) {
		t.Run(name, func(t *testing.T) {
			p := replayed(t, name)
			var nodes []string
			for _, e := range want.Endpoints {
				topic := ParseTopic(e.Topic)
				node, ok := strings.CutSuffix(topic.Name, "/get_type_description")
				if !ok {
					continue
				}
				nodes = append(nodes, node)
				if got := p.owners[wire.ParseGUID([16]byte(unhexed(t, e.GUID)))]; got != node {
					t.Errorf("%s %s belongs to %q", e.Kind, e.Topic, got)
				}
			}
			slices.Sort(nodes)
			slices.Sort(p.nodes)
			if diff := cmp.Diff(slices.Compact(nodes), slices.Compact(p.nodes)); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
			checkWhoStayed(t, p, want)
		})
	}
}

// checkWhoStayed compares those that are left at the end, and what they are.
func checkWhoStayed(t *testing.T, p *replay, want captured) {
	var stayed []string
	ros := map[string]bool{}
	for _, w := range want.Participants {
		ros[w.Prefix] = w.UserData != nil && strings.HasPrefix(*w.UserData, "enclave=")
		if w.Left == nil {
			stayed = append(stayed, w.Prefix)
		}
	}
	var got []string
	for _, info := range p.graph.Participants() {
		got = append(got, info.Prefix.String())
		if info.ROS != ros[info.Prefix.String()] {
			t.Errorf("participant %v: of ROS %v", info.Prefix, info.ROS)
		}
	}
	slices.Sort(stayed)
	if diff := cmp.Diff(stayed, got); diff != "" {
		t.Errorf("participants at the end (-want +got):\n%s", diff)
	}
}

// A process that was killed leaves its last words until its lease runs out.
func TestKilledNode(t *testing.T) {
	p := replayed(t, "multicast_join_leave_kill.pcap")
	victims := p.graph.Nodes()
	if len(victims) != 1 || victims[0].Name != "/victim" {
		t.Fatalf("at the end: %v, want /victim alone", victims)
	}
	form, reason := p.graph.FormToPublish(UnknownForm)
	if form != ShortForm {
		t.Errorf("form %v: %s", form, reason)
	}
	p.graph.RemoveParticipant(0, victims[0].Participant)
	if got := p.graph.Nodes(); len(got) != 0 || p.graph.bytes != 0 {
		t.Errorf("left: %v, %d bytes", got, p.graph.bytes)
	}
}

// Who starts to listen late hears of an endpoint before its participant.
func TestEndpointBeforeItsParticipant(t *testing.T) {
	p := &replay{owners: map[wire.GUID]string{}}
	p.take(t, 1, readPacket(t, "constructed/sedp_pub.bin"))
	if all := p.graph.Participants(); len(all) != 0 {
		t.Fatalf("%v", all)
	}
	p.take(t, 2, readPacket(t, "constructed/spdp.bin"))
	if topics := p.graph.Topics(2, Message); len(topics) != 1 || topics[0].Topic.Name != "/clock" || len(topics[0].Writers) != 1 {
		t.Errorf("topics: %+v", topics)
	}
}
