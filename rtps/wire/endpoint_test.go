package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const zeroHash = "typehash=RIHS01_0000000000000000000000000000000000000000000000000000000000000000;"

// announced returns the endpoint of a topic that a writer of SEDP announces.
func announced(t testing.TB, name, topic string, by EntityID) EndpointData {
	t.Helper()
	m := message(t, packet(t, name))
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if s.ID != IDData {
			continue
		}
		d := must(ParseData(s))
		if d.Writer != by {
			continue
		}
		if e := must(ParseEndpoint(d.Payload)); e.TopicName == topic {
			return e
		}
	}
	t.Fatalf("%s announces no %s", name, topic)
	return EndpointData{}
}

// "contains DATA(w) for rt/clock, rosgraph_msgs::msg::dds_::Clock_, best_effort, volatile, keep_last 1, user data ...; ("
var contains = regexp.MustCompile(`contains DATA\((w|r)\) for (\S+), (\S+), (\S+), (\S+), (\S+)(?: (\d+))?, user data (.*?;) \(`)

func TestEndpointsOfROSNodes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(packetDir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(text)) {
		f := contains.FindStringSubmatch(line)
		if f == nil {
			continue
		}
		checked++
		by := map[string]EntityID{"w": PublicationsWriter, "r": SubscriptionsWriter}[f[1]]
		name, _, _ := strings.Cut(line, ".bin\t")
		e := announced(t, name, f[2], by)
		if got, want := inWords(e, by), strings.Join(f[1:], " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	if checked != 16 {
		t.Errorf("checked %d endpoints of 16", checked)
	}
}

// inWords says of an endpoint what index.tsv says, defaults filled in.
func inWords(e EndpointData, by EntityID) string {
	kind, reliable := "w", Reliable
	if by == SubscriptionsWriter {
		kind, reliable = "r", BestEffort
	}
	reliability := map[ReliabilityKind]string{BestEffort: "best_effort", Reliable: "reliable"}
	durability := map[DurabilityKind]string{Volatile: "volatile", TransientLocal: "transient_local"}
	history, depth := "keep_all", ""
	if h := e.QoS.History.Or(History{KeepLast, 1}); h.Kind == KeepLast {
		history, depth = "keep_last", strconv.Itoa(int(h.Depth))
	}
	return strings.Join([]string{kind, e.TopicName, e.TypeName,
		reliability[e.QoS.Reliability.Or(Reliability{Kind: reliable}).Kind],
		durability[e.QoS.Durability.Or(Volatile)], history, depth, string(e.QoS.UserData)}, " ")
}

// Logs are kept for ten seconds, which only a lifespan says.
func TestRosoutOfAROSNode(t *testing.T) {
	q := announced(t, "ros2-jazzy-cyclonedds/sedp_pub_rosout", "rt/rosout", PublicationsWriter).QoS
	if q.Lifespan != Some(Duration{10, 0}) || !q.DurabilityService.Set || len(q.DataRepresentations) > 0 {
		t.Errorf("got %+v", q)
	}
}

func TestEndpointsOfCyclone(t *testing.T) {
	const name = "cyclonedds-0.10.2/sedp_pub_clock_reliable_tl"
	e := announced(t, name, "rt/clock", PublicationsWriter)
	if len(e.TypeInformation) != 148 {
		t.Errorf("type information of %d bytes", len(e.TypeInformation))
	}
	e.TypeInformation = nil
	want := EndpointData{
		GUID:      Some(GUID{message(t, packet(t, name)).Source, EntityID{0, 0, 2, 3}}),
		TopicName: "rt/clock", TypeName: "rosgraph_msgs::msg::dds_::Clock_",
		Version: Some(ProtocolVersion{2, 1}), Vendor: Some(CycloneDDS),
		QoS: EndpointQoS{
			Durability: Some(TransientLocal), Reliability: Some(Reliability{Reliable, Infinite}),
			History: Some(History{KeepLast, 10}), UserData: []byte(zeroHash),
			DurabilityService:   Some(DurabilityService{Duration{}, History{KeepLast, 10}, ResourceLimits{-1, -1, -1}}),
			DataRepresentations: []DataRepresentation{XCDR1, XCDR2},
		},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Fast DDS 2 says everything but its history.
func TestEndpointsOfFastDDS(t *testing.T) {
	const name = "fastdds-2.9.1/sedp_sub_clock_best_effort"
	prefix := message(t, packet(t, name)).Source
	guid := GUID{prefix, EntityID{0, 0, 1, 4}}
	want := EndpointData{
		GUID: Some(guid), Participant: Some(GUID{prefix, ParticipantEntity}), KeyHash: Some(guid.Bytes()),
		TopicName: "rt/clock", TypeName: "rosgraph_msgs::msg::dds_::Clock_",
		Version: Some(ProtocolVersion{2, 3}), Vendor: Some(FastDDS),
		Unicast: []Locator{udp("127.0.0.1:10411")}, ExpectsInlineQoS: Some(false),
		QoS: EndpointQoS{
			Durability: Some(Volatile), Reliability: Some(Reliability{BestEffort, DurationOf(100 * time.Millisecond)}),
			UserData:          []byte(zeroHash),
			DurabilityService: Some(DurabilityService{Duration{}, History{KeepLast, 1}, ResourceLimits{-1, -1, -1}}),
			Deadline:          Some(Infinite), LatencyBudget: Some(Duration{}), Liveliness: Some(Liveliness{Automatic, Infinite}),
			Lifespan: Some(Infinite), Ownership: Some(Shared), DestinationOrder: Some(ByReception),
			Presentation:    Some(Presentation{}),
			TypeConsistency: Some(TypeConsistency{Kind: 1, IgnoreSequenceBounds: true, IgnoreStringBounds: true}),
		},
	}
	if diff := cmp.Diff(want, announced(t, name, "rt/clock", SubscriptionsWriter)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	w := announced(t, "fastdds-2.9.1/sedp_pub_clock_reliable_tl", "rt/clock", PublicationsWriter)
	if w.QoS.Reliability.Value.Kind != Reliable || w.QoS.Durability.Value != TransientLocal || w.QoS.History.Set ||
		w.TypeMaxSize != Some(uint32(0x1e8480)) {
		t.Errorf("got %+v", w)
	}
	r := announced(t, "fastdds-2.9.1/sedp_sub_clock_reliable_shm", "rt/clock", SubscriptionsWriter)
	if len(r.Unicast) != 2 || r.Unicast[1].Kind != LocatorSHM {
		t.Errorf("got %v", r.Unicast)
	}
}

// A topic with a key is told by the entity's kind.
func TestKeyedEndpoint(t *testing.T) {
	e := must(ParseEndpoint(must(ParseData(find(t, packet(t, "cyclonedds-0.10.2/sedp_pub_keyed_ddsperf"), IDData, 0))).Payload))
	if id := e.GUID.Value.Entity; !id.Keyed() || !id.IsWriter() || id.Builtin() {
		t.Errorf("got %v", id)
	}
}

// The constructed announcements, which both vendors accepted, are written so.
func TestEndpointAsConstructed(t *testing.T) {
	prefix := GUIDPrefix(unhex(t, "01631011 12131415 16171819"))
	for _, c := range []struct {
		name        string
		entity      EntityID
		reliability ReliabilityKind
		depth       int32
	}{
		{"constructed/sedp_pub", EntityID{0, 0, 1, 3}, Reliable, 10},
		{"constructed/sedp_sub", EntityID{0, 0, 2, 4}, BestEffort, 1},
	} {
		e := EndpointData{
			GUID: Some(GUID{prefix, c.entity}), Participant: Some(GUID{prefix, ParticipantEntity}),
			TopicName: "rt/clock", TypeName: "rosgraph_msgs::msg::dds_::Clock_",
			Version: Some(ProtocolVersion{2, 3}), Vendor: Some(VendorID{1, 0x63}),
			Unicast: []Locator{udp("127.0.0.1:12677")},
			QoS: EndpointQoS{
				Durability:  Some(Volatile),
				Reliability: Some(Reliability{c.reliability, DurationOf(100 * time.Millisecond)}),
				History:     Some(History{KeepLast, c.depth}),
				UserData:    []byte("typehash=RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564;"),
			},
		}
		payload := must(ParseData(find(t, packet(t, c.name), IDData, 0))).Payload
		if got := e.Append(nil, binary.LittleEndian); !bytes.Equal(got, payload) {
			t.Errorf("%s:\n got %x\nwant %x", c.name, got, payload)
		}
	}
}

func TestEndpointSurvivesTheWire(t *testing.T) {
	full := EndpointData{
		GUID: Some(GUID{GUIDPrefix{1}, EntityID{0, 0, 1, 4}}), Participant: Some(GUID{GUIDPrefix{1}, ParticipantEntity}),
		TopicName: "t", TypeName: "four", Version: Some(ProtocolVersion{2, 5}), Vendor: Some(OpenDDS),
		Unicast: []Locator{udp("10.0.0.1:1")}, Multicast: []Locator{udp("239.255.0.1:2"), {}},
		ExpectsInlineQoS: Some(true), EntityName: "e", Group: Some(GUID{GUIDPrefix{2}, EntityID{}}), KeyHash: Some([16]byte{3}),
		TypeMaxSize: Some(uint32(0)), TypeInformation: []byte{1, 2, 3, 4},
		ContentFilter: Some(ContentFilter{"filtered", "t", "DDSSQL", "x > %0", []string{"1", ""}}),
		Properties:    []Property{{"a", ""}}, ServiceInstance: "s", RelatedEntity: Some(GUID{}), TopicAliases: []string{"alias"},
		QoS: EndpointQoS{
			Durability: Some(Persistent), Reliability: Some(Reliability{Reliable, Duration{}}), History: Some(History{KeepAll, 0}),
			UserData: []byte("u"), DurabilityService: Some(DurabilityService{Infinite, History{KeepAll, 3}, ResourceLimits{1, 2, 3}}),
			Deadline: Some(Duration{0, 5}), LatencyBudget: Some(Duration{1, 0}), Liveliness: Some(Liveliness{ManualByTopic, Duration{2, 0}}),
			Lifespan: Some(Duration{3, 0}), TimeBasedFilter: Some(Duration{4, 0}), Ownership: Some(Exclusive),
			OwnershipStrength: Some(int32(-7)), DestinationOrder: Some(BySourceTimestamp),
			Presentation: Some(Presentation{GroupScope, true, true}), Partition: []string{"", "a*"},
			TopicData: []byte("tt"), GroupData: []byte("ggg"), ResourceLimits: Some(ResourceLimits{-1, -1, -1}),
			TransportPriority: Some(int32(9)), DataRepresentations: []DataRepresentation{XCDR2, XML, 77},
			TypeConsistency: Some(TypeConsistency{0, true, false, true, false, true}),
		},
	}
	for _, want := range []EndpointData{{}, full} {
		for _, order := range []Order{binary.LittleEndian, binary.BigEndian} {
			got, err := ParseEndpoint(want.Append(nil, order))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v: %v (-want +got)\n%s", order, err, diff)
			}
		}
	}
}

// The layouts that ROS graphs do not show.
func TestPoliciesOnTheWire(t *testing.T) {
	for _, c := range []struct {
		qos  EndpointQoS
		want string
	}{
		{EndpointQoS{Presentation: Some(Presentation{TopicScope, false, true})}, "0021 0008 00000001 00 01 0000"},
		{EndpointQoS{Partition: []string{"a", "bcd"}}, "0029 0014 00000002 00000002 61000000 00000004 62636400"},
		{EndpointQoS{DataRepresentations: []DataRepresentation{XCDR2}}, "0073 0008 00000001 0002 0000"},
		{EndpointQoS{TypeConsistency: Some(TypeConsistency{1, true, true, false, false, false})}, "0074 0008 0001 01 01 00 00 00 00"},
		{EndpointQoS{OwnershipStrength: Some(int32(-2))}, "0006 0004 fffffffe"},
		{EndpointQoS{Liveliness: Some(Liveliness{ManualByTopic, Duration{1, 0x80000000}})}, "001b 000c 00000002 00000001 80000000"},
	} {
		e := EndpointData{QoS: c.qos}
		want := unhex(t, "0002 0000"+c.want+"0001 0000")
		if got := e.Append(nil, binary.BigEndian); !bytes.Equal(got, want) {
			t.Errorf("got %x, want %x", got, want)
		}
	}
	e, err := ParseEndpoint(unhex(t, "0002 0000 0074 0004 0001 0000 0001 0000")) // the kind alone
	if err != nil || e.QoS.TypeConsistency != Some(TypeConsistency{Kind: 1}) {
		t.Errorf("got %v, %v", fmt.Sprint(e.QoS.TypeConsistency), err)
	}
}
