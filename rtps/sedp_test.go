package rtps

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

const clockHashTest = "typehash=RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564;"

// dataOf returns the first DATA of a message.
func dataOfTest(t *testing.T, b []byte) wire.Data {
	t.Helper()
	m, err := wire.ParseMessage(b)
	if err != nil {
		t.Fatal(err)
	}
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if s.ID == wire.IDData {
			d, err := wire.ParseData(s)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatal("no DATA")
	return wire.Data{}
}

// The announcement of a writer is the constructed one, which both vendors
// accepted, but for its locator: that of the participant is the default.
func TestAnnouncementOfAWriter(t *testing.T) {
	p := constructedTest()
	id, err := p.AddWriter(0, EndpointConfig{
		Topic: "rt/clock", Type: "rosgraph_msgs::msg::dds_::Clock_", UserData: []byte(clockHashTest),
		QoS: qos.Policies{Reliability: qos.Reliable, History: qos.KeepLast(10)},
	})
	if err != nil || id != (wire.EntityID{0, 0, 1, 3}) {
		t.Fatal(id, err)
	}
	d := dataOfTest(t, packetTest(t, "constructed/sedp_pub"))
	want, err := wire.ParseEndpoint(d.Payload)
	if err != nil {
		t.Fatal(err)
	}
	want.Unicast = nil
	got, err := wire.ParseEndpoint(p.writers[id].announced.payload)
	if err != nil {
		t.Fatal(err)
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

func TestFarewellOfAWriter(t *testing.T) {
	p := constructedTest()
	other := wire.GUIDPrefix{9}
	p.peers[other] = &peer{prefix: other, metatraffic: p.c.Metatraffic}
	w := &p.builtin.writers[publications]
	reader := wire.GUID{Prefix: other, Entity: wire.PublicationsReader}
	w.machine.Match(0, reader, true, true)
	w.matched, w.stale = append(w.matched, reader), true
	id, err := p.AddWriter(0, topicTest(reliableTest))
	if err != nil {
		t.Fatal(err)
	}
	p.Packets()
	p.Remove(0, id)
	got := dataOfTest(t, p.Packets()[0].Payload)
	want := dataOfTest(t, packetTest(t, "constructed/sedp_pub_dispose"))
	if got.Sequence != want.Sequence || !got.Key || !bytes.Equal(got.InlineQoS, want.InlineQoS) || !bytes.Equal(got.Payload, want.Payload) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// The constructed packets tell a participant of everything, in this order.
func TestReceivedAnnouncements(t *testing.T) {
	p := NewParticipant(0, ParticipantConfig{
		Prefix: wire.GUIDPrefix{0x01, 0x0f, 0x7f, 0x01, 0x48, 0x7f, 0xbc, 0x76}, Domain: 21,
	})
	for _, name := range []string{"spdp", "sedp_pub", "sedp_sub", "sedp_pub_dispose", "spdp_dispose"} {
		p.Receive(1, Datagram{Payload: packetTest(t, "constructed/"+name), From: loopbackTest(1)})
	}
	want := "participant found; writer found; reader found; writer gone; reader gone; participant left"
	if got := kindsTest(p.Events()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// An endpoint that is there for long must reach those who come after
// thousands of others were announced and gone.
func TestOldEndpointsOutliveTheHistory(t *testing.T) {
	d := newDomainTest(t, 1)
	a := d.nodes[0]
	for range 3 {
		a.writer(topicTest(reliableTest))
	}
	for range 2*sedpDepth + 10 {
		a.Remove(d.now, a.reader(topicTest(reliableTest)))
		a.Remove(d.now, a.writer(topicTest(reliableTest)))
	}
	if got := a.builtin.writers[publications].machine.history.Len(); got != sedpDepth {
		t.Fatalf("%d announcements kept", got)
	}
	late := d.join(func(*ParticipantConfig) {})
	d.run(5 * time.Second)
	late.wantCount(WriterFound, a, 3)
	late.wantCount(ReaderFound, a, 0)
}
