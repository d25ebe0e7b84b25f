package report

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
)

// A late is how many values of a series are over a limit.
type late struct {
	count, of uint64
	longest   float64 // seconds
	doubt     string  // why that is not known, or ""
}

// lateBy counts what is over the limit. Without a count by the analysis that
// much is known only if nothing is.
func lateBy(limit time.Duration, s *analysis.Series, over *analysis.Over) late {
	switch {
	case s == nil || s.Count == 0:
		return late{doubt: "there is nothing to measure it by"}
	case !exceeds(s.Max, limit):
		return late{of: s.Count, longest: s.Max}
	case over == nil || over.Of == 0 || !same(over.LimitS, limit):
		return late{doubt: "the analysis did not count what is over " + chosen(limit)}
	}
	return late{count: over.Count, of: over.Of, longest: s.Max}
}

func same(s float64, d time.Duration) bool {
	return !exceeds(s, d) && !exceeds(2*d.Seconds()-s, d)
}

func (l late) share() float64 { return share(l.count, l.of) }

// soft judges the share that is late: up to the allowed share may be.
func soft(allowed float64, l late) measurement {
	m := measurement{unit: "1", bound: allowed, doubt: l.doubt}
	if l.doubt != "" {
		return m
	}
	part := l.share()
	m.measured, m.samples = &part, l.of
	m.text = fmt.Sprintf("%s over it (%d of %d), at most %s", percent(part), l.count, l.of, quantity.Seconds(l.longest))
	m.broken = under(allowed, part)
	return m
}
