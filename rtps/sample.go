package rtps

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Sample is one sample as a reader delivers it.
type Sample struct {
	Writer   wire.GUID
	Sequence wire.SequenceNumber
	Source   wire.Optional[wire.Timestamp] // when it was written, by its writer's clock
	Arrival  clock.Mono                    // of its first datagram here; delivery may be later, behind a hole
	Repairs  int                           // how often it was asked for before it came; 0: never lost
	Data     wire.Data                     // good until the next call of the reader, or the end of the datagram
}

// Counts says what became of the samples of one writer since its match. Every
// number from the reader's start on is in one of the first four, once its turn
// has come.
type Counts struct {
	Delivered   uint64 // given to the caller, Repaired included
	Overwritten uint64 // missing when the writer said that it no longer has them
	Irrelevant  uint64 // the writer said by a GAP not to wait for them: never sent to this reader, or gone
	Lost        uint64 // best effort only: numbers left out

	Repaired  uint64              // delivered after they had been asked for
	Repeated  uint64              // arrived again, or with best effort behind a later one
	NoRoom    uint64              // arrived too far ahead of a hole and were not kept; they are asked for again
	Announced wire.SequenceNumber // the highest number a HEARTBEAT said was written; 0 before the first
}
