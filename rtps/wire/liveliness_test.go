package wire

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestParticipantMessageOfAPeer(t *testing.T) {
	b := packet(t, "cyclonedds-0.10.2/sedp_sub_clock_best_effort")
	m := message(t, b)
	d := must(ParseData(find(t, b, IDData, 1)))
	if d.Writer != ParticipantMessageWriter || d.Reader != ParticipantMessageReader {
		t.Errorf("from %v to %v", d.Writer, d.Reader)
	}
	p, err := ParseParticipantMessage(d.Payload)
	if err != nil || p != (ParticipantMessage{m.Source, AssertsAutomatic}) {
		t.Errorf("got %v, %v", p, err)
	}
}

func TestParticipantMessageOnTheWire(t *testing.T) {
	p := ParticipantMessage{GUIDPrefix{0: 1, 11: 12}, AssertsManual}
	for order, want := range map[Order]string{
		binary.LittleEndian: "00010000 01000000000000000000000c 00000002 00000000",
		binary.BigEndian:    "00000000 01000000000000000000000c 00000002 00000000",
	} {
		b := p.Append(nil, order)
		if got, err := ParseParticipantMessage(b); err != nil || got != p || !bytes.Equal(b, unhex(t, want)) {
			t.Errorf("%v: %x is %v, %v", order, b, got, err)
		}
	}
}

func TestParticipantMessageRefuses(t *testing.T) {
	_, err := ParseParticipantMessage(make([]byte, participantMessageLen-1))
	wantProblem(t, err, ShortBody)
	for _, b := range []byte{2, 3, 7} {
		_, err = ParseParticipantMessage(append([]byte{0, b}, make([]byte, participantMessageLen)...))
		wantProblem(t, err, NotPlainCDR)
	}
}
