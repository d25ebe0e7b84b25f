package rtps

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A readerProxy is what a writer knows of one reader, of a fixed size
// whatever the reader sends.
type readerProxy struct {
	guid     wire.GUID
	reliable bool
	volatile bool
	start    wire.SequenceNumber // the first number meant for it
	acked    wire.SequenceNumber // it has, or need not have, all up to this one
	heard    bool                // it has answered a heartbeat, so it knows its start
	openings int                 // ACKNACKs that may have been sent before a heartbeat came

	count    int32 // of its last ACKNACK
	counted  bool
	asked    wire.SequenceSet    // what its last ACKNACK asks for, as far as it is not yet answered
	repaired wire.FragmentNumber // of the first of these, how many fragments were sent in answer
	due      clock.Mono          // when the answer is due
	answered clock.Mono          // the last one

	fragCount   int32 // of its last NACK_FRAG
	fragCounted bool
	fragments   []fragmentRequest // not yet answered, at most maxNackFrags
}

// manyOpenings is how many ACKNACKs that look as if no heartbeat had come are
// believed: a reader that never sets the final flag cannot be told from one
// that still waits, except by its patience.
const manyOpenings = 16

// counts reports whether an ACKNACK is newer than the last one, and notes it.
// The difference wraps around as the count does.
func (p *readerProxy) counts(count int32) bool {
	if p.counted && count-p.count <= 0 {
		return false
	}
	p.count, p.counted = count, true
	return true
}

// take notes what an ACKNACK says and reports whether it acknowledges more
// than was known.
func (p *readerProxy) take(a *wire.AckNack) (progress bool) {
	if a.Missing.Base <= 1 && a.Missing.Len() == 0 && !a.Final {
		p.openings++
	}
	opening := a.Missing.Base <= 1 && a.Missing.Len() == 0 && !a.Final && p.openings < manyOpenings
	progress = !opening && !p.heard
	p.heard = p.heard || !opening
	if acked := a.Missing.Base - 1; acked > p.acked {
		p.acked, progress = acked, true
	}
	p.asked, p.repaired = a.Missing, 0
	return progress
}

// lacks reports whether a reader has something yet to acknowledge: samples up
// to last, or where it starts.
func (p *readerProxy) lacks(last wire.SequenceNumber) bool {
	return p.reliable && (!p.heard || p.acked < last)
}
