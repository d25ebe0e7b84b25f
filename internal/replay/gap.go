package replay

import (
	"cmp"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// A gap is what lies before a job: the executor was told of it in [low, high].
type gap struct {
	low, high clock.Mono
	waited    waited
}

// A waited says whether the executor went into a wait in a gap.
type waited uint8

const (
	mayHaveWaited waited = iota // the trace does not have waits
	didWait
	didNotWait
)

// gap returns the gap before a job of the stream.
func (s *stream) gap(i int, each bool) gap {
	j := s.jobs[i]
	g := gap{low: clock.Mono(s.before[i]), high: clock.Mono(j.start)}
	g.low = min(g.low, g.high)
	if each || len(j.thread.waits) == 0 {
		return g
	}
	g.waited = didNotWait
	at, ok := last(j.thread.waits, j.start)
	if ok && clock.Mono(at) >= g.low {
		g.waited, g.low = didWait, clock.Mono(at)
	}
	if i == 0 {
		g.waited = didWait
	}
	if at, ok := firstAfter(j.thread.chooses, timeline.Instant(g.low)); ok && at <= j.start {
		g.high = clock.Mono(at)
	}
	return g
}

func firstAfter(sorted []timeline.Instant, at timeline.Instant) (timeline.Instant, bool) {
	i, found := slices.BinarySearch(sorted, at)
	if found {
		i++
	}
	if i == len(sorted) {
		return 0, false
	}
	return sorted[i], true
}

// called is the latest instant in a gap at which the timer of its job can have
// been called: before the release of the timer's next job, which it would have
// skipped otherwise.
func (m *member) called(g gap) clock.Mono {
	if m.kind != sched.TimerKind || m.served+1 >= len(m.jobs) {
		return g.high
	}
	if next := m.laid(m.jobs[m.served+1]); next <= g.high && next > g.low {
		return next - 1
	}
	return g.high
}

// snapshots returns the instants to try for the snapshot before job i, the
// latest first: all of the gap is alike but for releases of timers in it.
func (s *stream) snapshots(i int, g gap) []clock.Mono {
	m := s.member(s.jobs[i])
	low, high := g.low, m.called(g)
	if at, known := m.ready(); known {
		low = max(low, at)
	}
	all := []clock.Mono{high}
	for _, m := range s.members {
		if m.kind == sched.TimerKind && m.next > low && m.next <= high {
			all = append(all, m.next-1)
		}
	}
	if low < high {
		all = append(all, low)
	}
	slices.SortFunc(all, func(a, b clock.Mono) int { return cmp.Compare(b, a) })
	return slices.Compact(all)
}
