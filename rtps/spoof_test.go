package rtps

import (
	"fmt"
	"math"
	"net/netip"
	"testing"
	"time"

	"github.com/takt-rt/takt/rtps/wire"
)

// The tests of this file show what anybody can do who can send to a
// participant, since RTPS without DDS Security proves nobody's identity. They
// are the ground of docs/security.md, not what should be.

// A spoofTest is a writer's participant, that of a reader, and somebody who
// sends to the latter in the name of the former.
type spoofTest struct {
	*domainTest
	victim, target *nodeTest
	writer         wire.EntityID
	reader         wire.EntityID
	written        int
}

func newSpoofTest(t *testing.T, c EndpointConfig) *spoofTest {
	d := newDomainTest(t, 2)
	s := &spoofTest{domainTest: d, victim: d.nodes[0], target: d.nodes[1]}
	s.writer, s.reader = s.victim.writer(c), s.target.reader(c)
	d.run(time.Second)
	s.wantNext(true)
	return s
}

// forge sends the target a submessage that the victim did not send.
func (t *spoofTest) forge(s Send) {
	s.To.Prefix = t.target.c.Prefix
	header := wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}, Vendor: Vendor, Prefix: t.victim.c.Prefix}
	// From anywhere: where a datagram comes from is not looked at.
	from := netip.MustParseAddrPort("203.0.113.7:9")
	t.target.Receive(t.now, Datagram{Payload: s.Append(header.Append(nil)), From: from})
	t.target.collect()
	t.run(10 * time.Millisecond)
}

// wantNext has the victim write a sample and wants it to arrive, or not.
func (t *spoofTest) wantNext(arrives bool) {
	t.Helper()
	t.written++
	text := fmt.Sprintf("sample %05d", t.written)
	t.victim.write(t.writer, text)
	t.run(time.Second)
	if arrives {
		t.target.wantGot(text)
	} else {
		t.target.wantGot()
	}
}

func TestSpoofedSampleIsDelivered(t *testing.T) {
	s := newSpoofTest(t, topicTest(bestEffortTest))
	s.forge(Send{Kind: wire.IDData, Data: wire.Data{Writer: s.writer, Sequence: 2, Payload: []byte("all lies")}})
	s.target.wantGot("all lies")
	s.wantNext(false) // which has number 2 too, so it counts as a repetition
	s.wantNext(true)
}

func TestSpoofedNumberSilencesBestEffort(t *testing.T) {
	s := newSpoofTest(t, topicTest(bestEffortTest))
	s.forge(Send{Kind: wire.IDData, Data: wire.Data{Writer: s.writer, Sequence: 1 << 40, Payload: []byte("all lies")}})
	s.target.wantGot("all lies")
	for range 10 {
		s.wantNext(false)
	}
	c, _ := s.target.Counts(s.reader, wire.GUID{Prefix: s.victim.c.Prefix, Entity: s.writer})
	if c.Lost != 1<<40-2 { // 1 was delivered, from 2 on all are missing
		t.Errorf("%d lost, want %d", c.Lost, uint64(1<<40-2))
	}
	s.wantLeft()
}

func TestSpoofedHeartbeatSilencesReliable(t *testing.T) {
	s := newSpoofTest(t, topicTest(reliableTest))
	s.forge(Send{Kind: wire.IDHeartbeat, Heartbeat: wire.Heartbeat{Writer: s.writer, First: 1 << 40, Last: 1 << 40, Count: 1 << 30}})
	for range 10 {
		s.wantNext(false)
	}
	c, _ := s.target.Counts(s.reader, wire.GUID{Prefix: s.victim.c.Prefix, Entity: s.writer})
	if c.Overwritten != 1<<40-2 { // 1 was delivered, and 2 to 2^40 - 1 are given up
		t.Errorf("%d overwritten, want %d", c.Overwritten, uint64(1<<40-2))
	}
	s.wantLeft()
}

func TestSpoofedGapSkipsSamples(t *testing.T) {
	s := newSpoofTest(t, topicTest(reliableTest))
	s.forge(Send{Kind: wire.IDGap, Gap: wire.Gap{Writer: s.writer, Start: 2, List: wire.SequenceSet{Base: 4}}})
	s.wantNext(false) // 2
	s.wantNext(false) // 3
	s.wantNext(true)
	c, _ := s.target.Counts(s.reader, wire.GUID{Prefix: s.victim.c.Prefix, Entity: s.writer})
	if c.Irrelevant != 2 {
		t.Errorf("%d not for us by a GAP, want 2", c.Irrelevant)
	}
}

// wantLeft ends the victim in its own name. At its next true announcement it is
// met anew, and what was made of its numbers is forgotten.
func (t *spoofTest) wantLeft() {
	t.Helper()
	guid := wire.GUID{Prefix: t.victim.c.Prefix, Entity: wire.ParticipantEntity}
	bye := Send{Kind: wire.IDData, Data: wire.Data{
		Writer: wire.ParticipantsWriter, Sequence: 2, InlineQoS: goneQoS(guid),
		Payload: (&wire.ParticipantData{GUID: wire.Some(guid)}).Append(nil, little), Key: true,
	}}
	t.target.seen = nil
	t.forge(bye)
	t.target.wantCount(ParticipantLeft, t.victim, 1)
	t.run(4 * time.Second) // it announces itself every 3 s
	t.target.wantCount(ParticipantFound, t.victim, 1)
	t.target.got = nil
	t.wantNext(true)
}

func TestSpoofedFarewellEndsAParticipant(t *testing.T) {
	newSpoofTest(t, topicTest(reliableTest)).wantLeft()
}

// Anything in its name keeps a participant alive that is dead.
func TestSpoofedWordsKeepTheDeadAlive(t *testing.T) {
	s := newSpoofTest(t, topicTest(reliableTest))
	s.victim.silent = true
	for range 100 { // s; the lease is 20 s
		s.forge(Send{Kind: wire.IDHeartbeat, Heartbeat: wire.Heartbeat{Writer: s.writer, First: 1, Last: 1, Count: 1}})
		s.run(time.Second)
	}
	s.target.wantCount(ParticipantLost, s.victim, 0)
	s.run(21 * time.Second)
	s.target.wantCount(ParticipantLost, s.victim, 1)
}

// A spoofed acknowledgement makes a writer let go of what a reader lacks.
func TestSpoofedAcknowledgementLosesASample(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	w, r := a.writer(topicTest(reliableTest)), b.reader(topicTest(reliableTest))
	d.run(time.Second)
	s := &spoofTest{domainTest: d, victim: b, target: a}
	d.drop = func(to *nodeTest, _ []byte) bool { return to == b }
	a.write(w, "lost")
	d.run(time.Millisecond)
	s.forge(Send{Kind: wire.IDAckNack, AckNack: wire.AckNack{
		Reader: r, Writer: w, Missing: wire.SequenceSet{Base: 2}, Final: true, Count: math.MaxInt32 / 2,
	}})
	d.drop = nil
	if !a.Acked(w) {
		t.Error("the writer still waits for an acknowledgement")
	}
	a.write(w, "next")
	d.run(10 * time.Second)
	b.wantGot("next")
}

// A spoofed announcement has what is for a participant sent elsewhere, until it
// announces itself again.
func TestSpoofedAddressDivertsSamples(t *testing.T) {
	d := newDomainTest(t, 2)
	a, b := d.nodes[0], d.nodes[1]
	w := a.writer(topicTest(bestEffortTest))
	b.reader(topicTest(bestEffortTest))
	d.run(10 * time.Second)
	liar := NewParticipant(d.now, ParticipantConfig{
		Prefix: b.c.Prefix, Metatraffic: elsewhereTest, UserTraffic: elsewhereTest, Announce: []netip.AddrPort{a.meta},
	})
	liar.Tick(d.now)
	for _, p := range liar.Packets() {
		a.Receive(d.now, Datagram{Payload: p.Payload, From: loopbackTest(9)})
	}
	a.collect()
	a.write(w, "diverted")
	d.run(time.Millisecond)
	b.wantGot()
	d.run(4 * time.Second) // it announces itself every 3 s
	a.write(w, "at home.")
	d.run(time.Millisecond)
	b.wantGot("at home.")
}

// elsewhereTest is where nobody is. Participants of a domainTest reach loopback
// only, so it is there.
var elsewhereTest = []netip.AddrPort{netip.MustParseAddrPort("127.0.0.99:9")}

// Participants that never existed, of endless leases, take all the places there
// are; and what is for them goes to whatever address they gave.
func TestSpoofedParticipantKeepsItsPlace(t *testing.T) {
	d := newDomainTest(t, 1)
	a := d.nodes[0]
	for i := range maxPeers {
		liar := NewParticipant(d.now, ParticipantConfig{
			Prefix:      wire.GUIDPrefix{9, byte(i >> 8), byte(i)},
			Metatraffic: elsewhereTest, UserTraffic: elsewhereTest, Announce: []netip.AddrPort{a.meta},
			Lease: 1 << 62,
		})
		liar.Tick(d.now)
		for _, p := range liar.Packets() {
			a.Receive(d.now, Datagram{Payload: p.Payload, From: loopbackTest(9)})
		}
		sent := 0
		for _, p := range a.Packets() {
			if p.To == elsewhereTest[0] {
				sent += len(p.Payload)
			}
		}
		if sent == 0 {
			t.Fatal("nothing is sent to where a liar says it is")
		}
	}
	honest := d.join(func(*ParticipantConfig) {})
	d.run(time.Minute)
	if a.Directory().Participant(honest.c.Prefix) != nil || a.Directory().Refused == 0 {
		t.Errorf("one more participant was met; %d refused", a.Directory().Refused)
	}
}
