package rtps

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// constructedTest is the participant of the constructed packets, which Fast
// DDS and Cyclone DDS accepted. They are of 2023-11-14, 22:13:20.5 UTC.
func constructedTest() *Participant {
	return NewParticipant(0, ParticipantConfig{
		Prefix: wire.GUIDPrefix{0x01, 0x63, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19},
		Domain: 21, Name: "/", UserData: []byte("enclave=/;"),
		Metatraffic: []netip.AddrPort{loopbackTest(12676)},
		UserTraffic: []netip.AddrPort{loopbackTest(12677)},
		Announce:    []netip.AddrPort{groupTest},
		Wall:        clock.Wall(0x6553f100*int64(time.Second) + int64(time.Second)/2),
	})
}

func TestAnnouncementIsTheOneThatVendorsAccept(t *testing.T) {
	p := constructedTest()
	p.Tick(0)
	packets := p.Packets()
	if len(packets) != 1 || packets[0].To != groupTest {
		t.Fatalf("packets %v", packets)
	}
	wantSameMessage(t, packets[0].Payload, packetTest(t, "constructed/spdp"))
}

func TestFarewellIsTheOneThatVendorsAccept(t *testing.T) {
	p := constructedTest()
	p.Leave(0)
	wantSameMessage(t, p.Packets()[0].Payload, packetTest(t, "constructed/spdp_dispose"))
}

// wantSameMessage compares all but the reader that is named: Cyclone DDS names
// none and Fast DDS its own, and both take either.
func wantSameMessage(t *testing.T, got, want []byte) {
	t.Helper()
	reader := 20 + 12 + 4 + 4 // after header, INFO_TS and the start of the DATA
	for _, b := range [][]byte{got, want} {
		copy(b[reader:], []byte{0, 0, 0, 0})
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

func TestAnnouncementsAreQuickAtFirst(t *testing.T) {
	p := constructedTest()
	var at []time.Duration
	for p.Next() < clock.Mono(10*time.Second) {
		now := p.Next()
		p.Tick(now)
		for range p.Packets() {
			at = append(at, now.Sub(0))
		}
	}
	// Six, 100 ms apart, then one every 3 s.
	want := []time.Duration{0, 100, 200, 300, 400, 500, 3500, 6500, 9500}
	for i := range want {
		want[i] *= time.Millisecond
	}
	if len(at) != len(want) {
		t.Fatalf("at %v", at)
	}
	for i := range want {
		if at[i] != want[i] {
			t.Errorf("at %v", at)
		}
	}
}

func TestANewParticipantIsAnsweredAtOnce(t *testing.T) {
	p := constructedTest()
	p.Tick(0)
	p.Packets()
	other := NewParticipant(0, ParticipantConfig{
		Prefix: wire.GUIDPrefix{9}, Domain: 21, Announce: []netip.AddrPort{groupTest},
		Metatraffic: []netip.AddrPort{loopbackTest(7410)},
	})
	other.Tick(0)
	hello := other.Packets()[0].Payload
	p.Receive(50, Datagram{Payload: hello, From: loopbackTest(9999)})
	packets := p.Packets()
	if len(packets) != 1 || packets[0].To != loopbackTest(7410) || !hasDataOf(packets[0].Payload, wire.ParticipantsWriter) {
		t.Fatalf("packets %v", packets)
	}
	m, _ := wire.ParseMessage(packets[0].Payload)
	m.Next()
	if m.Destination != (wire.GUIDPrefix{9}) {
		t.Error("the answer is for anybody")
	}
	p.Receive(60, Datagram{Payload: hello, From: loopbackTest(9999)})
	if len(p.Packets()) != 0 {
		t.Error("answered again")
	}
}

func TestATagKeepsParticipantsApart(t *testing.T) {
	p := constructedTest()
	for _, c := range []struct {
		domain wire.Optional[uint32]
		tag    string
		want   bool
	}{
		{wire.Some(uint32(21)), "", true},
		{wire.Optional[uint32]{}, "", true}, // Fast DDS 2
		{wire.Some(uint32(20)), "", false},
		{wire.Some(uint32(21)), "ros_discovery_off_1", false},
	} {
		if got := p.accepts(&wire.ParticipantData{DomainID: c.domain, DomainTag: c.tag}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
