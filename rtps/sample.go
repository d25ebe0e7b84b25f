package rtps

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Sample is one sample as a reader delivers it.
type Sample struct {
	Writer   wire.GUID
	Sequence wire.SequenceNumber
	Source   wire.Optional[wire.Timestamp] // when it was written, by its writer's clock
	First    clock.Mono                    // arrival of its first fragment here; of a whole sample the same as Arrival
	Arrival  clock.Mono                    // of the datagram that made it whole; delivery may be later, behind a hole
	Repairs  int                           // how often it was asked for before it came; 0: never lost
	Data     wire.Data                     // good until Recycle, or the end of the datagram
}

// Counts says what became of the samples of one writer since its match. Every
// number from the reader's start on is in one of the first five, once its turn
// has come.
type Counts struct {
	Delivered   uint64 // given to the caller, Repaired included
	Overwritten uint64 // missing when the writer said that it no longer has them
	Irrelevant  uint64 // the writer said by a GAP not to wait for them: never sent to this reader, or gone
	Lost        uint64 // best effort only: numbers left out
	TooLarge    uint64 // reliable only: fragmented and larger than Held, so given up

	Repaired          uint64              // delivered after they had been asked for
	Repeated          uint64              // arrived again, or with best effort behind a later one
	NoRoom            uint64              // samples or their parts that arrived too far ahead and were not kept; they are asked for again
	FragmentsRepeated uint64              // fragments that arrived again
	Announced         wire.SequenceNumber // the highest number a HEARTBEAT said was written; 0 before the first
}

// Expired reports whether the lifespan that its writer gave a sample has passed
// at now: by the clock of the reader against that of the writer, as both
// vendors reckon. Without a source timestamp, or a lifespan of more than 0, a
// sample never expires.
func (s *Sample) Expired(now clock.Wall, lifespan time.Duration) bool {
	return lifespan > 0 && s.Source.Set && now.Sub(s.Source.Value.Wall()) > lifespan
}
