package tap

import (
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// A writer can claim any number of samples. So many drops of one writer and
// reason are told in one batch, the rest in those that follow; and so many at
// the end, when what is left is only counted.
const (
	maxDrops = 1024
	maxLast  = 1 << 14
)

// A lost is what one of takt's readers is known to have lost of one writer.
type lost struct {
	writer wire.GUID
	entity timeline.EntityID
	known  rtps.Counts
	told   rtps.Counts // no more than known
}

// countLosses tells what a reader of takt's own has lost and was not told yet,
// at most so many for each writer and reason. Which sample it was is not known,
// only that it is missing by now. What a writer never meant for this reader is
// no loss.
func (t *Tap) countLosses(s *stream, most uint64) {
	t.mu.Lock()
	for _, w := range s.topic.writers[len(s.lost):] {
		s.lost = append(s.lost, lost{writer: w.guid, entity: w.entity.ID})
	}
	t.mu.Unlock()
	for i := range s.lost {
		l := &s.lost[i]
		if now, matched := s.reader.Counts(l.writer); matched {
			if now.Lost < l.known.Lost || now.Overwritten < l.known.Overwritten || now.TooLarge < l.known.TooLarge {
				t.found.untold += l.untold() // matched anew
				l.told = rtps.Counts{}
			}
			l.known = now
		}
		t.drop(s, l, &l.told.Lost, l.known.Lost, timeline.LostOnWire, most)
		t.drop(s, l, &l.told.Overwritten, l.known.Overwritten, timeline.OverwrittenAtWriter, most)
		t.drop(s, l, &l.told.TooLarge, l.known.TooLarge, timeline.Rejected, most)
	}
}

// untold is how many are known and not told.
func (l *lost) untold() uint64 {
	return l.known.Lost - l.told.Lost + l.known.Overwritten - l.told.Overwritten + l.known.TooLarge - l.told.TooLarge
}

// drop tells of samples of one writer.
func (t *Tap) drop(s *stream, l *lost, told *uint64, known uint64, why timeline.DropReason, most uint64) {
	n := min(known-*told, most)
	if n == 0 {
		return
	}
	*told += n
	at := timeline.Instant(t.opt.Now())
	t.mu.Lock()
	defer t.mu.Unlock()
	for range n {
		t.queue.push(timeline.Event{
			At: at, Kind: timeline.SampleDropped, Entity: s.own,
			Cause: timeline.Cause{Entity: l.entity}, Value: int64(why),
		})
	}
}
