package analysis

import (
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// numbers follow the sequence numbers of one writer as they come to one place.
type numbers struct {
	last uint64 // the highest
	gaps []numberGap
}

// A numberGap is numbers that were passed over, and when that was seen.
type numberGap struct {
	first, last uint64
	at          timeline.Instant
}

// numberGaps bounds the gaps remembered: of a sample that fills an older one
// it is not known how late it comes.
const numberGaps = 64

// take notes a number. If it fills a gap, it comes late, by the time since a
// higher one came.
func (n *numbers) take(number uint64, at timeline.Instant) (by time.Duration, late bool) {
	if number > n.last {
		if n.last > 0 && number > n.last+1 {
			n.remember(numberGap{n.last + 1, number - 1, at})
		}
		n.last = number
		return 0, false
	}
	i := slices.IndexFunc(n.gaps, func(g numberGap) bool { return g.first <= number && number <= g.last })
	if i < 0 {
		return 0, false
	}
	g := n.gaps[i]
	n.gaps = slices.Delete(n.gaps, i, i+1)
	if g.first < number {
		n.remember(numberGap{g.first, number - 1, g.at})
	}
	if number < g.last {
		n.remember(numberGap{number + 1, g.last, g.at})
	}
	return at.Sub(g.at), true
}

func (n *numbers) remember(g numberGap) {
	if len(n.gaps) == numberGaps {
		n.gaps = slices.Delete(n.gaps, 0, 1)
	}
	n.gaps = append(n.gaps, g)
}
