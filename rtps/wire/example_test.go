package wire_test

import (
	"encoding/binary"
	"fmt"

	"github.com/takt-rt/takt/rtps/wire"
)

func ExampleMessage() {
	writer := wire.EntityID{0, 0, 1, wire.KindWriter}
	sample := wire.Data{Writer: writer, Sequence: 7, Payload: []byte{0, 1, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0}}
	datagram := wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}}.Append(nil)
	datagram = wire.InfoTimestamp{Timestamp: wire.Some(wire.TimestampOf(1_500_000_000))}.Append(datagram, binary.LittleEndian)
	datagram = sample.Append(datagram, binary.LittleEndian)

	var tally wire.Tally
	m, err := wire.ParseMessage(datagram)
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		tally.Count(s.ID)
		if s.ID != wire.IDData {
			continue
		}
		d, err := wire.ParseData(s)
		if err != nil {
			tally.Reject(err)
			continue
		}
		fmt.Printf("%v sample %d of %d bytes, written at %v\n", d.Writer, d.Sequence, len(d.Payload), m.Timestamp.Value.Wall())
	}
	fmt.Println(err, m.Err(), tally.Submessages[wire.IDData])
	// Output:
	// 00000103 sample 7 of 12 bytes, written at 1970-01-01 00:00:01.500000000 UTC
	// <nil> <nil> 1
}
