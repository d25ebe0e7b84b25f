package wire

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzMessage checks that nothing panics or reads beyond the datagram, and
// that what parses is the same after it was appended and parsed again.
func FuzzMessage(f *testing.F) {
	for _, p := range index(f) {
		if p.size < 2000 {
			f.Add(packet(f, p.name))
		}
	}
	f.Fuzz(func(t *testing.T, datagram []byte) {
		m, err := ParseMessage(datagram)
		if err != nil {
			return
		}
		at := HeaderLen
		for s, ok := m.Next(); ok; s, ok = m.Next() {
			if s.Offset != at || s.Offset+4+len(s.Body) > len(datagram) {
				t.Fatalf("a submessage at %d of %d bytes after one that ended at %d", s.Offset, len(s.Body), at)
			}
			at += 4 + len(s.Body)
			fuzzSubmessage(t, s)
		}
		if m.Err() == nil && at != len(datagram) {
			t.Fatalf("stopped at %d of %d without a word", at, len(datagram))
		}
	})
}

func fuzzSubmessage(t *testing.T, s Submessage) {
	once, err := rewrite(nil, s)
	if err != nil || len(once) > 0xffff {
		return
	}
	s, err = parseSubmessage(once, 0)
	if err != nil {
		t.Fatalf("%x: %v", once, err)
	}
	twice, err := rewrite(nil, s)
	if err != nil || !bytes.Equal(once, twice) {
		t.Fatalf("%v\n once %x\ntwice %x", err, once, twice)
	}
	if s.ID == IDGap {
		g := must(ParseGap(s))
		for n := range g.Within(g.List.Base-3, g.List.Base+300) {
			if !g.Covers(n) {
				t.Fatalf("%d is relevant", n)
			}
		}
	}
}

// FuzzParameters checks the same of the contents of discovery and of inline QoS.
func FuzzParameters(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(packetDir, "*", "s?dp_*.bin"))
	if err != nil || len(names) == 0 {
		f.Fatal("no packets of discovery", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		m := message(f, b)
		for s, ok := m.Next(); ok; s, ok = m.Next() {
			if s.ID == IDData {
				d := must(ParseData(s))
				f.Add(d.Payload)
				f.Add(d.InlineQoS)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 20_000 { // written out in full, a longer value may not fit a parameter
			return
		}
		fuzzInlineQoS(t, b)
		if p, err := ParseParticipantMessage(b); err == nil {
			if again, err := ParseParticipantMessage(p.Append(nil, binary.BigEndian)); err != nil || again != p {
				t.Fatalf("%v: %v, again %v", err, p, again)
			}
		}
		for _, order := range []Order{binary.LittleEndian, binary.BigEndian} {
			if p, err := ParseParticipant(b); err == nil {
				again, err := ParseParticipant(p.Append(nil, order))
				if diff := cmp.Diff(p, again); err != nil || diff != "" {
					t.Fatalf("%v %s", err, diff)
				}
			}
			if e, err := ParseEndpoint(b); err == nil {
				again, err := ParseEndpoint(e.Append(nil, order))
				if diff := cmp.Diff(e, again); err != nil || diff != "" {
					t.Fatalf("%v %s", err, diff)
				}
			}
		}
	})
}

func fuzzInlineQoS(t *testing.T, b []byte) {
	q, err := ParseInlineQoS(b, binary.LittleEndian, FastDDS)
	if err != nil {
		return
	}
	again, err := ParseInlineQoS(q.Append(nil, binary.BigEndian), binary.BigEndian, FastDDS)
	if err != nil || again != q {
		t.Fatalf("%v: %+v, again %+v", err, q, again)
	}
}
