package wire

import (
	"encoding/binary"
	"testing"
)

// parseAll parses a datagram as a participant would and returns how many
// submessages were bad.
func parseAll(datagram []byte) (bad int) {
	m, err := ParseMessage(datagram)
	if err != nil {
		return 1
	}
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if err := parseOne(s, m.Vendor); err != nil {
			bad++
		}
	}
	if m.Err() != nil {
		bad++
	}
	return bad
}

func parseOne(s Submessage, vendor VendorID) (err error) {
	switch s.ID {
	case IDData:
		var d Data
		if d, err = ParseData(s); err == nil && d.InlineQoS != nil {
			_, err = ParseInlineQoS(d.InlineQoS, s.Order(), vendor)
		}
	case IDDataFrag:
		_, err = ParseDataFrag(s)
	case IDHeartbeat:
		_, err = ParseHeartbeat(s)
	case IDHeartbeatFrag:
		_, err = ParseHeartbeatFrag(s)
	case IDAckNack:
		_, err = ParseAckNack(s)
	case IDNackFrag:
		_, err = ParseNackFrag(s)
	case IDGap:
		_, err = ParseGap(s)
	}
	return err
}

func TestParsingAllocatesNothing(t *testing.T) {
	for _, p := range index(t) {
		if p.size < p.whole {
			continue
		}
		b := packet(t, p.name)
		if n := testing.AllocsPerRun(10, func() { parseAll(b) }); n != 0 {
			t.Errorf("%s: %v allocations", p.name, n)
		}
	}
}

// appendSample appends the datagram of one sample as takt would send it.
func appendSample(b []byte, d *Data) []byte {
	b = Header{ProtocolVersion{2, 3}, VendorID{1, 0x63}, GUIDPrefix{1}}.Append(b)
	b = InfoDest{GUIDPrefix{2}}.Append(b, binary.LittleEndian)
	b = InfoTimestamp{Some(Timestamp{1, 2})}.Append(b, binary.LittleEndian)
	b = d.Append(b, binary.LittleEndian)
	return Heartbeat{Writer: d.Writer, First: 1, Last: d.Sequence, Count: 1}.Append(b, binary.LittleEndian)
}

func TestAppendingAllocatesNothing(t *testing.T) {
	buffer := make([]byte, 0, 2000)
	d := Data{Writer: EntityID{0, 0, 1, 3}, Sequence: 1, Payload: make([]byte, 1024)}
	if n := testing.AllocsPerRun(10, func() { buffer = appendSample(buffer[:0], &d) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	a := AckNack{Missing: SequenceSet{Base: 1}, Count: 1}
	if n := testing.AllocsPerRun(10, func() {
		a.Missing.Add(7)
		buffer = a.Append(buffer[:0], binary.LittleEndian)
	}); n != 0 {
		t.Errorf("ACKNACK: %v allocations", n)
	}
}
