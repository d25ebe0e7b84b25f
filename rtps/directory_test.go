package rtps

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

const packetsTest = "../testdata/rtps"

// packetTest reads a datagram; the README beside it says what is in it.
func packetTest(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(packetsTest, name+".bin"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// listen feeds datagrams to a directory and returns what happened.
func listenTest(t testing.TB, d *Directory, names ...string) (events []Event) {
	t.Helper()
	for _, name := range names {
		m, err := wire.ParseMessage(packetTest(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for s, ok := m.Next(); ok; s, ok = m.Next() {
			if s.ID != wire.IDData {
				continue
			}
			data, err := wire.ParseData(s)
			if err != nil {
				t.Fatal(err)
			}
			if events, err = d.Take(1, events, &m, s, &data, netip.AddrPort{}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	return events
}

func kindsTest(events []Event) (s string) {
	for _, e := range events {
		s += e.Kind.String() + "; "
	}
	return strings.TrimSuffix(s, "; ")
}

func TestAnnouncedParticipants(t *testing.T) {
	for _, c := range []struct {
		packet      string
		vendor      wire.VendorID
		lease       time.Duration
		user, name  string
		metatraffic string
	}{
		{"cyclonedds-0.10.2/spdp_multicast", wire.CycloneDDS, 10 * time.Second, "enclave=/;", "", "127.0.0.1:34715"},
		{"fastdds-2.9.1/spdp_default_transports", wire.FastDDS, 20 * time.Second, "enclave=/;\x00", "/", "127.0.0.1:11660"},
		{"ros2-jazzy-cyclonedds/spdp_localhost", wire.CycloneDDS, 10 * time.Second, "enclave=/;", "", "127.0.0.1:7410"},
		{"constructed/spdp", Vendor, 20 * time.Second, "enclave=/;", "/", "127.0.0.1:12676"},
	} {
		var d Directory
		events := listenTest(t, &d, c.packet, c.packet)
		if kindsTest(events) != "participant found" {
			t.Errorf("%s: %s", c.packet, kindsTest(events))
		}
		p := d.Participants()[0]
		if p.Vendor != c.vendor || p.Lease != c.lease || string(p.Data.UserData) != c.user || p.Data.EntityName != c.name {
			t.Errorf("%s: %+v %+v", c.packet, p, p.Data)
		}
		if got := p.Data.MetatrafficUnicast[0].String(); got != c.metatraffic {
			t.Errorf("%s: metatraffic %s", c.packet, got)
		}
		if got := d.Next(); got != clock.Mono(1).Add(c.lease) {
			t.Errorf("%s: next %v", c.packet, got)
		}
	}
}

func TestSevenParticipantsInOneDatagram(t *testing.T) {
	var d Directory
	events := listenTest(t, &d, "ros2-jazzy-cyclonedds/spdp_seven_participants")
	var user []string
	for _, e := range events {
		if e.Kind != ParticipantFound {
			t.Error(e.Kind)
		}
		user = append(user, string(e.Participant.UserData))
	}
	enclave := "enclave=/;"
	if want := []string{enclave, "", "", enclave, enclave, enclave, enclave}; !slices.Equal(user, want) {
		t.Errorf("user data %q", user)
	}
	if len(d.Participants()) != 7 {
		t.Errorf("%d participants", len(d.Participants()))
	}
}

func TestAnnouncedEndpoints(t *testing.T) {
	reliable := func(h qos.History) qos.Policies { return qos.Policies{Reliability: qos.Reliable, History: h} }
	rosout := qos.Policies{
		Reliability: qos.Reliable, Durability: qos.TransientLocal,
		History: qos.KeepLast(1000), Lifespan: qos.Within(10 * time.Second),
	}
	for _, c := range []struct {
		packet, topic, dds string
		writer             bool
		want               qos.Policies
	}{
		{"ros2-jazzy-cyclonedds/sedp_pub_clock", "rt/clock", "rosgraph_msgs::msg::dds_::Clock_", true, qos.Policies{History: qos.KeepLast(1)}},
		{"ros2-jazzy-cyclonedds/sedp_sub_clock", "rt/clock", "rosgraph_msgs::msg::dds_::Clock_", false, qos.Policies{History: qos.KeepLast(1)}},
		{"ros2-jazzy-cyclonedds/sedp_pub_chatter", "rt/chatter", "std_msgs::msg::dds_::String_", true, reliable(qos.KeepLast(10))},
		{"ros2-jazzy-cyclonedds/sedp_sub_parameter_events", "rt/parameter_events", "rcl_interfaces::msg::dds_::ParameterEvent_", false, reliable(qos.KeepLast(1000))},
		{"ros2-jazzy-cyclonedds/sedp_pub_rosout", "rt/rosout", "rcl_interfaces::msg::dds_::Log_", true, rosout},
		{"fastdds-2.9.1/sedp_sub_clock_reliable_shm", "rt/clock", "rosgraph_msgs::msg::dds_::Clock_", false, reliable(qos.History{Unknown: true})},
		{"constructed/sedp_pub", "rt/clock", "rosgraph_msgs::msg::dds_::Clock_", true, reliable(qos.KeepLast(10))},
		{"constructed/sedp_sub", "rt/clock", "rosgraph_msgs::msg::dds_::Clock_", false, qos.Policies{History: qos.KeepLast(1)}},
	} {
		var d Directory
		listenTest(t, &d, c.packet)
		if len(d.Endpoints()) != 1 {
			t.Fatalf("%s: %d endpoints", c.packet, len(d.Endpoints()))
		}
		e := d.Endpoints()[0]
		if e.Data.TopicName != c.topic || e.Data.TypeName != c.dds || e.GUID.Entity.IsWriter() != c.writer || e.Problem != nil {
			t.Errorf("%s: %+v", c.packet, e)
		}
		got := e.Policies
		got.Representation = nil // XCDR1 alone is said by some, and is the default
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", c.want) {
			t.Errorf("%s: got %v, want %v", c.packet, got, c.want)
		}
		if d.Endpoint(e.GUID) != e || d.EndpointsOf(e.GUID.Prefix)[0] != e {
			t.Errorf("%s: not found again", c.packet)
		}
	}
}

func TestFarewellsOfAllForms(t *testing.T) {
	for _, c := range []struct{ there, gone, want string }{
		{"ros2-jazzy-cyclonedds/spdp_localhost", "ros2-jazzy-cyclonedds/spdp_dispose", "participant found; participant left"},
		{"constructed/spdp", "constructed/spdp_dispose", "participant found; participant left"},
		{"cyclonedds-0.10.2/sedp_pub_clock_best_effort", "cyclonedds-0.10.2/sedp_pub_dispose", "writer found; writer gone"},
		{"fastdds-2.9.1/sedp_pub_clock_best_effort", "fastdds-2.9.1/sedp_pub_dispose", "writer found; writer gone"},
		{"constructed/sedp_pub", "constructed/sedp_pub_dispose", "writer found; writer gone"},
		// A participant takes its endpoints with it.
		{"fastdds-2.9.1/sedp_pub_clock_best_effort", "fastdds-2.9.1/spdp_dispose", "writer found; writer gone"},
	} {
		var d Directory
		if got := kindsTest(listenTest(t, &d, c.there, c.gone, c.gone)); got != c.want {
			t.Errorf("%s: %s", c.gone, got)
		}
		if len(d.participants)+len(d.endpoints)+len(d.owned)+d.described != 0 {
			t.Errorf("%s: something is left: %+v", c.gone, d)
		}
	}
}

// announceTest tells a directory of a participant, or of a writer in from's
// name.
func (d *Directory) announceTest(now clock.Mono, from wire.GUIDPrefix, what any) []Event {
	m := wire.Message{Source: from, Vendor: Vendor}
	data := wire.Data{Sequence: 1}
	switch v := what.(type) {
	case wire.ParticipantData:
		data.Writer, data.Payload = wire.ParticipantsWriter, v.Append(nil, little)
	case wire.EndpointData:
		data.Writer, data.Payload = wire.PublicationsWriter, v.Append(nil, little)
	}
	events, err := d.Take(now, nil, &m, wire.Submessage{ID: wire.IDData, Flags: 1}, &data, netip.AddrPort{})
	if err != nil {
		panic(err)
	}
	return events
}

func saidTest(p wire.GUIDPrefix, lease wire.Optional[wire.Duration]) wire.ParticipantData {
	return wire.ParticipantData{GUID: wire.Some(participantGUID(p)), Lease: lease}
}

func writerTestData(p wire.GUIDPrefix, key byte) wire.EndpointData {
	guid := wire.GUID{Prefix: p, Entity: wire.EntityID{0, 0, key, wire.KindWriter}}
	return wire.EndpointData{GUID: wire.Some(guid), TopicName: "t", TypeName: "T"}
}

func TestNobodySpeaksForOthers(t *testing.T) {
	var d Directory
	a, b := wire.GUIDPrefix{1}, wire.GUIDPrefix{2}
	d.announceTest(0, a, saidTest(a, wire.Optional[wire.Duration]{}))
	d.announceTest(0, a, writerTestData(a, 1))
	events := d.announceTest(0, b, saidTest(a, wire.Some(wire.Duration{Seconds: 1})))
	events = append(events, d.announceTest(0, b, writerTestData(a, 1))...)
	events = append(events, d.announceTest(0, b, writerTestData(a, 2))...)
	events = append(events, d.announceTest(0, wire.GUIDPrefix{}, saidTest(wire.GUIDPrefix{}, wire.Optional[wire.Duration]{}))...)
	builtin := writerTestData(b, 1)
	builtin.GUID.Value.Entity = wire.PublicationsWriter
	events = append(events, d.announceTest(0, b, builtin)...)
	if len(events) != 0 || d.Ignored != 5 || len(d.Endpoints()) != 1 {
		t.Errorf("%s; ignored %d", kindsTest(events), d.Ignored)
	}
}

func TestDirectoryIsBounded(t *testing.T) {
	d := Directory{Limits: Limits{Participants: 2, Endpoints: 3}}
	for i := range 5 {
		p := wire.GUIDPrefix{1, byte(i)}
		d.announceTest(0, p, saidTest(p, wire.Optional[wire.Duration]{}))
		d.announceTest(0, p, writerTestData(p, 1))
	}
	if len(d.Participants()) != 2 || len(d.Endpoints()) != 3 || d.Refused != 5 {
		t.Errorf("%d participants, %d endpoints, %d refused", len(d.Participants()), len(d.Endpoints()), d.Refused)
	}
	d = Directory{Limits: Limits{Bytes: 100}}
	large := saidTest(wire.GUIDPrefix{1}, wire.Optional[wire.Duration]{})
	large.UserData = make([]byte, 100)
	if events := d.announceTest(0, wire.GUIDPrefix{1}, large); len(events) != 0 || d.Refused != 1 {
		t.Error("more bytes than allowed")
	}
}

func TestLeases(t *testing.T) {
	for _, c := range []struct {
		lease wire.Optional[wire.Duration]
		ends  time.Duration // 0: it is not taken; -1: never
	}{
		{wire.Optional[wire.Duration]{}, 100 * time.Second}, // the default of RTPS
		{wire.Some(wire.Duration{Seconds: 11}), 11 * time.Second},
		{wire.Some(wire.Infinite), -1},
		{wire.Some(wire.Duration{}), 0},
		{wire.Some(wire.Duration{Seconds: -5}), 0},
	} {
		var d Directory
		p := wire.GUIDPrefix{1}
		found := d.announceTest(7, p, saidTest(p, c.lease))
		if (len(found) == 1) != (c.ends != 0) {
			t.Errorf("lease %v: %s", c.lease, kindsTest(found))
		}
		if c.ends <= 0 {
			if d.Next() != never {
				t.Errorf("lease %v: next %v", c.lease, d.Next())
			}
			continue
		}
		end := clock.Mono(7).Add(c.ends)
		if early := d.Expire(end-1, nil); len(early) != 0 || d.Next() != end {
			t.Errorf("lease %v: %s, next %v", c.lease, kindsTest(early), d.Next())
		}
		if got := kindsTest(d.Expire(end, nil)); got != "participant lost" {
			t.Errorf("lease %v: %s", c.lease, got)
		}
	}
}

func TestChangedAnnouncements(t *testing.T) {
	var d Directory
	p := wire.GUIDPrefix{1}
	said := saidTest(p, wire.Optional[wire.Duration]{})
	w := writerTestData(p, 1)
	events := d.announceTest(0, p, said)
	events = append(events, d.announceTest(0, p, w)...)
	said.EntityName, w.QoS.Partition = "other", []string{"x"}
	events = append(events, d.announceTest(1, p, said)...)
	events = append(events, d.announceTest(1, p, w)...)
	events = append(events, d.announceTest(2, p, said)...)
	events = append(events, d.announceTest(2, p, w)...)
	if got := kindsTest(events); got != "participant found; writer found; participant changed; writer changed" {
		t.Error(got)
	}
	if e := d.Endpoints()[0]; !slices.Equal(e.Policies.Partition, []string{"x"}) {
		t.Errorf("%+v", e)
	}
}

// What is announced and read again is the same, for all policies that are said.
func TestPoliciesSurviveTheWire(t *testing.T) {
	all := qos.Policies{
		Reliability: qos.Reliable, Durability: qos.TransientLocal, History: qos.KeepLast(7),
		Deadline: qos.Within(100 * time.Millisecond), Lifespan: qos.Within(10 * time.Second),
		Liveliness: qos.ManualByTopic, Lease: qos.Within(3 * time.Second),
		Ownership: qos.Exclusive, Strength: 5, Partition: []string{"a", "b*"},
		Presentation:     qos.Presentation{Scope: qos.TopicScope, Coherent: true, Ordered: true},
		DestinationOrder: qos.BySource, LatencyBudget: time.Millisecond, MinSeparation: 2 * time.Millisecond,
		Representation: []qos.Representation{qos.XCDR2, qos.XCDR1},
	}
	for _, q := range []qos.Policies{
		all, {History: qos.KeepLast(1)}, {Reliability: qos.Reliable, History: qos.KeepAll()},
		{History: qos.KeepLast(1), Lease: qos.Within(time.Second)},
	} {
		for _, writer := range []bool{true, false} {
			data := wire.EndpointData{QoS: announced(q)}
			back, err := wire.ParseEndpoint(data.Append(nil, little))
			if err != nil {
				t.Fatal(err)
			}
			got := policiesOf(&back.QoS, writer, wire.FastDDS)
			if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", q) {
				t.Errorf("got  %+v\nwant %+v", got, q)
			}
		}
	}
}
