package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const packetDir = "../../testdata/rtps"

// packet reads a datagram of the collection; its README says what is in it.
func packet(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(packetDir, name+".bin"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func message(t testing.TB, datagram []byte) Message {
	t.Helper()
	m, err := ParseMessage(datagram)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// find returns the nth submessage of an id, from 0.
func find(t testing.TB, datagram []byte, id SubmessageID, nth int) Submessage {
	t.Helper()
	m := message(t, datagram)
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if s.ID == id {
			if nth == 0 {
				return s
			}
			nth--
		}
	}
	t.Fatalf("no such %v: %v", id, m.Err())
	return Submessage{}
}

// must returns a result that has no error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// wantProblem checks that err is an *Error of a problem.
func wantProblem(t *testing.T, err error, want Problem) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Problem != want {
		t.Errorf("got %v, want: %v", err, want)
	}
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "|", "", "\n", "", "\t", "").Replace(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An indexed is one line of index.tsv.
type indexed struct {
	name        string
	size, whole int
	parts       []string
}

func index(t testing.TB) (all []indexed) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(packetDir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if f[5] == "-" { // a payload without RTPS
			continue
		}
		all = append(all, indexed{
			strings.TrimSuffix(f[0], ".bin"), must(strconv.Atoi(f[1])), must(strconv.Atoi(f[2])), strings.Fields(f[5]),
		})
	}
	return all
}

// describe says of a submessage what index.tsv says.
func describe(s Submessage) string {
	name := s.ID.String()
	if !s.ID.Known() {
		name = fmt.Sprintf("VENDOR_0x%02x", uint8(s.ID))
	}
	return fmt.Sprintf("%s(%02x,%d)@%d", name, s.Flags, len(s.Body), s.Offset)
}

func TestEveryPacketHasTheSubmessagesOfTheIndex(t *testing.T) {
	all := index(t)
	if len(all) < 80 {
		t.Fatalf("the index lists only %d packets", len(all))
	}
	for _, p := range all {
		b := packet(t, p.name)
		m := message(t, b)
		var got []string
		for s, ok := m.Next(); ok; s, ok = m.Next() {
			got = append(got, describe(s))
		}
		want := p.parts
		if p.size < p.whole {
			wantProblem(t, m.Err(), BeyondDatagram)
			want = want[:len(got)]
		} else if m.Err() != nil {
			t.Errorf("%s: %v", p.name, m.Err())
		}
		if len(b) != p.size || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %d bytes\n got %v\nwant %v", p.name, len(b), got, want)
		}
	}
}

// rewrite parses a submessage and appends what it read.
func rewrite(b []byte, s Submessage) ([]byte, error) {
	order := s.Order()
	switch s.ID {
	case IDData:
		v, err := ParseData(s)
		return v.Append(b, order), err
	case IDDataFrag:
		v, err := ParseDataFrag(s)
		return v.Append(b, order), err
	case IDHeartbeat:
		v, err := ParseHeartbeat(s)
		return v.Append(b, order), err
	case IDHeartbeatFrag:
		v, err := ParseHeartbeatFrag(s)
		return v.Append(b, order), err
	case IDAckNack:
		v, err := ParseAckNack(s)
		return v.Append(b, order), err
	case IDNackFrag:
		v, err := ParseNackFrag(s)
		return v.Append(b, order), err
	case IDGap:
		v, err := ParseGap(s)
		return v.Append(b, order), err
	case IDInfoTimestamp:
		v, err := ParseInfoTimestamp(s)
		return v.Append(b, order), err
	case IDInfoDest:
		v, err := ParseInfoDest(s)
		return v.Append(b, order), err
	case IDInfoSource:
		v, err := ParseInfoSource(s)
		return v.Append(b, order), err
	case IDInfoReply:
		v, err := ParseInfoReply(s)
		return v.Append(b, order), err
	}
	return s.Append(b), nil
}

func TestEveryPacketIsWrittenAsItWasRead(t *testing.T) {
	for _, p := range index(t) {
		if p.size < p.whole {
			continue
		}
		b := packet(t, p.name)
		got := must(ParseHeader(b)).Append(nil)
		m := message(t, b)
		for s, ok := m.Next(); ok; s, ok = m.Next() {
			var err error
			if got, err = rewrite(got, s); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
		if !bytes.Equal(got, b) {
			t.Errorf("%s:\n got %x\nwant %x", p.name, got, b)
		}
	}
}

func TestEveryParameterListIsWrittenAsItWasRead(t *testing.T) {
	lists := 0
	for _, p := range index(t) {
		if p.size < p.whole {
			continue
		}
		m := message(t, packet(t, p.name))
		for s, ok := m.Next(); ok; s, ok = m.Next() {
			if s.ID != IDData {
				continue
			}
			d := must(ParseData(s))
			if d.InlineQoS != nil {
				wantSameList(t, d.InlineQoS, s.Order())
				lists++
			}
			if d.Payload != nil && d.Payload[1] == parameterListLittle {
				wantSameList(t, d.Payload[encapsulationLen:], s.Order())
				lists++
			}
		}
	}
	if lists < 50 {
		t.Errorf("only %d lists", lists)
	}
}

func wantSameList(t *testing.T, params []byte, order Order) {
	t.Helper()
	r := NewParameterReader(params, order)
	var got []byte
	for p, ok := r.Next(); ok; p, ok = r.Next() {
		got = p.Append(got, order)
	}
	if n, err := r.End(); err != nil || n != len(params) {
		t.Errorf("list of %d ends at %d: %v", len(params), n, err)
	}
	if got = AppendSentinel(got, order); !bytes.Equal(got, params) {
		t.Errorf("got %x, want %x", got, params)
	}
}
