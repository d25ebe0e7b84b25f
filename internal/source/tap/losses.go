package tap

import (
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// maxDrops is how many drops of one writer are told in one batch: a writer can
// claim any number of samples. More are counted.
const maxDrops = 1024

// A lost is what one of takt's readers was known to have lost of one writer.
type lost struct {
	writer wire.GUID
	entity timeline.EntityID
	counts rtps.Counts
}

// countLosses tells what a reader of takt's own lost since it was asked last.
// Which sample it was is not known, only that it is missing by now. What a
// writer never meant for this reader is no loss.
func (t *Tap) countLosses(s *stream) {
	t.mu.Lock()
	for _, w := range s.topic.writers[len(s.lost):] {
		s.lost = append(s.lost, lost{writer: w.guid, entity: w.entity.ID})
	}
	t.mu.Unlock()
	for i := range s.lost {
		l := &s.lost[i]
		now, matched := s.reader.Counts(l.writer)
		if !matched {
			continue
		}
		before := l.counts
		l.counts = now
		if now.Lost < before.Lost || now.Overwritten < before.Overwritten || now.TooLarge < before.TooLarge {
			before = rtps.Counts{} // matched anew
		}
		t.drop(s, l, now.Lost-before.Lost, timeline.LostOnWire)
		t.drop(s, l, now.Overwritten-before.Overwritten, timeline.OverwrittenAtWriter)
		t.drop(s, l, now.TooLarge-before.TooLarge, timeline.Rejected)
	}
}

// drop tells of n samples of one writer.
func (t *Tap) drop(s *stream, l *lost, n uint64, why timeline.DropReason) {
	if n == 0 {
		return
	}
	at := timeline.Instant(t.opt.Now())
	t.found.untold += n - min(n, maxDrops)
	t.mu.Lock()
	defer t.mu.Unlock()
	for range min(n, maxDrops) {
		t.queue.push(timeline.Event{
			At: at, Kind: timeline.SampleDropped, Entity: s.own,
			Cause: timeline.Cause{Entity: l.entity}, Value: int64(why),
		})
	}
}
