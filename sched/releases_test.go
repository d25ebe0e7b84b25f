package sched

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

// Whatever is set, the next release is the least, and those that are due come
// in the order of the timers, as in a plain slice.
func TestReleases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		instant := rapid.Int64Range(0, 20)
		r := releases{next: Never}
		var plain []clock.Mono
		for range rapid.IntRange(0, 50).Draw(t, "timers") {
			at := clock.Mono(instant.Draw(t, "first"))
			r.add(at)
			plain = append(plain, at)
		}
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			if len(plain) > 0 {
				i, at := rapid.IntRange(0, len(plain)-1).Draw(t, "timer"), clock.Mono(instant.Draw(t, "next"))
				r.set(i, at)
				plain[i] = at
			}
			now := clock.Mono(instant.Draw(t, "now"))
			next, after := Never, Never
			var want, got []int
			for i, at := range plain {
				next = min(next, at)
				if at <= now {
					want = append(want, i)
				} else {
					after = min(after, at)
				}
			}
			if len(plain) > 0 && r.soonest() != slices.Index(plain, next) {
				t.Fatalf("of %d the soonest is %d", plain, r.soonest())
			}
			r.upTo(now, func(i int) bool { got = append(got, i); return true })
			if r.next != next || r.after(now) != after || !slices.Equal(got, want) {
				t.Fatalf("at %d of %d: next %d, after %d, due %d", now, plain, r.next, r.after(now), got)
			}
		}
	})
}
