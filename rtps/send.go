package rtps

import (
	"encoding/binary"

	"github.com/takt-rt/takt/rtps/wire"
)

// A Send is one submessage to be sent, and to whom.
type Send struct {
	To   wire.GUID         // the endpoint meant; zero is every one that matches
	Kind wire.SubmessageID // which field below holds

	Source        wire.Timestamp // of Data and DataFrag: when it was written
	Data          wire.Data      // its slices are the history's: send or copy them before the next Write
	DataFrag      wire.DataFrag  // so are its slices
	Heartbeat     wire.Heartbeat
	HeartbeatFrag wire.HeartbeatFrag
	Gap           wire.Gap
	AckNack       wire.AckNack
	NackFrag      wire.NackFrag
}

// Append appends the submessage in little endian under the INFO_DST that says
// whom it is for; a sample also under the INFO_TS that says when it was written.
func (s *Send) Append(b []byte) []byte {
	order := binary.LittleEndian
	b = wire.InfoDest{Prefix: s.To.Prefix}.Append(b, order)
	switch s.Kind {
	case wire.IDData:
		b = wire.InfoTimestamp{Timestamp: wire.Some(s.Source)}.Append(b, order)
		b = s.Data.Append(b, order)
	case wire.IDDataFrag:
		b = wire.InfoTimestamp{Timestamp: wire.Some(s.Source)}.Append(b, order)
		b = s.DataFrag.Append(b, order)
	case wire.IDHeartbeatFrag:
		b = s.HeartbeatFrag.Append(b, order)
	case wire.IDNackFrag:
		b = s.NackFrag.Append(b, order)
	case wire.IDHeartbeat:
		b = s.Heartbeat.Append(b, order)
	case wire.IDGap:
		b = s.Gap.Append(b, order)
	case wire.IDAckNack:
		b = s.AckNack.Append(b, order)
	}
	return b
}
