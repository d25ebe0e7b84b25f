package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func participantOf(t testing.TB, name string) ParticipantData {
	t.Helper()
	return must(ParseParticipant(must(ParseData(find(t, packet(t, name), IDData, 0))).Payload))
}

func udp(addr string) Locator { return UDPv4(netip.MustParseAddrPort(addr)) }

func TestParticipantsOfPeers(t *testing.T) {
	shm := func(port uint32) Locator {
		return Locator{Kind: LocatorSHM, Port: port, Address: [16]byte{'U', 0x7f, 1}}
	}
	for _, c := range []struct {
		name string
		want ParticipantData
	}{
		{"cyclonedds-0.10.2/spdp_multicast", ParticipantData{
			Version: Some(ProtocolVersion{2, 1}), Vendor: Some(CycloneDDS),
			Builtin: Some(BuiltinEndpoints(0x0000fc3f)), DomainID: Some(uint32(11)), Lease: Some(Duration{10, 0}),
			DefaultUnicast: []Locator{udp("127.0.0.1:34715")}, DefaultMulticast: []Locator{udp("239.255.0.1:10151")},
			MetatrafficUnicast: []Locator{udp("127.0.0.1:34715")}, MetatrafficMulticast: []Locator{udp("239.255.0.1:10150")},
			UserData:   []byte("enclave=/;"),
			Properties: []Property{{"__ProcessName", "cyc"}, {"__Pid", "20514"}, {"__Hostname", "vm"}},
		}},
		{"fastdds-2.9.1/spdp_default_transports", ParticipantData{
			Version: Some(ProtocolVersion{2, 3}), Vendor: Some(FastDDS),
			Builtin: Some(BuiltinEndpoints(0x0c3f0c3f)), Lease: Some(Duration{20, 0}),
			DefaultUnicast:     []Locator{udp("127.0.0.1:11661"), shm(11661)},
			MetatrafficUnicast: []Locator{udp("127.0.0.1:11660"), shm(11660)},
			EntityName:         "/", UserData: []byte("enclave=/;\x00"),
			Properties: []Property{
				{"PARTICIPANT_TYPE", "SIMPLE"},
				{"fastdds.physical_data.host", "vm:107806561077755904"},
				{"fastdds.physical_data.user", "root"}, {"fastdds.physical_data.process", "21841"},
			},
		}},
		{"ros2-jazzy-cyclonedds/spdp_localhost", ParticipantData{
			Version: Some(ProtocolVersion{2, 1}), Vendor: Some(CycloneDDS),
			Builtin: Some(BuiltinEndpoints(0x0000fc3f)), DomainID: Some(uint32(0)), Lease: Some(Duration{10, 0}),
			DefaultUnicast: []Locator{udp("127.0.0.1:7411")}, MetatrafficUnicast: []Locator{udp("127.0.0.1:7410")},
			UserData: []byte("enclave=/;"),
		}},
	} {
		got := participantOf(t, c.name)
		m := message(t, packet(t, c.name))
		c.want.GUID = Some(GUID{m.Source, ParticipantEntity})
		if c.want.Properties == nil { // those of the recording's host are not stated
			got.Properties = nil
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// The constructed announcement, which both vendors accepted, is written so.
func TestParticipantAsConstructed(t *testing.T) {
	payload := must(ParseData(find(t, packet(t, "constructed/spdp"), IDData, 0))).Payload
	prefix := GUIDPrefix(unhex(t, "01631011 12131415 16171819"))
	p := ParticipantData{
		Version: Some(ProtocolVersion{2, 3}), Vendor: Some(VendorID{1, 0x63}), GUID: Some(GUID{prefix, ParticipantEntity}),
		Builtin: Some(HasParticipantsWriter | HasParticipantsReader | HasPublicationsWriter | HasPublicationsReader |
			HasSubscriptionsWriter | HasSubscriptionsReader | HasParticipantMessageWriter | HasParticipantMessageReader),
		DomainID: Some(uint32(21)), Lease: Some(Duration{20, 0}),
		DefaultUnicast: []Locator{udp("127.0.0.1:12677")}, MetatrafficUnicast: []Locator{udp("127.0.0.1:12676")},
		EntityName: "/", UserData: []byte("enclave=/;"),
	}
	if got := p.Append(nil, binary.LittleEndian); !bytes.Equal(got, payload) {
		t.Errorf("got %x, want %x", got, payload)
	}
}

func TestParticipantSurvivesTheWire(t *testing.T) {
	full := ParticipantData{
		Version: Some(ProtocolVersion{2, 3}), Vendor: Some(VendorID{1, 0x63}), GUID: Some(GUID{GUIDPrefix{1}, ParticipantEntity}),
		Builtin: Some(HasTopicsWriter), DomainID: Some(uint32(0)), DomainTag: "lab", Lease: Some(Infinite),
		DefaultUnicast: []Locator{udp("10.0.0.1:1"), udp("10.0.0.2:2")}, DefaultMulticast: []Locator{{}},
		MetatrafficUnicast: []Locator{udp("10.0.0.1:3")}, MetatrafficMulticast: []Locator{udp("239.255.0.1:7400")},
		EntityName: "name", UserData: []byte{0}, Properties: []Property{{"", ""}, {"a", "bcd"}},
		ExpectsInlineQoS: Some(true), BuiltinQoS: Some(uint32(1)), ManualLiveliness: Some(int32(-1)), KeyHash: Some([16]byte{9}),
	}
	for _, want := range []ParticipantData{{}, full} {
		for _, order := range []Order{binary.LittleEndian, binary.BigEndian} {
			got, err := ParseParticipant(want.Append(nil, order))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v: %v (-want +got)\n%s", order, err, diff)
			}
		}
	}
}

// One peer's list must not fill memory: 64 locators of a kind are kept.
func TestLocatorsAreBounded(t *testing.T) {
	var p ParticipantData
	for i := range 500 {
		p.DefaultUnicast = append(p.DefaultUnicast, udp(fmt.Sprintf("10.0.0.1:%d", i+1)))
	}
	got, err := ParseParticipant(p.Append(nil, binary.LittleEndian))
	if err != nil || len(got.DefaultUnicast) != maxLocators || got.DefaultUnicast[63].Port != 64 {
		t.Errorf("%d locators, %v", len(got.DefaultUnicast), err)
	}
}

// Cyclone DDS refuses a repeated parameter; the last counts here. A string of
// length 0 is empty.
func TestLenience(t *testing.T) {
	p, err := ParseParticipant(unhex(t, "0002 0000 002c 0008 00000001 61000000 002c 0008 00000001 62000000 0062 0004 00000000 0001 0000"))
	if err != nil || string(p.UserData) != "b" || p.EntityName != "" {
		t.Errorf("got %+v, %v", p, err)
	}
}

// What is parsed must not change when the receive buffer is used again.
func TestDiscoveryDataIsCopied(t *testing.T) {
	payload := must(ParseData(find(t, packet(t, "fastdds-2.9.1/spdp_udp_only"), IDData, 0))).Payload
	p, want := must(ParseParticipant(payload)), must(ParseParticipant(bytes.Clone(payload)))
	clear(payload)
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
}
