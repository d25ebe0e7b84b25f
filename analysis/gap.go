package analysis

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// longest keeps the longest spells, longest first; of equals the earlier.
type longest struct {
	s []spell
}

const gapsKept = 8

func (l *longest) add(s spell) {
	n := len(l.s)
	if n == gapsKept && s.length <= l.s[n-1].length {
		return
	}
	i, _ := slices.BinarySearchFunc(l.s, s, func(e, t spell) int {
		if e.length >= t.length {
			return -1
		}
		return 1
	})
	if n == gapsKept {
		l.s = l.s[:n-1]
	}
	l.s = slices.Insert(l.s, i, s)
}

// bursts counts runs of messages that are closer together than a tenth of the
// mean interval so far.
type bursts struct {
	count, messages, max uint64 // finished ones

	size                   uint64 // of the one under way, 0 if none
	begin, first, previous timeline.Instant
}

// burstsFrom is how many messages it takes to know a mean interval.
const burstsFrom = 10

// add takes the spell before message n (counted from 0), which arrived span
// after the first one.
func (b *bursts) add(s spell, span time.Duration, n uint64) {
	if n < burstsFrom {
		return
	}
	if 10*float64(s.length)*float64(n) >= float64(span) {
		b.end()
		return
	}
	if b.size == 0 {
		b.begin, b.size = s.at, 1
	}
	b.size++
}

func (b *bursts) end() {
	if b.size == 0 {
		return
	}
	if b.count == 0 {
		b.first = b.begin
	}
	b.previous = b.begin
	b.count++
	b.messages += b.size
	b.max = max(b.max, b.size)
	b.size = 0
}

// figures returns what a reader is told: nil if messages came one by one.
func (b bursts) figures() *Bursts {
	b.end() // b is a copy: the one under way goes on
	if b.count == 0 {
		return nil
	}
	f := &Bursts{Count: b.count, MaxSize: b.max, MeanSize: float64(b.messages) / float64(b.count)}
	if b.count > 1 {
		f.MeanSpacing = seconds(b.previous.Sub(b.first)) / float64(b.count-1)
	}
	return f
}
