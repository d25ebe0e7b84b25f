package pcap

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"github.com/takt-rt/takt/clock"
)

// A datagram in which a participant speaks of itself; its prefix is at 8.
func participantTest(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("../../../testdata/rtps/constructed/" + name + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNobodyIsAnnouncedByAnother(t *testing.T) {
	b := participantTest(t, "spdp")
	b[8]++
	var g Graph
	g.Take(Datagram{At: 5, Payload: b})
	if len(g.Participants()) != 0 || g.directory.Ignored != 1 {
		t.Errorf("%d participants, %d ignored", len(g.Participants()), g.directory.Ignored)
	}
}

// Who joins and leaves for ever fills the records, which outlive a farewell,
// and is refused from then on. Each is captured before the one before it in the
// file, as can be.
func TestRecordsOfParticipantsAreBounded(t *testing.T) {
	join, leave := participantTest(t, "spdp"), participantTest(t, "spdp_dispose")
	prefix := bytes.Clone(join[8:20])
	var g Graph
	for i := range maxParticipants + 10 {
		next := bytes.Clone(prefix)
		binary.BigEndian.PutUint32(next[8:], uint32(i))
		for _, b := range [][]byte{join, leave} {
			g.Take(Datagram{At: clock.Wall(10_000 - i), Payload: bytes.ReplaceAll(b, prefix, next)})
		}
	}
	if len(g.Participants()) != maxParticipants || g.Refused != 10 || len(g.directory.Participants()) != 0 {
		t.Errorf("%d participants, %d refused, %d in the directory", len(g.Participants()), g.Refused, len(g.directory.Participants()))
	}
	for i, p := range g.Participants() {
		if !p.Left.Set || p.Left.Value != p.FirstSeen {
			t.Fatalf("participant %d: first seen %v, left %v", i, p.FirstSeen, p.Left)
		}
	}
}
